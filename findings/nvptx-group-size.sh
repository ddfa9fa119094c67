#!/usr/bin/env bash
# clang 19.1.7 (14.0.6 to 16.0.6 alike) for NVPTX: OpenCL's reqd_work_group_size is dropped. The PTX has no .reqntid, so a launch with another
# size is not refused: it runs a kernel that was written for the one size.
# Guess: .reqntid 8, 4, 1 (OpenCL C 1.2, 6.7.2: the size that a launch must use; PTX ISA, .reqntid: the launch fails with another).
. "$(dirname "$0")/llvm" 19
same "$(tool clang -x cl -cl-std=CL1.2 -target nvptx64-nvidia-cuda -Xclang -target-cpu -Xclang sm_70 -O2 -S -o - - <<'END' | grep -E 'entry|ntid'
__attribute__((reqd_work_group_size(8, 4, 1))) kernel void required(global int *r) { *r = 1; }
END
)" '.visible .entry required('
