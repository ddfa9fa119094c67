#!/usr/bin/env bash
# MLIR 19.1.7: the math dialect's expansions of round and roundeven add a half and truncate, so the number below a half becomes 1.
# Guess: 0 for both, the integer nearest to 0.49999997 (documentation of math.round and math.roundeven).
. "$(dirname "$0")/mlir"
same "$(values f32 --test-expand-math <<'END'
math.round 0.49999997
math.roundeven 0.49999997
math.round -2.5
END
)" 'math.round 0.49999997 : 1.000000e+00
math.roundeven 0.49999997 : 1.000000e+00
math.round -2.5 : -3.000000e+00'
