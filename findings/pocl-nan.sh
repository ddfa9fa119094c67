#!/usr/bin/env bash
# PoCL 3.1 (libpocl2 3.1-3+deb12u1): nan(code) is a signaling NaN.
#   nan(0x12345u) is 0x7F812345 (LLVM writes a float as the double of the same value), whose quiet bit is 0; nan(5ul) is 0x7FF0000000000005.
# Guess: a quiet NaN, 0x7FC12345 and 0x7FF8000000000005 (OpenCL C 1.2, table 6.8).
. "$(dirname "$0")/pocl"
same "$(constants <<'END'
kernel void k(global float *r, global double *d)
{
    r[0] = nan(0x12345u);
    d[0] = nan(5ul);
}
END
)" 'float 0x7FF02468A0000000
double 0x7FF0000000000005'
