#!/usr/bin/env bash
# clang 19.1.7 (14.0.6 and 15.0.6 alike) for NVPTX: a number that is -1 where two comparisons hold becomes +1 as a float. InstCombine makes it a
# signed conversion of the boolean, the back end converts 1. With one comparison there is no conversion, and the result is right.
# Guess: -1.0 for all three, and selp of 1 for none (LLVM Language Reference, sitofp: the operand is signed, so an i1 is -1 or 0).
. "$(dirname "$0")/llvm" 19
same "$(tool clang -x cl -cl-std=CL1.2 -target nvptx64-nvidia-cuda -Xclang -target-cpu -Xclang sm_70 -O2 -S -o - - <<'END' | grep -oE 'entry [a-z]+|(selp|cvt)\..*'
kernel void one(global float *r, int a, int b) { *r = a < b ? -1 : 0; }
kernel void two(global float *r, int a, int b, int c) { *r = a < b && b < c ? -1 : 0; }
kernel void sum(global double *r, int a, int b, int c) { *r += -(a < b || b < c); }
END
)" 'entry one
selp.f32 	%f1, 0fBF800000, 0f00000000, %p1;
entry two
selp.u32 	%r4, 1, 0, %p3;
cvt.rn.f32.s32 	%f1, %r4;
entry sum
selp.u32 	%r4, 1, 0, %p3;
cvt.rn.f64.s32 	%fd1, %r4;'
