#!/usr/bin/env bash
# Oclgrind 21.10: mad_sat of long wraps where the product exceeds the largest number by little.
#   mad_sat(LONG_MAX, 2L, 0L) is -2; mad_sat(5L, 1L << 62, 0L) is LONG_MAX, as it should be.
# Guess: LONG_MAX for both: mad_sat "saturates the result" (OpenCL C 1.2, table 6.10).
. "$(dirname "$0")/oclgrind"
same "$(words 4 <<'END'
kernel void k(global uint *r)
{
    const long most = 0x7fffffffffffffffL - r[0], a = mad_sat(most, 2L, 0L), b = mad_sat(r[0] + 5L, 1L << 62, 0L);
    r[0] = a >> 32;
    r[1] = a;
    r[2] = b >> 32;
    r[3] = b;
}
END
)" '0xffffffff 0xfffffffe 0x7fffffff 0xffffffff '
