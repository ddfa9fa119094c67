#!/usr/bin/env bash
# Oclgrind 21.10: the fraction of an infinity is 0x1.fffffep-1, also that of -INFINITY, which is positive.
# Guess: +0 and -0 (OpenCL C 1.2, 7.5.1), with the infinity as the whole part, which is right here.
. "$(dirname "$0")/oclgrind"
same "$(words 4 <<'END'
kernel void k(global uint *r)
{
    const float infinity = as_float(r[0] + 0x7f800000u);
    float whole;
    r[0] = as_uint(fract(infinity, &whole));
    r[1] = as_uint(whole);
    r[2] = as_uint(fract(-infinity, &whole));
    r[3] = as_uint(whole);
}
END
)" '0x3f7fffff 0x7f800000 0x3f7fffff 0xff800000 '
