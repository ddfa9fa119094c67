#!/usr/bin/env bash
# clang 19.1.7 (14.0.6 alike) for NVPTX: an element of a vector parameter whose number is a variable is loaded with plain ld, from an address that add
# makes of the parameter's name. ptxas 13.0.88 refuses the PTX: "Argument 1 of instruction 'add': must be register". With a constant number it is right.
# Guess: ld.param, from an address that mov takes (PTX ISA, ld: without a state space, the address is a generic one).
. "$(dirname "$0")/llvm" 19
same "$(tool clang -x cl -cl-std=CL1.2 -target nvptx64-nvidia-cuda -Xclang -target-cpu -Xclang sm_70 -O2 -S -o - - <<'END' | grep -oE 'entry [a-z]+|add\..*|ld\.(param\.)?(v4\.)?f32.*'
typedef float float4 __attribute__((ext_vector_type(4)));
kernel void variable(global float *r, float4 v, int i) { *r = v[i & 3]; }
kernel void fixed(global float *r, float4 v) { *r = v[2]; }
END
)" 'entry variable
add.s64 	%rd3, variable_param_1, %rd2;
ld.f32 	%f1, [%rd3];
entry fixed
ld.param.v4.f32 	{%f1, %f2, %f3, %f4}, [fixed_param_1];'
