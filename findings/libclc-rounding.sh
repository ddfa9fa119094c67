#!/usr/bin/env bash
# libclc 14.0.6 and clang 14.0.6 (15.0.6 and 16.0.6 alike): conversions of int to float that ask for rounding towards zero round to the
# nearest, in the library and in the compiler's intrinsic that would be the way around it.
#   convert_float_rtz(INT_MAX) is 2147483648 (0x4F000000), above its operand; __nvvm_i2f_rz compiles to cvt.rn.f32.s32.
# Guess: 2147483520 (0x4EFFFFFF), as OpenCL C 1.2 (6.2.3.2) says, and cvt.rz.f32.s32.
. "$(dirname "$0")/clang14"
same "$(constants <<'END' | grep -E '\.entry|mov|cvt.*s32'
kernel void library(global float *r) { *r = convert_float_rtz(INT_MAX); }
kernel void intrinsic(global float *r, global int *i) { *r = __nvvm_i2f_rz(*i); }
END
)" '.visible .entry library(
	mov.u32 	%r1, 1325400064;
.visible .entry intrinsic(
	cvt.rn.f32.s32 	%f1, %r1;'
