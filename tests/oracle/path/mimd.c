/* Every thread has its own pc (divergence.md). */
#include <stdlib.h>

#include "oracle/invariants.h"
#include "oracle/pipeline/pool.h"

struct ready {
    bool is;
    u64 from; /* first cycle in which it can be selected */
};

struct mimd {
    struct ready *ready; /* of each thread of the image */
    u32 next;            /* after the thread that issued last: slot x threads of a warp + number in the warp */
};

static void start(struct sm *sm)
{
    struct mimd *own = oracle_allocate(1, sizeof *own);
    own->ready = oracle_allocate((size_t)sm->image->blocks * sm->image->block_threads, sizeof *own->ready);
    sm->path = own;
}

static void finish(struct sm *sm)
{
    struct mimd *own = sm->path;
    free(own->ready);
    free(own);
}

static struct ready *ready_of(const struct sm *sm, const struct thread *thread)
{
    return &((struct mimd *)sm->path)->ready[thread - sm->threads];
}

static void make_ready(struct sm *sm, const struct thread *thread, u64 from)
{
    *ready_of(sm, thread) = (struct ready){.is = true, .from = from};
}

static void enter(struct sm *sm, u32 slot)
{
    const struct warp *warp = &sm->warps[slot];
    for (u32 i = 0; i < warp->path.count; i++) {
        pool_enter(warp->path.thread[i], slot, i);
        make_ready(sm, warp->path.thread[i], warp->enters);
    }
}

/* The ready thread at a place in the cyclic order, or NULL. */
static struct thread *thread_at(const struct sm *sm, u32 place)
{
    const u32 size = sm->machine->core_warp_size;
    const struct warp *warp = &sm->warps[place / size];
    if (warp->state != WARP_RUNS || place % size >= warp->path.count)
        return NULL;
    struct thread *thread = warp->path.thread[place % size];
    const struct ready *ready = ready_of(sm, thread);
    return ready->is && ready->from <= sm->now ? thread : NULL;
}

static void select(const struct sm *sm, struct bundle *bundle)
{
    const struct mimd *own = sm->path;
    const u32 size = sm->machine->core_warp_size, places = sm->machine->core_warps * size;
    u32 lane = 0;
    for (u32 i = 0; i < places && lane < size; i++) {
        struct thread *thread = thread_at(sm, (own->next + i) % places);
        if (thread)
            bundle->thread[lane++] = thread;
    }
}

static bool any(const struct sm *sm)
{
    struct bundle bundle = {0};
    select(sm, &bundle);
    return bundle_count(&bundle) > 0;
}

static void issued(struct sm *sm, const struct bundle *bundle)
{
    struct mimd *own = sm->path;
    const u32 size = sm->machine->core_warp_size, last = bundle_count(bundle) - 1;
    const struct thread *thread = bundle->thread[last];
    own->next = (thread->slot * size + thread->number % size + 1) % (sm->machine->core_warps * size);
    for (u32 lane = 0; lane <= last; lane++)
        ready_of(sm, bundle->thread[lane])->is = false;
}

static void completed(struct sm *sm, const struct bundle *bundle)
{
    for (u32 lane = 0; lane < WS_LANES; lane++)
        if (bundle->thread[lane])
            make_ready(sm, bundle->thread[lane], sm->now);
}

static void line(struct sm *sm, struct thread *const *threads, u32 thread_count)
{
    for (u32 i = 0; i < thread_count; i++)
        make_ready(sm, threads[i], sm->now);
}

static void released(struct sm *sm, const struct bundle *bundle)
{
    for (u32 lane = 0; lane < WS_LANES; lane++)
        if (bundle->thread[lane])
            make_ready(sm, bundle->thread[lane], sm->now + 1);
}

static void places(const struct sm *sm, u32 slot)
{
    const struct path *path = &sm->warps[slot].path;
    for (u32 i = 0; i < path->count; i++)
        if (ready_of(sm, path->thread[i])->is)
            invariants_place(sm, path->thread[i], path->thread[i]->pc, false);
}

static const struct oracle_pool pool = {
    .any = any, .select = select, .issued = issued, .completed = completed, .line = line, .released = released, .places = places};

const struct oracle_path oracle_path_mimd = {
    .start = start, .finish = finish, .enter = enter, .places = pool_places, .released = pool_released, .pool = &pool};
