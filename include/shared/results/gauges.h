/* Indices of the values of shared/results/gauges.def. */
#ifndef WS_SHARED_GAUGES_H
#define WS_SHARED_GAUGES_H

enum ws_gauge_index {
#define GAUGE(name, value, unit, doc) WS_GAUGE_##name,
#include "shared/results/gauges.def"
#undef GAUGE
    WS_GAUGES
};

#endif
