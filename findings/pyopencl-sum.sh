#!/usr/bin/env bash
# PyOpenCL 2022.3.1: the sum of an array of int8 is an int8, and that of uint8 a uint8; both wrap.
#   A hundred elements of 100 have the sum 16.
# Guess: 10000: Array is a work-alike of numpy's (its documentation), whose sum of small integers is a long.
. "$(dirname "$0")/pyopencl"
same "$(arrays <<'END'
a = numpy.full(100, 100, numpy.int8)
print(A.sum(A.to_device(q, a)).get(), a.sum())
END
)" '16 10000'
