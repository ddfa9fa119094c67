/* What the scripts of all kinds of figures share. */
#ifndef WS_REPORT_SCRIPT_H
#define WS_REPORT_SCRIPT_H

#include "report/render.h"

/* Adds a text as gnuplot's double-quoted string; blank stands for a blank. */
void ws_script_string(struct ws_text *text, const char *words, const char *blank);

/* Adds a number of a data block, "?" for NaN. */
void ws_script_value(struct ws_text *text, double value);

/* What the paper says of a point's mean gain over the baseline, at this figure or another, or NaN. */
double ws_script_paper_gain(const struct ws_shown *shown, size_t point);

#endif
