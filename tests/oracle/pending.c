#include <string.h>

#include "oracle/sm.h"

static const char *const pending[] = {
#define PENDING(counter) #counter,
#include "oracle/pending.def"
#undef PENDING
    NULL};

static void clear(u64 *counter, u32 bins, const char *name)
{
    for (u32 i = 0; pending[i]; i++)
        if (strcmp(pending[i], name) == 0)
            memset(counter, 0, bins * sizeof *counter);
}

void pending_clear(u64 counters[WS_COUNTERS])
{
#define COUNTER(name, accumulate, unit, doc, rules, reading) clear(&counters[WS_COUNT_##name], 1, #name);
#define HISTOGRAM(name, bins, unit, doc, rules, reading)     clear(&counters[WS_COUNT_##name], bins, #name);
#include "shared/results/counters.def"
#undef COUNTER
#undef HISTOGRAM
}
