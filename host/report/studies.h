/* Studies that a figure needs beside the results file: a run of each trace of its experiment. */
#ifndef WS_REPORT_STUDIES_H
#define WS_REPORT_STUDIES_H

#include "report/figures.h"

/* A trace of the experiment, and what to run it on. */
struct ws_study {
    struct ws_engine *engine;
    const struct ws_machine *machine; /* of the figure's point, or of the first one */
    struct ws_trace *trace;
    u32 shards;                 /* of the experiment */
    void *result;               /* where to write what was found: zeroed */
    bool (*go_on)(void *watch); /* false: the user wants to stop */
    void *watch;
};
typedef enum ws_status ws_study_function(const struct ws_study *study, struct ws_error *error);

/* Results of studies of such a kind, and how to make one: of so many bytes, zero where the study fails. */
struct ws_study_kind {
    const char *name;
    size_t size;
    ws_study_function *run;
};

/* Studies each trace. What fails on a single one is left out, and *trouble says so of the first (its status is WS_STATUS_ok
 * before). *results: *count of them, one for each trace in the experiment's order, to be freed, also if the call fails. */
enum ws_status ws_studies_run(const struct ws_figure *figure, const struct ws_reproduce_options *options,
                              const struct ws_study_kind *kind, void **results, size_t *count, struct ws_error *trouble,
                              struct ws_error *error);

#endif
