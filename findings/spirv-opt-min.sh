#!/usr/bin/env bash
# spirv-opt 2023.1: constant folding of UMin, UMax, UClamp, SMin, SMax and SClamp takes the sign from the operands' type, not from the instruction.
#   UMin of the ints -1 and 1 is -1, SMax of the uints 0xFFFFFFFF and 1 is 0xFFFFFFFF. The module is valid (spirv-val).
# Guess: 1 and 1: the instruction says how its operands are interpreted (GLSL.std.450, UMin, SMax), as spirv-opt does for OpULessThan and OpSLessThan.
. "$(dirname "$0")/spirv"
module() {
    cat <<END
OpCapability Shader
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%function = OpTypeFunction %void
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%pointer = OpTypePointer Private %$1
%r = OpVariable %pointer Private
%int_m1 = OpConstant %int -1
%int_1 = OpConstant %int 1
%uint_m1 = OpConstant %uint 4294967295
%uint_1 = OpConstant %uint 1
%main = OpFunction %void None %function
%label = OpLabel
%x = OpExtInst %$1 %glsl $2 %$1_m1 %$1_1
OpStore %r %x
OpReturn
OpFunctionEnd
END
}
same "$(for instruction in 'int UMin' 'int UMax' 'uint SMin' 'uint SMax' 'int SMax' 'uint UMin'; do
    # shellcheck disable=SC2086 # type and instruction
    module $instruction | spirv-as --target-env spv1.0 -o "$work/module.spv" -
    spirv-val "$work/module.spv"
    printf '%s: ' "$instruction"
    spirv-opt --simplify-instructions "$work/module.spv" -o - | spirv-dis --no-color --no-header | sed -n 's/^ *OpStore .* //p'
done)" 'int UMin: %int_n1
int UMax: %int_1
uint SMin: %uint_1
uint SMax: %uint_4294967295
int SMax: %int_1
uint UMin: %uint_1'
