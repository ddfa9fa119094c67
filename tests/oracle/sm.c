#include "oracle/sm.h"

#include <stdlib.h>
#include <string.h>

void count(struct sm *sm, u32 counter, u64 by)
{
    sm->counters[counter] += by;
}

void count_most(struct sm *sm, u32 counter, u64 value)
{
    if (sm->counters[counter] < value)
        sm->counters[counter] = value;
}

u32 warps_per_block(const struct sm *sm)
{
    return (sm->image->block_threads + sm->machine->core_warp_size - 1) / sm->machine->core_warp_size;
}

struct ws_warp_time *life_of(const struct sm *sm, u32 block, u32 number)
{
    return &sm->lives[(size_t)block * warps_per_block(sm) + number];
}

struct thread *thread_of(const struct sm *sm, u32 block, u32 number)
{
    return &sm->threads[(size_t)block * sm->image->block_threads + number];
}

const struct ws_instruction *instruction_of(const struct sm *sm, const struct warp *warp)
{
    return &sm->image->program[warp->path.pc];
}

static const struct ws_group *streams_of(const struct sm *sm, const struct thread *thread)
{
    return &sm->image->groups[(size_t)thread->block * sm->image->groups_per_block + thread->number / WS_LANES];
}

bool decision_of(const struct sm *sm, const struct thread *thread, u64 n)
{
    const u64 stream = streams_of(sm, thread)->decisions;
    return sm->image->words[stream + n / 32 * WS_LANES + thread->number % WS_LANES] >> (n % 32) & 1u;
}

u32 access_of(const struct sm *sm, const struct thread *thread, u64 n)
{
    return sm->image->words[streams_of(sm, thread)->accesses + n * WS_LANES + thread->number % WS_LANES];
}

bool participates(const struct sm *sm, const struct thread *thread, const struct ws_instruction *ins)
{
    return !(ins->flags & WS_GUARDED) || decision_of(sm, thread, thread->decisions);
}

void path_add(struct path *path, struct thread *thread)
{
    if (path->count == path->room) {
        path->room = path->room ? 2 * path->room : WS_LANES;
        path->thread = realloc(path->thread, path->room * sizeof *path->thread);
        if (!path->thread)
            abort();
    }
    path->thread[path->count++] = thread;
}

void path_copy(struct path *to, const struct path *from)
{
    to->pc = from->pc;
    to->count = 0;
    for (u32 i = 0; i < from->count; i++)
        path_add(to, from->thread[i]);
}

void warp_arrives(struct sm *sm, struct warp *warp)
{
    warp->at_barrier = true;
    count(sm, WS_COUNT_barrier_arrivals, 1);
    event_add(sm, WARP_ARRIVES, (u32)(warp - sm->warps), warp->block);
}
