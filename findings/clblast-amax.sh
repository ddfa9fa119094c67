#!/usr/bin/env bash
# CLBlast 1.5.3: of several largest elements, iamax returns a later one.
#   Of 1 -5 5 -5 it returns 2, of a hundred 1 and then only 2 it returns 128.
# Guess: 1 and 100: "the index of the first element having maximum absolute value" (BLAS, isamax; from 0 here).
. "$(dirname "$0")/pyopencl"
same "$(arrays <<'END'
for values in [1, -5, 5, -5], [1] * 100 + [2] * 5000:
    x = A.to_device(q, numpy.array(values, numpy.float32))
    r = A.zeros(q, 2, numpy.uint32)
    blas('iSamax', len(values), r, x, 1)
    print(r.get()[0])
END
)" '2
128'
