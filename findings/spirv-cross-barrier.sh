#!/usr/bin/env bash
# spirv-cross 1.3.239.0: memoryBarrierBuffer(), which one invocation may execute alone, becomes threadgroup_barrier of Metal, which all threads of a
# group must execute. The branch around it stays, so a correct shader has undefined behaviour on Metal. For HLSL it becomes DeviceMemoryBarrier.
# Guess: a fence without a meeting, or an error (GLSL 4.60, 8.17: memory barriers do not synchronize; Metal Shading Language, 6.9.1).
. "$(dirname "$0")/spirv"
same "$(cross --msl <<'END' | sed -n '/^ *if/,/^    }/p'
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) coherent buffer B { int data; int flag; };
void main()
{
    if (gl_LocalInvocationIndex == 0) {
        data = 1;
        memoryBarrierBuffer();
        atomicExchange(flag, 1);
    }
}
END
)" '    if (gl_LocalInvocationIndex == 0u)
    {
        _18.data = 1;
        threadgroup_barrier(mem_flags::mem_device);
        int _26 = atomic_exchange_explicit((volatile device atomic_int*)&_18.flag, 1, memory_order_relaxed);
    }'
