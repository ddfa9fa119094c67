#!/usr/bin/env bash
# PyOpenCL 2022.3.1: RadixSort sorts signed keys as unsigned ones: negative numbers come last.
# Guess: -7 -1 0 3 5: the key is "an integer-valued C expression" (its documentation), and the array's type is int.
. "$(dirname "$0")/pyopencl"
same "$(arrays <<'END'
from pyopencl.algorithm import RadixSort
a = A.to_device(q, numpy.array([5, -1, 3, -7, 0], numpy.int32))
(s,), _ = RadixSort(context, 'int *a', key_expr='a[i]', sort_arg_names=['a'])(a)
print(*s.get())
END
)" '0 3 5 -7 -1'
