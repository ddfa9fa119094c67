/* Stacked bars: groups along the axis, some bars each, of some classes each. */
#ifndef WS_REPORT_STACKED_H
#define WS_REPORT_STACKED_H

#include "report/render.h"

struct ws_stacked {
    const char *block;         /* name of the data block */
    size_t groups;             /* that may be shown */
    size_t first_bar, end_bar; /* bars of a group are points: from first_bar up to, without, end_bar */
    size_t classes;            /* the first is the topmost */
    const char *const *words;  /* of the classes */
    const char *const *colours;
    const char *(*group)(const struct ws_shown *shown, size_t group); /* its name; NULL for one that is not shown */
    bool (*bar)(const struct ws_shown *shown, size_t bar);            /* whether it is shown; NULL: all are */
    double (*share)(const struct ws_shown *shown, size_t group, size_t bar, size_t class); /* in percent; NaN for what is missing */
};

/* Adds to a title which bars a group has: "; bars of a workload from the left: A, B". */
void ws_stacked_add_bars(struct ws_text *title, const struct ws_stacked *stacked, const struct ws_shown *shown, const char *group);

/* Adds the data block, and the panel under a title. */
void ws_stacked_data(struct ws_text *text, const struct ws_stacked *stacked, const struct ws_shown *shown);
void ws_stacked_panel(struct ws_text *text, const struct ws_stacked *stacked, const struct ws_shown *shown, const char *title);

#endif
