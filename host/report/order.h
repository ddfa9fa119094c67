/* The order of the thread blocks of the first SM, sort by sort. */
#ifndef WS_REPORT_ORDER_H
#define WS_REPORT_ORDER_H

#include "report/measures.h"

/* A sort: rows [first, end) of measures->rank, by place. */
struct ws_sort {
    size_t first, end;
};

/* The sort behind another one of a point on the first trace; the first one behind {0}. Empty when there is none. */
struct ws_sort ws_sort_next(const struct ws_measures *measures, size_t point, struct ws_sort before);

/* Whether the blocks that two sorts and the first one have in common stand in another order. */
bool ws_sorts_differ(const struct ws_measures *measures, struct ws_sort first, struct ws_sort before, struct ws_sort after);

/* How often that is so from one sort to the next among the first `sorts` of a point; SIZE_MAX when there are none. */
size_t ws_order_changes(const struct ws_measures *measures, size_t point, size_t sorts);

#endif
