/* Rounds: several cycles of the barrel pipeline in one step, while warps issue one after the other and each instruction only
 * advances its pc. The result equals that of single cycles (docs/model/order.md). */
#ifndef WS_SKIP_ROUNDS_H
#define WS_SKIP_ROUNDS_H

#include "pipeline/barrel/issue.h"
#include "skip/skip.h"
#include "state/ready.h"

/* Number of plain instructions without an attempt after one that found no round; the following ones rarely find any. */
#define WS_SKIP_BACKOFF 8

/* Whether the warp's next instruction only advances its pc. Runs in the warp's lane. */
static inline u32 only_moves_on(PRIVATE const struct sm *sm, PRIVATE const struct sm_lanes *lanes, u32 warp)
{
    return path_only_moves_on(sm, lanes, warp) && icache_is_settled(sm, lanes->pc[AT(warp)]);
}

/* Warps that take turns from the given one on, as far as is known; end: the cycle before which that holds. */
static inline slot_set queue_up(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, PRIVATE const struct round *round,
                                PRIVATE u32 *end)
{
    PER_SLOT(u32, takes);
    PER_SLOT(u32, first);
    const u32 least = slots_pick(&sm->lanes, lanes->fetched, warp), soon = sm->now + WS_SLOTS, by_count = round->by_count;
    FOR_WORDS (n) {
        const u32 slots = SLOT_WORD(round->slots, n), those_before = SLOT_WORD(round->before, n);
        FOR_LANES (lane) { /* without branches, for vectorization */
            const u32 slot = n * WS_LANES + lane, at = lanes->ready_at[AT(slot)], fetched = lanes->fetched[AT(slot)];
            const u32 mine = slots >> lane & 1, before = those_before >> lane & 1;
            takes[AT(slot)] = mine & (u32)(at < soon) & ((by_count ^ 1) | (u32)(fetched == least));
            first[AT(slot)] = (u32)(at > sm->now) & (before | (mine & by_count & (u32)(fetched < least))) ? at : WS_NEVER;
        }
    }
    const slot_set queue = slots_ballot(&sm->lanes, takes);
    *end = ws_min(slots_least(&sm->lanes, first), ws_min(sm->fill_at, ws_min(sm->event_at, sm->end)));
    *end = ws_min(ws_min(*end, dispatch_next(sm)), sm->now + ws_min(slots_count(queue), round->most));
    return queue;
}

/* Cycle of the first turn, from now to end, in which the warp does more than advance its pc. */
static inline u32 first_obstacle(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, slot_set queue, u32 end)
{
    PER_LANE(u32, obstacle);
    FOR_LANES (lane)
        obstacle[OF(lane)] = end;
    FOR_SLOT_TURNS (slot, rank, queue, warp) {
        const u32 turn = sm->now + rank;
        if (turn >= end)
            break;
        if (lanes->ready_at[AT(slot)] > turn || !only_moves_on(sm, lanes, slot)) {
            obstacle[OF(slot % WS_LANES)] = turn;
            break;
        }
    }
    return lanes_least(&sm->lanes, obstacle);
}

/* Issues the warp's instruction in its turn. */
static inline void move_on(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 warp, u32 turn)
{
    const u32 pc = lanes->pc[AT(warp)];
    GLOBAL const struct ws_instruction *const instruction = sm->program + pc;
    const u32 threads = path_moves_on(sm, lanes, warp, instruction);
    lanes->fetched[AT(warp)] += 1;
    selectable_in_turn(sm, lanes, warp, turn + MACHINE(sm, core_depth));
    count_issue(sm, pc, instruction, threads, threads);
}

static inline u32 rounds_take(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE const struct packet *packet)
{
    struct round round;
    const u32 warp = packet->slot;
    u32 end;
    if (!is_plain(packet->instruction))
        return 0;
    if (sm->skip_backoff > 0) {
        sm->skip_backoff -= 1;
        return 0;
    }
    if (!policy_round(sm, warp, awaiting(sm, slots_none()), &round))
        return 0;
    const slot_set queue = queue_up(sm, lanes, warp, &round, &end);
    if (end > sm->now + 1)
        end = first_obstacle(sm, lanes, warp, queue, end);
    if (end <= sm->now + 1) {
        sm->skip_backoff = WS_SKIP_BACKOFF;
        return 0;
    }
    FOR_SLOT_TURNS (slot, rank, queue, warp) {
        if (sm->now + rank >= end)
            break;
        move_on(sm, lanes, slot, sm->now + rank);
    }
    const u32 last = slots_in_turn(queue, warp, end - 1 - sm->now);
    const slot_set moved = slots_and(queue, slots_from_to(warp, last));
    selectable_in_turns(sm, moved, sm->now + MACHINE(sm, core_depth), end - sm->now);
    path_moved_on(sm, moved);
    policy_chosen(sm, lanes, last);
    count(sm, WS_COUNT_fetches, end - sm->now);
    count(sm, WS_COUNT_instructions_fetched, end - sm->now);
    sm->now = end - 1;
    sm->select_at = end;
    return 1;
}

#endif
