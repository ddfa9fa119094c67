/* Sensitivity figures: mean gains of the same points in every variation of an experiment. */
#ifndef WS_REPORT_SENSITIVITY_H
#define WS_REPORT_SENSITIVITY_H

#include "report/render.h"

/* Adds the gains as text: a line a variation, a column a point. */
void ws_sensitivity_table(struct ws_text *text, const struct ws_measures *measures);

/* The same in Markdown. */
void ws_sensitivity_markdown(struct ws_text *text, const struct ws_measures *measures);

/* Adds gnuplot's commands for the data, and for the panel below a figure's title: a row a variation, a mark a point, broken lines
 * where the paper has a value. */
void ws_sensitivity_data(struct ws_text *text, const struct ws_shown *shown);
void ws_sensitivity_panel(struct ws_text *text, const struct ws_shown *shown);

#endif
