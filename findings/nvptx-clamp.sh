#!/usr/bin/env bash
# clang 19.1.7 (14.0.6 to 16.0.6 alike) for NVPTX: the intrinsics for cvt of floats to integers clamp, as the instruction does, unless the operand
# is a constant: then the result is undefined and the kernel stores nothing at all.
# Guess: 2147483647 and -2147483648 (PTX ISA, cvt: float-to-integer conversions clamp to the range of the destination).
. "$(dirname "$0")/llvm" 19
same "$(tool clang -x cl -cl-std=CL1.2 -target nvptx64-nvidia-cuda -Xclang -target-cpu -Xclang sm_70 -O2 -S -o - - <<'END' | grep -E 'entry|cvt\.rz|st\.global'
kernel void variable(global int *r, double d) { *r = __nvvm_d2i_rz(d); }
kernel void large(global int *r) { *r = __nvvm_d2i_rz(3e9); }
kernel void small(global int *r) { *r = __nvvm_f2i_rz(-3e9f); }
END
)" '.visible .entry variable(
	cvt.rzi.s32.f64 	%r1, %fd1;
	st.global.u32 	[%rd1], %r1;
.visible .entry large(
.visible .entry small('
