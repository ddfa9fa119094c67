/* A filter of 15 x 15 over an image of 4096 x 4096 floats with a border, written from the description of a public search space
 * (docs/accuracy/hardware.md). A block of BSX x BSY threads makes a tile of (BSX * TSX) x (BSY * TSY) outputs: it loads the tile and
 * its border to shared memory, meets, and each thread computes TSX x TSY outputs that lie BSX and BSY apart. PADDING lengthens the
 * rows in shared memory. READ_ONLY loads by the read-only path.
 * Block n of the launch is block n * SMS of the grid: the launch is the share of SM 0 of a GPU with SMS SMs. */
enum { SMS = 108, IMAGE = 4096, FILTER = 15, BORDER = FILTER - 1, PITCH = IMAGE + BSX * TSX + BORDER };
enum { WIDTH = BSX * TSX, HEIGHT = BSY * TSY, ACROSS = (IMAGE + WIDTH - 1) / WIDTH };

__constant__ float filter[FILTER * FILTER];

extern "C" __global__ void convolution(float *out, const float *in)
{
    __shared__ float tile[HEIGHT + BORDER][WIDTH + BORDER + PADDING];
    const int x = threadIdx.x, y = threadIdx.y, block = blockIdx.x * SMS;
    const int from = block / ACROSS * HEIGHT * PITCH + block % ACROSS * WIDTH;
    for (int i = y; i < HEIGHT + BORDER; i += BSY)
        for (int j = x; j < WIDTH + BORDER; j += BSX)
            tile[i][j] = READ_ONLY ? __ldg(&in[from + i * PITCH + j]) : in[from + i * PITCH + j];
    __syncthreads();
    float sum[TSY][TSX] = {};
#pragma unroll
    for (int i = 0; i < FILTER; i++)
#pragma unroll
        for (int j = 0; j < FILTER; j++)
#pragma unroll
            for (int ty = 0; ty < TSY; ty++)
#pragma unroll
                for (int tx = 0; tx < TSX; tx++)
                    sum[ty][tx] += tile[y + ty * BSY + i][x + tx * BSX + j] * filter[i * FILTER + j];
#pragma unroll
    for (int ty = 0; ty < TSY; ty++)
#pragma unroll
        for (int tx = 0; tx < TSX; tx++)
            out[from + (y + ty * BSY) * PITCH + x + tx * BSX] = sum[ty][tx];
}
