/* Metrics of the jobs of one machine, outside of any results file. */
#ifndef WS_RESULTS_METRICS_H
#define WS_RESULTS_METRICS_H

#include "warpsweep/machine.h"

struct ws_metric_query;

/* Prepares the expressions of all metrics for a machine. Fails for want of memory only; then *query is NULL. */
enum ws_status ws_metric_query_open(const struct ws_machine *machine, struct ws_metric_query **query, struct ws_error *error);

/* As ws_metric_values (warpsweep/results.h). */
enum ws_status ws_metric_query_values(struct ws_metric_query *query, const u64 *counters, double *values, struct ws_error *error);

/* query may be NULL. */
void ws_metric_query_close(struct ws_metric_query *query);

#endif
