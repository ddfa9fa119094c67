#!/usr/bin/env bash
# Oclgrind 21.10: a long becomes a float by way of a double, so it is rounded twice; a conversion of ulong is rounded once.
#   (float)0x7FFFFFBFFFFFFFFF is 2^63.
# Guess: 0x5EFFFFFF, the nearest float: the number is just below the middle of that one and 2^63 (OpenCL C 1.2, 6.2.3.2).
. "$(dirname "$0")/oclgrind"
same "$(words 2 <<'END'
kernel void k(global uint *r)
{
    const long below_middle = 0x7fffffbfffffffffL + r[0];
    const ulong above_middle = 0x8000008000000001UL + r[0];
    r[0] = as_uint((float)below_middle);
    r[1] = as_uint((float)above_middle);
}
END
)" '0x5f000000 0x5f000001 '
