/* Frequency of pcs in a pool (Fung 4.3). */
#pragma once

#include "oracle/path/dwf.h"

/* Among the pcs of selectable forming warps, the one with the most threads in the pool, or the fewest; ties go to the smallest.
 * There is one. */
u32 frequent_pc(const struct sm *sm, bool most);
