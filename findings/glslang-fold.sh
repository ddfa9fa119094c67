#!/usr/bin/env bash
# glslangValidator 12.0.0: constants are folded as double, whatever their type: sums of floats are not rounded, nor are conversions to float16_t.
#   16777216.0 + 1.0 - 16777216.0 is 1, int(16777217.0) is 16777217, float(float16_t(0.1)) is 0.1 and float(float16_t(65520.0)) 65520.
# Guess: 0, 16777216, 0.09997559 and infinity, as on a GPU with a variable in the expression: float has 24 significant bits, float16_t 11.
. "$(dirname "$0")/spirv"
glslangValidator -V --stdin -S comp -o "$work/shader.spv" >/dev/null <<'END'
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : enable
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer B { float f[3]; int i; };
const float large = 16777216.0;
void main()
{
    f[0] = large + 1.0 - large;
    i = int(16777217.0);
    f[1] = float(float16_t(0.1));
    f[2] = float(float16_t(65520.0));
}
END
same "$(spirv-dis --no-color --no-header "$work/shader.spv" | sed -n 's/^ *OpStore .* //p')" '%float_1
%int_16777217
%float_0_100000001
%float_65520'
