/* Dynamic warp formation (divergence.md): the pool of forming warps, and its update by arriving threads. */
#include <stdlib.h>

#include "oracle/invariants.h"
#include "oracle/path/dwf.h"
#include "oracle/pipeline/pool.h"

static void start(struct sm *sm)
{
    struct dwf *own = oracle_allocate(1, sizeof *own);
    lut_start(sm, own);
    sm->path = own;
}

static void finish(struct sm *sm)
{
    struct dwf *own = sm->path;
    while (own->pool) {
        struct forming *next = own->pool->next;
        free(own->pool);
        own->pool = next;
    }
    bundles_free(&own->queue);
    free(own->lut);
    free(own);
}

/* ---- Queries of schedulers ---- */

u32 forming_threads(const struct forming *forming)
{
    u32 threads = 0;
    for (u32 place = 0; place < WS_LANES; place++)
        threads += forming->thread[place] != NULL;
    return threads;
}

bool forming_ready(const struct sm *sm, const struct forming *forming)
{
    return sm->now >= forming->enters;
}

struct forming *forming_oldest(const struct sm *sm, u32 pc)
{
    struct forming *forming = ((struct dwf *)sm->path)->pool;
    while (forming && !(forming_ready(sm, forming) && (pc == ANY_PC || forming->pc == pc)))
        forming = forming->next;
    return forming;
}

u32 forming_threads_at(const struct sm *sm, u32 pc)
{
    u32 threads = 0;
    for (const struct forming *forming = ((struct dwf *)sm->path)->pool; forming; forming = forming->next)
        threads += forming->pc == pc ? forming_threads(forming) : 0;
    return threads;
}

/* ---- Places ---- */

static bool is_aware(const struct sm *sm)
{
    return sm->machine->dwf_lanes == WS_dwf_lanes_aware;
}

static u32 home_lane(const struct sm *sm, u32 slot, u32 number)
{
    switch (sm->machine->dwf_swizzle) {
    case WS_dwf_swizzle_alternate:
        return slot % 2 == 0 ? number : number % 2 == 0 ? number + 1 : number - 1;
    case WS_dwf_swizzle_rotate:
        return (number + slot) % sm->machine->core_warp_size;
    default:
        return number;
    }
}

/* The place that a thread may take among the occupied ones; the number of places if none. */
static u32 free_place(const struct sm *sm, struct thread *const *taken, const struct thread *thread)
{
    const u32 size = sm->machine->core_warp_size;
    if (is_aware(sm))
        return taken[thread->lane] ? size : thread->lane;
    u32 place = 0;
    while (place < size && taken[place])
        place++;
    return place;
}

/* Puts the threads into free places, lowest lanes first, and removes them from the bundle. */
static void seat(const struct sm *sm, struct thread **taken, struct bundle *bundle)
{
    for (u32 lane = 0; lane < WS_LANES; lane++) {
        struct thread *thread = bundle->thread[lane];
        const u32 place = thread ? free_place(sm, taken, thread) : 0;
        if (!thread || place == sm->machine->core_warp_size)
            continue;
        taken[place] = thread;
        bundle->thread[lane] = NULL;
    }
}

/* ---- Into the pool ---- */

static struct forming *open_warp(struct sm *sm, u32 pc, struct bundle *bundle, u64 enters)
{
    struct forming *forming = oracle_allocate(1, sizeof *forming);
    struct forming **last = &((struct dwf *)sm->path)->pool;
    forming->pc = pc;
    forming->enters = enters;
    seat(sm, forming->thread, bundle);
    while (*last)
        last = &(*last)->next;
    *last = forming;
    return forming;
}

static void join(struct sm *sm, u32 pc, u32 threads)
{
    if (sm->rules.policy->joins)
        sm->rules.policy->joins(sm, pc, threads);
}

static void enter(struct sm *sm, u32 slot)
{
    const struct warp *warp = &sm->warps[slot];
    struct bundle bundle = {0};
    for (u32 i = 0; i < warp->path.count; i++) {
        pool_enter(warp->path.thread[i], slot, home_lane(sm, slot, i));
        bundle.thread[i] = warp->path.thread[i];
    }
    open_warp(sm, 0, &bundle, warp->enters);
    join(sm, 0, warp->path.count);
}

/* Threads of one pc that return together. */
static void take_up(struct sm *sm, u32 pc, struct bundle *bundle)
{
    struct dwf *own = sm->path;
    struct lut_entry *entry = lut_find(own, pc);
    join(sm, pc, bundle_count(bundle));
    if (entry) {
        lut_touch(own, entry);
        seat(sm, entry->forming->thread, bundle);
    }
    const u32 remain = bundle_count(bundle);
    if (remain == 0)
        return;
    struct forming *forming = open_warp(sm, pc, bundle, sm->now);
    count(sm, WS_COUNT_warps_formed, 1);
    count(sm, WS_COUNT_lane_conflicts, entry && is_aware(sm) ? remain : 0);
    if (entry)
        entry->forming = forming;
    else
        lut_take(sm, own, forming);
}

/* Removes the threads at the pc of the lowest lane from a bundle. */
static u32 split_off(struct bundle *from, struct bundle *same)
{
    const u32 pc = from->thread[bundle_lowest(from)]->pc;
    for (u32 lane = 0; lane < WS_LANES; lane++)
        if (from->thread[lane] && from->thread[lane]->pc == pc) {
            same->thread[lane] = from->thread[lane];
            from->thread[lane] = NULL;
        }
    return pc;
}

static void update(struct sm *sm)
{
    enum { PCS = 2 };
    struct dwf *own = sm->path;
    for (u32 i = 0; i < PCS && own->queue && bundle_count(own->queue) > 0; i++) {
        struct bundle same = {0};
        const u32 pc = split_off(own->queue, &same);
        take_up(sm, pc, &same);
    }
    if (own->queue && bundle_count(own->queue) == 0)
        bundles_drop(&own->queue);
}

/* ---- Returns ---- */

static void append(struct sm *sm, const struct bundle *bundle)
{
    bundles_append(&((struct dwf *)sm->path)->queue, bundle);
}

/* Distributes threads to bundles, each to the first with its place free. */
static void line(struct sm *sm, struct thread *const *threads, u32 thread_count)
{
    struct bundle *dealt = NULL;
    for (u32 i = 0; i < thread_count; i++) {
        struct bundle *bundle = dealt;
        while (bundle && free_place(sm, bundle->thread, threads[i]) == sm->machine->core_warp_size)
            bundle = bundle->next;
        if (bundle) {
            bundle->thread[free_place(sm, bundle->thread, threads[i])] = threads[i];
        } else {
            struct bundle one = {0};
            one.thread[free_place(sm, one.thread, threads[i])] = threads[i];
            bundles_append(&dealt, &one);
        }
    }
    for (const struct bundle *bundle = dealt; bundle; bundle = bundle->next)
        append(sm, bundle);
    bundles_free(&dealt);
}

/* A barrier releases a held packet. */
static void released(struct sm *sm, const struct bundle *held)
{
    struct bundle bundle = *held;
    const u32 pc = bundle.thread[bundle_lowest(held)]->pc;
    if (sm->machine->dwf_release == WS_dwf_release_update) {
        append(sm, held);
        return;
    }
    join(sm, pc, bundle_count(held));
    open_warp(sm, pc, &bundle, sm->now);
    count(sm, WS_COUNT_warps_formed, 1);
}

/* Whether packets that wait for the update stop the pipeline. */
static bool stalls(const struct sm *sm)
{
    return sm->machine->dwf_writeback == WS_dwf_writeback_stall && ((const struct dwf *)sm->path)->queue;
}

static bool queued(const struct sm *sm)
{
    return ((const struct dwf *)sm->path)->queue != NULL;
}

/* ---- Out of the pool ---- */

static bool any(const struct sm *sm)
{
    return forming_oldest(sm, ANY_PC) != NULL;
}

static void select(const struct sm *sm, struct bundle *bundle)
{
    const struct forming *forming = sm->rules.policy->pick(sm);
    for (u32 place = 0; place < WS_LANES; place++)
        bundle->thread[place] = forming->thread[place];
}

static void issued(struct sm *sm, const struct bundle *bundle)
{
    struct dwf *own = sm->path;
    const u32 lowest = bundle_lowest(bundle);
    struct forming **place = &own->pool;
    while ((*place)->thread[lowest] != bundle->thread[lowest])
        place = &(*place)->next;
    struct forming *forming = *place;
    *place = forming->next;
    lut_invalidate(own, forming);
    free(forming);
    if (sm->rules.policy->leaves)
        sm->rules.policy->leaves(sm, bundle->thread[lowest]->pc, bundle_count(bundle));
}

/* The largest number of threads of one home lane that wait for its bank. */
static u32 entry(const struct sm *sm, const struct bundle *bundle)
{
    u32 most = 0;
    if (sm->machine->dwf_lanes != WS_dwf_lanes_conflicts)
        return 0;
    for (u32 home = 0; home < WS_LANES; home++) {
        u32 threads = 0;
        for (u32 lane = 0; lane < WS_LANES; lane++)
            threads += bundle->thread[lane] && bundle->thread[lane]->lane == home;
        most = threads > most ? threads : most;
    }
    return most;
}

static u32 stages(const struct sm *sm)
{
    return sm->machine->dwf_stage;
}

static void places(const struct sm *sm, u32 slot)
{
    const struct dwf *own = sm->path;
    for (const struct forming *forming = own->pool; forming; forming = forming->next)
        for (u32 place = 0; place < WS_LANES; place++)
            if (forming->thread[place] && forming->thread[place]->slot == slot)
                invariants_place(sm, forming->thread[place], forming->pc, false);
    bundles_places(sm, own->queue, slot, false);
}

static const struct oracle_pool pool = {.any = any,
                                        .select = select,
                                        .issued = issued,
                                        .completed = append,
                                        .line = line,
                                        .released = released,
                                        .stalls = stalls,
                                        .queued = queued,
                                        .places = places,
                                        .check = dwf_check,
                                        .entry = entry,
                                        .stages = stages,
                                        .one_pc = true};

const struct oracle_path oracle_path_dwf = {.start = start,
                                            .finish = finish,
                                            .enter = enter,
                                            .places = pool_places,
                                            .advance = update,
                                            .released = pool_released,
                                            .pool = &pool};
