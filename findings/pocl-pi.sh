#!/usr/bin/env bash
# PoCL 3.1 (libpocl2 3.1-3+deb12u1): zeros of sinpi, cospi and tanpi have the wrong sign at some arguments.
#   sinpi(-1) is +0 (sinpi(-2) is -0, as it should be), cospi(0.5) is -0 (cospi(1.5) is +0), tanpi(1) is +0.
# Guess: -0, -0, +0, +0, -0 (OpenCL C 1.2, 7.5.1: sinpi(-n) is -0, cospi(n + 0.5) is +0, tanpi(n) of an odd n has the sign of -n).
. "$(dirname "$0")/pocl"
same "$(constants <<'END'
kernel void k(global float *r)
{
    r[0] = sinpi(-1.0f);
    r[2] = sinpi(-2.0f);
    r[4] = cospi(0.5f);
    r[6] = cospi(1.5f);
    r[8] = tanpi(1.0f);
}
END
)" 'float 0.000000e+00
float -0.000000e+00
float -0.000000e+00
float 0.000000e+00
float 0.000000e+00'
