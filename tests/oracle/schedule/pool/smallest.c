#include "oracle/schedule/pool/smallest.h"

struct forming *smallest_forming(const struct sm *sm, u32 (*value)(const struct sm *sm, const struct forming *forming))
{
    struct forming *chosen = NULL;
    for (struct forming *forming = ((struct dwf *)sm->path)->pool; forming; forming = forming->next) {
        if (!forming_ready(sm, forming))
            continue;
        const bool less = chosen && value(sm, forming) < value(sm, chosen);
        const bool like = chosen && value(sm, forming) == value(sm, chosen);
        if (!chosen || less || (like && forming_threads(forming) > forming_threads(chosen)))
            chosen = forming;
    }
    return chosen;
}
