#include "engine/plan.h"

#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "engine/jobs/dueling.h"
#include "engine/native/native.h"
#include "shared/state.h"

static u32 ceil_div(u32 a, u32 b)
{
    return a / b + (a % b != 0);
}

static enum ws_status check_shared(const struct ws_machine *machine, const struct ws_image *image, const struct ws_occupancy *fits,
                                   struct ws_error *error)
{
    if (fits->slots > machine->core_warps)
        return ws_fail(error, WS_STATUS_bad_input, "a block of %u threads needs %u warps of core.warp_size %u, core.warps is %u",
                       image->block_threads, fits->warps, machine->core_warp_size, machine->core_warps);
    if (fits->shared_blocks == 0)
        return ws_fail(error, WS_STATUS_bad_input, "a block needs %llu bytes of shared memory, core.shared_bytes is %u",
                       (unsigned long long)fits->block_shared, machine->core_shared_bytes);
    return WS_STATUS_ok;
}

/* Dispatch `block`: warp slots and registers also limit the blocks. */
static enum ws_status plan_blocks(const struct ws_machine *machine, const struct ws_occupancy *fits, struct ws_plan *plan,
                                  struct ws_error *error)
{
    if (fits->blocks == 0)
        return ws_fail(error, WS_STATUS_bad_input,
                       "a block needs %llu registers (%u warps of %llu), core.registers is %u (core.register_parts %u)",
                       (unsigned long long)fits->block_registers, fits->warps, (unsigned long long)fits->warp_registers,
                       machine->core_registers, machine->core_register_parts);
    plan->resident_blocks = fits->blocks;
    return WS_STATUS_ok;
}

/* Dispatch `warp`: limits of the places in use (docs/model/dispatch.md). */
static enum ws_status plan_places(const struct ws_machine *machine, const struct ws_occupancy *fits, struct ws_plan *plan,
                                  struct ws_error *error)
{
    const u32 places = fits->places, warps = fits->warps;
    const u32 whole = ws_min(fits->shared_blocks, places / warps) * warps, threshold = machine->dispatch_threshold;
    const bool stops_all = machine->dispatch_stops == WS_stops_all && threshold > 0;
    if (warps > places)
        return ws_fail(error, WS_STATUS_bad_input,
                       "a block needs %u places for warps, core.registers is %u, which is enough for %u of %llu registers", warps,
                       machine->core_registers, places, (unsigned long long)fits->warp_registers);
    if (stops_all && threshold < warps)
        return ws_fail(error, WS_STATUS_bad_input,
                       "dispatch.threshold: found %u, with dispatch.stops all and blocks of %u warps allowed are 0 and %u to 256",
                       threshold, warps, warps);
    for (u32 spatial = 0; spatial < 2; spatial++) {
        const u32 all = spatial ? places : whole;
        const u32 grown = threshold == 0 || stops_all ? all : ws_min(all, ws_max(threshold, whole));
        plan->whole_places[spatial] = grown;
        plan->single_places[spatial] = stops_all ? ws_min(all, threshold) : grown;
    }
    return WS_STATUS_ok;
}

static enum ws_status plan_dispatch(const struct ws_machine *machine, const struct ws_image *image, struct ws_plan *plan,
                                    struct ws_error *error)
{
    const struct ws_occupancy fits = ws_machine_occupancy(
        machine,
        &(struct ws_demand){.threads = image->block_threads, .registers = image->registers, .shared_bytes = image->shared_bytes});
    plan->warps_per_block = fits.warps;
    plan->slots_per_block = fits.slots;
    plan->resident_blocks = fits.shared_blocks;
    WS_TRY(check_shared(machine, image, &fits, error));
    return machine->core_dispatch == WS_dispatch_warp ? plan_places(machine, &fits, plan, error)
                                                      : plan_blocks(machine, &fits, plan, error);
}

/* An image may lack addresses that the pipeline reads, as hand-made ones do: such accesses do not reach memory. */
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

/* Banks and rows, and the bus's rational burst lengths, with one divisor for both kinds of line. */
static void derive_memory(const struct ws_machine *machine, struct ws_plan *plan)
{
    plan->data_bytes =
        machine->l1_line / (ws_pipeline_facts(machine->core_pipeline).levels ? machine->l2_sectors : machine->l1_sectors);
    const u32 line = plan->data_bytes * machine->core_clock, code = machine->icache_line * machine->core_clock;
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
}

/* Bounds how far ahead of time memory can be scheduled, so that cycles of a quantum never wrap. */
static enum ws_status check_memory(const struct ws_machine *machine, const struct ws_plan *plan, struct ws_error *error)
{
    if (ws_pipeline_facts(machine->core_pipeline).levels || machine->dram_timing == WS_dram_timing_ddr)
        return WS_STATUS_ok; /* it schedules nothing ahead of time */
    const u32 code_burst = machine->icache_size > 0 ? plan->code_burst : 0;
    const u64 slowest = (u64)ws_max(plan->burst, code_burst) * 2 + machine->dram_row_conflict + machine->dram_row_hit;
    if (slowest * (machine->dram_queue + 1ull) >= WS_QUANTUM_START / 2)
        return ws_fail(error, WS_STATUS_bad_input,
                       "a full memory queue would take %llu cycles, more than simulations can look ahead: raise dram.bandwidth, or "
                       "lower dram.queue, core.clock or the latencies",
                       (unsigned long long)(slowest * (machine->dram_queue + 1ull)));
    return WS_STATUS_ok;
}

/* Words of a replacement policy's state for each set. */
static u32 policy_words(u32 replacement)
{
    static const u32 kept[] = {
#define REPLACEMENT(name, value, words, doc) [value] = words,
#include "shared/replacements.def"
    };
    return kept[replacement];
}

/* With memory of several levels, the SM's caches are consecutive. */
static void derive_caches(const struct ws_machine *machine, struct ws_plan *plan)
{
    const struct {
        u32 size, line, ways, replacement, sectors, reads;
    } caches[] = {
#define CACHE(id, name, line, replacement, sectors, mshrs)                                                                         \
    {machine->name##_size, line, machine->name##_ways, replacement, sectors, mshrs},
#include "shared/caches.def"
#undef CACHE
    };
    for (u32 n = 0; n < WS_CACHES; n++) {
        plan->cache_sets[n] = caches[n].size / caches[n].line / caches[n].ways;
        plan->cache_ways[n] = caches[n].ways;
        plan->cache_shift[n] = ws_log2(caches[n].line / WS_GRANULE_BYTES);
        plan->cache_words[n] = caches[n].ways * (caches[n].sectors > 1 ? 2 : 1) + policy_words(caches[n].replacement);
        plan->cache_replacement[n] = caches[n].replacement;
        plan->cache_sectors[n] = caches[n].sectors;
        plan->sector_shift[n] = plan->cache_shift[n] - ws_log2(caches[n].sectors);
    }
    for (u32 n = 0; n < WS_L1_CACHES; n++) {
        plan->l1_tags[n + 1] = plan->l1_tags[n] + plan->cache_sets[n] * plan->cache_words[n];
        plan->l1_reads[n + 1] = plan->l1_reads[n] + caches[n].reads;
    }
}

/* SM cycles in so many memory cycles. */
static u32 in_core_cycles(const struct ws_machine *machine, u32 cycles)
{
    return machine->dram_clock == 0 ? cycles : ceil_div(cycles * machine->core_clock, machine->dram_clock);
}

static void derive_timings(const struct ws_machine *machine, struct ws_plan *plan)
{
    plan->t_cl = in_core_cycles(machine, machine->dram_t_cl);
    plan->t_rp = in_core_cycles(machine, machine->dram_t_rp);
    plan->t_rcd = in_core_cycles(machine, machine->dram_t_rcd);
    plan->t_rc = in_core_cycles(machine, machine->dram_t_rc);
    plan->t_ras = in_core_cycles(machine, machine->dram_t_ras);
    plan->t_rrd = in_core_cycles(machine, machine->dram_t_rrd);
}

/* A dynamic warp has at least one thread; two more are in use while threads move. */
static void plan_pool(const struct ws_machine *machine, const struct ws_image *image, struct ws_plan *plan)
{
    const u32 issues = ws_path_issues(machine->divergence_unit);
    if (issues != WS_ISSUES_warps)
        plan->pcs = image->instructions;
    if (issues != WS_ISSUES_threads)
        return;
    plan->dynamic_warps = machine->core_warps * machine->core_warp_size + 2;
    plan->lut_entries = machine->dwf_lut == 0 ? plan->dynamic_warps : machine->dwf_lut;
    plan->lut_sets = machine->dwf_lut == 0 ? 1 : machine->dwf_lut / machine->dwf_lut_ways;
}

static u32 registers_of(const struct ws_image *image)
{
    u32 registers = 1;
    for (u32 pc = 0; pc < image->instructions; pc++) {
        const struct ws_instruction *const instruction = &image->program[pc];
        for (u32 n = 0; n < instruction->reads; n++)
            registers = ws_max(registers, instruction->src[n] + 1u);
        for (u32 n = 0; n < instruction->writes; n++)
            registers = ws_max(registers, instruction->dst[n] + 1u);
    }
    return registers;
}

static void derive_lines(const struct ws_machine *machine, struct ws_plan *plan)
{
    plan->line_shift = ws_log2(machine->l1_line / WS_GRANULE_BYTES);
    plan->code_line_shift = ws_log2(machine->icache_line / machine->icache_instruction_bytes);
    plan->code_shift = ws_log2(WS_GRANULE_BYTES / machine->icache_instruction_bytes);
    if (machine->vws_l0 != 0) {
        plan->l0_lines = ceil_div(machine->vws_l0, machine->icache_line);
        plan->l0_shift = ws_log2(ws_min(machine->vws_l0, machine->icache_line) / machine->icache_instruction_bytes);
    }
    if (machine->core_pipeline == WS_pipeline_subcore)
        plan->l0_lines = machine->subcore_l0 / machine->icache_line;
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

/* Barriers for a part of a block are supported for warps that keep their threads (docs/model/divergence.md). */
static enum ws_status plan_named(const struct ws_machine *machine, const struct ws_image *image, struct ws_error *error)
{
    static const char *const paths[] = {
#define PATH(name, value, issues, doc) [value] = #name,
#include "shared/paths.def"
#undef PATH
    };
    const bool waits = machine->divergence_unit == WS_divergence_pdom || machine->divergence_unit == WS_divergence_vws;
    for (u32 pc = 0; pc < image->instructions && !waits; pc++)
        if (image->program[pc].flags & WS_NAMED)
            return ws_fail(
                error, WS_STATUS_bad_input,
                "divergence.unit: found '%s', allowed are pdom and vws: the trace has barriers for part of a block (pc %u, "
                "line %u)",
                paths[machine->divergence_unit], pc, image->program[pc].line);
    return WS_STATUS_ok;
}

void ws_plan_derive(const struct ws_machine *machine, struct ws_plan *plan)
{
    plan->rows = ws_max(machine->core_warp_size / WS_LANES, 1);
    plan->entry = ceil_div(ws_min(machine->core_warp_size, WS_LANES), machine->core_simd_width);
    plan->first_slots = 0xFFFFFFFFu / ((1u << WS_SLICES(machine)) - 1);
    plan->depth = machine->core_depth + (machine->divergence_unit == WS_divergence_dwf ? machine->dwf_stage : 0);
    plan->fetch_groups = ceil_div(ceil_div(machine->core_warps, machine->core_issue_ports), machine->schedule_fetch_group);
    derive_memory(machine, plan);
    derive_lines(machine, plan);
    derive_caches(machine, plan);
    derive_timings(machine, plan);
}

enum ws_status ws_job_plan(const struct ws_job_spec *spec, struct ws_job *job, struct ws_error *error)
{
    const struct ws_image *image = spec->image;
    memset(job, 0, sizeof *job);
    WS_TRY(ws_machine_check(spec->machine, error));
    WS_TRY(check_spaces(spec->machine, image, error));
    WS_TRY(plan_named(spec->machine, image, error));
    job->machine = *spec->machine;
    if (image->packets)
        job->machine.divergence_unit = WS_divergence_predecoded;
    job->times = WS_NO_RECORDS;
    job->instructions = image->instructions;
    job->blocks = image->blocks;
    job->block_threads = image->block_threads;
    job->groups_per_block = image->groups_per_block;
    WS_TRY(ws_dueling_plan(spec, job, error));
    ws_plan_derive(spec->machine, &job->plan);
    WS_TRY(plan_dispatch(spec->machine, image, &job->plan, error));
    WS_TRY(plan_compaction(spec->machine, &job->plan, error));
    WS_TRY(check_memory(spec->machine, &job->plan, error));
    plan_pool(spec->machine, image, &job->plan);
    job->plan.registers = registers_of(image);
    ws_native_plan_state(&job->machine, &job->plan, ws_min(WS_REQUESTS_MOST(spec->machine), WS_REQUESTS_AT_FIRST));
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
