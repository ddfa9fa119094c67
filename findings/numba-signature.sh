#!/usr/bin/env bash
# Numba 0.56.4, simulator of CUDA: types in signatures are ignored, without a warning. Parameters and results of kernels and functions keep Python's types.
#   A kernel of int32 receives 2^32 + 5, a function of int32 returns 10^10, a kernel of float32 receives 0.1 with all its digits.
# Guess: 5, 1410065408 and 0.10000000149011612: the signature gives the types of parameters and the result (Numba's manual, CUDA kernel declaration).
. "$(dirname "$0")/numba"
same "$(simulate <<'END'
import numpy
from numba import cuda

@cuda.jit('void(int64[:], int32)')
def integer(r, x):
    r[0] = x

@cuda.jit('int32(int32)', device=True)
def square(x):
    return x * x

@cuda.jit('void(int64[:], int32)')
def call(r, x):
    r[1] = square(x)

@cuda.jit('void(float64[:], float32)')
def real(r, x):
    r[0] = x

i = numpy.zeros(2, numpy.int64)
f = numpy.zeros(1)
integer[1, 1](i, 2**32 + 5)
call[1, 1](i, 100000)
real[1, 1](f, 0.1)
print(*i, *f)
END
)" '4294967301 10000000000 0.1'
