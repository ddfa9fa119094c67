/* What models of a response are fitted to. */
#pragma once

#include "search/method.h"

/* Points with a response each: a metric or an objective. Points without one (failed simulations) are left out by the caller. */
struct ws_effects_points {
    const struct ws_search_axis *axis;
    const u32 *choice;      /* [count][axes] */
    const double *response; /* [count], finite */
    u32 axes, count;
};
