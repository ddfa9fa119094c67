#!/usr/bin/env bash
# spirv-cross 1.3.239.0: OpSMod, whose result has the sign of the divisor, becomes % of GLSL, HLSL and Metal. That is undefined for negative operands in
# GLSL and HLSL, and in Metal has the sign of the dividend: -5 modulo 3 is -2 instead of 1. OpSRem is written out, as a - b * (a / b).
# Guess: something whose result has the sign of the divisor (SPIR-V 1.6, 3.42.13, OpSMod).
. "$(dirname "$0")/spirv"
cross >"$work/glsl" <<'END'
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer B { int r[]; };
void main() { r[0] = r[1] % r[2]; }
END
same "$(spirv-dis "$work/shader.spv" | grep -oE 'OpSMod %int'
for language in --msl '--hlsl --shader-model 60'; do
    # shellcheck disable=SC2086 # options
    spirv-cross "$work/shader.spv" $language | grep -oE '[^ ]+ % .*'
done)" 'OpSMod %int
_10.r[1] % _10.r[2];
uint(int(_10.Load(4)) % int(_10.Load(8))));'
