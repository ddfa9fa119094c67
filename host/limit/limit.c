#include "warpsweep/limit.h"

#include <stdlib.h>

#include "base/error.h"
#include "limit/packets.h"
#include "limit/paths.h"

#define STANDARD_CELLS 1000000000000ull

/* State of a study. */
struct study {
    struct limit_aligner aligner;
    struct ws_machine machine;
    struct ws_image *image; /* blocks that contain the threads */
    struct ws_image first;  /* the same arrays, for the studied threads */
    struct limit_code code;
    struct limit_warp *warps;
    struct limit_stream *streams; /* of the alignments, by warp */
    struct ws_limit *limit;
};

void ws_limit_defaults(struct ws_limit_options *options)
{
    *options = (struct ws_limit_options){.threads = 128, .most_cells = STANDARD_CELLS};
}

void ws_limit_free(struct ws_limit *limit)
{
    free(limit->warps);
    *limit = (struct ws_limit){0};
}

static u32 ceil_div(u32 dividend, u32 divisor)
{
    return dividend / divisor + (dividend % divisor != 0);
}

/* ---- Selection of threads ---- */

static enum ws_status check_choice(const char *key, u32 found, u32 wanted, const char *name, struct ws_error *error)
{
    if (found == wanted)
        return WS_STATUS_ok;
    return ws_fail(error, WS_STATUS_bad_input, "%s: the limit study runs with %s only", key, name);
}

/* Pipelines without instruction buffers: " barrel". */
#define UNBUFFERED_0(name) " " #name
#define UNBUFFERED_1(name)
static const char unbuffered[] = ""
#define PIPELINE(name, value, ports, buffers, ...) UNBUFFERED_##buffers(name)
#include "shared/pipelines.def"
#undef PIPELINE
    ;

static enum ws_status set_machine(const struct ws_machine *machine, struct ws_machine *ideal, struct ws_error *error)
{
    if (ws_pipeline_facts(machine->core_pipeline).buffers)
        return ws_fail(error, WS_STATUS_bad_input, "core.pipeline: the limit study runs with%s only", unbuffered);
    WS_TRY(check_choice("divergence.unit", machine->divergence_unit, WS_divergence_pdom, "pdom", error));
    WS_TRY(check_choice("schedule.policy", machine->schedule_policy, WS_policy_rr, "rr", error));
    *ideal = *machine;
    ideal->memory_ideal = WS_toggle_on;
    ideal->icache_size = 0;
    return ws_machine_check(ideal, error);
}

/* Loads the blocks of the first threads, and selects the requested number of threads. */
static enum ws_status load(struct study *study, struct ws_trace *trace, u32 threads, struct ws_error *error)
{
    const struct ws_launch *const launch = ws_trace_launch(trace);
    const u32 block = launch->block[0] * launch->block[1] * launch->block[2];
    if (threads == 0)
        return ws_fail(error, WS_STATUS_usage, "found 0 threads, allowed is at least 1");
    WS_TRY(ws_image_load_first(trace, ws_max(threads / block, 1), ws_machine_spaces(&study->machine), &study->image, error));
    study->first = *study->image;
    study->first.block_threads = ws_min(threads, block);
    return WS_STATUS_ok;
}

/* The simulator must hold all threads at once. */
static enum ws_status check_room(const struct study *study, struct ws_error *error)
{
    const struct ws_machine *const machine = &study->machine;
    const struct ws_image *const image = &study->first;
    const struct ws_occupancy fits = ws_machine_occupancy(
        machine,
        &(struct ws_demand){.threads = image->block_threads, .registers = image->registers, .shared_bytes = image->shared_bytes});
    const u64 warps = (u64)image->blocks * fits.warps, registers = image->blocks * fits.block_registers;
    const u64 shared = image->blocks * fits.block_shared;
    const struct {
        const char *key;
        u64 needed, there;
    } rooms[] = {{"core.warps", warps, machine->core_warps},
                 {"core.blocks", image->blocks, machine->core_blocks},
                 {"core.registers", machine->core_registers ? registers : 0, machine->core_registers},
                 {"core.shared_bytes", machine->core_shared_bytes ? shared : 0, machine->core_shared_bytes}};
    for (size_t n = 0; n < sizeof rooms / sizeof *rooms; n++)
        if (rooms[n].needed > rooms[n].there)
            return ws_fail(error, WS_STATUS_bad_input, "%s: found %llu, the first %u threads need %llu", rooms[n].key,
                           (unsigned long long)rooms[n].there, image->blocks * image->block_threads,
                           (unsigned long long)rooms[n].needed);
    return WS_STATUS_ok;
}

static enum ws_status read_warp(struct study *study, u32 n, struct ws_error *error)
{
    struct limit_warp *const warp = &study->warps[n];
    struct ws_limit_warp *const about = &study->limit->warps[n];
    const struct ws_image *const image = &study->first;
    const u32 size = study->machine.core_warp_size, per_block = ceil_div(image->block_threads, size);
    warp->block = n / per_block;
    warp->first_thread = n % per_block * size;
    warp->threads = ws_min(image->block_threads - warp->first_thread, size);
    *about = (struct ws_limit_warp){.block = warp->block, .threads = warp->threads};
    for (u32 lane = 0; lane < warp->threads; lane++) {
        u64 instructions;
        WS_TRY(limit_path_read(image, &study->code, warp->block, warp->first_thread + lane, ws_bit(lane), &warp->sequences[lane],
                               &instructions, error));
        about->thread_instructions += instructions;
    }
    return WS_STATUS_ok;
}

static enum ws_status read_warps(struct study *study, struct ws_error *error)
{
    const struct ws_image *const image = &study->first;
    const u32 count = image->blocks * ceil_div(image->block_threads, study->machine.core_warp_size);
    study->limit->warp_count = count;
    study->limit->warps = calloc(count, sizeof *study->limit->warps);
    study->warps = calloc(count, sizeof *study->warps);
    study->streams = calloc(count, sizeof *study->streams);
    if (!study->limit->warps || !study->warps || !study->streams)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory for %u warps", count);
    WS_TRY(limit_code_make(image, &study->code, error));
    for (u32 n = 0; n < count; n++)
        WS_TRY(read_warp(study, n, error));
    return WS_STATUS_ok;
}

/* ---- Lower bound of any schedule ---- */

/* Counts a thread's executions of each basic block in a segment, and keeps the maximum over all threads. */
static void raise(const struct limit_code *code, const struct limit_sequence *path, u32 segment, u32 *times, u32 *most)
{
    const u32 first = limit_segment_first(path, segment), end = first + limit_segment_length(path, segment);
    for (u32 token = 0; token < code->count; token++)
        times[token] = 0;
    for (u32 place = first; place < end; place++)
        times[path->tokens[place]]++;
    for (u32 token = 0; token < code->count; token++)
        most[token] = ws_max(most[token], times[token]);
}

/* [limit.least]; before threads are grouped. */
static enum ws_status find_least(const struct limit_code *code, const struct limit_warp *warp, u64 *least, struct ws_error *error)
{
    u32 *const times = calloc(code->count, 2 * sizeof *times), *const most = times + code->count;
    u32 segments = 0;
    *least = 0;
    if (!times)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory for %u basic blocks", code->count);
    for (u32 lane = 0; lane < warp->threads; lane++)
        segments = ws_max(segments, warp->sequences[lane].segments);
    for (u32 segment = 0; segment < segments; segment++) {
        for (u32 token = 0; token < code->count; token++)
            most[token] = 0;
        for (u32 lane = 0; lane < warp->threads; lane++)
            raise(code, &warp->sequences[lane], segment, times, most);
        for (u32 token = 0; token < code->count; token++)
            *least += (u64)most[token] * code->weights[token];
    }
    free(times);
    return WS_STATUS_ok;
}

/* ---- Both executions ---- */

/* Counts the slots of each warp. */
static void note_event(void *context, size_t job, const struct ws_timeline_event *event)
{
    struct ws_limit *const limit = ((struct study *)context)->limit;
    (void)job;
    if (event->kind == WS_EVENT_issue && event->warp < limit->warp_count)
        limit->warps[event->warp].pdom++;
}

static bool go_on(void *context, size_t done, size_t jobs, u64 warp_instructions)
{
    const struct ws_limit_options *const options = ((const struct study *)context)->aligner.options;
    (void)done, (void)jobs, (void)warp_instructions;
    return !options->go_on || options->go_on(options->context);
}

/* Immediate post-dominators: the simulator. All warps enter at once: warp slots equal warp numbers. */
static enum ws_status run_pdom(struct study *study, struct ws_error *error)
{
    const struct ws_job_spec job = {.machine = &study->machine, .image = &study->first};
    const struct ws_engine_watch watch = {WS_STRUCT(engine_watch), .context = study, .progress = go_on, .event = note_event};
    struct ws_job_result result;
    enum ws_status status = ws_engine_run(study->aligner.engine, &job, 1, &result, &watch, error);
    if (status == WS_STATUS_ok && result.status != WS_STATUS_ok)
        status = ws_fail(error, result.status, "%s", ws_job_reason(&result));
    study->limit->pdom_cycles = result.counters[WS_COUNT_cycles];
    study->limit->total.pdom = result.counters[WS_COUNT_warp_instructions];
    ws_job_result_free(&result);
    return status;
}

/* The alignment: its packets in a barrel pipeline. */
static enum ws_status run_oracle(struct study *study, struct ws_error *error)
{
    struct ws_limit *const limit = study->limit;
    for (u32 n = 0; n < limit->warp_count; n++) {
        struct limit_stream *const stream = &study->streams[n];
        stream->block = study->warps[n].block;
        WS_TRY(limit_packets_make(&study->first, &study->code, &study->machine, &study->warps[n], stream, error));
        limit->warps[n].oracle = stream->count;
    }
    return limit_barrel_run(&study->machine, study->streams, limit->warp_count, &limit->oracle_cycles, error);
}

static enum ws_status align(struct study *study, struct ws_error *error)
{
    struct ws_limit *const limit = study->limit;
    for (u32 n = 0; n < limit->warp_count; n++) {
        WS_TRY(find_least(&study->code, &study->warps[n], &limit->warps[n].least, error));
        limit_warp_gather(&study->warps[n]);
    }
    WS_TRY(limit_align(&study->aligner, study->warps, limit->warp_count, error));
    limit->cells = study->aligner.cells;
    limit->alignments = study->aligner.alignments;
    return WS_STATUS_ok;
}

/* The sum over all warps must equal the simulator's count. */
static enum ws_status add_up(struct ws_limit *limit, struct ws_error *error)
{
    struct ws_limit_warp *const total = &limit->total;
    u64 slots = 0;
    for (u32 n = 0; n < limit->warp_count; n++) {
        const struct ws_limit_warp *const warp = &limit->warps[n];
        total->block = ws_max(total->block, warp->block + 1);
        total->threads += warp->threads;
        total->thread_instructions += warp->thread_instructions;
        total->oracle += warp->oracle;
        total->least += warp->least;
        slots += warp->pdom;
    }
    if (slots != total->pdom)
        return ws_fail(error, WS_STATUS_internal, "the events of the warps are %llu issue slots, the simulator counts %llu",
                       (unsigned long long)slots, (unsigned long long)total->pdom);
    return WS_STATUS_ok;
}

static enum ws_status run(struct study *study, const struct ws_machine *machine, struct ws_trace *trace, struct ws_error *error)
{
    WS_TRY(set_machine(machine, &study->machine, error));
    WS_TRY(load(study, trace, study->aligner.options->threads, error));
    WS_TRY(check_room(study, error));
    WS_TRY(read_warps(study, error));
    WS_TRY(run_pdom(study, error));
    WS_TRY(align(study, error));
    WS_TRY(run_oracle(study, error));
    return add_up(study->limit, error);
}

static void free_study(struct study *study)
{
    for (u32 n = 0; study->streams && study->warps && n < study->limit->warp_count; n++) {
        limit_stream_free(&study->streams[n]);
        for (u32 lane = 0; lane < WS_LANES; lane++)
            limit_sequence_free(&study->warps[n].sequences[lane]);
    }
    free(study->streams);
    free(study->warps);
    limit_code_free(&study->code);
    ws_image_free(study->image);
}

enum ws_status ws_limit_run(struct ws_engine *engine, const struct ws_machine *machine, struct ws_trace *trace,
                            const struct ws_limit_options *options, struct ws_limit *limit, struct ws_error *error)
{
    struct study study = {.limit = limit};
    study.aligner = (struct limit_aligner){.engine = engine, .code = &study.code, .options = options};
    *limit = (struct ws_limit){0};
    const enum ws_status status = run(&study, machine, trace, error);
    free_study(&study);
    if (status != WS_STATUS_ok)
        ws_limit_free(limit);
    return status;
}
