/* How frequent pcs are in a pool (Fung 4.3). */
#pragma once

#include "oracle/path/dwf.h"

/* Of the pcs at which a forming warp can be selected the one with the most threads in the pool, or with the fewest; ties go to the
 * smallest. There is one. */
u32 frequent_pc(const struct sm *sm, bool most);
