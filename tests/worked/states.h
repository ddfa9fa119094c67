/* Stacks of warps as the papers draw them. */
#pragma once

#include "oracle/oracle.h"

/* Fail the test unless the state, or the entry of its stack, is this. */
void expect_state(const struct oracle_state *state, u32 pc, u32 mask, u32 depth);
void expect_entry(const struct oracle_entry *entry, u32 reconverge, u32 execute, u32 mask);
