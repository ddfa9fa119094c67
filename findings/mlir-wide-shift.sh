#!/usr/bin/env bash
# MLIR 19.1.7: --arith-emulate-wide-int, which makes 64-bit integers of pairs of 32-bit ones for GPUs without them, shifts the lower half by 32 bits
# where a 64-bit number is shifted by 0. The result is undefined (arith.shrui, SPIR-V); processors that use five bits of the amount shift by 0.
#   (5 << 0) >> 32 is 5. shrui is alike. shrsi selects the unshifted half for 0.
# Guess: 0 0 5 for shifts to the left by 0, 1 and 32.
. "$(dirname "$0")/mlir"
same "$(for bits in 0 1 32; do
    run i32 --arith-emulate-wide-int=widest-int-supported=32 <<END
func.func private @f(%a: i32, %bits: i32) -> i32 {
  %wide = arith.extui %a : i32 to i64
  %shift = arith.extui %bits : i32 to i64
  %c32 = arith.constant 32 : i64
  %shifted = arith.shli %wide, %shift : i64
  %high = arith.shrui %shifted, %c32 : i64
  %r = arith.trunci %high : i64 to i32
  return %r : i32
}
func.func @main() -> i32 {
  %a = arith.constant 5 : i32
  %bits = arith.constant $bits : i32
  %r = call @f(%a, %bits) : (i32, i32) -> i32
  return %r : i32
}
END
done)" '5
0
5'
