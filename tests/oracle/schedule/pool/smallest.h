/* Schedulers that rank forming warps by a number and choose the smallest. */
#pragma once

#include "oracle/path/dwf.h"

/* The selectable forming warp with the smallest value; ties go to more threads, then to the oldest. */
struct forming *smallest_forming(const struct sm *sm, u32 (*value)(const struct sm *sm, const struct forming *forming));
