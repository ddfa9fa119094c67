#include "frontend/exec/memory/beyond.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "frontend/exec/arithmetic/value.h"
#include "frontend/exec/block.h"

/* The recorded address of the bytes of the range that are nearest to address, and aligned like it. */
static u64 nearest_recorded(const struct ws_op *op, const struct ws_range *range, u64 address, u64 bytes)
{
    const u64 aligned = op->access & WS_ACCESS_PART ? (u64)ws_value_bytes(op->type) * op->count : bytes;
    const u64 last = (range->bytes - bytes) / aligned * aligned;
    return range->recorded + (address < range->base ? 0 : last);
}

u8 *ws_beyond(struct ws_step *step, u64 address, u64 bytes, bool writes, struct ws_thread *thread)
{
    struct ws_beyond *const beyond = thread->beyond;
    if (!beyond)
        return NULL;
    const struct ws_range *const range = ws_memory_nearest(thread->memory, step->op->space, address);
    if (!range || range->bytes < bytes)
        return NULL;
    if (beyond->loads + beyond->stores == 0)
        ws_run_access_text(beyond->run, step->op, address, WS_STOP_outside, beyond->first, sizeof beyond->first);
    beyond->loads += !writes;
    beyond->stores += writes;
    beyond->range = (struct ws_range){.base = address, .recorded = nearest_recorded(step->op, range, address, bytes)};
    memset(beyond->nothing, 0, sizeof beyond->nothing);
    step->range = &beyond->range;
    return beyond->nothing;
}

void ws_beyond_note(const struct ws_beyond *beyond, const struct ws_kernel *kernel, const struct ws_frontend_options *options)
{
    char text[WS_BEYOND_TEXT + 300];
    if (beyond->loads + beyond->stores == 0 || !options->note)
        return;
    snprintf(text, sizeof text,
             "kernel %.100s: accesses outside of all memory: loads that read zeros: %" PRIu64
             ", stores and atomics that were dropped: %" PRIu64 "; the first: %s",
             kernel->name, beyond->loads, beyond->stores, beyond->first);
    options->note(options->context, text);
}
