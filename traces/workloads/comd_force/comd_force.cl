/* Forces of Lennard-Jones by lists of cells, in units of the potential: an atom a work-item. Atoms lie cell by cell, first has
 * where those of each cell begin; there are side x side x side cells, each as wide as the cutoff, and the box of this width is
 * repeated in all directions. An atom meets those of its own and of the 26 cells around it. Of a force, w is the atom's half of the
 * energy. */
#define CUTOFF_2  6.25f       /* squared */
#define AT_CUTOFF -0.0163169f /* 4 (1 / CUTOFF^12 - 1 / CUTOFF^6) */

/* A cell along one axis, and how far the box is shifted for it. */
int wrap(int cell, int side, float width, float *shift)
{
    *shift = cell < 0 ? -width : cell >= side ? width : 0.0f;
    return cell < 0 ? cell + side : cell >= side ? cell - side : cell;
}

__kernel void comd_force(__global const float4 *atoms, __global const int *cells, __global const uint *first,
                         __global float4 *forces, float width, int side, uint count)
{
    const uint own = get_global_id(0);
    if (own >= count)
        return;
    const float4 atom = atoms[own];
    const int cell = cells[own];
    float4 force = 0.0f;
#pragma nounroll
    for (int n = 0; n < 27; n++) {
        float4 shift = 0.0f;
        const int x = wrap(cell % side + n % 3 - 1, side, width, (float *)&shift);
        const int y = wrap(cell / side % side + n / 3 % 3 - 1, side, width, (float *)&shift + 1);
        const int z = wrap(cell / side / side + n / 9 - 1, side, width, (float *)&shift + 2);
        const uint begin = first[(z * side + y) * side + x], end = first[(z * side + y) * side + x + 1];
#pragma nounroll
        for (uint other = begin; other < end; other++) {
            const float4 way = atom - (atoms[other] + shift);
            const float square = way.x * way.x + way.y * way.y + way.z * way.z;
            if (square <= CUTOFF_2 && square > 0.0f) {
                const float inverse = 1.0f / square, sixth = inverse * inverse * inverse;
                force += 24.0f * sixth * (2.0f * sixth - 1.0f) * inverse * (float4)(way.xyz, 0.0f);
                force.w += 0.5f * (4.0f * sixth * (sixth - 1.0f) - AT_CUTOFF);
            }
        }
    }
    forces[own] = force;
}
