/* Complex Fourier transforms, double precision, of side * side points in six steps (radix square root of the size): a work-group
 * has one of them, as a square of side rows, a power of two, and a work-item a row: transpose, transform rows, turn by roots,
 * transpose, transform rows, transpose. x is overwritten, y receives the result; roots are the powers of exp(-2 pi i / points). */

static double2 product(double2 a, double2 b)
{
    return (double2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

/* The bits of n, a number below side, in reverse. */
static uint reversed(uint n, uint side)
{
    uint bits = 0;
#pragma nounroll
    for (uint bit = 1; bit < side; bit *= 2) {
        bits = 2 * bits | (n & 1);
        n >>= 1;
    }
    return bits;
}

/* Makes a column of one square a row of the other. */
static void transpose(__global const double2 *from, __global double2 *to, uint row, uint side)
{
#pragma nounroll
    for (uint n = 0; n < side; n++)
        to[side * row + n] = from[side * n + row];
}

static void transform(__global double2 *row, __global const double2 *roots, uint side)
{
#pragma nounroll
    for (uint n = 0; n < side; n++) {
        const uint other = reversed(n, side);
        if (other > n) {
            const double2 kept = row[n];
            row[n] = row[other];
            row[other] = kept;
        }
    }
#pragma nounroll
    for (uint half_size = 1; half_size < side; half_size *= 2)
#pragma nounroll
        for (uint first = 0; first < side; first += 2 * half_size)
#pragma nounroll
            for (uint n = 0; n < half_size; n++) {
                const double2 even = row[first + n];
                const double2 odd = product(roots[n * (side * side / 2 / half_size)], row[first + half_size + n]);
                row[first + n] = even + odd;
                row[first + half_size + n] = even - odd;
            }
}

__kernel void fft(__global double2 *x, __global double2 *y, __global const double2 *roots)
{
    const uint row = get_local_id(0), side = get_local_size(0);
    x += side * side * get_group_id(0);
    y += side * side * get_group_id(0);

    transpose(x, y, row, side);
    transform(y + side * row, roots, side);
#pragma nounroll
    for (uint n = 1; n < side; n++)
        y[side * row + n] = product(roots[row * n], y[side * row + n]);
    barrier(CLK_GLOBAL_MEM_FENCE);
    transpose(y, x, row, side);
    transform(x + side * row, roots, side);
    barrier(CLK_GLOBAL_MEM_FENCE);
    transpose(x, y, row, side);
}
