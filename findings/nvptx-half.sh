#!/usr/bin/env bash
# clang 19.1.7 for NVPTX (llc 15.0.6 and 16.0.6 of such LLVM IR, too): a variable of type half that has a value is a .b16 with the value as a
# double. ptxas 13.0.88 takes that without a warning and stores 0. In an array the same number is written as bytes, 0x7BFF.
# Guess: 31743 or 0x7BFF: numbers of .b16 are integers (PTX ISA, 5.4.4).
. "$(dirname "$0")/llvm" 19
same "$(tool clang -x c -O2 -target nvptx64-nvidia-cuda -Xclang -target-cpu -Xclang sm_70 -S -o - - <<'END' | sed -n 's/^\.visible \.global //p'
_Float16 most = 65504;
_Float16 array[2] = {65504, 65504};
END
)" '.align 2 .b16 most = 0d40EFFC0000000000;
.align 2 .b8 array[4] = {255, 123, 255, 123};'
