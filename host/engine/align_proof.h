/* Self-test of an engine's alignment against the host's. */
#pragma once

#include "warpsweep/engine.h"

/* Runs a few small tasks with an engine's function; WS_STATUS_mismatch names the first word that differs from the native result. */
enum ws_status ws_align_prove(enum ws_status (*align)(void *state, const struct ws_align_batch *batch, struct ws_error *error),
                              void *state, struct ws_error *error);
