/* Jobs that need not run because another one has: upper bounds that were not reached (shared/parameters.def), and parameters with
 * equal plans. */
#include <stddef.h>
#include <string.h>

#include "engine/plan.h"

#define NONE(counter)   (counters[WS_COUNT_##counter] == 0)
#define WITHIN(counter) (counters[WS_COUNT_##counter] <= value)
#define LEVELS          ws_pipeline_facts(machine->core_pipeline).levels
#define MULTIPLE        (larger % value == 0)
/* The LD/ST unit counts every refused access only if no access may overtake it. */
#define UNREFUSED (NONE(dram_queue_full) && NONE(ldst_refusals) && machine->unit_ldst_order == WS_ldst_order_all)

/* Whether a successful job of the machine with these counters must end the same with `larger` in place of `value` as its n-th
 * parameter, a bound. */
static bool has_slack(const struct ws_machine *machine, const u64 *counters, size_t n, u32 value, u32 larger)
{
#define NUMBER(group, name, standard, least, most, unit, doc)
#define POWER(group, name, standard, least, most, unit, doc)
#define CHOOSE(group, name, set, standard, doc)
#define LIMIT(group, name, standard, least, most, unit, doc, slack)                                                                \
    if (n == offsetof(struct ws_machine, group##_##name) / sizeof(u32))                                                            \
        return slack;
#include "shared/parameters.def"
#undef NUMBER
#undef POWER
#undef CHOOSE
    (void)larger;
    return false;
}

/* Whether the two machines, on the image of `from`, give equal plans. */
static bool same_plan(const struct ws_job_spec *from, const struct ws_machine *other)
{
    struct ws_job_spec changed = *from;
    struct ws_job a, b;
    changed.machine = other;
    return ws_job_plan(from, &a, NULL) == WS_STATUS_ok && ws_job_plan(&changed, &b, NULL) == WS_STATUS_ok &&
           memcmp(&a.plan, &b.plan, sizeof a.plan) == 0;
}

bool ws_job_follows(const struct ws_job_spec *from, const u64 *counters, const struct ws_job_spec *to)
{
    struct ws_machine planned = *from->machine;
    size_t count;
    const struct ws_parameter *const rows = ws_parameters(&count);
    if (ws_machine_has_dueling(from->machine))
        return false; /* other parameters decide its effect */
    for (size_t n = 0; n < count; n++) {
        const u32 value = ((const u32 *)from->machine)[n], larger = ((const u32 *)to->machine)[n];
        if (rows[n].kind == WS_PARAMETER_planned)
            ((u32 *)&planned)[n] = larger;
        else if (value != larger && (rows[n].kind != WS_PARAMETER_limit || ws_limit_compare(&rows[n], value, larger) > 0 ||
                                     !has_slack(from->machine, counters, n, value, larger)))
            return false;
    }
    return (memcmp(&planned, from->machine, sizeof planned) == 0 || same_plan(from, &planned)) &&
           ws_job_check(to, NULL) == WS_STATUS_ok;
}
