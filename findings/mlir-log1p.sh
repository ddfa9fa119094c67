#!/usr/bin/env bash
# MLIR 19.1.7: --convert-math-to-spirv makes log(1 + x) of log1p and exp(x) - 1 of expm1, for OpenCL, too, whose extended instructions have both.
#   The 1 absorbs what the functions are for: log1p(1e-8) is 0.
# Guess: log1p and expm1 of OpenCL.std; for Vulkan, which has neither, something that keeps small arguments.
. "$(dirname "$0")/mlir"
same "$(for capabilities in 'Kernel, Addresses' Shader; do
    opt --convert-math-to-spirv <<END | sed -n 's/^ *\(%.*\) : .*/\1/p'
module attributes {spirv.target_env = #spirv.target_env<#spirv.vce<v1.0, [$capabilities], []>, #spirv.resource_limits<>>} {
  func.func @f(%x: f32) -> (f32, f32) {
    %l = math.log1p %x : f32
    %e = math.expm1 %x : f32
    return %l, %e : f32, f32
  }
}
END
done)" '%cst_f32 = spirv.Constant 1.000000e+00
%0 = spirv.FAdd %cst_f32, %arg0
%1 = spirv.CL.log %0
%2 = spirv.CL.exp %arg0
%cst_f32_0 = spirv.Constant 1.000000e+00
%3 = spirv.FSub %2, %cst_f32_0
%cst_f32 = spirv.Constant 1.000000e+00
%0 = spirv.FAdd %cst_f32, %arg0
%1 = spirv.GL.Log %0
%2 = spirv.GL.Exp %arg0
%cst_f32_0 = spirv.Constant 1.000000e+00
%3 = spirv.FSub %2, %cst_f32_0'
