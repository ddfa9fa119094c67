/* Figures and what the papers report of them. */
#ifndef WS_REPORT_FIGURES_H
#define WS_REPORT_FIGURES_H

#include "warpsweep/report.h"

enum ws_target_kind {
#define TARGET_KIND(name, format, difference, doc) WS_TARGET_##name,
#include "report/target_kinds.def"
#undef TARGET_KIND
};

/* One row of targets.def. */
struct ws_target {
    const char *paper, *figure;
    const char *where, *metric, *configuration, *versus, *unit;
    double value;
    enum ws_target_kind kind;
    const char *point; /* label */
    const char *key;   /* as target_kinds.def says of the kind */
};

/* All targets; *count receives their number. */
const struct ws_target *ws_targets(size_t *count);

/* Whether a target belongs to a figure. */
bool ws_target_of(const struct ws_target *target, const struct ws_figure *figure);

/* Whether what, "PAPER" or "PAPER/FIGURE", means the figure. A paper is its figures of standard kinds. */
bool ws_figure_meant(const struct ws_figure *figure, const char *what);

/* Refuses what when it means no figure, naming those there are. */
enum ws_status ws_figures_check(const char *what, struct ws_error *error);

#endif
