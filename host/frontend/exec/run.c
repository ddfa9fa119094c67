#include "frontend/exec/run.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "frontend/exec/arithmetic/value.h"
#include "frontend/exec/cluster.h"
#include "frontend/exec/turn.h"
#include "frontend/exec/warp.h"
#include "frontend/exec/warp_wide.h"

enum { QUIET_ROUNDS = 256 }; /* without a change of memory, until other blocks have their turn */

/* The register contents of a kernel parameter. The loader has checked that it lies in the block. */
static u64 parameter_value(const struct ws_plan *plan, const struct ws_input *input)
{
    u64 bits = 0;
    const u32 bytes = ws_value_bytes(input->type);
    const u64 mask = input->width ? UINT64_MAX >> (64 - 8 * input->width) : UINT64_MAX;
    if (input->value + bytes > plan->kernel->parameter_bytes)
        return 0;
    memcpy(&bits, plan->parameters + input->value, bytes);
    switch (input->type) {
    case WS_TYPE_s8:
        return WS_EXTENDED(s8, bits) & mask;
    case WS_TYPE_s16:
        return WS_EXTENDED(s16, bits) & mask;
    case WS_TYPE_s32:
        return WS_EXTENDED(s32, bits) & mask;
    default:
        return bits;
    }
}

static u64 address_value(const struct ws_plan *plan, const struct ws_input *input)
{
    const bool in_image = input->space == WS_SPACE_global || input->space == WS_SPACE_constant;
    const u64 address = in_image ? ws_plan_variable_address(plan, input) : input->value;
    return input->half == 0 ? address : input->half == 1 ? (u32)address : address >> 32;
}

/* Initial slots of all threads; special registers are set per thread. */
static void set_inputs(const struct ws_run *run)
{
    const struct ws_kernel *const kernel = run->plan->kernel;
    for (u32 n = 0; n < kernel->input_count; n++) {
        const struct ws_input *const input = &kernel->inputs[n];
        switch (input->kind) {
        case WS_INPUT_parameter:
            run->inputs[n] = parameter_value(run->plan, input);
            break;
        case WS_INPUT_word:
            run->inputs[n] = run->plan->words[n];
            break;
        case WS_INPUT_address:
            run->inputs[n] = address_value(run->plan, input);
            break;
        default:
            run->inputs[n] = input->value;
        }
    }
}

/* Lanes of a warp: 1 if no thread can see another one's effects between barriers. */
static u32 warp_width(const struct ws_plan *plan, const struct ws_frontend_options *options)
{
    const u32 lockstep = options->lockstep ? options->lockstep : 1;
    return lockstep < plan->block_threads ? lockstep : plan->block_threads;
}

static void make_warps(struct ws_run *run, u32 width)
{
    for (u32 n = 0; n < run->warp_count; n++) {
        const u32 first = n * width, left = run->plan->block_threads - first;
        run->warps[n] = (struct ws_warp){
            .first = first, .threads = left < width ? left : width, .paths = run->paths + (size_t)n * ws_most_paths(width)};
    }
}

static bool allocate(struct ws_run *run, u32 width)
{
    const struct ws_plan *const plan = run->plan;
    const size_t threads = plan->block_threads, paths = ws_most_paths(width);
    run->inputs = calloc((size_t)plan->kernel->input_count + 1, sizeof *run->inputs);
    run->slots = calloc(threads * run->code.slots, sizeof *run->slots);
    run->used = calloc(threads, sizeof *run->used);
    run->shared = calloc(1, (size_t)plan->shared_bytes + 1);
    run->local = calloc(threads, (size_t)plan->local_bytes + 1);
    run->executed = calloc(plan->kernel->op_count, sizeof *run->executed);
    run->warps = calloc(run->warp_count, sizeof *run->warps);
    run->paths = calloc(run->warp_count * paths, sizeof *run->paths);
    run->look.paths = calloc(paths, sizeof *run->look.paths);
    run->look.slots = calloc((size_t)width * run->code.slots, sizeof *run->look.slots);
    return run->inputs && run->slots && run->used && run->shared && run->local && run->executed && run->warps && run->paths &&
           run->look.paths && run->look.slots;
}

enum ws_status ws_run_make(struct ws_plan *plan, const struct ws_frontend_options *options, struct ws_run *run,
                           struct ws_error *error)
{
    const struct ws_kernel *const kernel = plan->kernel;
    const u32 width = warp_width(plan, options);
    *run =
        (struct ws_run){.plan = plan, .options = options, .width = width, .warp_count = (plan->block_threads + width - 1) / width};
    WS_TRY(ws_warp_wide_check(plan, options, error));
    WS_TRY(ws_code_make(kernel, &plan->memory, width > 1, &run->code, error));
    run->thread = (struct ws_thread){
        .memory = &plan->memory, .print = options->print, .context = options->context, .block_threads = plan->block_threads};
    if (!allocate(run, width))
        return ws_fail(error, WS_STATUS_no_memory, "kernel %s: out of memory for %u threads", kernel->name, plan->block_threads);
    make_warps(run, width);
    set_inputs(run);
    return WS_STATUS_ok;
}

void ws_run_free(struct ws_run *run)
{
    ws_code_free(&run->code);
    ws_shadow_free(run->shadow);
    free(run->inputs);
    free(run->slots);
    free(run->used);
    free(run->shared);
    free(run->local);
    free(run->executed);
    free(run->warps);
    free(run->paths);
    free(run->look.paths);
    free(run->look.slots);
    *run = (struct ws_run){0};
}

static void set_specials(const struct ws_run *run, u32 index, u64 *inputs)
{
    const struct ws_plan *const plan = run->plan;
    const u32 *const local = plan->launch->local, *const offset = plan->launch->offset, *const grid = plan->grid,
                     *const cluster = plan->cluster;
    const u64 block = run->block, threads = plan->block_threads, lane = index % 32;
    const u64 specials[WS_SPECIALS] = {
#define SPECIAL(name, spelling, value) [WS_SPECIAL_##name] = (value),
#include "frontend/ptx/specials.def"
#undef SPECIAL
    };
    for (u32 n = 0; n < plan->kernel->input_count; n++) {
        const struct ws_input *const input = &plan->kernel->inputs[n];
        if (input->kind == WS_INPUT_special && input->value < WS_SPECIALS)
            inputs[n] =
                specials[input->value] & (input->width == 1 || input->width == 2 ? (1u << 8 * input->width) - 1 : UINT32_MAX);
    }
}

bool ws_run_begin(struct ws_run *run, u64 block, struct ws_races *races)
{
    const struct ws_kernel *const kernel = run->plan->kernel;
    run->block = block;
    run->rank = run->plan->memory.rank = ws_cluster_rank(run->plan, block);
    run->cluster_passed = run->thread.arrivals = 0;
    run->epoch = 0;
    run->meeting.at = NULL;
    memset(run->named, 0, sizeof run->named);
    for (u32 n = 0; n < WS_MOST_WARPS; n++)
        run->met[n] = run->steps;
    run->thread.races = run->races = races;
    memset(run->shared, 0, run->plan->shared_bytes);
    memset(run->local, 0, (size_t)run->plan->local_bytes * run->plan->block_threads);
    for (u32 n = 0; n < run->plan->block_threads; n++) {
        u64 *const slots = run->slots + (size_t)n * run->code.slots;
        memset(slots, 0, kernel->registers * sizeof *slots);
        memcpy(slots + kernel->registers, run->inputs, kernel->input_count * sizeof *slots);
        set_specials(run, n, slots + kernel->registers);
        run->used[n] = 0;
    }
    for (u32 n = 0; n < run->warp_count; n++) {
        ws_warp_start(&run->warps[n], run->code.blocks, UINT64_MAX >> (64 - run->warps[n].threads));
        run->warps[n].spins = run->warps[n].watches = false;
    }
    return !races || ws_races_begin_block(races, &run->shadow);
}

/* Gives every runnable warp a turn; *running: some warp still runs. *is_stuck: all came back to where they were. */
static enum ws_status run_round(struct ws_run *run, struct ws_recorder *recorders, bool *running, bool *is_stuck,
                                struct ws_error *error)
{
    *running = false;
    *is_stuck = true;
    for (u32 n = 0; n < run->warp_count; n++) {
        struct ws_warp *const warp = &run->warps[n];
        if (!warp->running)
            continue;
        if (!ws_warp_run(run, warp, recorders))
            return run->thread.stop == WS_STOP_barrier ? ws_run_barrier_fault(run, error) : ws_run_fault(run, error);
        *running |= warp->running != 0;
        *is_stuck &= warp->running != 0 && warp->spins;
    }
    return WS_STATUS_ok;
}

/* Calls act for each thread that waits at the barrier, with its slots. */
static u64 for_waiting(struct ws_run *run, const struct ws_op *op, u64 value,
                       u64 (*act)(const struct ws_op *op, u64 *slots, u64 value))
{
    for (u32 n = 0; n < run->warp_count; n++)
        for (u64 left = run->warps[n].waiting; left; left &= left - 1) {
            const u32 thread = run->warps[n].first + (u32)__builtin_ctzll(left);
            value = act(op, run->slots + (size_t)thread * run->code.slots, value);
        }
    return value;
}

/* Number of predicates set in the low half, and not set in the high half. */
static u64 count_votes(const struct ws_op *op, u64 *slots, u64 value)
{
    const bool yes = slots[op->src[2]] != (op->flags & WS_OP_NOT_SOURCE ? 1 : 0);
    return value + (yes ? 1 : UINT64_C(1) << 32);
}

static u64 put_result(const struct ws_op *op, u64 *slots, u64 value)
{
    if (op->dst[0] != WS_SLOT_NONE)
        slots[op->dst[0]] = value;
    return value;
}

/* bar.red */
static void reduce(struct ws_run *run, const struct ws_op *op)
{
    const u64 votes = for_waiting(run, op, 0, count_votes);
    const u64 result = op->opcode == WS_OP_bar_popc ? (u32)votes : op->opcode == WS_OP_bar_and ? votes >> 32 == 0 : (u32)votes != 0;
    for_waiting(run, op, result, put_result);
}

/* Releases the threads at the barrier; false if there are none. */
static bool pass_barrier(struct ws_run *run)
{
    const struct ws_step *const at = run->meeting.at;
    run->cluster_passed += at && run->meeting.barrier == WS_CLUSTER_BARRIER;
    run->meeting.at = NULL;
    run->epoch++;
    if (at && at->op->opcode != WS_OP_bar)
        reduce(run, at->op);
    for (u32 n = 0; n < run->warp_count; n++)
        if (run->warps[n].waiting) {
            ws_warp_start(&run->warps[n], at->next, run->warps[n].waiting);
            run->warps[n].watches = run->warp_count > 1 && run->width > 1;
            run->warps[n].loaded = 0;
        }
    return at != NULL;
}

/* Rounds until the block ends or others should have their turn. */
static enum ws_status run_rounds(struct ws_run *run, struct ws_recorder *recorders, enum ws_block_state *state,
                                 struct ws_error *error)
{
    bool running = true, is_stuck = false;
    u32 quiet = 0;
    for (*state = WS_BLOCK_ended;;) {
        if (!running && ws_cluster_waits(run) && !ws_cluster_passes(run)) {
            *state = WS_BLOCK_waits;
            return WS_STATUS_ok;
        }
        if (!running && !pass_barrier(run))
            return WS_STATUS_ok;
        const u64 changes = run->thread.changes;
        WS_TRY(run_round(run, recorders, &running, &is_stuck, error));
        quiet = running && changes == run->thread.changes ? quiet + 1 : 0;
        *state = running && is_stuck ? WS_BLOCK_waits : quiet == QUIET_ROUNDS ? WS_BLOCK_runs : WS_BLOCK_ended;
        if (*state != WS_BLOCK_ended)
            return WS_STATUS_ok;
    }
}

enum ws_status ws_run_block(struct ws_run *run, struct ws_totals *totals, struct ws_recorder *recorders, enum ws_block_state *state,
                            struct ws_error *error)
{
    struct ws_memory *const memory = &run->plan->memory;
    memory->shared.host = memory->shared_window.host = run->shared;
    memory->rank = run->rank;
    run->totals = totals;
    run->thread.changes = totals->changes;
    run->thread.beyond = run->options->lenient ? &totals->beyond : NULL;
    totals->beyond.run = run;
    if (run->races)
        ws_races_enter(run->races, run);
    const enum ws_status status = run_rounds(run, recorders, state, error);
    totals->changes = run->thread.changes;
    if (run->races)
        ws_races_end(run->races);
    if (status == WS_STATUS_ok && *state == WS_BLOCK_ended)
        totals->instructions += ws_code_take_counts(&run->code, run->executed);
    return status;
}
