#!/usr/bin/env bash
# Numba 0.56.4, simulator of CUDA: popc, clz and ffs work on the decimal number's binary text.
#   popc(int32(-1)) is 1, clz(int64(1)) is 31, clz(int64(0)) is 32 and ffs(int64(3) << 40) is 8.
# Guess: 32, 63, 64 and 41: numbers of 32 or 64 bits in two's complement (Numba's manual of CUDA, integer intrinsics: popc.b32, clz.b64 and so on).
. "$(dirname "$0")/numba"
same "$(simulate <<'END'
import numpy
from numba import cuda, int32, int64

@cuda.jit
def bits(r):
    r[0] = cuda.popc(int32(-1))
    r[1] = cuda.clz(int64(1))
    r[2] = cuda.clz(int64(0))
    r[3] = cuda.ffs(int64(3) << int64(40))

r = numpy.zeros(4, numpy.int64)
bits[1, 1](r)
print(*r)
END
)" '1 31 32 8'
