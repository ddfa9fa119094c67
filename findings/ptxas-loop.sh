#!/usr/bin/env bash
# ptxas 13.0.88 for sm_75 to sm_120: a loop negates a value while a predicate holds, and computes a new one. With an unused
# sqrt.rn before the loop, -O1 negates in every turn: the code does not even load the words at 12 and 16, on which the new predicate
# depends. A division in the loop has the same effect at -O2 and -O3.
# Guess: loads at 0, 4, 8, 12 and 16, as -O3 has them here, and -O1 without the sqrt.
. "$(dirname "$0")/ptxas"
same "$(code 1 sm_86 <<'END' | sed -n 's/^ [0-9a-f]*\([0-9a-f]\{2\}\).......981 .*/0x\1/p' | sort | tr '\n' ' '
.version 7.5
.target sm_75
.address_size 64
.visible .entry loop(.param .u64 p)
{
.reg .b32 %r<6>;
.reg .b64 %a;
.reg .f32 %f;
.reg .pred %p, %q;
ld.param.u64 %a, [p];
ld.global.u32 %r0, [%a];
ld.global.u32 %r1, [%a+4];
ld.global.u32 %r2, [%a+8];
ld.global.u32 %r3, [%a+12];
ld.global.u32 %r4, [%a+16];
setp.lt.s32 %p, %r1, %r2;
mov.b32 %f, %r0;
sqrt.rn.f32 %f, %f;
@!%p bra DONE;
and.b32 %r5, %r0, 3;
AGAIN:
@!%p bra NEXT;
neg.s32 %r0, %r0;
setp.eq.s32 %p, %r3, %r4;
NEXT:
add.s32 %r5, %r5, -1;
setp.ge.s32 %q, %r5, 0;
@%q bra AGAIN;
DONE:
st.global.u32 [%a], %r0;
ret;
}
END
)" '0x00 0x04 0x08 '
