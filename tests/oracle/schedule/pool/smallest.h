/* Schedulers that give every forming warp a number and choose the smallest. */
#pragma once

#include "oracle/path/dwf.h"

/* The forming warp that can be selected with the smallest value; ties go to the one with more threads, then to the oldest. */
struct forming *smallest_forming(const struct sm *sm, u32 (*value)(const struct sm *sm, const struct forming *forming));
