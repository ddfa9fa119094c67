#!/usr/bin/env bash
# MLIR 19.1.7: --convert-arith-to-spirv makes remsi from absolute values and takes a dividend that equals its absolute value for positive. The least
# integer does: its remainder of 3 is 2. OpSRem, which OpenCL defines for all signs, is not used.
# Guess: OpSRem for OpenCL, or a comparison of the dividend with 0: the remainder is -2 (documentation of arith.remsi: the sign of the dividend).
. "$(dirname "$0")/mlir"
same "$(opt --convert-arith-to-spirv <<'END' | sed -n 's/^ *\(%.*\) : .*/\1/p'
module attributes {spirv.target_env = #spirv.target_env<#spirv.vce<v1.0, [Kernel, Addresses], []>, #spirv.resource_limits<>>} {
  func.func @f(%a: i32, %b: i32) -> i32 {
    %r = arith.remsi %a, %b : i32
    return %r : i32
  }
}
END
)" '%0 = spirv.CL.s_abs %arg0
%1 = spirv.CL.s_abs %arg1
%2 = spirv.UMod %0, %1
%3 = spirv.IEqual %arg0, %0
%4 = spirv.SNegate %2
%5 = spirv.Select %3, %2, %4'
