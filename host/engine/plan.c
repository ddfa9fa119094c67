#include "engine/plan.h"

#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "engine/native/native.h"
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

/* An image may lack addresses that the pipeline reads, as one made by hand does: there the access takes no part in memory. */
static enum ws_status check_spaces(const struct ws_machine *machine, const struct ws_image *image, struct ws_error *error)
{
    const u32 spaces = ws_machine_spaces(machine);
    for (u32 pc = 0; pc < image->instructions; pc++)
        if ((image->program[pc].flags & WS_ADDRESSED) && !(spaces >> image->program[pc].space & 1u))
            return ws_fail(error, WS_STATUS_usage, "the image was loaded for another core.pipeline: instruction %u has an address",
                           pc);
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

/* The masks of a compaction block have a bit for each of its static warps. */
static enum ws_status plan_compaction(const struct ws_machine *machine, const struct ws_plan *plan, struct ws_error *error)
{
    const u32 members = ws_min(machine->divergence_compaction_block / machine->core_warp_size, plan->warps_per_block);
    if (machine->divergence_unit != WS_divergence_tbc || members <= WS_LANES)
        return WS_STATUS_ok;
    return ws_fail(error, WS_STATUS_bad_input,
                   "divergence.compaction_block: found %u, which takes %u warps of core.warp_size %u, allowed are at most %u",
                   machine->divergence_compaction_block, members, machine->core_warp_size, WS_LANES);
}

enum ws_status ws_job_plan(const struct ws_job_spec *spec, struct ws_job *job, struct ws_error *error)
{
    const struct ws_image *image = spec->image;
    memset(job, 0, sizeof *job);
    WS_TRY(ws_machine_check(spec->machine, error));
    WS_TRY(check_spaces(spec->machine, image, error));
    job->machine = *spec->machine;
    job->times = WS_NO_RECORDS;
    job->instructions = image->instructions;
    job->blocks = image->blocks;
    job->block_threads = image->block_threads;
    job->groups_per_block = image->groups_per_block;
    WS_TRY(plan_blocks(spec->machine, image, &job->plan, error));
    WS_TRY(plan_compaction(spec->machine, &job->plan, error));
    WS_TRY(plan_memory(spec->machine, &job->plan, error));
    plan_caches(spec->machine, &job->plan);
    job->plan.fetch_groups = ceil_div(spec->machine->core_warps, spec->machine->schedule_fetch_group);
    ws_native_plan_state(spec->machine, &job->plan, ws_min(spec->machine->dram_queue, WS_REQUESTS_AT_FIRST));
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
