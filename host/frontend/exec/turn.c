#include "frontend/exec/turn.h"

#include <string.h>

enum {
    ASK = 1 << 22,        /* thread instructions between two checks for an interrupt: some 20 ms */
    TURN = 1 << 16,       /* operations of a warp until others have their turn */
    FIRST_LOOK = 1 << 13, /* operations of a turn until the first check for waiting */
    LOOK_SHARE = 16,      /* cost of a check, at most, as a share of what was executed before it */
    MOST_POLLS = 64       /* turns given up without effect before the warp is examined */
};

static u64 lesser(u64 one, u64 other)
{
    return one < other ? one : other;
}

/* A limit as options have it: 0 is none. */
static u64 limit_of(u64 most)
{
    return most ? most : UINT64_MAX;
}

void ws_turn_end(struct ws_run *run)
{
    run->executed_in_turn += run->slice - run->budget;
    run->totals->left -= run->spent;
    run->totals->since += run->spent;
    run->spent = run->slice = run->budget = 0;
}

enum ws_turn ws_turn_begin(struct ws_run *run, struct ws_warp *warp)
{
    run->executed_in_turn = 0;
    run->next_look = warp->spins ? 0 : FIRST_LOOK;
    run->looks = false;
    run->thread.yields = false;
    warp->spins = false;
    return WS_TURN_goes_on;
}

/* ---- Limits ---- */

/* Largest number of instructions of a lane. */
static u32 busiest(const struct ws_run *run, const struct ws_warp *warp, u64 lanes)
{
    u32 most = (u32)__builtin_ctzll(lanes);
    for (u64 left = lanes & (lanes - 1); left; left &= left - 1) {
        const u32 lane = (u32)__builtin_ctzll(left);
        if (run->used[warp->first + lane] > run->used[warp->first + most])
            most = lane;
    }
    return most;
}

/* Instructions that each lane may still execute, at least length; 0 after stopping the launch. Counts all running lanes of the
 * warp, since the turn may continue with any; the lanes at the block decide whether the budget suffices. */
static u64 allowance(struct ws_run *run, const struct ws_warp *warp, u64 lanes, u32 length)
{
    const u64 limit = limit_of(run->options->most_thread_instructions);
    const u32 most = busiest(run, warp, warp->running), worst = lanes == warp->running ? most : busiest(run, warp, lanes);
    const u64 used = run->used[warp->first + most];
    run->index = warp->first + worst;
    if (run->totals->left < (u64)__builtin_popcountll(lanes) * length)
        run->thread.stop = WS_STOP_limit;
    else if (limit - run->used[run->index] < length)
        run->thread.stop = WS_STOP_thread_limit;
    else {
        const u64 room = lesser(limit - used, run->totals->left / WS_MOST_LOCKSTEP);
        return room > length ? room : length;
    }
    return 0;
}

static bool interrupted(struct ws_run *run)
{
    const struct ws_frontend_options *const options = run->options;
    if (run->totals->since < ASK)
        return false;
    run->totals->since = 0;
    if (!options->go_on || options->go_on(options->context))
        return false;
    run->thread.stop = WS_STOP_interrupted;
    return true;
}

void ws_turn_find_loop(struct ws_run *run, struct ws_basic_block *block, enum ws_stop stop)
{
    u64 *const slots = run->slots + (size_t)run->index * run->code.slots;
    const struct ws_step *const at = block->first;
    run->loop[0] = run->loop[1] = at->op;
    run->thread.recorder = NULL;
    run->thread.races = NULL;
    u64 executed = 0;
    while (block && executed < ASK) {
        const struct ws_op *const first = run->plan->kernel->ops + block->op, *const last = first + block->length - 1;
        run->loop[0] = first < run->loop[0] ? first : run->loop[0];
        run->loop[1] = last > run->loop[1] ? last : run->loop[1];
        executed += block->length;
        block = block->first->run(block->first, slots, &run->thread);
    }
    run->thread.at = at;
    run->thread.stop = stop;
}

/* ---- Detecting that a warp waits ---- */

/* Whether warp and memory are in the state in which the check started. */
static bool is_back(const struct ws_run *run, const struct ws_warp *warp)
{
    const struct ws_look *const look = &run->look;
    const size_t words = (size_t)warp->threads * run->code.slots;
    return look->changes == run->thread.changes && look->depth == warp->depth && look->running == warp->running &&
           look->at == warp->paths[warp->depth - 1].at &&
           memcmp(look->slots, run->slots + (size_t)warp->first * run->code.slots, words * sizeof *look->slots) == 0 &&
           memcmp(look->paths, warp->paths, warp->depth * sizeof *warp->paths) == 0;
}

static void begin_look(struct ws_run *run, const struct ws_warp *warp)
{
    struct ws_look *const look = &run->look;
    run->looks = true;
    run->look_end = run->executed_in_turn + (run->next_look > FIRST_LOOK ? run->next_look : FIRST_LOOK) / LOOK_SHARE;
    look->changes = run->thread.changes;
    look->depth = warp->depth;
    look->running = warp->running;
    look->at = warp->paths[warp->depth - 1].at;
    memcpy(look->slots, run->slots + (size_t)warp->first * run->code.slots,
           (size_t)warp->threads * run->code.slots * sizeof *look->slots);
    memcpy(look->paths, warp->paths, warp->depth * sizeof *warp->paths);
}

/* Operations until the next check; 0 if the warp waits. */
static u64 until_look(struct ws_run *run, const struct ws_warp *warp, u32 length)
{
    if (run->looks && is_back(run, warp))
        return 0;
    if (run->looks && run->executed_in_turn < run->look_end)
        return length;
    if (run->looks) {
        run->looks = false;
        run->next_look = 2 * (run->executed_in_turn > FIRST_LOOK ? run->executed_in_turn : FIRST_LOOK);
    }
    if (run->executed_in_turn >= run->next_look) {
        begin_look(run, warp);
        return length;
    }
    return run->next_look - run->executed_in_turn;
}

/* Whether the warp gives up its turn because a thread of it polls a value that has not changed. After many such turns it keeps its
 * turn, and the check detects the wait. */
static bool gives_up(struct ws_run *run, struct ws_warp *warp)
{
    const bool yields = run->thread.yields;
    run->thread.yields = false;
    if (!yields)
        return false;
    warp->vain = warp->changes == run->thread.changes ? warp->vain + 1 : 0;
    warp->changes = run->thread.changes;
    return warp->vain < MOST_POLLS;
}

enum ws_turn ws_turn_continue(struct ws_run *run, struct ws_warp *warp, const struct ws_path *path, u64 lanes)
{
    const u32 length = path->at->length;
    ws_turn_end(run);
    const u64 allowed = allowance(run, warp, lanes, length);
    run->thread.at = path->at->first;
    if (!allowed && run->thread.stop == WS_STOP_thread_limit)
        ws_turn_find_loop(run, path->at, WS_STOP_thread_limit);
    if (!allowed || interrupted(run))
        return WS_TURN_failed;
    if (gives_up(run, warp))
        return WS_TURN_yields;
    const u64 until = until_look(run, warp, length);
    warp->spins = until == 0;
    if (warp->spins || run->executed_in_turn >= TURN) {
        warp->watches = false;
        return WS_TURN_yields;
    }
    run->slice = run->budget = lesser(allowed, until > length ? until : length);
    return WS_TURN_goes_on;
}
