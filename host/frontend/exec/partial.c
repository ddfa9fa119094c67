/* Barriers for part of a block: bar.sync with a number of threads, and bar.arrive, which does not wait. */
#include <string.h>

#include "frontend/exec/warp_wide.h"

static u64 lanes_of(const struct ws_warp *warp, const struct ws_path *path)
{
    return path->lanes & warp->running;
}

/* The threads that arrive. Hardware counts warps of 32 threads. Missing threads of a block's last warp arrive with it. */
static u32 arriving(const struct ws_run *run, const struct ws_warp *warp, u64 lanes)
{
    const u32 last = run->plan->block_threads - 1, missing = WS_WARP_THREADS - 1 - last % WS_WARP_THREADS;
    const bool has_last = last >= warp->first && last - warp->first < warp->threads && lanes >> (last - warp->first) & 1;
    return (u32)__builtin_popcountll(lanes) + (has_last ? missing : 0);
}

static bool has_passed(const struct ws_run *run, const struct ws_path *path)
{
    return path->arrived && run->named[path->barrier].phase != path->phase;
}

/* False after a fault: other threads gave another number, or too many have arrived. */
static bool arrive(struct ws_run *run, const struct ws_warp *warp, struct ws_path *path)
{
    const u64 lanes = lanes_of(warp, path);
    const struct ws_op *const op = path->waits->op;
    const u64 *const slots = run->slots + (size_t)(warp->first + (u32)__builtin_ctzll(lanes)) * run->code.slots;
    const u64 number = (u32)slots[op->src[0]], threads = (u32)slots[op->src[1]];
    struct ws_named *const named = &run->named[number % WS_NAMED_BARRIERS];
    const u32 sum = named->arrived + arriving(run, warp, lanes);
    run->index = warp->first + (u32)__builtin_ctzll(lanes);
    run->thread.at = path->waits;
    run->thread.stop = WS_STOP_barrier_threads;
    if (number >= WS_NAMED_BARRIERS || threads == 0 || (named->arrived && named->threads != threads) || sum > threads)
        return false;
    path->barrier = (u32)number;
    path->phase = named->phase;
    path->arrived = true;
    named->threads = (u32)threads;
    named->arrived = sum == threads ? 0 : sum;
    named->phase += sum == threads;
    return true;
}

static void go_on(struct ws_path *path)
{
    path->at = path->waits->next;
    path->waits = NULL;
    path->arrived = false;
}

/* Makes the topmost path one that can continue. False if there is none. */
static bool find_other(struct ws_run *run, struct ws_warp *warp)
{
    u64 above = 0;
    for (u32 n = warp->depth; n-- > 0;) {
        struct ws_path *const path = &warp->paths[n];
        const struct ws_path found = *path;
        const u64 lanes = lanes_of(warp, path);
        if (lanes && !(lanes & above) && (!path->waits || has_passed(run, path))) {
            memmove(path, path + 1, (warp->depth - 1 - n) * sizeof *path);
            warp->paths[warp->depth - 1] = found;
            return true;
        }
        above |= lanes;
    }
    return false;
}

enum ws_turn ws_partial_meet(struct ws_run *run, struct ws_warp *warp)
{
    struct ws_path *const path = &warp->paths[warp->depth - 1];
    const bool first = !path->arrived;
    if (first && !arrive(run, warp, path))
        return WS_TURN_failed;
    if (path->waits->op->opcode == WS_OP_bar_arrive || has_passed(run, path)) {
        go_on(path);
        return WS_TURN_goes_on;
    }
    if (find_other(run, warp))
        return WS_TURN_goes_on;
    warp->spins = !first && run->executed_in_turn == 0 && run->budget == run->slice;
    return WS_TURN_yields;
}
