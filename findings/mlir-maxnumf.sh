#!/usr/bin/env bash
# MLIR 19.1.7: maxnumf of two constants, one of which is NaN, is folded to NaN. minnumf is right, and so is maxnumf of variables.
# Guess: 1, four times: "if one of the arguments is NaN, then the result is the other argument" (documentation of arith.maxnumf).
. "$(dirname "$0")/mlir"
same "$(opt --canonicalize <<'END' | grep -E 'constant|return'
func.func @f() -> (f32, f32, f32, f32) {
  %nan = arith.constant 0x7FC00000 : f32
  %one = arith.constant 1.0 : f32
  %0 = arith.maxnumf %nan, %one : f32
  %1 = arith.maxnumf %one, %nan : f32
  %2 = arith.minnumf %nan, %one : f32
  %3 = arith.minnumf %one, %nan : f32
  return %0, %1, %2, %3 : f32, f32, f32, f32
}
END
values f32 --arith-expand <<'END'
arith.maxnumf 0x7FC00000 1.0
END
)" '    %cst = arith.constant 0x7FC00000 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    return %cst, %cst, %cst_0, %cst_0 : f32, f32, f32, f32
arith.maxnumf 0x7FC00000 1.0: 1.000000e+00'
