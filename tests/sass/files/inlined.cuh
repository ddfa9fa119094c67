// A function that is inlined into a kernel of another file.
__device__ __forceinline__ float inlined(float x)
{
    return x * x + 3.0f;
}
