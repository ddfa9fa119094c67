#include "cli/runs.h"

#include <stdint.h>
#include <stdio.h>

#include "warpsweep/results.h"

static enum ws_status note(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    (void)error;
    fprintf(stderr,
            "warpsweep: %s: run %s of %s is shown; for the earlier ones --run N or --run all (listed by export --view run)\n",
            (const char *)context, row->values[1], row->values[0]);
    return WS_STATUS_ok;
}

void cli_note_runs(const char *file)
{
    struct ws_results *results;
    if (ws_results_open(file, WS_RESULTS_READ, &results, NULL) != WS_STATUS_ok)
        return; /* refused with its reason by what follows */
    ws_results_query(results,
                     "SELECT experiment, run FROM selected WHERE experiment IN (SELECT earlier_of FROM experiment) ORDER BY 1",
                     NULL, note, (void *)(uintptr_t)file, NULL);
    ws_results_close(results, NULL);
}
