/* Bars of ratios: groups along the axis, in each a bar for every point that the figure's is compared with, the paper's value as a
 * line across it. */
#ifndef WS_REPORT_RATIOS_H
#define WS_REPORT_RATIOS_H

#include "report/render.h"

struct ws_ratios {
    const char *title;
    size_t groups;                                                             /* that may be shown */
    const char *(*group)(const struct ws_shown *shown, size_t group);          /* its name; NULL for one that is not shown */
    double (*ratio)(const struct ws_shown *shown, size_t group, size_t other); /* ours; NaN for what is missing */
    double (*paper)(const struct ws_shown *shown, size_t group, size_t other);
};

void ws_ratios_data(struct ws_text *text, const struct ws_ratios *ratios, const struct ws_shown *shown);
void ws_ratios_panel(struct ws_text *text, const struct ws_ratios *ratios, const struct ws_shown *shown);

#endif
