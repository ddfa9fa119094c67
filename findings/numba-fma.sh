#!/usr/bin/env bash
# Numba 0.56.4, simulator of CUDA: fma multiplies, rounds and adds.
#   With a = 1 + 2^-12, fma(a, a, -1 - 2^-11) of floats is 0.
# Guess: 5.960464477539063e-08 (2^-24): one rounding (Numba's manual of CUDA: fma.rn.f32), which is what the function is for.
. "$(dirname "$0")/numba"
same "$(simulate <<'END'
import numpy
from numba import cuda, float32

@cuda.jit
def fused(r):
    a = float32(1 + 2**-12)
    r[0] = cuda.fma(a, a, float32(-1 - 2**-11))

r = numpy.ones(1, numpy.float32)
fused[1, 1](r)
print(r[0])
END
)" '0.0'
