/* Coulomb potential of point charges on a plane of grid points. An atom is its x, its y, the square of its distance from the plane,
 * and its charge. A work-item has two points of a row, a work-group's width apart; its energies are added to those in the grid. */
#define WIDTH  16
#define HEIGHT 8

__kernel __attribute__((reqd_work_group_size(WIDTH, HEIGHT, 1))) void cp_cenergy(__constant float4 *atoms, __global float *energy,
                                                                                 uint count, float spacing)
{
    const uint group = get_group_id(0), groups = get_num_groups(0), item = get_local_id(0);
    const uint column = group * 2 * WIDTH + item, row = get_global_id(1);
    const uint point = row * groups * 2 * WIDTH + column;
    const float x = spacing * column, y = spacing * row, apart = spacing * WIDTH;
    float first = 0.0f, second = 0.0f;
#pragma nounroll
    for (uint n = 0; n < count; n++) {
        const float dy = y - atoms[n].y, dyz2 = dy * dy + atoms[n].z;
        const float dx1 = x - atoms[n].x, dx2 = dx1 + apart;
        first += atoms[n].w * native_rsqrt(dx1 * dx1 + dyz2);
        second += atoms[n].w * native_rsqrt(dx2 * dx2 + dyz2);
    }
    energy[point] += first;
    energy[point + WIDTH] += second;
}
