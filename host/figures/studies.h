/* Studies that a figure needs in addition to the results file: one run per trace of its experiment. */
#pragma once

#include "base/text.h"
#include "figures/paper.h"
#include "warpsweep/report.h"

/* A trace of the experiment, and the machine to run it on. */
struct ws_study {
    struct ws_engine *engine;
    const struct ws_machine *machine; /* of the figure's point, or of the first one */
    struct ws_trace *trace;
    u32 shards;                 /* of the experiment */
    void *result;               /* destination of the result: zeroed */
    bool (*go_on)(void *watch); /* false: stop at the user's request */
    void *watch;
};
typedef enum ws_status ws_study_function(const struct ws_study *study, struct ws_error *error);

/* A kind of study: its function, and conversion of results to CSV rows. */
struct ws_study_kind {
    const char *name, *columns;
    size_t size; /* bytes of a result, zeroed if the study fails */
    ws_study_function *run;
    void (*add)(struct ws_text *csv, size_t trace, const void *result);
    void (*free)(void *result);
};
extern const struct ws_study_kind ws_limit_study, ws_gang_study;

/* If a figure's key `study` names a kind, studies each trace of its experiment on the machine of the point in its values, else of
 * the first point, and adds the table KIND_study (docs/sql.md) to a connection. Skips traces that fail; *trouble describes the
 * first (its status is WS_STATUS_ok before). options: NULL if nothing may be run. */
enum ws_status ws_studies_add(const struct ws_paper_figure *figure, const struct ws_reproduce_options *options,
                              struct ws_results *results, struct ws_error *trouble, struct ws_error *error);
