#include "report/warps.h"

#include <math.h>
#include <string.h>

static const struct row {
    const char *paper, *figure, *workload;
    u32 block, bin;
} rows[] = {
#define WARPS(paper, figure, workload, block, bin) {#paper, #figure, workload, block, bin},
#include "report/warps.def"
#undef WARPS
};

enum { ROWS = sizeof rows / sizeof *rows, USUAL_BIN = 500 };

static struct row row_of(const struct ws_measures *measures, const char *paper, const char *figure)
{
    for (size_t n = 0; n < ROWS; n++)
        if (strcmp(rows[n].paper, paper) == 0 && strcmp(rows[n].figure, figure) == 0)
            return rows[n];
    return (struct row){.workload = measures->traces > 0 ? measures->trace[0] : "", .bin = USUAL_BIN};
}

/* The warps of a block; the block is in the middle where none has that number. */
static void find_block(struct ws_warps *warps)
{
    size_t first = 0;
    while (first < warps->all_count && warps->all[first].block != warps->block)
        first++;
    if (first == warps->all_count) {
        warps->block = warps->all[warps->all_count / 2].block;
        for (first = 0; warps->all[first].block != warps->block;)
            first++;
    }
    warps->one = &warps->all[first];
    for (size_t n = first; n < warps->all_count && warps->all[n].block == warps->block; n++)
        warps->one_count++;
}

struct ws_warps ws_warps_of(const struct ws_measures *measures, const char *paper, const char *figure, size_t point)
{
    const struct row row = row_of(measures, paper, figure);
    struct ws_warps warps = {.workload = row.workload, .block = row.block, .wanted = row.block, .bin = row.bin};
    for (size_t n = 0; n < measures->lives; n++) {
        const struct ws_warp_life *const life = &measures->life[n];
        if (life->point != point || strcmp(measures->trace[life->trace], row.workload) != 0)
            continue;
        warps.all = warps.all ? warps.all : life;
        warps.all_count++;
    }
    if (warps.all_count > 0)
        find_block(&warps);
    return warps;
}

size_t ws_warps_point(const struct ws_measures *measures, const struct ws_figure *figure)
{
    const size_t point = ws_measures_point(measures, figure->point);
    if (point < measures->points)
        return point;
    return measures->baseline < measures->points ? measures->baseline : 0;
}

u64 ws_warp_cycles(const struct ws_warp_life *life)
{
    return life->ended - life->entered;
}

double ws_warps_longest(const struct ws_warps *warps)
{
    double longest = (double)NAN;
    for (size_t n = 0; n < warps->one_count; n++) /* fmax leaves NaN out */
        longest = fmax(longest, (double)ws_warp_cycles(&warps->one[n]));
    return longest;
}

double ws_warps_rtru(const struct ws_warps *warps)
{
    const double all = (double)warps->one_count * ws_warps_longest(warps);
    double sum = 0;
    for (size_t n = 0; n < warps->one_count; n++)
        sum += (double)ws_warp_cycles(&warps->one[n]);
    return 100 * (all - sum) / all;
}

double ws_warps_left(const struct ws_warps *warps, u64 cycle)
{
    u64 entered = UINT64_MAX;
    u32 left = 0;
    for (size_t n = 0; n < warps->one_count; n++)
        entered = warps->one[n].entered < entered ? warps->one[n].entered : entered;
    for (size_t n = 0; n < warps->one_count; n++)
        left += warps->one[n].ended > entered + cycle;
    return warps->one_count > 0 ? left : (double)NAN;
}

double ws_warps_share(const struct ws_warps *warps, u64 above, u64 most)
{
    size_t inside = 0;
    for (size_t n = 0; n < warps->all_count; n++)
        inside += warps->all[n].packets > above && warps->all[n].packets <= most;
    return 100 * (double)inside / (double)warps->all_count;
}

double ws_warp_misses(const struct ws_warp_life *life)
{
    return 1000 * (double)(life->l1_misses + life->texture_misses) / (double)life->packets;
}
