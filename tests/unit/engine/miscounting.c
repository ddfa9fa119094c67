/* A kernel that counts one cycle more than there is in each slice. */
#define WS_LANES_LOOP
#define WS_NATIVE_NAME miscounts
#include "engine/native/native_kernel.c"

ws_native_quantum ws_compiled_quantum;

void ws_compiled_quantum(const struct ws_job *job, const struct ws_native_parts *parts, u32 slice)
{
    miscounts(job, parts, slice);
    ((struct ws_head *)parts->state)->counters[WS_COUNT_cycles]++;
}
