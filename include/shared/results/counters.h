/* Indices into a job's array of counters: WS_COUNT_NAME is the index of a counter, or of a histogram's first bin. */
#ifndef WS_SHARED_COUNTERS_H
#define WS_SHARED_COUNTERS_H

enum {
#define COUNTER(name, accumulate, unit, doc, rules, reading) WS_COUNT_##name,
#define HISTOGRAM(name, bins, unit, doc, rules, reading)     WS_COUNT_##name, WS_COUNT_##name##_last = WS_COUNT_##name + (bins)-1,
#include "shared/results/counters.def"
#undef COUNTER
#undef HISTOGRAM
    WS_COUNTERS
};

#endif
