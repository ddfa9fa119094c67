/* Random points: independent ones, or a Latin hypercube (McKay, Beckman, Conover: Technometrics 1979, section 2). */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"
#include "config/experiment/axis.h"

enum { METHOD_random, METHOD_latin_hypercube };

struct sample {
    size_t method;
    u64 points, seed;
};

static void shuffle(u32 *order, size_t count, u64 *state)
{
    for (size_t n = count; n > 1; n--) {
        const u32 other = ws_random_range(state, 0, (u32)n - 1), swapped = order[other];
        order[other] = order[n - 1];
        order[n - 1] = swapped;
    }
}

/* Value of an axis for each point. A Latin hypercube puts point n into stratum order[n] of as many strata as points: every part of
 * the axis gets its share. */
static void choose(const struct sample *sample, const struct axis *axis, u32 *order, u64 *state)
{
    for (u32 n = 0; n < sample->points; n++)
        order[n] = n;
    if (sample->method == METHOD_latin_hypercube)
        shuffle(order, sample->points, state);
    for (u32 n = 0; n < sample->points; n++) {
        const u64 within = ws_random(state) >> 32;
        order[n] = sample->method == METHOD_latin_hypercube
                       ? (u32)((((u64)order[n] * axis->count << 12) + ((within * axis->count) >> 20)) / sample->points >> 12)
                       : (u32)((within * axis->count) >> 32);
    }
}

static enum ws_status append_all(const struct draft *base, const struct sample *sample, const struct axes *axes, u32 *const *chosen,
                                 const struct ws_yaml *place, const struct expansion *expansion, struct ws_error *error)
{
    for (size_t number = 0; number < sample->points; number++) {
        struct draft draft = *base;
        char prefix[40];
        for (size_t n = 0; n < axes->count; n++)
            draft_put(&draft, axes->axis[n].parameter, axes->axis[n].values[chosen[n][number]]);
        snprintf(prefix, sizeof prefix, "sample %zu: ", number);
        WS_TRY(draft_append_named(&draft, prefix, axes->parameters, axes->count, place, expansion, error));
    }
    return WS_STATUS_ok;
}

static enum ws_status draw(const struct draft *base, const struct sample *sample, const struct axes *axes,
                           const struct ws_yaml *place, const struct expansion *expansion, struct ws_error *error)
{
    u32 *chosen[MOST_AXES] = {NULL};
    u64 state = sample->seed;
    bool room = true;
    for (size_t n = 0; n < axes->count; n++) {
        chosen[n] = calloc(sample->points, sizeof *chosen[n]);
        room = room && chosen[n];
        if (chosen[n])
            choose(sample, &axes->axis[n], chosen[n], &state);
    }
    const enum ws_status status =
        room ? append_all(base, sample, axes, chosen, place, expansion, error) : ws_yaml_no_memory(place, error);
    for (size_t n = 0; n < axes->count; n++)
        free(chosen[n]);
    return status;
}

enum ws_status sample_append(const struct draft *base, const struct ws_yaml *node, const struct expansion *expansion,
                             struct ws_error *error)
{
    static const char *const keys[] = {"method", "points", "seed", "axes", NULL};
    static const char *const methods[] = {[METHOD_random] = "random", [METHOD_latin_hypercube] = "latin_hypercube", NULL};
    const struct ws_yaml *method, *points, *seed, *axes_node;
    struct sample sample;
    struct axes axes = {0};
    if (!node)
        return WS_STATUS_ok;
    WS_TRY(ws_yaml_expect_keys(node, keys, error));
    WS_TRY(ws_yaml_need(node, "method", &method, error));
    WS_TRY(ws_yaml_need(node, "points", &points, error));
    WS_TRY(ws_yaml_need(node, "seed", &seed, error));
    WS_TRY(ws_yaml_need(node, "axes", &axes_node, error));
    WS_TRY(ws_yaml_choice(method, methods, &sample.method, error));
    WS_TRY(ws_yaml_unsigned(points, 1, MOST_POINTS, &sample.points, error));
    WS_TRY(ws_yaml_unsigned(seed, 0, UINT64_MAX, &sample.seed, error));
    axes.sampled = true;
    enum ws_status status = axes_read(axes_node, base, expansion, &axes, error);
    WS_THEN(status, draw(base, &sample, &axes, node, expansion, error));
    axes_free(&axes);
    return status;
}
