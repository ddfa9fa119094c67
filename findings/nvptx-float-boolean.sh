#!/usr/bin/env bash
# LLVM 19.1.7 (14.0.6 and 15.0.6 alike) for NVPTX: fptoui and fptosi to i1 are true for 0 and false for 1: the bits of the number are compared with 0
# by eq instead of ne.
# Guess: 1 for 1.0 and 0 for 0.0 (LLVM Language Reference, fptoui: the value rounded towards zero, if it fits), as LLVM folds the constant.
. "$(dirname "$0")/llvm" 19
cat >"$work/boolean.ll" <<'END'
target triple = "nvptx64-nvidia-cuda"
define i32 @variable(float %x) {
  %b = fptoui float %x to i1
  %r = zext i1 %b to i32
  ret i32 %r
}
define i32 @constant() {
  %b = fptoui float 1.0 to i1
  %r = zext i1 %b to i32
  ret i32 %r
}
END
same "$(tool opt -O1 -S "$work/boolean.ll" | tool llc -mcpu=sm_70 | grep -oE '(setp|selp|mov|cvt)\..*')" 'mov.b32 	%r1, %f1;
setp.eq.b32 	%p1, %r1, 0;
selp.u32 	%r2, 1, 0, %p1;
mov.b32 	%r1, 1;'
