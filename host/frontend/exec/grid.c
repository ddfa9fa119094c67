#include "frontend/exec/grid.h"

#include <stdlib.h>

#include "base/error.h"
#include "frontend/exec/cluster.h"
#include "frontend/exec/run.h"

/* A started block. */
struct resident {
    struct ws_run run;
    struct ws_recorder *recorders; /* NULL when no trace is written */
    struct ws_spool *spool;        /* records while another block is being written; else NULL */
    enum ws_block_state state;
};

/* Started blocks in the order of their numbers, then free entries. */
struct grid {
    struct ws_plan *plan;
    const struct ws_frontend_options *options;
    struct ws_trace_writer *writer;
    struct resident *residents[WS_MOST_RESIDENT];
    u32 count, allocated;
    u64 next; /* block to begin */
    struct ws_totals totals;
    struct ws_races *races;
    enum ws_execution_end fault; /* of a thread; else WS_END_failed */
};

static enum ws_status no_memory(const struct grid *grid, struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_no_memory, "kernel %s: out of memory for %u blocks at once", grid->plan->kernel->name,
                   grid->count + 1);
}

static enum ws_status allocate(struct grid *grid, struct ws_error *error)
{
    struct resident *const resident = calloc(1, sizeof *resident);
    if (!resident)
        return no_memory(grid, error);
    grid->residents[grid->allocated++] = resident;
    return ws_run_make(grid->plan, grid->options, &resident->run, error);
}

static enum ws_status record(struct grid *grid, struct resident *resident, struct ws_error *error)
{
    resident->recorders = NULL;
    resident->spool = NULL;
    if (!grid->writer)
        return WS_STATUS_ok;
    if (grid->count == 0) {
        resident->recorders = ws_recorders_begin(grid->writer, grid->next);
        return resident->recorders ? WS_STATUS_ok
                                   : ws_fail(error, WS_STATUS_internal, "kernel %s: block %llu cannot be recorded",
                                             grid->plan->kernel->name, (unsigned long long)grid->next);
    }
    resident->spool = ws_spool_make(grid->writer);
    if (!resident->spool)
        return no_memory(grid, error);
    resident->recorders = ws_spool_recorders(resident->spool);
    return WS_STATUS_ok;
}

static enum ws_status begin_next(struct grid *grid, struct ws_error *error)
{
    if (grid->count == WS_MOST_RESIDENT)
        return ws_fail(error, WS_STATUS_bad_input, "kernel %s: more than %d blocks wait for one that has not started",
                       grid->plan->kernel->name, (int)WS_MOST_RESIDENT);
    if (grid->count == grid->allocated)
        WS_TRY(allocate(grid, error));
    struct resident *const resident = grid->residents[grid->count];
    WS_TRY(record(grid, resident, error));
    resident->state = WS_BLOCK_runs;
    /* A hint is for the first block. */
    struct ws_races *const races = grid->options->race || grid->next == 0 ? grid->races : NULL;
    if (!ws_run_begin(&resident->run, grid->next, races))
        return no_memory(grid, error);
    grid->count++;
    grid->next++;
    return WS_STATUS_ok;
}

/* The first block has ended: write it and free its place. */
static enum ws_status end_first(struct grid *grid, struct ws_error *error)
{
    struct resident *const first = grid->residents[0];
    enum ws_status status = WS_STATUS_ok;
    if (first->spool)
        status = ws_spool_play(first->spool, first->run.block, first->run.executed, error);
    else if (grid->writer)
        status = ws_recorders_end(grid->writer, first->run.executed, error);
    ws_spool_free(first->spool);
    first->spool = NULL;
    grid->count--;
    for (u32 n = 0; n < grid->count; n++)
        grid->residents[n] = grid->residents[n + 1];
    grid->residents[grid->count] = first;
    return status;
}

/* Tells a block about the others of its cluster, before its turn. */
static void meet_cluster(const struct grid *grid, struct ws_run *run)
{
    for (u32 rank = 0; grid->plan->memory.cluster > 1 && rank < grid->plan->memory.cluster; rank++) {
        const u64 block = ws_cluster_block(grid->plan, run->block, rank);
        const struct resident *there = NULL;
        for (u32 n = 0; n < grid->count; n++)
            there = grid->residents[n]->run.block == block ? grid->residents[n] : there;
        const bool runs = there && there->state != WS_BLOCK_ended;
        run->peers[rank] = (struct ws_peer){.run = runs ? &there->run : NULL, .absent = block >= grid->next};
        ws_memory_set_peer(&grid->plan->memory, rank, there ? there->run.shared : NULL);
    }
}

/* The last block of the clusters of all blocks that have begun, + 1. */
static u64 whole_clusters(const struct grid *grid)
{
    const struct ws_plan *const plan = grid->plan;
    u64 end = grid->next;
    for (u32 n = 0; plan->memory.cluster > 1 && n < grid->count; n++) {
        const u64 last = ws_cluster_block(plan, grid->residents[n]->run.block, plan->memory.cluster - 1);
        end = last + 1 > end ? last + 1 : end;
    }
    return end;
}

/* The fault that stopped the running thread. */
static enum ws_execution_end fault_of(const struct ws_run *run)
{
    switch (run->thread.stop) {
#define FAULT(name, text)                                                                                                          \
    case WS_STOP_##name:                                                                                                           \
        return WS_END_##name;
#include "warpsweep/faults.def"
#undef FAULT
    default:
        return WS_END_failed;
    }
}

/* Gives each running block a turn; *moves: memory changed or a block ended. *stuck: all wait. */
static enum ws_status run_all(struct grid *grid, bool *moves, bool *stuck, struct ws_error *error)
{
    const u64 changes = grid->totals.changes;
    *moves = false;
    *stuck = true;
    for (u32 n = 0; n < grid->count; n++) {
        struct resident *const resident = grid->residents[n];
        if (resident->state == WS_BLOCK_ended)
            continue;
        meet_cluster(grid, &resident->run);
        const enum ws_status status = ws_run_block(&resident->run, &grid->totals, resident->recorders, &resident->state, error);
        if (status != WS_STATUS_ok)
            grid->fault = fault_of(&resident->run);
        if (status != WS_STATUS_ok && resident->run.thread.stop == WS_STOP_recording && !resident->spool) {
            const enum ws_status recorded =
                ws_recorders_end(grid->writer, resident->run.executed, error); /* says why it could not be recorded */
            return recorded != WS_STATUS_ok ? recorded : status;
        }
        WS_TRY(status);
        *moves |= resident->state == WS_BLOCK_ended;
        *stuck &= resident->state == WS_BLOCK_waits;
    }
    *moves |= changes != grid->totals.changes;
    return WS_STATUS_ok;
}

/* The first block has ended, alone: runs the others on several cores, or none. */
static void run_others(struct grid *grid, bool *serial)
{
    if (!grid->writer && !*serial && ws_grid_run_parallel(grid->plan, grid->options, &grid->totals, serial))
        grid->next = grid->plan->blocks;
}

static enum ws_status run(struct grid *grid, bool *serial, struct ws_error *error)
{
    while (grid->count > 0 || grid->next < grid->plan->blocks) {
        bool moves = false, stuck = false;
        if (grid->count > 0)
            WS_TRY(run_all(grid, &moves, &stuck, error));
        while (grid->count > 0 && grid->residents[0]->state == WS_BLOCK_ended)
            WS_TRY(end_first(grid, error));
        if (grid->next == 1 && grid->count == 0)
            run_others(grid, serial);
        if (grid->next < grid->plan->blocks && (!moves || grid->count == 0)) {
            WS_TRY(begin_next(grid, error));
            while (grid->next < whole_clusters(grid))
                WS_TRY(begin_next(grid, error));
        } else if (!moves && stuck && grid->count > 0) {
            const enum ws_status status = ws_run_stuck(&grid->residents[0]->run, error);
            grid->fault = fault_of(&grid->residents[0]->run);
            return status;
        }
    }
    return WS_STATUS_ok;
}

static void release(struct grid *grid)
{
    for (u32 n = 0; n < grid->allocated; n++) {
        ws_spool_free(grid->residents[n]->spool);
        ws_run_free(&grid->residents[n]->run);
        free(grid->residents[n]);
    }
    ws_races_free(grid->races);
}

enum ws_status ws_grid_run(struct ws_plan *plan, const struct ws_frontend_options *options, struct ws_trace_writer *writer,
                           u64 *instructions, enum ws_execution_end *end, bool *serial, struct ws_error *error)
{
    const u64 most = options->most_instructions ? options->most_instructions : UINT64_MAX;
    struct grid grid = {.plan = plan,
                        .options = options,
                        .writer = writer,
                        .totals.left = most,
                        .fault = WS_END_failed,
                        .races = options->race                          ? ws_races_make(plan)
                                 : options->hint_races && options->note ? ws_races_make_hint(plan)
                                                                        : NULL};
    enum ws_status status = options->race && !grid.races ? no_memory(&grid, error) : run(&grid, serial, error);
    if (status == WS_STATUS_ok)
        ws_beyond_note(&grid.totals.beyond, plan->kernel, options);
    *instructions = status == WS_STATUS_ok ? grid.totals.instructions : most - grid.totals.left;
    *end = status == WS_STATUS_ok ? WS_END_ended : grid.next == 0 ? WS_END_refused : grid.fault;
    release(&grid);
    return status;
}
