#!/usr/bin/env bash
# DEAP 1.3.1: its two implementations of the hypervolume disagree on points beyond the reference point. The one in C, which is used where it could be
# built, ignores them. The one in Python, which replaces it elsewhere, counts them with the signs of their distances.
#   Reference (2, 2): the point (3, 3) alone has 0 and 1; (1, 1) and (3, 0.5) have 1 and 0.5: the front that has one point more is worse.
# Guess: 0, 0, 1 and 1: the volume that is dominated and bounded by the reference point.
. "$(dirname "$0")/common"
packages python3-deap=1.3.1-4 python3-numpy=1:1.24.2-1+deb12u1 python3-pkg-resources=66.1.1-1+deb12u2 libblas3=3.11.0-2 liblapack3=3.11.0-2 libgfortran5=12.2.0-14+deb12u1
same "$(LD_LIBRARY_PATH=$work/usr/lib/x86_64-linux-gnu:$work/usr/lib/x86_64-linux-gnu/blas:$work/usr/lib/x86_64-linux-gnu/lapack \
    PYTHONPATH=$work/usr/lib/python3/dist-packages PYTHONWARNINGS=ignore /usr/bin/python3 - <<'END'
import numpy
from deap.tools._hypervolume import hv, pyhv

for front in [[3, 3]], [[1, 1], [3, 0.5]]:
    print(*(implementation.hypervolume(numpy.array(front, float), numpy.array([2.0, 2.0])) for implementation in (hv, pyhv)))
END
)" '0.0 1.0
1.0 0.5'
