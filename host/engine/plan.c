#include "engine/plan.h"

#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "shared/state.h"

static u32 ceil_div(u32 a, u32 b)
{
    return a / b + (a % b != 0);
}

/* How many blocks fit by a resource of which one block needs need and the SM has total, 0 for no limit. */
static u32 fitting(u32 limit, u32 total, u64 need)
{
    if (total == 0 || need == 0)
        return limit;
    return ws_min(limit, (u32)(total / need));
}

static enum ws_status plan_blocks(const struct ws_machine *machine, const struct ws_image *image, struct ws_plan *plan,
                                  struct ws_error *error)
{
    const u64 registers = (u64)image->block_threads * image->registers;
    plan->rows = ws_max(machine->core_warp_size / WS_LANES, 1);
    plan->entry = ceil_div(ws_min(machine->core_warp_size, WS_LANES), machine->core_simd_width);
    plan->warps_per_block = ceil_div(image->block_threads, machine->core_warp_size);
    if (plan->warps_per_block > machine->core_warps)
        return ws_fail(error, WS_STATUS_bad_input, "a block of %u threads needs %u warps of core.warp_size %u, core.warps is %u",
                       image->block_threads, plan->warps_per_block, machine->core_warp_size, machine->core_warps);
    if (fitting(1, machine->core_registers, registers) == 0)
        return ws_fail(error, WS_STATUS_bad_input, "a block needs %llu registers, core.registers is %u",
                       (unsigned long long)registers, machine->core_registers);
    if (fitting(1, machine->core_shared_bytes, image->shared_bytes) == 0)
        return ws_fail(error, WS_STATUS_bad_input, "a block needs %u bytes of shared memory, core.shared_bytes is %u",
                       image->shared_bytes, machine->core_shared_bytes);
    u32 resident = ws_min(machine->core_blocks, machine->core_warps / plan->warps_per_block);
    resident = fitting(resident, machine->core_registers, registers);
    plan->resident_blocks = fitting(resident, machine->core_shared_bytes, image->shared_bytes);
    return WS_STATUS_ok;
}

static u32 greatest_common_divisor(u32 a, u32 b)
{
    while (b != 0) {
        const u32 rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The bus's rational burst lengths, with one divisor for both kinds of line; and a bound on how far ahead memory can be, so that
 * cycles of a slice never wrap. */
static enum ws_status plan_memory(const struct ws_machine *machine, struct ws_plan *plan, struct ws_error *error)
{
    const u32 line = machine->l1_line * machine->core_clock, code = machine->icache_line * machine->core_clock;
    const u32 divisor = greatest_common_divisor(greatest_common_divisor(line, code), machine->dram_bandwidth);
    plan->bus = line / divisor;
    plan->code_bus = code / divisor;
    plan->bus_divisor = machine->dram_bandwidth / divisor;
    plan->burst = ceil_div(line, machine->dram_bandwidth);
    plan->code_burst = ceil_div(code, machine->dram_bandwidth);
    plan->bank_bits = ws_log2(machine->dram_banks);
    plan->row_shift = ws_log2(machine->dram_row_bytes / WS_GRANULE_BYTES);
    plan->lines_per_row_shift =
        machine->dram_row_bytes > machine->l1_line ? ws_log2(machine->dram_row_bytes / machine->l1_line) : 0;
    const u64 slowest = (u64)ws_max(plan->burst, plan->code_burst) * 2 + machine->dram_row_conflict + machine->dram_row_hit;
    if (slowest * (machine->dram_queue + 1ull) >= WS_SLICE_START / 2)
        return ws_fail(error, WS_STATUS_bad_input,
                       "a full memory queue would take %llu cycles, more than simulations can look ahead: raise dram.bandwidth, or "
                       "lower dram.queue, core.clock or the latencies",
                       (unsigned long long)(slowest * (machine->dram_queue + 1ull)));
    return WS_STATUS_ok;
}

static void plan_caches(const struct ws_machine *machine, struct ws_plan *plan)
{
    plan->line_shift = ws_log2(machine->l1_line / WS_GRANULE_BYTES);
    plan->l1_sets = machine->l1_size / machine->l1_line / machine->l1_ways;
    plan->icache_sets = machine->icache_size / machine->icache_line / machine->icache_ways;
    plan->code_line_shift = ws_log2(machine->icache_line / machine->icache_instruction_bytes);
    plan->code_shift = ws_log2(WS_GRANULE_BYTES / machine->icache_instruction_bytes);
}

/* Reserves words, aligned to 64 bytes; returns where they begin. */
static u32 reserve(struct ws_plan *plan, u64 words)
{
    const u32 at = plan->state_words;
    plan->state_words += (u32)((words + 15) / 16 * 16);
    return at;
}

/* Lays out the state: the parts of shared/state.h in their order. */
static void plan_state(const struct ws_machine *machine, struct ws_plan *plan)
{
    const bool large = machine->divergence_unit == WS_divergence_lwm, compacted = machine->divergence_unit == WS_divergence_tbc;
    const u32 warps = machine->core_warps, depth = machine->divergence_stack_depth;
    const u32 threads = warps * machine->core_warp_size;
    plan->state_words = 0;
    reserve(plan, sizeof(struct ws_head) / 4);
    plan->at_lanes = reserve(plan, WS_KEPT_WORDS);
    plan->at_decisions = reserve(plan, threads);
    plan->at_accesses = reserve(plan, threads);
    plan->at_l1 = reserve(plan, (u64)plan->l1_sets * machine->l1_ways);
    plan->at_icache = reserve(plan, (u64)plan->icache_sets * machine->icache_ways);
    plan->at_requests = reserve(plan, (sizeof(struct ws_memory) + (u64)machine->dram_queue * sizeof(struct ws_request)) / 4);
    plan->at_buckets = reserve(plan, WS_BUCKETS / 2);
    plan->at_stack = reserve(plan, (u64)warps * depth * (large ? 1 + WS_LANES / 2 : sizeof(struct ws_entry) / 4));
    plan->at_columns = reserve(plan, large       ? warps * 4 * (WS_LANES / 2) + WS_UNITS * sizeof(struct ws_unit) / 4
                                     : compacted ? warps * WS_LANES / 4
                                                 : 0);
    plan->at_waiters = reserve(plan, large ? 4 * (u64)threads / 2 : 0);
}

enum ws_status ws_job_plan(const struct ws_job_spec *spec, struct ws_job *job, struct ws_error *error)
{
    const struct ws_image *image = spec->image;
    memset(job, 0, sizeof *job);
    WS_TRY(ws_machine_check(spec->machine, error));
    job->machine = *spec->machine;
    job->times = WS_NO_RECORDS;
    job->instructions = image->instructions;
    job->blocks = image->blocks;
    job->block_threads = image->block_threads;
    job->groups_per_block = image->groups_per_block;
    WS_TRY(plan_blocks(spec->machine, image, &job->plan, error));
    WS_TRY(plan_memory(spec->machine, &job->plan, error));
    plan_caches(spec->machine, &job->plan);
    job->plan.fetch_groups = ceil_div(spec->machine->core_warps, spec->machine->schedule_fetch_group);
    plan_state(spec->machine, &job->plan);
    return WS_STATUS_ok;
}

enum ws_status ws_job_check(const struct ws_job_spec *spec, struct ws_error *error)
{
    struct ws_job job;
    return ws_job_plan(spec, &job, error);
}

u64 ws_job_bytes(const struct ws_job_spec *spec)
{
    struct ws_job job;
    return ws_job_plan(spec, &job, NULL) == WS_STATUS_ok ? (u64)job.plan.state_words * sizeof(u32) : 0;
}
