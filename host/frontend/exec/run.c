#include "frontend/exec/run.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "frontend/exec/value.h"

enum { TURN = 1 << 22 }; /* thread instructions: some 20 ms, longer than any basic block */

/* A kernel parameter as it stands in a register. The loader has checked that it lies in the block. */
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
    switch (input->space) {
    case WS_SPACE_global:
        return plan->variable_base[0] + input->value;
    case WS_SPACE_constant:
        return plan->variable_base[1] + input->value;
    default:
        return input->value;
    }
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
        case WS_INPUT_address:
            run->inputs[n] = address_value(run->plan, input);
            break;
        default:
            run->inputs[n] = input->value;
        }
    }
}

/* A limit as options have it: 0 is none. */
static u64 limit_of(u64 most)
{
    return most ? most : UINT64_MAX;
}

enum ws_status ws_run_make(struct ws_plan *plan, const struct ws_frontend_options *options, struct ws_run *run,
                           struct ws_error *error)
{
    const struct ws_kernel *const kernel = plan->kernel;
    const size_t threads = plan->block_threads;
    *run = (struct ws_run){.plan = plan, .options = options, .left = limit_of(options->most_instructions)};
    WS_TRY(ws_code_make(kernel, &plan->memory, &run->code, error));
    run->thread = (struct ws_thread){.memory = &plan->memory, .block_threads = plan->block_threads};
    run->inputs = calloc((size_t)kernel->input_count + 1, sizeof *run->inputs);
    run->slots = calloc(threads * run->code.slots, sizeof *run->slots);
    run->resume = calloc(threads, sizeof *run->resume);
    run->used = calloc(threads, sizeof *run->used);
    run->shared = calloc(1, (size_t)plan->shared_bytes + 1);
    run->local = calloc(threads, (size_t)plan->local_bytes + 1);
    run->executed = calloc(kernel->op_count, sizeof *run->executed);
    if (!run->inputs || !run->slots || !run->resume || !run->used || !run->shared || !run->local || !run->executed)
        return ws_fail(error, WS_STATUS_no_memory, "kernel %s: out of memory for %zu threads", kernel->name, threads);
    plan->memory.shared.host = plan->memory.shared_window.host = run->shared;
    set_inputs(run);
    return WS_STATUS_ok;
}

void ws_run_free(struct ws_run *run)
{
    ws_code_free(&run->code);
    free(run->inputs);
    free(run->slots);
    free(run->resume);
    free(run->used);
    free(run->shared);
    free(run->local);
    free(run->executed);
    *run = (struct ws_run){0};
}

static void set_specials(const struct ws_run *run, u32 index, u64 *inputs)
{
    const struct ws_plan *const plan = run->plan;
    const u32 *const local = plan->launch->local, *const grid = plan->grid;
    const u64 specials[WS_SPECIALS] = {
        [WS_SPECIAL_tid_x] = index % local[0],
        [WS_SPECIAL_tid_y] = index / local[0] % local[1],
        [WS_SPECIAL_tid_z] = index / local[0] / local[1],
        [WS_SPECIAL_ntid_x] = local[0],
        [WS_SPECIAL_ntid_y] = local[1],
        [WS_SPECIAL_ntid_z] = local[2],
        [WS_SPECIAL_ctaid_x] = run->block % grid[0],
        [WS_SPECIAL_ctaid_y] = run->block / grid[0] % grid[1],
        [WS_SPECIAL_ctaid_z] = run->block / grid[0] / grid[1],
        [WS_SPECIAL_nctaid_x] = grid[0],
        [WS_SPECIAL_nctaid_y] = grid[1],
        [WS_SPECIAL_nctaid_z] = grid[2],
    };
    for (u32 n = 0; n < plan->kernel->input_count; n++)
        if (plan->kernel->inputs[n].kind == WS_INPUT_special && plan->kernel->inputs[n].value < WS_SPECIALS)
            inputs[n] = specials[plan->kernel->inputs[n].value];
}

static void begin_block(struct ws_run *run, u64 block)
{
    const struct ws_kernel *const kernel = run->plan->kernel;
    run->block = block;
    memset(run->shared, 0, run->plan->shared_bytes);
    memset(run->local, 0, (size_t)run->plan->local_bytes * run->plan->block_threads);
    for (u32 n = 0; n < run->plan->block_threads; n++) {
        u64 *const slots = run->slots + (size_t)n * run->code.slots;
        memset(slots, 0, kernel->registers * sizeof *slots);
        memcpy(slots + kernel->registers, run->inputs, kernel->input_count * sizeof *slots);
        set_specials(run, n, slots + kernel->registers);
        run->resume[n] = run->code.blocks;
        run->used[n] = 0;
    }
}

static u64 lesser(u64 one, u64 other)
{
    return one < other ? one : other;
}

/* Accounts for what the thread has executed of its turn. */
static void end_turn(struct ws_run *run)
{
    const u64 executed = run->turn - run->thread.budget;
    run->left -= executed;
    run->since += executed;
    run->used[run->index] += executed;
    run->turn = run->thread.budget = 0;
}

/* Why a thread that comes to a block may not go on: WS_STOP_exit if it may. */
static enum ws_stop limit_reached(struct ws_run *run, const struct ws_basic_block *block)
{
    const struct ws_frontend_options *const options = run->options;
    if (run->left < block->length)
        return WS_STOP_limit;
    if (limit_of(options->most_thread_instructions) - run->used[run->index] < block->length)
        return WS_STOP_thread_limit;
    if (run->since < TURN)
        return WS_STOP_exit;
    run->since = 0;
    return options->go_on && !options->go_on(options->context) ? WS_STOP_interrupted : WS_STOP_exit;
}

/* Gives the thread that comes to a block another turn; false where it may not go on. */
static bool next_turn(struct ws_run *run, const struct ws_basic_block *block)
{
    end_turn(run);
    run->thread.stop = limit_reached(run, block);
    run->thread.at = block->first;
    if (run->thread.stop != WS_STOP_exit)
        return false;
    run->turn = lesser(TURN, lesser(run->left, limit_of(run->options->most_thread_instructions) - run->used[run->index]));
    run->thread.budget = run->turn;
    return true;
}

/* Runs the thread on for a while, unrecorded, and notes where it is. */
static void find_loop(struct ws_run *run, struct ws_basic_block *block, u64 *slots)
{
    const struct ws_step *const at = run->thread.at;
    run->loop[0] = run->loop[1] = at->op;
    run->thread.recorder = NULL;
    u64 executed = 0;
    while (block && executed < TURN) {
        const struct ws_op *const first = run->plan->kernel->ops + block->op, *const last = first + block->length - 1;
        run->loop[0] = first < run->loop[0] ? first : run->loop[0];
        run->loop[1] = last > run->loop[1] ? last : run->loop[1];
        executed += block->length;
        block = block->first->run(block->first, slots, &run->thread);
    }
    run->thread.at = at;
    run->thread.stop = WS_STOP_thread_limit;
}

/* Runs the thread until it stops. */
static void run_thread(struct ws_run *run, struct ws_basic_block *block, u64 *slots)
{
    struct ws_thread *const thread = &run->thread;
    while (block) {
        if (block->length > thread->budget && !next_turn(run, block)) {
            if (thread->stop == WS_STOP_thread_limit)
                find_loop(run, block, slots);
            return;
        }
        thread->budget -= block->length;
        block->executed++;
        block = block->first->run(block->first, slots, thread);
    }
}

static void resume_thread(struct ws_run *run, u32 index, struct ws_recorder *recorders)
{
    const struct ws_plan *const plan = run->plan;
    const u64 number = run->block * plan->block_threads + index;
    run->index = index;
    run->thread.recorder = recorders ? &recorders[index] : NULL;
    ws_memory_set_local(&run->plan->memory, run->local + (size_t)index * plan->local_bytes,
                        plan->local_recorded + number * plan->local_bytes);
    run_thread(run, run->resume[index], run->slots + (size_t)index * run->code.slots);
    end_turn(run);
}

/* Runs every unfinished thread to its next barrier or its end. */
static enum ws_status run_phase(struct ws_run *run, struct ws_recorder *recorders, bool *waits, struct ws_error *error)
{
    struct ws_thread *const thread = &run->thread;
    const struct ws_step *at = NULL;
    u32 barrier = 0, first = 0;
    for (u32 n = 0; n < run->plan->block_threads; n++) {
        if (!run->resume[n])
            continue;
        resume_thread(run, n, recorders);
        run->resume[n] = NULL;
        if (thread->stop == WS_STOP_exit)
            continue;
        if (thread->stop != WS_STOP_barrier)
            return ws_run_fault(run, error);
        if (at && (thread->at != at || thread->barrier != barrier))
            return ws_run_barrier_fault(run, first, at->op, barrier, error);
        if (!at)
            first = n;
        at = thread->at;
        barrier = thread->barrier;
        run->resume[n] = at->next;
    }
    *waits = at != NULL;
    return WS_STATUS_ok;
}

enum ws_status ws_run_block(struct ws_run *run, u64 block, struct ws_recorder *recorders, u64 *instructions, struct ws_error *error)
{
    bool waits = true;
    begin_block(run, block);
    while (waits)
        WS_TRY(run_phase(run, recorders, &waits, error));
    *instructions += ws_code_take_counts(&run->code, run->executed);
    return WS_STATUS_ok;
}
