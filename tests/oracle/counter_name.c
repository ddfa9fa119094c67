#include <stdio.h>

#include "oracle/oracle.h"

const char *counter_name(u32 counter)
{
    static const struct {
        const char *name;
        u32 first, bins;
    } names[] = {
#define COUNTER(name, accumulate, unit, doc, rules, reading) {#name, WS_COUNT_##name, 1},
#define HISTOGRAM(name, bins, unit, doc, rules, reading)     {#name, WS_COUNT_##name, bins},
#include "shared/results/counters.def"
#undef COUNTER
#undef HISTOGRAM
    };
    static char text[64];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (counter < names[i].first || counter >= names[i].first + names[i].bins)
            continue;
        if (names[i].bins == 1)
            return names[i].name;
        snprintf(text, sizeof text, "%s[%u]", names[i].name, counter - names[i].first);
        return text;
    }
    return "no such counter";
}
