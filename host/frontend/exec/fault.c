/* Messages about faults of threads. */
#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "frontend/exec/run.h"
#include "frontend/exec/value.h"

enum { ROOM = 300 };

static const char *const texts[] = {
#define FAULT(name, text) [WS_STOP_##name] = (text),
#include "frontend/exec/faults.def"
#undef FAULT
};

/* A number of a thread or block as x,y,z. */
static void place_text(char *text, size_t room, const u32 size[3], u64 number)
{
    snprintf(text, room, "(%" PRIu64 ",%" PRIu64 ",%" PRIu64 ")", number % size[0], number / size[0] % size[1],
             number / size[0] / size[1]);
}

/* The kernel, block and running thread, and where it is. */
static void thread_text(const struct ws_run *run, const struct ws_op *op, char *text, size_t room)
{
    const struct ws_plan *const plan = run->plan;
    char block[64], thread[64];
    place_text(block, sizeof block, plan->grid, run->block);
    place_text(thread, sizeof thread, plan->launch->local, run->index);
    snprintf(text, room, "%s:%u: kernel %s, block %s, thread %s, pc %td", plan->program->name, op->line, plan->kernel->name, block,
             thread, op - plan->kernel->ops);
}

static const char *space_name(u32 space)
{
    static const char *const names[WS_ADDRESS_SPACES] = {
#define SPACE(name, value, doc) [value] = #name " ",
#include "shared/classes.def"
#undef SPACE
        [WS_SPACE_parameter] = "parameter ",
        [WS_SPACE_generic] = "generic ",
    };
    return space < WS_ADDRESS_SPACES ? names[space] : "";
}

/* An address relative to the nearest buffer or variable. */
static void nearest_text(const struct ws_range *range, u64 address, char *text, size_t room)
{
    const char *const name = range->name ? range->name : "";
    if (address < range->base)
        snprintf(text, room, "; %" PRIu64 " bytes before %s, %" PRIu64 " bytes at 0x%" PRIx64, range->base - address, name,
                 range->bytes, range->base);
    else
        snprintf(text, room, "; byte %" PRIu64 " of %s, %" PRIu64 " bytes at 0x%" PRIx64, address - range->base, name, range->bytes,
                 range->base);
}

static const struct ws_range *nearest_generic(const struct ws_memory *memory, u64 address)
{
    const struct ws_range *const windows[] = {&memory->shared_window, &memory->local_window, &memory->parameter_window};
    for (size_t n = 0; n < sizeof windows / sizeof windows[0]; n++)
        if (address - windows[n]->base < WS_WINDOW_BYTES)
            return windows[n];
    return ws_memory_nearest(memory, address);
}

static const struct ws_range *nearest(const struct ws_memory *memory, u32 space, u64 address)
{
    switch (space) {
    case WS_SPACE_generic:
        return nearest_generic(memory, address);
    case WS_SPACE_shared:
        return &memory->shared;
    case WS_SPACE_local:
        return &memory->local;
    case WS_SPACE_parameter:
        return &memory->parameter;
    default:
        return ws_memory_nearest(memory, address);
    }
}

static void access_text(const struct ws_run *run, const struct ws_op *op, char *text, size_t room)
{
    char near[ROOM] = "";
    const struct ws_range *const range = nearest(&run->plan->memory, op->space, run->thread.address);
    const char *const what = op->opcode == WS_OP_ld ? "load" : op->opcode == WS_OP_st ? "store" : "atomic";
    if (range)
        nearest_text(range, run->thread.address, near, sizeof near);
    snprintf(text, room, "%u-byte %s at %saddress 0x%" PRIx64 " %s%s", ws_value_bytes(op->type) * (op->count ? op->count : 1u),
             what, space_name(op->space), run->thread.address, texts[run->thread.stop], near);
}

enum ws_status ws_run_fault(const struct ws_run *run, struct ws_error *error)
{
    const struct ws_op *const op = run->thread.at->op;
    char where[ROOM], what[2 * ROOM];
    thread_text(run, op, where, sizeof where);
    switch (run->thread.stop) {
    case WS_STOP_outside:
    case WS_STOP_misaligned:
        access_text(run, op, what, sizeof what);
        break;
    case WS_STOP_limit:
        snprintf(what, sizeof what, "%s of %" PRIu64, texts[run->thread.stop], run->options->most_instructions);
        break;
    case WS_STOP_thread_limit:
        snprintf(what, sizeof what, "%s of %" PRIu64 "; it loops from line %u to line %u, pc %td to %td", texts[run->thread.stop],
                 run->options->most_thread_instructions, run->loop[0]->line, run->loop[1]->line,
                 run->loop[0] - run->plan->kernel->ops, run->loop[1] - run->plan->kernel->ops);
        break;
    case WS_STOP_interrupted:
        return ws_fail(error, WS_STATUS_interrupted, "kernel %s: %s", run->plan->kernel->name,
                       texts[run->thread.stop]);
    default:
        snprintf(what, sizeof what, "%s", texts[run->thread.stop]);
    }
    return ws_fail(error, WS_STATUS_bad_input, "%s: %s", where, what);
}

enum ws_status ws_run_barrier_fault(const struct ws_run *run, u32 other, const struct ws_op *at, u32 barrier,
                                    struct ws_error *error)
{
    const struct ws_op *const op = run->thread.at->op;
    char where[ROOM], thread[64];
    thread_text(run, op, where, sizeof where);
    place_text(thread, sizeof thread, run->plan->launch->local, other);
    return ws_fail(error, WS_STATUS_bad_input,
                   "%s: waits at barrier %u, but thread %s of the block waits at barrier %u of line %u, pc %td", where,
                   run->thread.barrier, thread, barrier, at->line, at - run->plan->kernel->ops);
}
