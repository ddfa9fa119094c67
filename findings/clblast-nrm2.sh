#!/usr/bin/env bash
# CLBlast 1.5.3: nrm2 squares its elements without scaling, so vectors of large numbers have an infinite norm, those of small numbers a norm of 0.
# Guess: 1.41e20 and 1.41e-30: BLAS's snrm2 (3.11) is safe from overflow and underflow.
. "$(dirname "$0")/pyopencl"
same "$(arrays <<'END'
for value in 1e20, 1e-30:
    x = A.to_device(q, numpy.full(2, value, numpy.float32))
    r = A.zeros(q, 1, numpy.float32)
    blas('Snrm2', 2, r, x, 1)
    print(r.get()[0])
END
)" 'inf
0.0'
