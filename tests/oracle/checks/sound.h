#pragma once

#include "oracle/oracle.h"

/* Runs the oracle with its invariants; fails the test if one is violated. */
enum ws_status sound_run(const struct ws_machine *machine, const struct ws_image *image, u64 counters[WS_COUNTERS]);
