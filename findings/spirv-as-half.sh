#!/usr/bin/env bash
# spirv-as 2023.1: constants of type half are rounded towards zero, those of float to the nearest number.
#   0.7 becomes 0x3999 (0.6997), 1e-7 becomes 0x0001 (6e-8); 0.1 as a float becomes 0x3DCCCCCD, which is above it.
# Guess: 0x399A and 0x0002, the nearest, as 0.7h and 1e-7h are in OpenCL C and clang.
. "$(dirname "$0")/spirv"
same "$(spirv-as --target-env spv1.0 -o - - <<'END' | od -An -v -tx4 -w4 | tail -12 | sed -n '4~4p'
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability Float16
OpMemoryModel Physical64 OpenCL
%half = OpTypeFloat 16
%float = OpTypeFloat 32
%a = OpConstant %half 0.7
%b = OpConstant %half 1e-7
%c = OpConstant %float 0.1
END
)" ' 00003999
 00000001
 3dcccccd'
