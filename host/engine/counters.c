#include <stdio.h>

#include "shared/instruction.h"
#include "warpsweep/engine.h"

enum { ACCUMULATE_sum = 0, ACCUMULATE_most = 1 };

static const struct ws_counter counters[] = {
#define COUNTER(name_, accumulate, unit_, doc_, rules, reading)                                                                    \
    {.name = #name_,                                                                                                               \
     .unit = (unit_),                                                                                                              \
     .doc = (doc_),                                                                                                                \
     .index = WS_COUNT_##name_,                                                                                                    \
     .bins = 1,                                                                                                                    \
     .most = ACCUMULATE_##accumulate == ACCUMULATE_most},
#define HISTOGRAM(name_, bins_, unit_, doc_, rules, reading)                                                                       \
    {.name = #name_, .unit = (unit_), .doc = (doc_), .index = WS_COUNT_##name_, .bins = (bins_), .most = false},
#include "shared/results/counters.def"
#undef COUNTER
#undef HISTOGRAM
};

#define BINS(name) (WS_COUNT_##name##_last - WS_COUNT_##name + 1)
_Static_assert(BINS(warp_class) == WS_CLASSES && BINS(thread_class) == WS_CLASSES, "a bin for each class");
_Static_assert(BINS(active_lanes) == WS_LANES + 1, "a bin for each number of lanes, none included");

const struct ws_counter *ws_counter_list(size_t *count)
{
    *count = sizeof counters / sizeof *counters;
    return counters;
}

const struct ws_gauge *ws_gauge_list(size_t *count)
{
    static const struct ws_gauge gauges[] = {
#define GAUGE(name_, value, unit_, doc_) {.name = #name_, .unit = (unit_), .doc = (doc_)},
#include "shared/results/gauges.def"
#undef GAUGE
    };
    *count = WS_GAUGES;
    return gauges;
}

static const char *const classes[] = {
#define CLASS(name, value, doc) [value] = #name,
#include "shared/classes.def"
#undef CLASS
};

static const char *const kinds[] = {
#define KIND(name, value, doc) [value] = #name,
#include "shared/classes.def"
#undef KIND
};

_Static_assert(BINS(lane_operations) % WS_KINDS == 0, "a bin for each kind of a class");

void ws_counter_bin(const struct ws_counter *counter, u32 bin, char *name, size_t room)
{
    if (counter->index == WS_COUNT_lane_operations)
        snprintf(name, room, "%s %s", classes[bin / WS_KINDS], kinds[bin % WS_KINDS]);
    else if (counter->index == WS_COUNT_warp_class || counter->index == WS_COUNT_thread_class)
        snprintf(name, room, "%s", classes[bin]);
    else
        snprintf(name, room, "%u", bin);
}
