/* Defects of serial and of the path units of threads. */
#include <string.h>

#include "oracle/checks/broken.h"
#include "oracle/path/dwf.h"
#include "oracle/pipeline/pool.h"
#include "test.h"

/* ---- Splits of warps ---- */

static void pass_a_barrier_before(struct sm *sm, const struct packet *packet)
{
    sm->warps[packet->slot].path.pc += packet->pc == JOIN;
    whole.path->completed(sm, packet);
}

static void lose_a_thread_before(struct sm *sm, const struct packet *packet)
{
    sm->warps[packet->slot].path.count -= packet->pc == JOIN;
    whole.path->completed(sm, packet);
}

/* ---- Threads that issue ---- */

static void issue_another_pc(const struct sm *sm, struct bundle *bundle)
{
    whole.path->pool->select(sm, bundle);
    bundle->thread[1]->pc++;
}

static void issue_one_in_two_lanes(const struct sm *sm, struct bundle *bundle)
{
    whole.path->pool->select(sm, bundle);
    bundle->thread[1] = bundle->thread[0];
}

static void select_one_less(const struct sm *sm, struct bundle *bundle)
{
    whole.path->pool->select(sm, bundle);
    bundle->thread[1] = NULL;
}

static void stay_ready(struct sm *sm, const struct bundle *bundle)
{
    (void)sm;
    (void)bundle;
}

static void return_one_less(struct sm *sm, const struct bundle *bundle)
{
    struct bundle less = *bundle;
    less.thread[bundle_lowest(bundle)] = NULL;
    whole.path->pool->completed(sm, &less);
}

static void return_twice(struct sm *sm, const struct bundle *bundle)
{
    whole.path->pool->completed(sm, bundle);
    whole.path->pool->completed(sm, bundle);
}

static void lose_who_is_held(struct sm *sm)
{
    struct pool *own = sm->pipeline;
    whole.pipeline->cycle(sm);
    if (own->held)
        own->held->thread[bundle_lowest(own->held)] = NULL;
}

static void have_nobody_under_way(struct sm *sm)
{
    const struct bundle nobody = {0};
    whole.pipeline->cycle(sm);
    bundles_append(&((struct pool *)sm->pipeline)->flights, &nobody);
}

static void forget_a_bundle(struct sm *sm)
{
    const struct bundle bundle = {.thread[0] = &sm->threads[0]};
    whole.pipeline->cycle(sm);
    if (sm->status == WS_STATUS_ok)
        bundles_append(&((struct pool *)sm->pipeline)->flights, &bundle);
}

static void forget_who_waits_for_the_update(struct sm *sm)
{
    const struct bundle bundle = {.thread[0] = &sm->threads[0]};
    whole.pipeline->cycle(sm);
    if (sm->status == WS_STATUS_ok)
        bundles_append(&((struct dwf *)sm->path)->queue, &bundle);
}

/* ---- Forming warps: the first of the pool after a cycle, if any ---- */

static struct forming *forming_after(struct sm *sm)
{
    whole.pipeline->cycle(sm);
    return ((struct dwf *)sm->path)->pool;
}

static void leave_the_home_lanes(struct sm *sm)
{
    struct forming *forming = forming_after(sm);
    if (!forming)
        return;
    struct thread *first = forming->thread[0];
    forming->thread[0] = forming->thread[1];
    forming->thread[1] = first;
}

static void form_beyond_the_lanes(struct sm *sm)
{
    struct forming *forming = forming_after(sm);
    if (!forming)
        return;
    forming->thread[WS_LANES - 1] = forming->thread[0];
    forming->thread[0] = NULL;
}

static void form_of_nobody(struct sm *sm)
{
    struct forming *forming = forming_after(sm);
    if (!forming)
        return;
    memset(forming->thread, 0, sizeof forming->thread);
    forming->enters = sm->now + 100; /* not to be selected */
}

static void form_of_two_pcs(struct sm *sm)
{
    struct forming *forming = forming_after(sm);
    if (forming)
        forming->thread[2]->pc++;
}

static void form_too_many(struct sm *sm)
{
    struct forming *forming = forming_after(sm);
    for (u32 i = 0; forming && i <= BLOCKS * BLOCK_THREADS; i++) {
        struct forming *other = oracle_allocate(1, sizeof *other);
        *other = *forming;
        forming->next = other;
    }
}

/* The LUT entry of a pc with a forming warp. */
static struct lut_entry *entry_after(struct sm *sm)
{
    struct dwf *own = sm->path;
    whole.pipeline->cycle(sm);
    for (u32 i = 0; i < own->entries; i++)
        if (own->lut[i].valid)
            return &own->lut[i];
    return NULL;
}

static void point_to_an_issued_warp(struct sm *sm)
{
    static struct forming gone;
    struct lut_entry *entry = entry_after(sm);
    if (entry)
        entry->forming = &gone;
}

static void point_to_another_pc(struct sm *sm)
{
    struct lut_entry *entry = entry_after(sm);
    if (entry)
        entry->pc++;
}

static void have_two_entries(struct sm *sm)
{
    struct dwf *own = sm->path;
    const struct lut_entry *entry = entry_after(sm);
    for (u32 i = 0; entry && i < own->entries; i++)
        if (!own->lut[i].valid) {
            own->lut[i] = *entry;
            return;
        }
}

static const struct defect defects[] = {
    {"issues pc 9 where its path has pc 8", WS_divergence_serial, .completed = pass_a_barrier_before},
    {"is in no place", WS_divergence_serial, .completed = lose_a_thread_before},
    {"thread 1 issues pc 1 with others at pc 0", WS_divergence_dwf, .select = issue_another_pc},
    {"thread 1 issues pc 1 where its path has pc 0", WS_divergence_mimd, .select = issue_another_pc},
    {"thread 0 issues twice", WS_divergence_dwf, .select = issue_one_in_two_lanes},
    {"thread 0 issues twice", WS_divergence_mimd, .select = issue_one_in_two_lanes},
    {"is in no place", WS_divergence_dwf, .select = select_one_less},
    {"thread 0 issues pc 0 where its path has pc ", WS_divergence_mimd, .issued = stay_ready},
    {"thread 0 is in no place", WS_divergence_dwf, .returned = return_one_less},
    {"thread 0 is in no place", WS_divergence_mimd, .returned = return_one_less},
    {"is in two places, one at pc ", WS_divergence_dwf, .returned = return_twice},
    {"is in no place", WS_divergence_dwf, .cycle = lose_who_is_held},
    {"is in no place", WS_divergence_mimd, .cycle = lose_who_is_held},
    {"a packet without threads is under way", WS_divergence_dwf, .cycle = have_nobody_under_way},
    {"1 packets are in flight at the end", WS_divergence_mimd, .cycle = forget_a_bundle},
    {"threads are in the pool at the end", WS_divergence_dwf, .cycle = forget_who_waits_for_the_update},
    {"is in lane 0, not in its home lane 1", WS_divergence_dwf, .cycle = leave_the_home_lanes},
    {"is in lane 31 of 16", WS_divergence_dwf, .cycle = form_beyond_the_lanes, .warp_size = 16},
    {"a forming warp at pc 0 is empty", WS_divergence_dwf, .cycle = form_of_nobody},
    {"is at pc 1, its forming warp at pc 0", WS_divergence_dwf, .cycle = form_of_two_pcs},
    {"warps form of 128 threads", WS_divergence_dwf, .cycle = form_too_many},
    {"points to no forming warp", WS_divergence_dwf, .cycle = point_to_an_issued_warp},
    {"points to a warp at pc ", WS_divergence_dwf, .cycle = point_to_another_pc},
    {"the LUT has two entries of pc ", WS_divergence_dwf, .cycle = have_two_entries},
};

TEST(each_violation_of_threads_is_seen)
{
    expect_violations(defects, sizeof defects / sizeof *defects);
}
