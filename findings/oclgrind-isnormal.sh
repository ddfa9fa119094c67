#!/usr/bin/env bash
# Oclgrind 21.10: isnormal of a denormal float is true (1, and -1 in a vector); of a denormal double it is false.
# Guess: false for all three (OpenCL C 1.2, 6.12.6, and C99, 7.12.3.5).
. "$(dirname "$0")/oclgrind"
same "$(words 3 <<'END'
kernel void k(global uint *r)
{
    const float least = as_float(r[0] + 1);
    r[2] = isnormal(as_double((ulong)r[2] + 1));
    r[1] = isnormal((float2)(least, least)).x;
    r[0] = isnormal(least);
}
END
)" '0x00000001 0xffffffff 0x00000000 '
