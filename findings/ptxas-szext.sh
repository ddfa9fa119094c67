#!/usr/bin/env bash
# ptxas 13.0.88 for sm_75 to sm_89, -O1 and above: szext whose number of bits is a parameter reads another constant. For the
# parameter at c[0x0][0x168] the operand (bank in bits 54 to 58, offset in bits 38 to 53) is c[0x1a][0x164], for the next word
# c[0x1b][0x164]: the lower five bits of the parameter's offset / 4 are in the bank. bmsk with the same parameter is right.
# Guess: 00005a00 and 00005b00 in the upper half of the first word, as bmsk has them.
. "$(dirname "$0")/ptxas"
same "$(for instruction in szext.clamp.s32 bmsk.clamp.b32; do
    for offset in 0 4; do
        code 1 sm_86 <<END | sed -n "s/^ \(........\).....a1[ab] .*/$instruction \1/p"
.version 7.8
.target sm_75
.address_size 64
.visible .entry bits(.param .u64 p, .param .align 8 .b8 n[8])
{
.reg .b32 %r<3>;
.reg .b64 %a;
ld.param.u64 %a, [p];
ld.global.u32 %r0, [%a];
ld.param.u32 %r1, [n+$offset];
$instruction %r2, %r0, %r1;
st.global.u32 [%a], %r2;
ret;
}
END
    done
done)" 'szext.clamp.s32 06805900
szext.clamp.s32 06c05900
bmsk.clamp.b32 00005a00
bmsk.clamp.b32 00005b00'
