#!/usr/bin/env bash
# MLIR 19.1.7: ceildivsi of the least integer has the wrong sign when --arith-expand has lowered it, because that negates the dividend.
#   ceildivsi(-2147483648, 2) is 1073741824. floordivsi of the same is right.
# Guess: -1073741824: only a division of the least integer by -1 overflows (documentation of arith.ceildivsi).
. "$(dirname "$0")/mlir"
same "$(values i32 --arith-expand <<'END'
arith.ceildivsi -2147483648 2
arith.floordivsi -2147483648 2
arith.ceildivsi -2147483647 2
END
)" 'arith.ceildivsi -2147483648 2: 1073741824
arith.floordivsi -2147483648 2: -1073741824
arith.ceildivsi -2147483647 2: -1073741823'
