#include "frontend/exec/warp_wide.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

enum { ROOM = 1000 };

/* The slot of the member mask; WS_SLOT_NONE: all present lanes take part. */
static u16 mask_slot(const struct ws_op *op)
{
    switch (op->opcode) {
    case WS_OP_shfl_up:
    case WS_OP_shfl_down:
    case WS_OP_shfl_bfly:
    case WS_OP_shfl_idx:
        return op->src[3];
    case WS_OP_clock:
    case WS_OP_leave:
    case WS_OP_activemask:
        return WS_SLOT_NONE;
    case WS_OP_mma:
    case WS_OP_wgmma:
    case WS_OP_deal:
        return op->src[WS_OP_SOURCES - 1];
    case WS_OP_elect:
    case WS_OP_bar_warp:
        return op->src[0];
    default:
        return op->src[1];
    }
}

static u64 *slots_of(const struct ws_run *run, const struct ws_warp *warp, u32 lane)
{
    return run->slots + (size_t)(warp->first + lane) * run->code.slots;
}

static u64 lanes_of(const struct ws_warp *warp, const struct ws_path *path)
{
    return path->lanes & warp->running;
}

/* The lanes of a waiting path whose guard holds. */
static u64 partners(const struct ws_run *run, const struct ws_warp *warp, const struct ws_path *path)
{
    u64 lanes = lanes_of(warp, path);
    for (u64 left = path->waits->op->guard == WS_SLOT_NONE ? 0 : lanes; left; left &= left - 1) {
        const u32 lane = (u32)__builtin_ctzll(left);
        if (!ws_takes_part(path->waits->op, slots_of(run, warp, lane)))
            lanes &= ~(UINT64_C(1) << lane);
    }
    return lanes;
}

/* All lanes of the warp of 32 in which the lane is. */
static u64 warp_of(u32 lane)
{
    return (u64)UINT32_MAX << (lane & WS_WARP_THREADS);
}

/* The participants of the lane's operation that are present or may still arrive. */
static u64 members_of(const struct ws_run *run, const struct ws_warp *warp, const struct ws_path *path, u32 lane)
{
    const u16 mask = mask_slot(path->waits->op);
    if (mask == WS_SLOT_NONE)
        return partners(run, warp, path) & warp_of(lane);
    return (u64)(u32)slots_of(run, warp, lane)[mask] << (lane & WS_WARP_THREADS) & (warp->running | warp->waiting);
}

/* ---- Arrived lanes ---- */

/* True if the lanes of the path have arrived at the operation. In PTX, warp barriers at different places match each other. */
static bool has_arrived(const struct ws_run *run, const struct ws_path *path, const struct ws_step *step)
{
    return path->waits && (path->waits == step || (!run->plan->kernel->code && path->waits->op->opcode == WS_OP_bar_warp &&
                                                   step->op->opcode == WS_OP_bar_warp));
}

/* Operations that a lane may execute which is not in its own mask: undefined in PTX, but GPUs execute it, and programs depend on
 * it. */
static bool takes_outsiders(const struct ws_op *op)
{
    return (op->opcode >= WS_OP_shfl_up && op->opcode <= WS_OP_shfl_idx) ||
           (op->opcode >= WS_OP_vote_all && op->opcode <= WS_OP_vote_ballot);
}

static void tell_outsider(struct ws_run *run, const struct ws_warp *warp, const struct ws_op *op, u32 lane)
{
    char place[ROOM], text[ROOM + 200];
    if (run->totals->has_outsider || !run->options->note)
        return;
    run->totals->has_outsider = true;
    ws_run_place(run, op, run->block, warp->first + lane, place, sizeof place);
    snprintf(text, sizeof text,
             "%s: is not in the member mask of its shfl or vote, which is undefined in PTX; its result is what the members give",
             place);
    run->options->note(run->options->context, text);
}

/* Adds the members named by all lanes of the path. False if one of these lanes does not name itself, and must. */
static bool add_members(struct ws_run *run, const struct ws_warp *warp, const struct ws_path *path, u64 *members)
{
    for (u64 left = partners(run, warp, path); left; left &= left - 1) {
        const u32 lane = (u32)__builtin_ctzll(left);
        const u64 own = members_of(run, warp, path, lane);
        if (!(own >> lane & 1)) {
            run->index = warp->first + lane;
            if (!takes_outsiders(path->waits->op))
                return false;
            tell_outsider(run, warp, path->waits->op, lane);
        }
        *members |= own;
    }
    return true;
}

/* The lanes present for step on the topmost path, and all that they need. False as above. */
static bool gather(struct ws_run *run, const struct ws_warp *warp, const struct ws_step *step, u64 *there, u64 *needed)
{
    u64 before = 0;
    *needed = partners(run, warp, &warp->paths[warp->depth - 1]);
    *there = 0;
    while (*needed != before) {
        before = *needed;
        for (u32 n = 0; n < warp->depth; n++) {
            const struct ws_path *const path = &warp->paths[n];
            if (!has_arrived(run, path, step) || !(lanes_of(warp, path) & before))
                continue;
            *there |= partners(run, warp, path);
            if (!add_members(run, warp, path, needed))
                return false;
        }
        *needed |= *there;
    }
    return true;
}

/* ---- Missing lanes ---- */

static enum ws_turn fail_for(struct ws_run *run, const struct ws_warp *warp, u32 lane, const struct ws_op *at)
{
    run->index = warp->first + (u32)__builtin_ctzll(lanes_of(warp, &warp->paths[warp->depth - 1]));
    run->partner = warp->first + lane;
    run->partner_at = at;
    run->thread.stop = WS_STOP_partner;
    run->thread.at = warp->paths[warp->depth - 1].waits;
    return WS_TURN_failed;
}

/* Makes the path of a missing lane the topmost one. Lanes that wait at a reconvergence point continue without the others. */
static enum ws_turn bring_forward(struct ws_run *run, struct ws_warp *warp, u32 lane)
{
    if (warp->waiting >> lane & 1)
        return fail_for(run, warp, lane, run->meeting.at->op);
    u64 above = 0;
    u32 n = warp->depth - 1;
    for (; !(lanes_of(warp, &warp->paths[n]) >> lane & 1); n--)
        above |= warp->paths[n].lanes;
    struct ws_path *const from = &warp->paths[n];
    struct ws_path moved = *from;
    if (from->waits && (!run->plan->kernel->code || ++warp->brought > warp->depth))
        return fail_for(run, warp, lane, from->waits->op);
    moved.lanes &= ~above;
    if (lanes_of(warp, from) & above) {
        if (warp->depth == ws_most_paths(warp->threads))
            return fail_for(run, warp, lane, from->at->first->op);
        from->lanes &= above;
        warp->depth++;
    } else {
        memmove(from, from + 1, (warp->depth - 1 - n) * sizeof *from);
    }
    warp->paths[warp->depth - 1] = moved;
    return WS_TURN_goes_on;
}

/* ---- All lanes present ---- */

static u64 value_of(const struct ws_op *op, const u64 *slots)
{
    if (op->src[0] == WS_SLOT_NONE)
        return 0;
    const bool vote = op->opcode >= WS_OP_vote_all && op->opcode <= WS_OP_vote_ballot;
    const bool pair = (op->opcode == WS_OP_match_any || op->opcode == WS_OP_match_all) && op->src[2] != WS_SLOT_NONE;
    const u64 high = pair ? slots[op->src[2]] << 32 : 0;
    return (slots[op->src[0]] | high) ^ (vote && op->flags & WS_OP_NOT_SOURCE ? 1 : 0);
}

/* Collects the values of the lanes before any of them executes. */
struct given {
    u64 values[WS_MOST_LOCKSTEP], sources[WS_MOST_LOCKSTEP][WS_MATRIX_SOURCES];
    struct ws_wgmma_tile tiles[2]; /* of each warp of 32 */
};

/* Operations by which lanes only wait for each other. */
static bool only_meets(u8 opcode)
{
    return opcode == WS_OP_bar_warp || opcode == WS_OP_leave;
}

/* A shuffle of lane reads from another one that has ended, that the block does not have, or that is not in the mask. */
static void tell_absent(struct ws_run *run, const struct ws_warp *warp, const struct ws_path *path, u32 lane, u32 from)
{
    char place[ROOM], text[ROOM + 200];
    const u64 mask = slots_of(run, warp, lane)[mask_slot(path->waits->op)];
    if (run->totals->has_absent || !run->options->note)
        return;
    run->totals->has_absent = true;
    ws_run_place(run, path->waits->op, run->block, warp->first + lane, place, sizeof place);
    snprintf(text, sizeof text, "%s: its shfl reads from lane %u, which %s: undefined in PTX; it receives its own value", place,
             from % WS_WARP_THREADS,
             !(mask >> from % WS_WARP_THREADS & 1) ? "is not in its member mask"
             : from < warp->threads                ? "has ended"
                                                   : "the block does not have");
    run->options->note(run->options->context, text);
}

/* Every lane of the path does its part. */
static void exchange_path(struct ws_run *run, const struct ws_warp *warp, const struct ws_path *path, u64 there,
                          const struct given *given)
{
    for (u64 left = partners(run, warp, path); left; left &= left - 1) {
        const u32 lane = (u32)__builtin_ctzll(left), first = lane & WS_WARP_THREADS;
        const u64 members = members_of(run, warp, path, lane) & there;
        struct ws_exchange exchange = {.op = path->waits->op,
                                       .lane = lane - first,
                                       .members = (u32)(members >> first),
                                       .sources = given->sources + first,
                                       .values = given->values + first,
                                       .tile = &given->tiles[first / WS_WARP_THREADS],
                                       .executed = run->used[warp->first + lane],
                                       .slot = slots_of(run, warp, lane)};
        ws_exchange(&exchange);
        if (exchange.absent && mask_slot(path->waits->op) != WS_SLOT_NONE)
            tell_absent(run, warp, path, lane, first + exchange.absent - 1);
    }
}

/* A barrier orders the accesses of a warp's threads if all that have not ended take part. */
static void note_meeting(struct ws_run *run, const struct ws_warp *warp, u64 there)
{
    if (!run->races)
        return;
    ws_races_end(run->races);
    for (u32 lane = 0; lane < warp->threads; lane += WS_WARP_THREADS) {
        const u64 all = warp_of(lane) & (warp->running | warp->waiting);
        if (there & all && (there & all) == all)
            run->met[(warp->first + lane) / WS_WARP_THREADS] = run->steps;
    }
}

/* Removes lanes that left a convergence barrier from the masks of the other lanes. */
static void leave(const struct ws_run *run, const struct ws_warp *warp, const struct ws_op *op, u64 there)
{
    for (u64 left = there; left; left &= left - 1) {
        const u32 lane = (u32)__builtin_ctzll(left), first = lane & WS_WARP_THREADS;
        const u64 members = slots_of(run, warp, lane)[op->src[0]];
        for (u32 other = first; other < first + WS_WARP_THREADS && other < warp->threads; other++)
            if (!(there >> other & 1) && members >> (other - first) & 1)
                slots_of(run, warp, other)[op->src[0]] &= ~(UINT64_C(1) << (lane - first));
    }
}

/* Joins the paths of the lanes, which are at one place. */
static void join(struct ws_warp *warp, u64 there)
{
    struct ws_path *to = NULL;
    u32 depth = 0;
    for (u32 n = 0; n < warp->depth; n++) {
        struct ws_path *const path = &warp->paths[n];
        const bool joins = lanes_of(warp, path) & there;
        if (joins && to) {
            to->lanes |= path->lanes;
            continue;
        }
        warp->paths[depth] = *path;
        if (joins)
            to = &warp->paths[depth];
        depth++;
    }
    warp->depth = depth;
}

/* Reads the factors of a wgmma for each warp of 32. False after stopping the launch. */
static bool read_tiles(struct ws_run *run, const struct ws_warp *warp, const struct ws_step *step, u64 there, struct given *given)
{
    for (u32 first = 0; first < warp->threads; first += WS_WARP_THREADS) {
        const u32 number = (warp->first + first) / WS_WARP_THREADS;
        if (!(there >> first & 1) ||
            ws_wgmma_read(step->op, number, &run->thread.memory->shared, (const u64(*)[WS_MATRIX_SOURCES])given->sources + first,
                          &given->tiles[first / WS_WARP_THREADS]))
            continue;
        run->index = warp->first + first;
        run->thread.stop = WS_STOP_descriptor;
        run->thread.at = step;
        return false;
    }
    return true;
}

static bool execute(struct ws_run *run, struct ws_warp *warp, const struct ws_step *step, u64 there)
{
    const bool exchanges = !only_meets(step->op->opcode);
    struct given given;
    if (exchanges)
        memset(given.values, 0, sizeof given.values);
    for (u64 left = exchanges ? there : 0; left; left &= left - 1) {
        const u32 lane = (u32)__builtin_ctzll(left);
        const u64 *const slots = slots_of(run, warp, lane);
        given.values[lane] = value_of(step->op, slots);
        for (u32 n = 0; n < WS_MATRIX_SOURCES && ws_op_is_matrix(step->op->opcode); n++)
            given.sources[lane][n] = step->op->src[n] == WS_SLOT_NONE ? 0 : slots[step->op->src[n]];
    }
    if (step->op->opcode == WS_OP_wgmma && !read_tiles(run, warp, step, there, &given))
        return false;
    for (u32 n = 0; n < warp->depth; n++) {
        struct ws_path *const path = &warp->paths[n];
        if (!has_arrived(run, path, step) || !(lanes_of(warp, path) & there))
            continue;
        if (exchanges)
            exchange_path(run, warp, path, there, &given);
        path->at = path->waits->next;
        path->waits = NULL;
    }
    warp->brought = 0;
    if (step->op->opcode == WS_OP_leave)
        leave(run, warp, step->op, there);
    if (step->op->opcode != WS_OP_bar_warp)
        return true;
    note_meeting(run, warp, there);
    if (run->plan->kernel->code)
        join(warp, there);
    return true;
}

/* Whether all lanes of each affected warp of 32 are present. */
static bool are_whole(u64 there)
{
    const u32 low = (u32)there, high = (u32)(there >> WS_WARP_THREADS);
    return (low == 0 || low == UINT32_MAX) && (high == 0 || high == UINT32_MAX);
}

/* Whether all lanes of a warp of machine code wait on one path at a barrier without a guard: no other lane may arrive. */
static bool are_all(const struct ws_run *run, const struct ws_warp *warp, const struct ws_op *op)
{
    return run->plan->kernel->code && warp->depth == 1 && !warp->waiting && op->opcode == WS_OP_bar_warp &&
           op->guard == WS_SLOT_NONE;
}

enum ws_turn ws_warp_wide_meet(struct ws_run *run, struct ws_warp *warp)
{
    const struct ws_step *const step = warp->paths[warp->depth - 1].waits;
    u64 there, needed;
    if (step->op->opcode == WS_OP_bar || step->op->opcode == WS_OP_bar_arrive)
        return ws_partial_meet(run, warp);
    if (are_all(run, warp, step->op)) {
        (void)execute(run, warp, step, lanes_of(warp, &warp->paths[0])); /* a barrier */
        return WS_TURN_goes_on;
    }
    if (!partners(run, warp, &warp->paths[warp->depth - 1])) {
        warp->paths[warp->depth - 1].at = step->next;
        warp->paths[warp->depth - 1].waits = NULL;
        return WS_TURN_goes_on;
    }
    if (!gather(run, warp, step, &there, &needed)) {
        run->thread.stop = WS_STOP_no_member;
        run->thread.at = step;
        return WS_TURN_failed;
    }
    if (needed & ~there)
        return bring_forward(run, warp, (u32)__builtin_ctzll(needed & ~there));
    if (ws_op_is_matrix(step->op->opcode) && !are_whole(there)) {
        run->index = warp->first + (u32)__builtin_ctzll(there);
        run->thread.stop = WS_STOP_whole_warp;
        run->thread.at = step;
        return WS_TURN_failed;
    }
    return execute(run, warp, step, there) ? WS_TURN_goes_on : WS_TURN_failed;
}

enum ws_status ws_warp_wide_check(const struct ws_plan *plan, const struct ws_frontend_options *options, struct ws_error *error)
{
    if (options->lockstep > 0 && options->lockstep % WS_WARP_THREADS == 0)
        return WS_STATUS_ok;
    for (u32 n = 0; n < plan->kernel->op_count; n++) {
        const struct ws_op *const op = &plan->kernel->ops[n];
        if (ws_op_is_warp_wide(op->opcode) && op->opcode != WS_OP_clock && op->opcode != WS_OP_bar_arrive)
            return ws_fail(error, WS_STATUS_bad_input,
                           "%s: kernel %s, pc %u: a warp-wide instruction needs warps of %d threads in lockstep, not of %u "
                           "(--lockstep 32 or 64)",
                           ws_place_text(&plan->program->places, op->line).text, plan->kernel->name, n, (int)WS_WARP_THREADS,
                           options->lockstep ? options->lockstep : 1);
    }
    return WS_STATUS_ok;
}
