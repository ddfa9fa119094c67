#!/usr/bin/env bash
# spirv-cross 1.3.239.0: for HLSL, a carry, a borrow and products of twice the width become calls of GLSL's functions, with exit status 0. HLSL has none
# of them and the output does not define them, so it fails in the next compiler. For Metal they are written out.
# Guess: HLSL that computes them, as it does bitfieldExtract and packHalf2x16, or an error.
. "$(dirname "$0")/spirv"
same "$(cross --hlsl --shader-model 60 <<'END' >/dev/null && grep -oE '(uaddCarry|usubBorrow|umulExtended|imulExtended)\(' "$work/shader"
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer B { uint r[]; };
layout(std430, binding = 1) buffer C { int s[]; };
void main()
{
    uint carry, borrow, high, low;
    int signed_high, signed_low;
    r[0] = uaddCarry(r[1], r[2], carry) + carry;
    r[3] = usubBorrow(r[4], r[5], borrow) + borrow;
    umulExtended(r[6], r[7], high, low);
    imulExtended(s[0], s[1], signed_high, signed_low);
    r[8] = high + low;
    s[2] = signed_high + signed_low;
}
END
)" 'uaddCarry(
usubBorrow(
umulExtended(
imulExtended('
