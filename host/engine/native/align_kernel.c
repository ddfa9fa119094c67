/* Compiled once for each instruction set: WS_ALIGN_NAME is the name of its function. */
#define WS_LANES_LOOP

#include "engine/native/align.h"
#include "limit/align.h"

ws_native_align WS_ALIGN_NAME;

void WS_ALIGN_NAME(const struct ws_align_task *task, const struct ws_align_batch *batch, u32 *rows, u32 *score)
{
    struct align_local local;
    align_task(&local, task, batch->tokens, batch->weights, rows, score);
}
