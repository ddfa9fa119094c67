/* Invariants of a pool of forming warps. */
#include "oracle/invariants.h"
#include "oracle/path/dwf.h"

/* The lane of a thread's register bank, computed from the rule. */
static u32 home_of(const struct sm *sm, const struct thread *thread)
{
    const u32 size = sm->machine->core_warp_size, number = thread->number % size;
    switch (sm->machine->dwf_swizzle) {
    case WS_dwf_swizzle_alternate:
        return number ^ (thread->slot & 1u);
    case WS_dwf_swizzle_rotate:
        return (number + thread->slot) % size;
    default:
        return number;
    }
}

static void check_places(const struct sm *sm, struct thread *const *threads)
{
    for (u32 lane = 0; lane < WS_LANES; lane++) {
        const struct thread *thread = threads[lane];
        if (!thread)
            continue;
        if (lane >= sm->machine->core_warp_size)
            invariants_violation(sm, thread, "is in lane %u of %u", lane, sm->machine->core_warp_size);
        if (sm->machine->dwf_lanes == WS_dwf_lanes_aware && lane != home_of(sm, thread))
            invariants_violation(sm, thread, "is in lane %u, not in its home lane %u", lane, home_of(sm, thread));
    }
}

static void check_forming(const struct sm *sm, const struct forming *forming)
{
    if (forming_threads(forming) == 0)
        invariants_violation(sm, NULL, "a forming warp at pc %u is empty", forming->pc);
    for (u32 place = 0; place < WS_LANES; place++)
        if (forming->thread[place] && forming->thread[place]->pc != forming->pc)
            invariants_violation(sm, forming->thread[place], "is at pc %u, its forming warp at pc %u", forming->thread[place]->pc,
                                 forming->pc);
    check_places(sm, forming->thread);
}

static bool is_in_pool(const struct dwf *own, const struct forming *which)
{
    const struct forming *forming = own->pool;
    while (forming && forming != which)
        forming = forming->next;
    return forming != NULL;
}

static void check_lut(const struct sm *sm, const struct dwf *own)
{
    for (u32 i = 0; i < own->entries; i++) {
        const struct lut_entry *entry = &own->lut[i];
        if (!entry->valid)
            continue;
        if (!is_in_pool(own, entry->forming))
            invariants_violation(sm, NULL, "the LUT's entry of pc %u points to no forming warp", entry->pc);
        else if (entry->forming->pc != entry->pc)
            invariants_violation(sm, NULL, "the LUT's entry of pc %u points to a warp at pc %u", entry->pc, entry->forming->pc);
        for (u32 other = 0; other < i; other++)
            if (own->lut[other].valid && own->lut[other].pc == entry->pc)
                invariants_violation(sm, NULL, "the LUT has two entries of pc %u", entry->pc);
    }
}

static u32 resident_threads(const struct sm *sm)
{
    u32 threads = 0;
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++)
        threads += sm->warps[slot].state == WARP_RUNS ? sm->warps[slot].path.count : 0;
    return threads;
}

void dwf_check(struct sm *sm)
{
    const struct dwf *own = sm->path;
    u32 warps = 0;
    for (const struct forming *forming = own->pool; forming; forming = forming->next, warps++)
        check_forming(sm, forming);
    if (warps > resident_threads(sm))
        invariants_violation(sm, NULL, "%u warps form of %u threads", warps, resident_threads(sm));
    for (const struct bundle *bundle = own->queue; bundle; bundle = bundle->next) {
        check_places(sm, bundle->thread);
        if (bundle_count(bundle) == 0)
            invariants_violation(sm, NULL, "a packet in the queue is empty");
    }
    check_lut(sm, own);
}
