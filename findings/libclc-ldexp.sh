#!/usr/bin/env bash
# libclc 14.0.6 (15.0.6 and 16.0.6 alike): ldexp of double with a large exponent is 0, and of a NaN it is a number.
#   ldexp(2.5, INT_MAX) is 0; ldexp((double)NAN, -150) is about 1.9e263 (0x769FFFFFE0000000).
# Guess: infinity (0x7FF0000000000000) and a NaN, as C99 (F.9.3.6) and OpenCL C 1.2 (7.5) say.
. "$(dirname "$0")/clang14"
same "$(constants <<'END' | grep -E '\.entry|mov'
kernel void large(global double *r) { *r = ldexp(2.5, INT_MAX); }
kernel void not_a_number(global double *r) { *r = ldexp((double)NAN, -150); }
END
)" '.visible .entry large(
	mov.u64 	%rd2, 0;
.visible .entry not_a_number(
	mov.u64 	%rd2, 8547832092212330496;'
