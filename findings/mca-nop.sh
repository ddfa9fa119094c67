#!/usr/bin/env bash
# llvm-mca 19.1.7 (14.0.6 to 16.0.6 alike) for gfx900: a hundred s_nop 7 take the cycles of a hundred s_nop 0, and so do a hundred s_sleep 127.
# An estimate of code that has delay slots or polls is too small by any factor.
# Guess: 8 cycles for s_nop 7, some 8000 for s_sleep 127 (AMD's ISA of Vega, SOPP: SIMM16[3:0] + 1 wait states; about 64 * SIMM16[6:0] clocks).
. "$(dirname "$0")/llvm" 19
same "$(for instruction in 's_nop 0' 's_nop 7' 's_sleep 127'; do
    tool llvm-mca -mtriple=amdgcn -mcpu=gfx900 -iterations=100 - <<<"$instruction" | sed -n "s/^Total Cycles: */$instruction: /p"
done)" 's_nop 0: 101
s_nop 7: 101
s_sleep 127: 101'
