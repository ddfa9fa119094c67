#!/usr/bin/env bash
# MLIR 19.1.7: the math dialect's expansion of powf is exp(y / 2 * log(x * x)), which overflows, underflows and has no case for zero.
#   powf(1e20, 0.5) is infinite, powf(1e-30, 0.5) is 0, powf(0, 0) and powf(1, inf) are NaN, powf(-2, 0.5) is -1.41. powf(-2, 3) is right.
# Guess: 1e10, 1e-15, 1, 1 and NaN, as C's powf (C11, F.10.4.4), to which --convert-math-to-libm lowers the same operation.
. "$(dirname "$0")/mlir"
same "$(values f32 --test-expand-math <<'END'
math.powf 1.0e20 0.5
math.powf 1.0e-30 0.5
math.powf 0.0 0.0
math.powf 1.0 0x7F800000
math.powf -2.0 0.5
math.powf -2.0 3.0
END
)" 'math.powf 1.0e20 0.5: INF
math.powf 1.0e-30 0.5: 0.000000e+00
math.powf 0.0 0.0: nan
math.powf 1.0 0x7F800000: nan
math.powf -2.0 0.5: -1.414214e+00
math.powf -2.0 3.0: -8.000000e+00'
