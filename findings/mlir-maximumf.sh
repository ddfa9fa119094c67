#!/usr/bin/env bash
# MLIR 19.1.7: maximumf and minimumf order the zeros until --arith-expand has lowered them: then the second operand is the result.
#   maximumf(+0, -0) is -0 and minimumf(-0, +0) is +0, after the expansion; folded constants are +0 and -0.
# Guess: +0 and -0: -0 is less than +0 for both (documentation of arith.maximumf), which distinguishes them from maxnumf and minnumf.
. "$(dirname "$0")/mlir"
same "$(values f32 --arith-expand <<'END'
arith.maximumf 0.0 -0.0
arith.maximumf -0.0 0.0
arith.minimumf -0.0 0.0
END
)" 'arith.maximumf 0.0 -0.0: -0.000000e+00
arith.maximumf -0.0 0.0: 0.000000e+00
arith.minimumf -0.0 0.0: 0.000000e+00'
