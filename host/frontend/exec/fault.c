/* Messages about faults of threads. */
#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "frontend/exec/arithmetic/value.h"
#include "frontend/exec/block.h"
#include "frontend/exec/turn.h"

enum { ROOM = WS_PLACE_ROOM };

static const char *const texts[] = {
#define FAULT(name, text) [WS_STOP_##name] = (text),
#include "warpsweep/faults.def"
#undef FAULT
};

void ws_numbers_text(char *text, size_t room, const u32 size[3], u64 number)
{
    snprintf(text, room, "(%" PRIu64 ",%" PRIu64 ",%" PRIu64 ")", number % size[0], number / size[0] % size[1],
             number / size[0] / size[1]);
}

void ws_run_place(const struct ws_run *run, const struct ws_op *op, u64 block, u32 index, char *text, size_t room)
{
    const struct ws_plan *const plan = run->plan;
    char block_place[64], thread[64];
    ws_numbers_text(block_place, sizeof block_place, plan->grid, block);
    ws_numbers_text(thread, sizeof thread, plan->launch->local, index);
    snprintf(text, room, "%s: kernel %s, block %s, thread %s, pc %td", ws_place_text(&plan->program->places, op->line).text,
             plan->kernel->name, block_place, thread, op - plan->kernel->ops);
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

/* An access of bytes relative to the nearest buffer or variable. */
static void nearest_text(const struct ws_range *range, u64 address, u64 bytes, char *text, size_t room)
{
    const u64 at = address - range->base;
    char where[64];
    if (address < range->base)
        snprintf(where, sizeof where, "%" PRIu64 " bytes before", range->base - address);
    else if (at == range->bytes)
        snprintf(where, sizeof where, "right past the end of");
    else if (at > range->bytes)
        snprintf(where, sizeof where, "%" PRIu64 " bytes past the end of", at - range->bytes);
    else if (bytes > range->bytes - at)
        snprintf(where, sizeof where, "its last %" PRIu64 " bytes past the end of", bytes - (range->bytes - at));
    else
        snprintf(where, sizeof where, "byte %" PRIu64 " of", at);
    snprintf(text, room, "; %s %s, %" PRIu64 " bytes at 0x%" PRIx64, where, range->name ? range->name : "", range->bytes,
             range->base);
}

static void access_text(const struct ws_run *run, const struct ws_op *op, u64 address, enum ws_stop stop, char *text, size_t room)
{
    char near[ROOM / 2] = "";
    const struct ws_range *const range = ws_memory_nearest(&run->plan->memory, op->space, address);
    const char *const what = op->opcode == WS_OP_ld ? "load" : op->opcode == WS_OP_st ? "store" : "atomic";
    const u32 bytes = ws_value_bytes(op->type) * (op->count ? op->count : 1u);
    const bool global = op->space == WS_SPACE_global || op->space == WS_SPACE_generic;
    if (global && address < WS_SEGMENT_ALIGNMENT)
        snprintf(near, sizeof near, "; it comes from a null pointer");
    else if (range)
        nearest_text(range, address, bytes, near, sizeof near);
    snprintf(text, room, "%u-byte %s at %saddress 0x%" PRIx64 " %s%s", bytes, what, space_name(op->space), address, texts[stop],
             near);
}

void ws_run_access_text(const struct ws_run *run, const struct ws_op *op, u64 address, enum ws_stop stop, char *text, size_t room)
{
    char where[ROOM], what[ROOM];
    ws_run_place(run, op, run->block, run->index, where, sizeof where);
    access_text(run, op, address, stop, what, sizeof what);
    snprintf(text, room, "%s: %s", where, what);
}

enum ws_status ws_run_fault(const struct ws_run *run, struct ws_error *error)
{
    const struct ws_op *const op = run->thread.at->op;
    const struct ws_places *const places = &run->plan->program->places;
    char where[ROOM], what[ROOM], thread[64];
    ws_run_place(run, op, run->block, run->index, where, sizeof where);
    switch (run->thread.stop) {
    case WS_STOP_outside:
    case WS_STOP_read_only:
    case WS_STOP_misaligned:
        access_text(run, op, run->thread.address, run->thread.stop, what, sizeof what);
        break;
    case WS_STOP_assertion:
        snprintf(what, sizeof what, "%s%s", texts[run->thread.stop], run->thread.assertion);
        break;
    case WS_STOP_limit:
        snprintf(what, sizeof what, "%s of %" PRIu64, texts[run->thread.stop], run->options->most_instructions);
        break;
    case WS_STOP_thread_limit:
        snprintf(what, sizeof what, "%s of %" PRIu64 "; it loops from line %u to line %u, pc %td to %td", texts[run->thread.stop],
                 run->options->most_thread_instructions, ws_place_line(places, run->loop[0]->line),
                 ws_place_line(places, run->loop[1]->line), run->loop[0] - run->plan->kernel->ops,
                 run->loop[1] - run->plan->kernel->ops);
        break;
    case WS_STOP_stuck:
        snprintf(
            what, sizeof what, "%s; it loops from line %u to line %u, pc %td to %td%s", texts[run->thread.stop],
            ws_place_line(places, run->loop[0]->line), ws_place_line(places, run->loop[1]->line),
            run->loop[0] - run->plan->kernel->ops, run->loop[1] - run->plan->kernel->ops,
            run->lockstep_waits
                ? ", and other threads of its warp wait for it in lockstep; if one of them would end the wait, --lockstep 1 lets it"
                : "");
        break;
    case WS_STOP_partner:
        ws_numbers_text(thread, sizeof thread, run->plan->launch->local, run->partner);
        snprintf(what, sizeof what, "%s for thread %s, which waits at line %u, pc %td", texts[run->thread.stop], thread,
                 ws_place_line(places, run->partner_at->line), run->partner_at - run->plan->kernel->ops);
        break;
    case WS_STOP_dependence: /* nobody reads it */
        return ws_fail(error, WS_STATUS_internal, "kernel %s: blocks depend on each other", run->plan->kernel->name);
    case WS_STOP_interrupted:
        return ws_fail(error, WS_STATUS_interrupted, "kernel %s: %s", run->plan->kernel->name, texts[run->thread.stop]);
    default:
        snprintf(what, sizeof what, "%s", texts[run->thread.stop]);
    }
    return ws_fail(error, WS_STATUS_bad_input, "%s: %s", where, what);
}

enum ws_status ws_run_barrier_fault(const struct ws_run *run, struct ws_error *error)
{
    const struct ws_meeting *const meeting = &run->meeting;
    const struct ws_op *const at = meeting->at->op;
    char where[ROOM], thread[64];
    ws_run_place(run, run->thread.at->op, run->block, run->index, where, sizeof where);
    ws_numbers_text(thread, sizeof thread, run->plan->launch->local, meeting->first);
    return ws_fail(error, WS_STATUS_bad_input,
                   "%s: waits at barrier %u, but thread %s of the block waits at barrier %u of line %u, pc %td", where,
                   run->thread.barrier, thread, meeting->barrier, ws_place_line(&run->plan->program->places, at->line),
                   at - run->plan->kernel->ops);
}

enum ws_status ws_run_stuck(struct ws_run *run, struct ws_error *error)
{
    struct ws_memory *const memory = &run->plan->memory;
    u32 n = 0;
    memory->shared.host = memory->shared_window.host = run->shared;
    while (n < run->warp_count && !run->warps[n].running)
        n++;
    if (n == run->warp_count) { /* all that have not ended are at the barrier of the cluster */
        run->index = run->meeting.first;
        run->thread.at = run->meeting.at;
        run->thread.stop = WS_STOP_cluster_barrier;
        return ws_run_fault(run, error);
    }
    const struct ws_warp *const warp = &run->warps[n];
    const struct ws_path *const path = &warp->paths[warp->depth - 1];
    run->index = warp->first + (u32)__builtin_ctzll(path->lanes & warp->running);
    run->lockstep_waits = (path->lanes & warp->running) != warp->running;
    if (path->waits) {
        run->thread.at = path->waits;
        run->thread.stop = WS_STOP_too_few;
        return ws_run_fault(run, error);
    }
    ws_turn_find_loop(run, path->at, WS_STOP_stuck);
    return ws_run_fault(run, error);
}
