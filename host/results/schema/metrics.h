/* Metrics and energy as expressions over columns. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "warpsweep/energy.h"

/* Adds ", EXPRESSION AS NAME" for every row of metrics.def. */
void ws_add_metrics(struct ws_text *text);

/* Rows of metrics.def: their number, name and SQL. */
size_t ws_metric_count(void);
const char *ws_metric_name(size_t n);
const char *ws_metric_expression(size_t n);

/* Adds the sums slots, lanes, dynamic_PROFILE and static_PROFILE of metrics.def by name; sms: an expression for the number of SMs
 * that leak for `cycles`. */
void ws_add_metric_terms(struct ws_text *text, const char *sms);

/* Adds an SQL expression over a row of parameters and counters: picojoules of all events except static ones, or (leaks) of these.
 * sms: an expression for the number of SMs that leak for `cycles`. */
void ws_energy_add_sql(struct ws_text *sql, enum ws_energy_profile profile, bool leaks, const char *sms);
