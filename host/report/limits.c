#include "report/limits.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "report/studies.h"

static enum ws_status study(const struct ws_study *of, struct ws_error *error)
{
    struct ws_limit_options options;
    ws_limit_defaults(&options);
    options.go_on = of->go_on;
    options.context = of->watch;
    return ws_limit_run(of->engine, of->machine, of->trace, &options, of->result, error);
}

enum ws_status ws_limits_run(const struct ws_figure *figure, const struct ws_reproduce_options *options, struct ws_limits *limits,
                             struct ws_error *trouble, struct ws_error *error)
{
    static const struct ws_study_kind kind = {"limit", sizeof *limits->limit, study};
    void *results;
    const enum ws_status status = ws_studies_run(figure, options, &kind, &results, &limits->count, trouble, error);
    limits->limit = results;
    if (status != WS_STATUS_ok)
        ws_limits_free(limits);
    return status;
}

void ws_limits_free(struct ws_limits *limits)
{
    for (size_t n = 0; n < limits->count; n++)
        ws_limit_free(&limits->limit[n]);
    free(limits->limit);
    *limits = (struct ws_limits){0};
}

double ws_limits_speedup(const struct ws_limits *limits, size_t trace)
{
    if (trace >= limits->count || limits->limit[trace].oracle_cycles == 0)
        return (double)NAN;
    return (double)limits->limit[trace].pdom_cycles / (double)limits->limit[trace].oracle_cycles;
}
