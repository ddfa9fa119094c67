#include "workload.h"

#include <math.h>

#include "base/error.h"
#include "base/random.h"

WORKLOAD(game_physics, "rogers2015", 5, "a step of a game's physics: objects sleep, fall or collide (Rogers 2015: GamePhysics)");

enum { PLACES, SPEEDS, BALLS, ASLEEP, OBSTACLES, OBSTACLE_COUNT, GRAVITY, INTERVAL, STEPS, ARGUMENTS };

enum { ITEMS = 128, POINTS = 16, COUNT = 24, SMALL_STEPS = 16 };

enum { BALL, HALF_SPACE, CAPSULE, KINDS };

static const struct {
    const char *source;
    u32 objects;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"game_physics:tiny", 8},
    [WS_SIZE_SMALL] = {"game_physics:small", 512},
    [WS_SIZE_PAPER] = {"game_physics:paper", 6400},
};

static const double tolerances[ARGUMENTS] = {[PLACES] = 1e-6, [SPEEDS] = 1e-5};

static const float gravity[4] = {0, -9.8f, 0, 0}, interval = 1.0f / 960;

/* How far objects are seen, beyond their radius: what a point may move in a step. */
static const float margin = 0.2f;

static float between(float least, float most, u64 *seed)
{
    return least + (most - least) * (float)ws_random_range(seed, 0, 1 << 20) / (float)(1 << 20);
}

/* The ground, and balls and capsules on it, in a room of 16 x 8 x 16. */
static void draw_obstacles(float (*rows)[4], u64 *seed)
{
    const float ground[2][4] = {{0, 1, 0, 0}, {0, 0, 0, HALF_SPACE}};
    for (u32 d = 0; d < 4; d++) {
        rows[0][d] = ground[0][d];
        rows[1][d] = ground[1][d];
    }
    for (u32 n = 1; n < COUNT; n++) {
        for (u32 d = 0; d < 3; d++)
            rows[2 * n][d] = between(0, d == 1 ? 4 : 16, seed);
        rows[2 * n][3] = between(0.4f, 1.2f, seed);
        for (u32 d = 0; d < 3; d++)
            rows[2 * n + 1][d] = rows[2 * n][d] + between(1, 2, seed);
        rows[2 * n + 1][3] = n % 3 == 0 ? CAPSULE : BALL;
    }
}

/* Of a ball or capsule, the way to a place from the nearest point of its axis. */
static double way_from_axis(const double place[3], const float first[4], const float second[4], double way[3])
{
    double along = 0, length = 0, square = 0;
    for (u32 d = 0; d < 3; d++) {
        const double edge = (double)second[d] - (double)first[d];
        along += (place[d] - (double)first[d]) * edge;
        length += edge * edge;
    }
    const double part = second[3] == CAPSULE ? fmax(0, fmin(1, along / length)) : 0;
    for (u32 d = 0; d < 3; d++) {
        way[d] = place[d] - ((double)first[d] + part * ((double)second[d] - (double)first[d]));
        square += way[d] * way[d];
    }
    return sqrt(square);
}

/* Whether a place is in no obstacle; the ground is below all. */
static bool is_free(const float (*rows)[4], const float place[3])
{
    const double at[3] = {(double)place[0], (double)place[1], (double)place[2]};
    double way[3];
    for (u32 n = 1; n < COUNT; n++)
        if (way_from_axis(at, rows[2 * n], rows[2 * n + 1], way) < (double)rows[2 * n][3])
            return false;
    return true;
}

/* Points in the cube around an object's centre that its ball touches. */
static void draw_object(struct ws_ndrange *launch, u32 object, u64 *seed)
{
    float *ball = (float *)launch->arguments[BALLS].data + (u64)object * 4;
    float(*places)[4] = launch->arguments[PLACES].data, (*speeds)[4] = launch->arguments[SPEEDS].data, speed[3];
    const float radius = between(0.1f, 0.4f, seed);
    do {
        for (u32 d = 0; d < 3; d++)
            ball[d] = between(d == 1 ? 0.3f : 0, d == 1 ? 8 : 16, seed);
    } while (!is_free(launch->arguments[OBSTACLES].data, ball));
    for (u32 d = 0; d < 3; d++)
        speed[d] = between(-4, 4, seed);
    ball[3] = radius + margin;
    for (u32 n = object * POINTS; n < (object + 1) * POINTS; n++)
        for (u32 d = 0; d < 3; d++) {
            places[n][d] = ball[d] + between(-0.57f, 0.57f, seed) * radius;
            speeds[n][d] = speed[d];
        }
    ((u32 *)launch->arguments[ASLEEP].data)[object] = ws_random_range(seed, 0, 3) == 0;
}

enum ws_status ws_game_physics_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    u32 objects = inputs[size].objects, points = objects * POINTS, obstacle_count = COUNT, steps = SMALL_STEPS;
    float down[4] = {gravity[0], gravity[1], gravity[2], gravity[3]}, time = interval;
    const struct ws_argument arguments[ARGUMENTS] = {
        [PLACES] = {WS_ARGUMENT_BUFFER, "places", points * 4 * sizeof(float), NULL},
        [SPEEDS] = {WS_ARGUMENT_BUFFER, "speeds", points * 4 * sizeof(float), NULL},
        [BALLS] = {WS_ARGUMENT_BUFFER, "balls", objects * 4 * sizeof(float), NULL},
        [ASLEEP] = {WS_ARGUMENT_BUFFER, "asleep", objects * sizeof(u32), NULL},
        [OBSTACLES] = {WS_ARGUMENT_BUFFER, "obstacles", COUNT * 8 * sizeof(float), NULL},
        [OBSTACLE_COUNT] = {WS_ARGUMENT_SCALAR, "obstacle_count", sizeof obstacle_count, &obstacle_count},
        [GRAVITY] = {WS_ARGUMENT_SCALAR, "gravity", sizeof down, down},
        [INTERVAL] = {WS_ARGUMENT_SCALAR, "interval", sizeof time, &time},
        [STEPS] = {WS_ARGUMENT_SCALAR, "steps", sizeof steps, &steps},
    };
    *launch = (struct ws_ndrange){
        .kernel = "game_physics", .source = inputs[size].source, .global = {points, 1, 1}, .local = {ITEMS, 1, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    draw_obstacles(launch->arguments[OBSTACLES].data, &seed);
    for (u32 object = 0; object < objects; object++)
        draw_object(launch, object, &seed);
    return WS_STATUS_ok;
}

/* Adds what an obstacle does to a point inside it. */
static void push(const double place[3], const double speed[3], const float first[4], const float second[4], double force[3])
{
    double normal[3] = {(double)first[0], (double)first[1], (double)first[2]}, depth = (double)first[3];
    if (second[3] == HALF_SPACE) {
        depth -= normal[0] * place[0] + normal[1] * place[1] + normal[2] * place[2];
    } else {
        const double distance = way_from_axis(place, first, second, normal);
        depth -= distance;
        for (u32 d = 0; d < 3; d++)
            normal[d] /= distance;
    }
    for (u32 d = 0; d < 3 && depth > 0; d++)
        force[d] += depth * (500.0 * normal[d] - 20.0 * speed[d]);
}

/* Every point that is awake in small steps, all obstacles in each, in double precision. */
static void move(const struct ws_ndrange *input, float *place, float *speed)
{
    const float(*rows)[4] = input->arguments[OBSTACLES].data;
    const double time = (double)interval;
    double p[3] = {(double)place[0], (double)place[1], (double)place[2]};
    double v[3] = {(double)speed[0], (double)speed[1], (double)speed[2]};
    for (u32 step = 0; step < SMALL_STEPS; step++) {
        double force[3] = {(double)gravity[0], (double)gravity[1], (double)gravity[2]};
        for (u32 n = 0; n < COUNT; n++)
            push(p, v, rows[2 * n], rows[2 * n + 1], force);
        for (u32 d = 0; d < 3; d++) {
            v[d] += time * force[d];
            p[d] += time * v[d];
        }
    }
    for (u32 d = 0; d < 3; d++) {
        place[d] = (float)p[d];
        speed[d] = (float)v[d];
    }
}

enum ws_status ws_game_physics_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_game_physics_prepare(size, seed, &expected, error));
    const u32 *asleep = expected.arguments[ASLEEP].data;
    float(*places)[4] = expected.arguments[PLACES].data, (*speeds)[4] = expected.arguments[SPEEDS].data;
    for (u32 point = 0; point < inputs[size].objects * POINTS; point++)
        if (!asleep[point / POINTS])
            move(&expected, places[point], speeds[point]);
    const enum ws_status status = ws_launch_agrees(launch, &expected, tolerances, error);
    ws_launch_release(&expected);
    return status;
}
