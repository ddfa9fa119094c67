#!/usr/bin/env bash
# CLBlast 1.5.3: gemv with beta = 0 keeps a NaN that was in y, so y must be set first. gemm with beta = 0 does not read its result.
# Guess: 3 3 3 from both: when beta is zero, y "need not be set on input" (BLAS, sgemv).
. "$(dirname "$0")/pyopencl"
same "$(arrays <<'END'
row_major, no = 101, 111
a = A.to_device(q, numpy.ones((3, 3), numpy.float32))
x = A.to_device(q, numpy.ones(3, numpy.float32))
y = A.to_device(q, numpy.full(3, numpy.nan, numpy.float32))
blas('Sgemv', row_major, no, 3, 3, 1.0, a, 3, x, 1, 0.0, y, 1)
print(*y.get())
c = A.to_device(q, numpy.full((3, 3), numpy.nan, numpy.float32))
blas('Sgemm', row_major, no, no, 3, 3, 3, 1.0, a, 3, a, 3, 0.0, c, 3)
print(*c.get()[0])
END
)" 'nan nan nan
3.0 3.0 3.0'
