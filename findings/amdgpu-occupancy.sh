#!/usr/bin/env bash
# clang 15.0.6 (14.0.6 alike; 16.0.6 and 19.1.7 print 1 and 1) for gfx900: the occupancy that the assembly states is four times too large where
# local memory limits it. The kernels have few registers and work-groups of 256 and 64, one and four of which fit in the 64 KiB of a compute unit:
# four waves in both cases, for four SIMDs.
# Guess: 1 wave per SIMD for both (LLVM's guide of AMDGPU: occupancy is in waves per execution unit).
. "$(dirname "$0")/llvm" 15
same "$(tool clang -x cl -cl-std=CL1.2 -O2 -target amdgcn-amd-amdhsa -mcpu=gfx900 -nogpulib -S -o - - <<'END' | sed -nE 's/^([a-z_0-9]+):.*@.*/\1/p; s/^; (NumVgprs|LDSByteSize|Occupancy)/\1/p'
__attribute__((reqd_work_group_size(256, 1, 1))) kernel void all_local_memory(global float *r)
{
    local float x[16384];
    const uint i = __builtin_amdgcn_workitem_id_x();
    x[i] = r[i];
    __builtin_amdgcn_s_barrier();
    r[i] = x[255 - i];
}
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void quarter_of_it(global float *r)
{
    local float x[4096];
    const uint i = __builtin_amdgcn_workitem_id_x();
    x[i] = r[i];
    __builtin_amdgcn_s_barrier();
    r[i] = x[63 - i];
}
END
)" 'all_local_memory
NumVgprs: 3
LDSByteSize: 65536 bytes/workgroup (compile time only)
Occupancy: 4
quarter_of_it
NumVgprs: 3
LDSByteSize: 16384 bytes/workgroup (compile time only)
Occupancy: 4'
