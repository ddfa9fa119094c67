/* Bars from zero: groups along the axis, in each a bar for every point, or for whatever else is counted; the paper's value as a
 * line across it. */
#ifndef WS_REPORT_BARS_H
#define WS_REPORT_BARS_H

#include "report/render.h"

struct ws_bars {
    const char *title;
    size_t groups;
    const char *(*group)(const struct ws_shown *shown, size_t group);        /* its name */
    const char *name;                                                        /* of the bars; NULL: each has its own */
    size_t bars;                                                             /* 0: points */
    const char *(*bar_name)(const struct ws_shown *shown, size_t bar);       /* unless they are points */
    bool (*bar)(const struct ws_shown *shown, size_t bar);                   /* whether it is shown; NULL: all are */
    double (*value)(const struct ws_shown *shown, size_t group, size_t bar); /* ours; NaN for what is missing */
    double (*paper)(const struct ws_shown *shown, size_t group, size_t bar);
};

void ws_bars_data(struct ws_text *text, const struct ws_bars *bars, const struct ws_shown *shown);
void ws_bars_panel(struct ws_text *text, const struct ws_bars *bars, const struct ws_shown *shown);

/* The picture of a kind whose bars an expression over `shown` makes. */
#define WS_BARS_PICTURE(kind, make)                                                                                                \
    void ws_data_##kind(struct ws_text *text, const struct ws_shown *shown)                                                        \
    {                                                                                                                              \
        const struct ws_bars bars_ = make;                                                                                         \
        ws_bars_data(text, &bars_, shown);                                                                                         \
    }                                                                                                                              \
    void ws_panels_##kind(struct ws_text *text, const struct ws_shown *shown)                                                      \
    {                                                                                                                              \
        const struct ws_bars bars_ = make;                                                                                         \
        ws_bars_panel(text, &bars_, shown);                                                                                        \
    }

#endif
