#!/usr/bin/env bash
# PyOpenCL 2022.3.1: an operation on an array and a transposed one pairs their elements by place in memory, not by index, without a warning.
#   For a = [[0, 1], [2, 3]], a.T + a is [[0, 4], [2, 6]] and a.T == a is true everywhere. a.T alone is right.
# Guess: [[0, 3], [3, 6]], and true on the diagonal, as numpy has them, or an error, as for other strides.
. "$(dirname "$0")/pyopencl"
same "$(arrays <<'END'
a = A.to_device(q, numpy.arange(4, dtype=numpy.int32).reshape(2, 2))
for r in a.T, a.T + a, a.T == a:
    print(r.get().tolist())
END
)" '[[0, 2], [1, 3]]
[[0, 4], [2, 6]]
[[1, 1], [1, 1]]'
