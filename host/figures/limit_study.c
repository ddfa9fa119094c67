/* The limit study of reconvergence points as a study of figures (warpsweep/limit.h). */
#include "figures/studies.h"
#include "warpsweep/limit.h"

static enum ws_status study(const struct ws_study *of, struct ws_error *error)
{
    struct ws_limit_options options;
    ws_limit_defaults(&options);
    options.go_on = of->go_on;
    options.context = of->watch;
    return ws_limit_run(of->engine, of->machine, of->trace, &options, of->result, error);
}

static void add(struct ws_text *csv, size_t trace, const void *result)
{
    const struct ws_limit *const limit = result;
    if (limit->total.threads > 0)
        ws_text_add(csv, "%zu,%u,%llu,%llu,%llu,%llu,%llu,%llu\n", trace, limit->total.threads,
                    (unsigned long long)limit->total.thread_instructions, (unsigned long long)limit->total.pdom,
                    (unsigned long long)limit->total.oracle, (unsigned long long)limit->total.least,
                    (unsigned long long)limit->pdom_cycles, (unsigned long long)limit->oracle_cycles);
}

static void free_result(void *result)
{
    ws_limit_free(result);
}

const struct ws_study_kind ws_limit_study = {
    .name = "limit",
    .columns = "trace_position,threads,thread_instructions,pdom,oracle,least,pdom_cycles,oracle_cycles",
    .size = sizeof(struct ws_limit),
    .run = study,
    .add = add,
    .free = free_result};
