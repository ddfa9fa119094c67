#!/usr/bin/env bash
# Oclgrind 21.10: sinpi, cospi and tanpi multiply by a rounded pi, so what should be exact is not.
#   tanpi(0.5) is 1.6e16, sinpi(-1) is -1.2e-16, cospi(1e20) is 0.315, cospi(0.5) is 6.1e-17.
# Guess: infinity, -0, 1, 0 (OpenCL C 1.2, 7.5.1; an even number of half turns).
. "$(dirname "$0")/oclgrind"
same "$(words 4 <<'END'
kernel void k(global uint *r)
{
    const float one = 1 + r[0];
    r[0] = as_uint(tanpi(one / 2));
    r[1] = as_uint(sinpi(-one));
    r[2] = as_uint(cospi(one * 1e20f));
    r[3] = as_uint(cospi(one / 2));
}
END
)" '0x5a6814b4 0xa50d3132 0x3ea14d97 0x248d3132 '
