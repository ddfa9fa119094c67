#!/usr/bin/env bash
# nvcc 13.0.88: the smaller of two zeros depends on what the compiler knows. fminf of the constants 0 and -0 is folded to +0 and fmaxf of -0 and 0 to -0,
# the first operand each time; with a variable they are min and max, for which -0 is the smaller one.
# Guess: 0x80000000 and 0, the results of the instructions (PTX ISA, min and max: -0.0 < +0.0), as fminf(NaN, x) is folded as the instruction has it.
. "$(dirname "$0")/common"
"${NVCC:-nvcc}" --version | grep -q 'release 13\.0' || { echo 'this needs nvcc of CUDA 13.0' >&2; exit 2; }
cat >"$work/zero.cu" <<'END'
extern "C" __global__ void constant_min(float *r) { *r = fminf(0.f, -0.f); }
extern "C" __global__ void constant_max(float *r) { *r = fmaxf(-0.f, 0.f); }
extern "C" __global__ void variable_min(float *r, float x) { *r = fminf(x, -0.f); }
extern "C" __global__ void variable_max(float *r, float x) { *r = fmaxf(x, 0.f); }
END
same "$("${NVCC:-nvcc}" -arch=sm_86 -ptx -o - "$work/zero.cu" | grep -oE 'entry [a-z_]+|mov\.u32.*|(min|max)\..*')" 'entry constant_min
mov.u32 	%r1, 0;
entry constant_max
mov.u32 	%r1, -2147483648;
entry variable_min
min.f32 	%f3, %f1, %f2;
entry variable_max
max.f32 	%f3, %f1, %f2;'
