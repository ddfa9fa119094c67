/* Quotients and remainders of 128 bits, which the compiler computes by hand, with carries. nvcc 13.0 made division128.ptx of it:
 * nvcc -ptx -arch=compute_75 division128.cu */
extern "C" __global__ void divide(const unsigned __int128 *in, unsigned __int128 *out)
{
    const unsigned __int128 *const operands = in + 2 * threadIdx.x;
    unsigned __int128 *const results = out + 2 * threadIdx.x;
    results[0] = operands[0] / operands[1];
    results[1] = operands[0] % operands[1];
}
