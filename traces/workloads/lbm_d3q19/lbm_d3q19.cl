/* A step of the lattice Boltzmann method in three dimensions with 19 velocities (D3Q19) and a single relaxation time, a cell a
 * work-item, x fastest. A cell is 20 numbers of double precision: the densities of its particles by velocity, then its kind, bits
 * as a number. A fluid cell's particles collide and move to the neighbours; an obstacle's turn round. At the lid the fluid has the
 * velocity lid along x. The grid's outer cells are obstacles; both buffers have a margin of cells before the first and behind the
 * last of the grid. */
enum { VELOCITIES = 19, KIND = VELOCITIES, WORDS };

enum { OBSTACLE = 1, LID = 2 };

/* The velocities: at rest, six along an axis, twelve along two; a velocity and its opposite are neighbours. */
__constant const char velocity[VELOCITIES][3] = {
    {0, 0, 0},  {1, 0, 0}, {-1, 0, 0},  {0, 1, 0},  {0, -1, 0}, {0, 0, 1}, {0, 0, -1},  {1, 1, 0},  {-1, -1, 0}, {1, -1, 0},
    {-1, 1, 0}, {1, 0, 1}, {-1, 0, -1}, {1, 0, -1}, {-1, 0, 1}, {0, 1, 1}, {0, -1, -1}, {0, 1, -1}, {0, -1, 1},
};

/* value along a component of a velocity. */
static double along(int component, double value)
{
    return component > 0 ? value : component < 0 ? -value : 0.0;
}

/* Where the particles of velocity n of the cell that from begins at go to. */
static int there(int n, int columns, int plane)
{
    return WORDS * (velocity[n][0] + columns * velocity[n][1] + plane * velocity[n][2]) + n;
}

__kernel void lbm_d3q19(__global const double *from, __global double *to, int columns, int plane, double relaxation, double lid)
{
    const int cell = get_global_id(0) + 2 * plane;
    from += WORDS * cell;
    to += WORDS * cell;
    const int kind = (int)from[KIND];
    to[KIND] = from[KIND];

    if (kind & OBSTACLE) {
        to[0] = from[0];
#pragma unroll
        for (int n = 1; n < VELOCITIES; n += 2) {
            to[there(n, columns, plane)] = from[n + 1];
            to[there(n + 1, columns, plane)] = from[n];
        }
        return;
    }

    double density = 0.0, x = 0.0, y = 0.0, z = 0.0;
#pragma unroll
    for (int n = 0; n < VELOCITIES; n++) {
        density += from[n];
        x += along(velocity[n][0], from[n]);
        y += along(velocity[n][1], from[n]);
        z += along(velocity[n][2], from[n]);
    }
    x /= density;
    y /= density;
    z /= density;
    if (kind & LID) {
        x = lid;
        y = z = 0.0;
    }

    const double rest = 1.0 - 1.5 * (x * x + y * y + z * z);
#pragma unroll
    for (int n = 0; n < VELOCITIES; n++) {
        const double speed = along(velocity[n][0], x) + along(velocity[n][1], y) + along(velocity[n][2], z);
        const double share = n == 0 ? 1.0 / 3.0 : n <= 6 ? 1.0 / 18.0 : 1.0 / 36.0;
        const double equilibrium = share * density * (rest + speed * (3.0 + 4.5 * speed));
        to[there(n, columns, plane)] = from[n] + relaxation * (equilibrium - from[n]);
    }
}
