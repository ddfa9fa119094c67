#!/usr/bin/env bash
# LLVM 19.1.7 for NVPTX: ldexp of half takes every exponent below -20 for -20, because its two scaling steps, which are to reach the smallest number, are
# by 2^-3 each.
#   ldexp(1, -21) and ldexp(1, -1000) are 2^-20 (9.5e-7), also ldexp(65504, -1000) is 0.06. LLVM folds constants to 2^-21, 0 and 0. float is right.
# Guess: 2^-21, the least number being 2^-24, then 0 (LLVM Language Reference, ldexp: the first argument times 2 raised to the second).
. "$(dirname "$0")/llvm" 19
cat >"$work/scale.ll" <<'END'
target triple = "nvptx64-nvidia-cuda"
define half @variable(half %x, i32 %n) {
  %r = call half @llvm.ldexp.f16.i32(half %x, i32 %n)
  ret half %r
}
define half @constant() {
  %r = call half @llvm.ldexp.f16.i32(half 1.0, i32 -1000)
  ret half %r
}
END
same "$(tool opt -O1 -S "$work/scale.ll" | tool llc -mcpu=sm_70 | grep -oE '(mul|max|min|mov\.b16|add\.s32).*')" 'mov.b16 	%rs2, 0x7800;
mul.rn.f16 	%rs3, %rs1, %rs2;
mul.rn.f16 	%rs4, %rs3, %rs2;
mov.b16 	%rs6, 0x3000;
mul.rn.f16 	%rs7, %rs1, %rs6;
mul.rn.f16 	%rs8, %rs7, %rs6;
add.s32 	%r2, %r1, -15;
min.s32 	%r3, %r1, 45;
add.s32 	%r4, %r3, -30;
add.s32 	%r6, %r1, 3;
max.s32 	%r7, %r1, -20;
add.s32 	%r8, %r7, 6;
add.s32 	%r12, %r11, 15;
mul.rn.f16 	%rs15, %rs11, %rs13;
mov.b16 	%rs1, 0x0000;'
