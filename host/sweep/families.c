/* Jobs that need not run because another one has: points of one family differ only in upper bounds and in parameters with equal
 * plans (shared/parameters.def). The tightest bounds run first; where a bound is not reached, other points get the same result
 * (docs/performance.md). */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/error.h"
#include "base/number.h"
#include "sweep/parts.h"

/* A point during the search for families. */
struct member {
    const struct ws_machine *machine;
    u64 key;          /* digest of all parameters that members share */
    u32 point, first; /* first: point of the family */
};

static u64 key_of(const struct ws_machine *machine)
{
    struct ws_machine common = *machine;
    size_t count;
    const struct ws_parameter *const rows = ws_parameters(&count);
    for (size_t n = 0; n < count; n++)
        if (rows[n].kind != WS_PARAMETER_plain)
            ((u32 *)&common)[n] = rows[n].standard;
    return XXH3_64bits(&common, sizeof common);
}

static int by_key(const void *one, const void *other)
{
    const struct member *const a = one, *const b = other;
    return a->key != b->key ? ws_order(a->key, b->key) : ws_order(a->point, b->point);
}

/* Families in the order of their first points; in a family, tighter bounds first. */
static int by_limits(const void *one, const void *other)
{
    const struct member *const a = one, *const b = other;
    size_t count;
    const struct ws_parameter *const rows = ws_parameters(&count);
    int order = ws_order(a->first, b->first);
    for (size_t n = 0; n < count && order == 0; n++)
        if (rows[n].kind == WS_PARAMETER_limit)
            order = ws_limit_compare(&rows[n], ((const u32 *)a->machine)[n], ((const u32 *)b->machine)[n]);
    return order ? order : ws_order(a->point, b->point);
}

static void sort_members(struct member *members, size_t count)
{
    qsort(members, count, sizeof *members, by_key);
    for (size_t n = 0; n < count; n++)
        members[n].first = n > 0 && members[n].key == members[n - 1].key ? members[n - 1].first : members[n].point;
    qsort(members, count, sizeof *members, by_limits);
}

enum ws_status ws_sweep_find_families(struct ws_sweep_state *sweep, struct ws_error *error)
{
    const struct ws_experiment *const experiment = sweep->experiment;
    const size_t count = experiment->point_count;
    struct member *const members = calloc(count, sizeof *members);
    sweep->families = calloc(count, sizeof *sweep->families);
    if (!members || !sweep->families) {
        free(members);
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory for %zu points", experiment->name, count);
    }
    for (u32 n = 0; n < count; n++) {
        const struct ws_machine *const machine = &experiment->points[n].machine;
        members[n] = (struct member){.machine = machine, .key = sweep->options->no_reuse ? n : key_of(machine), .point = n};
    }
    sort_members(members, count);
    for (u32 n = 0; n < count; n++) {
        const bool begins = n == 0 || members[n].first != members[n - 1].first;
        sweep->families[n].point = members[n].point;
        sweep->families[members[n].point].rank = begins ? 0 : sweep->families[members[n - 1].point].rank + 1;
        sweep->families[members[n].point].place = n;
    }
    free(members);
    return WS_STATUS_ok;
}

u32 ws_sweep_relative(const struct ws_sweep_state *sweep, u32 point, u32 n)
{
    const struct ws_family *const families = sweep->families;
    const size_t place = families[point].place - families[point].rank + n;
    if (place >= sweep->experiment->point_count)
        return WS_NO_POINT;
    const u32 relative = families[place].point;
    return families[relative].rank == n ? relative : WS_NO_POINT;
}
