#!/usr/bin/env bash
# LLVM 19.1.7 (14.0.6 to 16.0.6 alike, but NaN for a finite x and an infinite y) for NVPTX: frem becomes x - trunc(x / y) * y, with each step
# rounded, which is not the remainder.
#   1 rem 0.1f: the quotient is rounded to 10, its product with 0.1f to 1, so a GPU gets 0. The remainder is 0.0999999866 (0x3DCCCCCB); LLVM
#   folds a constant to that, so one expression has two results in one kernel.
# Guess: the remainder: the result is that of libm's fmod (LLVM Language Reference, frem), which is exact.
. "$(dirname "$0")/llvm" 19
cat >"$work/rem.ll" <<'END'
target triple = "nvptx64-nvidia-cuda"
define float @variable(float %a, float %b) {
  %r = frem float %a, %b
  ret float %r
}
define float @constant() {
  %r = frem float 1.0, 0x3FB99999A0000000
  ret float %r
}
END
same "$(tool opt -O1 -S "$work/rem.ll" | tool llc -mcpu=sm_70 | grep -oE '(div|cvt|mul|sub|testp|selp|fma)\..*|0f3[^;]*')" 'div.rn.f32 	%f3, %f1, %f2;
cvt.rzi.f32.f32 	%f4, %f3;
mul.f32 	%f5, %f4, %f2;
sub.f32 	%f6, %f1, %f5;
testp.infinite.f32 	%p1, %f2;
selp.f32 	%f7, %f1, %f6, %p1;
0f3DCCCCCB'
