#include "cli/run/run_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "warpsweep/results.h"

static const char ipc[] = "ipc";

static double ipc_of(const double *metrics)
{
    size_t count;
    const struct ws_metric *const rows = ws_metrics(&count);
    for (size_t n = 0; n < count; n++)
        if (strcmp(rows[n].name, ipc) == 0)
            return metrics[n];
    return 0;
}

static void add_row(struct cli_run_set *set, const char *name, const u64 *counters, const double *metrics)
{
    struct cli_table *const table = &set->table;
    cli_table_text(table, name);
    cli_table_number(table, counters[WS_COUNT_cycles]);
    cli_table_number(table, counters[WS_COUNT_warp_instructions]);
    cli_table_number(table, counters[WS_COUNT_thread_instructions]);
    cli_table_real(table, ipc_of(metrics), 3);
}

void cli_run_set_add(struct cli_run_set *set, const struct cli_run *run)
{
    if (set->runs++ == 0)
        set->table = (struct cli_table){.columns = {"trace", "cycles", "warp_instructions", "thread_instructions", ipc}};
    add_row(set, run->trace, run->result->counters, run->metrics);
    ws_counters_add(set->counters, run->result->counters);
}

enum ws_status cli_run_set_print(struct cli_run_set *set, const struct ws_machine *machine, struct ws_text *out,
                                 struct ws_error *error)
{
    size_t count;
    ws_metrics(&count);
    double *const metrics = calloc(count, sizeof *metrics);
    if (!metrics)
        return ws_no_memory(error);
    const enum ws_status status = ws_metric_values(machine, set->counters, metrics, error);
    if (status == WS_STATUS_ok)
        add_row(set, "all", set->counters, metrics);
    free(metrics);
    ws_text_add(out, "\n");
    cli_table_print(&set->table, out);
    return status;
}

void cli_run_set_free(struct cli_run_set *set)
{
    cli_table_free(&set->table);
}
