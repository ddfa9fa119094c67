#!/usr/bin/env bash
# libclc 14.0.6 (15.0.6 and 16.0.6 alike): sub_sat and mad_sat, whose purpose is not to overflow, overflow.
#   sub_sat(0, INT_MIN) is INT_MIN and sub_sat(0l, LONG_MIN) is LONG_MIN. char and short are right.
#   mad_sat(0x80000000l, -0x100000000l, 0x80000000l) is LONG_MIN; the exact sum, LONG_MIN + 0x80000000, fits into a long.
# Guess: INT_MAX, LONG_MAX and 0x8000000080000000, as OpenCL C 1.2 (6.12.3) says and PoCL computes.
# Constants stand for what kernels compute: clang folds libclc's own code.
. "$(dirname "$0")/clang14"
same "$(constants <<'END' | grep -E '\.entry|mov'
kernel void sub_int(global int *r) { *r = sub_sat(0, INT_MIN); }
kernel void sub_long(global long *r) { *r = sub_sat(0l, LONG_MIN); }
kernel void mad_long(global long *r) { *r = mad_sat(0x80000000l, -0x100000000l, 0x80000000l); }
END
)" '.visible .entry sub_int(
	mov.u32 	%r1, -2147483648;
.visible .entry sub_long(
	mov.u64 	%rd2, -9223372036854775808;
.visible .entry mad_long(
	mov.u64 	%rd2, -9223372036854775808;'
