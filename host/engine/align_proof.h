/* Whether an engine aligns as the host does. */
#pragma once

#include "warpsweep/engine.h"

/* Lets an engine's operation do a few small tasks; WS_STATUS_mismatch names the first word that differs from the native one's. */
enum ws_status ws_align_prove(enum ws_status (*align)(void *state, const struct ws_align_batch *batch, struct ws_error *error),
                              void *state, struct ws_error *error);
