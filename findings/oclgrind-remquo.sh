#!/usr/bin/env bash
# Oclgrind 21.10: remquo returns three bits of the quotient, as C99 requires at least.
#   remquo(1000, 3) gives 5, remquo(-100, 1) gives -4; the quotients are 333 and -100.
# Guess: 77 and -100: OpenCL C (1.2, 6.12.2) asks for seven bits.
. "$(dirname "$0")/oclgrind"
same "$(words 2 <<'END'
kernel void k(global uint *r)
{
    int quotient;
    remquo(1000.0f + r[0], 3.0f, &quotient);
    r[0] = quotient;
    remquo(-100.0f - r[1], 1.0f, &quotient);
    r[1] = quotient;
}
END
)" '0x00000005 0xfffffffc '
