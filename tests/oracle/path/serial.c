/* No reconvergence (divergence.md). A warp's path is a copy of the running split. */
#include <stdlib.h>

#include "oracle/invariants.h"
#include "oracle/path/whole.h"

struct part {
    struct path path;
    bool at_barrier;
};

/* The splits of a warp in order; none is empty. */
struct parts {
    struct part part[WS_LANES + 1]; /* one more while a split is being divided */
    u32 count;
};

static void start(struct sm *sm)
{
    sm->path = oracle_allocate(sm->machine->core_warps, sizeof(struct parts));
}

static struct parts *parts_of(const struct sm *sm, u32 slot)
{
    return (struct parts *)sm->path + slot;
}

static void remove_part(struct parts *parts, u32 n)
{
    free(parts->part[n].path.thread);
    for (parts->count--; n < parts->count; n++)
        parts->part[n] = parts->part[n + 1];
}

static void finish(struct sm *sm)
{
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++)
        while (parts_of(sm, slot)->count > 0)
            remove_part(parts_of(sm, slot), 0);
    free(sm->path);
}

/* Appends a split to the list unless it is empty. */
static void append(struct parts *parts, const struct path *path, bool at_barrier)
{
    if (path->count == 0)
        return;
    struct part *part = &parts->part[parts->count++];
    *part = (struct part){.at_barrier = at_barrier};
    path_copy(&part->path, path);
}

/* The first split that is not at a barrier; the number of splits if none. */
static u32 next_part(const struct parts *parts)
{
    u32 n = 0;
    while (n < parts->count && parts->part[n].at_barrier)
        n++;
    return n;
}

static void run_next(struct sm *sm, u32 slot)
{
    const struct parts *parts = parts_of(sm, slot);
    if (next_part(parts) < parts->count)
        path_copy(&sm->warps[slot].path, &parts->part[next_part(parts)].path);
}

static void enter(struct sm *sm, u32 slot)
{
    const struct path *path = &sm->warps[slot].path;
    for (u32 i = 0; i < path->count; i++)
        path->thread[i]->lane = i;
    append(parts_of(sm, slot), path, false);
}

static bool ready(const struct sm *sm, u32 slot)
{
    return !sm->warps[slot].begun;
}

static bool target_runs_first(const struct sm *sm, const struct path *to_target, const struct path *to_next)
{
    if (sm->machine->divergence_first_path == WS_first_path_lane)
        return to_target->thread[to_target->count - 1]->lane < to_next->thread[to_next->count - 1]->lane;
    return sm->machine->divergence_first_path == WS_first_path_taken;
}

static void divide(const struct path *path, struct path *to_target, struct path *to_next)
{
    for (u32 i = 0; i < path->count; i++)
        path_add(path->thread[i]->taken ? to_target : to_next, path->thread[i]);
}

/* The sides of a branch, one or two. */
static void append_sides(struct sm *sm, struct parts *parts, const struct path *path, const struct ws_instruction *ins)
{
    struct path to_target = {.pc = ins->target}, to_next = {.pc = path->pc + 1};
    divide(path, &to_target, &to_next);
    const bool target_first = to_target.count > 0 && to_next.count > 0 && target_runs_first(sm, &to_target, &to_next);
    append(parts, target_first ? &to_target : &to_next, false);
    append(parts, target_first ? &to_next : &to_target, false);
    free(to_target.thread);
    free(to_next.thread);
}

/* Threads that do not end at an exit. */
static void append_rest(struct parts *parts, const struct path *path)
{
    struct path leaving = {0}, rest = {.pc = path->pc + 1};
    divide(path, &leaving, &rest);
    append(parts, &rest, false);
    free(leaving.thread);
    free(rest.thread);
}

static void take(struct sm *sm, struct packet *packet)
{
    struct path to_target = {0}, to_next = {0};
    whole_take(sm, packet);
    if (packet->ins->class_ != WS_CLASS_branch)
        return;
    divide(&sm->warps[packet->slot].path, &to_target, &to_next);
    count(sm, to_target.count == 0 || to_next.count == 0 ? WS_COUNT_uniform_branches : WS_COUNT_divergent_branches, 1);
    free(to_target.thread);
    free(to_next.thread);
}

static void completed(struct sm *sm, const struct packet *packet)
{
    struct warp *warp = &sm->warps[packet->slot];
    struct parts *parts = parts_of(sm, packet->slot);
    const struct ws_instruction *ins = packet->ins;
    warp->begun = false;
    remove_part(parts, next_part(parts));
    if (ins->class_ == WS_CLASS_branch) {
        append_sides(sm, parts, &warp->path, ins);
    } else if (ins->class_ == WS_CLASS_exit) {
        append_rest(parts, &warp->path);
    } else {
        warp->path.pc = ins->class_ == WS_CLASS_jump ? ins->target : warp->path.pc + 1;
        append(parts, &warp->path, ins->class_ == WS_CLASS_barrier);
    }
    if (parts->count == 0)
        sm->rules.dispatch->warp_ended(sm, packet->slot);
    else if (next_part(parts) == parts->count)
        warp_arrives(sm, warp);
    run_next(sm, packet->slot);
}

static void released(struct sm *sm, u32 slot)
{
    struct parts *parts = parts_of(sm, slot);
    for (u32 n = 0; n < parts->count; n++)
        parts->part[n].at_barrier = false;
    run_next(sm, slot);
}

static void places(const struct sm *sm, u32 slot)
{
    const struct parts *parts = parts_of(sm, slot);
    for (u32 n = 0; n < parts->count; n++) {
        const struct path *path = &parts->part[n].path;
        const bool under_way = sm->warps[slot].begun && n == next_part(parts);
        for (u32 i = 0; i < path->count; i++)
            invariants_place(sm, path->thread[i], under_way ? UNDER_WAY : path->pc, false);
    }
}

const struct oracle_path oracle_path_serial = {.start = start,
                                               .finish = finish,
                                               .enter = enter,
                                               .ready = ready,
                                               .peek = whole_peek,
                                               .take = take,
                                               .completed = completed,
                                               .places = places,
                                               .home_lanes = true,
                                               .released = released};
