/* Alignments on the host. */
#ifndef WS_ENGINE_NATIVE_ALIGN_H
#define WS_ENGINE_NATIVE_ALIGN_H

#include "warpsweep/engine.h"

/* Executes one task of a batch. */
typedef void ws_native_align(const struct ws_align_task *task, const struct ws_align_batch *batch, u32 *rows, u32 *score);

/* Executes a batch on so many threads. */
enum ws_status ws_native_align_run(u32 threads, const struct ws_align_batch *batch, struct ws_error *error);

#endif
