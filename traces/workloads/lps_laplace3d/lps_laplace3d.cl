/* A Jacobi step of Laplace's equation in three dimensions: every inner point of the grid becomes the mean of its six neighbours,
 * one of the border stays. A work-group has 32 x 4 columns of the grid and goes through its planes; the tile of three planes, with
 * a halo of one point in x and y, is in local memory. A row of the grid is pitch elements long. */
#define WIDTH  32
#define HEIGHT 4
#define PITCH  (WIDTH + 2)
#define PLANE  (PITCH * (HEIGHT + 2))
#define HALO   (2 * PITCH + 2 * HEIGHT) /* the rows above and below with their corners, then the sides */

__kernel __attribute__((reqd_work_group_size(WIDTH, HEIGHT, 1))) void
lps_laplace3d(__global const float *from, __global float *to, uint columns, uint rows, uint planes, uint pitch)
{
    __local float tile[3 * PLANE]; /* the plane before, this one, the next */
    const int x = get_local_id(0), y = get_local_id(1), item = y * WIDTH + x;
    const int column = get_global_id(0), row = get_global_id(1);
    const int place = PLANE + (y + 1) * PITCH + x + 1;
    const bool inside = column < columns && row < rows;
    const bool border = column == 0 || column == columns - 1 || row == 0 || row == rows - 1;
    const uint size = pitch * rows;

    /* Where this item's point of the halo lies in the tile; not every item has one, and not every one is in the grid. */
    int halo_row = item < PITCH ? 0 : HEIGHT + 1, halo_column = item < PITCH ? item : item - PITCH;
    if (item >= 2 * PITCH) {
        halo_row = (item - 2 * PITCH) / 2 + 1;
        halo_column = item % 2 * (WIDTH + 1);
    }
    const int halo_place = PLANE + halo_row * PITCH + halo_column;
    halo_row += row - y - 1;
    halo_column += column - x - 1;
    const bool halo = item < HALO && halo_row >= 0 && halo_row < rows && halo_column >= 0 && halo_column < columns;

    uint point = row * pitch + column, halo_point = halo_row * pitch + halo_column;
    if (inside)
        tile[place + PLANE] = from[point];
    if (halo)
        tile[halo_place + PLANE] = from[halo_point];

#pragma nounroll
    for (uint plane = 0; plane < planes; plane++) {
        /* Each point of the tile moves a plane back; the next plane is read. */
        if (inside) {
            tile[place - PLANE] = tile[place];
            tile[place] = tile[place + PLANE];
            if (plane < planes - 1)
                tile[place + PLANE] = from[point + size];
        }
        if (halo) {
            tile[halo_place - PLANE] = tile[halo_place];
            tile[halo_place] = tile[halo_place + PLANE];
            if (plane < planes - 1)
                tile[halo_place + PLANE] = from[halo_point + size];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (inside) {
            float value = tile[place];
            if (!border && plane > 0 && plane < planes - 1)
                value = (tile[place - 1] + tile[place + 1] + tile[place - PITCH] + tile[place + PITCH] + tile[place - PLANE] +
                         tile[place + PLANE]) *
                        (1.0f / 6.0f);
            to[point] = value;
        }
        point += size;
        halo_point += size;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
