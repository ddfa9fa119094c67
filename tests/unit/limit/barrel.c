/* The barrel pipeline of the limit study, fed with the simulator's packets, takes the simulator's cycles: random programs on random
 * machines with ideal memory (docs/limit.md). */
#include <stdlib.h>

#include "differential/random/random_case.h"
#include "limit/packets.h"
#include "limit/paths.h"
#include "model/streams.h"
#include "test.h"
#include "warpsweep/engine.h"

enum { CASES = 400, MOST_WARPS = 256 };

/* Reconstruction of a run from its events. */
struct rebuilt {
    const struct ws_image *image;
    const struct ws_machine *machine;
    u32 warps_per_block;
    struct ws_streams *threads; /* of all blocks */
    struct limit_stream streams[MOST_WARPS];
    u32 passes; /* those of all packets */
};

static u32 warps_alike; /* warps whose threads all have one path, over all cases */

static u32 passes_of(struct rebuilt *rebuilt, const struct ws_instruction *instruction, u32 warp, u32 lanes)
{
    const u32 block = warp / rebuilt->warps_per_block;
    const u32 first = warp % rebuilt->warps_per_block * rebuilt->machine->core_warp_size;
    u32 access[WS_LANES];
    if (!(instruction->flags & WS_ADDRESSED))
        return 0;
    for (u32 left = lanes; left; left &= left - 1)
        access[ws_ctz(left)] =
            ws_streams_access(&rebuilt->threads[block * rebuilt->image->block_threads + first + ws_ctz(left)], 0);
    return limit_passes(rebuilt->machine, instruction, access, lanes);
}

static void take_event(void *context, size_t job, const struct ws_timeline_event *event)
{
    struct rebuilt *const rebuilt = context;
    (void)job;
    if (event->kind != WS_EVENT_issue)
        return;
    const struct ws_instruction *const instruction = &rebuilt->image->program[event->pc];
    const u32 passes = passes_of(rebuilt, instruction, event->warp, event->lanes);
    rebuilt->passes += passes;
    limit_stream_add(&rebuilt->streams[event->warp],
                     (struct limit_packet){.passes = (u16)passes,
                                           .latency = (u16)limit_latency(rebuilt->machine, instruction),
                                           .arrives = instruction->class_ == WS_CLASS_barrier});
}

/* Ideal, with room for all warps at once; false if there are too many. */
static bool make_room(const struct ws_image *image, struct ws_machine *machine, u32 *warps)
{
    *warps = image->blocks * ((image->block_threads + machine->core_warp_size - 1) / machine->core_warp_size);
    machine->memory_ideal = WS_toggle_on;
    machine->icache_size = 0;
    machine->core_registers = machine->core_shared_bytes = 0;
    machine->core_warps = ws_max(machine->core_warps, *warps);
    machine->core_blocks = ws_max(machine->core_blocks, image->blocks);
    return *warps <= MOST_WARPS && image->blocks <= MOST_WARPS;
}

static bool run(struct ws_engine *engine, const struct ws_image *image, const struct ws_machine *machine, u32 warps,
                struct rebuilt *rebuilt)
{
    const struct ws_job_spec job = {.machine = machine, .image = image};
    const struct ws_engine_watch watch = {WS_STRUCT(engine_watch), .context = rebuilt, .event = take_event};
    struct ws_job_result result;
    struct ws_error failure;
    u64 cycles = 0;
    EXPECT_OK(ws_engine_run(engine, &job, 1, &result, &watch, &error));
    const bool ended = result.status == WS_STATUS_ok;
    if (ended && limit_barrel_run(machine, rebuilt->streams, warps, &cycles, &failure) != WS_STATUS_ok)
        fail_msg("%s", failure.message);
    if (ended)
        assert_int_equal(cycles, result.counters[WS_COUNT_cycles]);
    if (ended)
        assert_int_equal(rebuilt->passes, result.counters[WS_COUNT_data_port_busy]);
    ws_job_result_free(&result);
    return ended;
}

static void expect_packets(const struct limit_stream *found, const struct limit_stream *expected)
{
    assert_int_equal(found->count, expected->count);
    for (size_t n = 0; n < found->count; n++) {
        assert_int_equal(found->packets[n].passes, expected->packets[n].passes);
        assert_int_equal(found->packets[n].arrives, expected->packets[n].arrives);
    }
}

/* Whether threads with this path may diverge: at a branch to the next instruction (invisible in the path) with another
 * reconvergence point. Compilers do not emit such a branch, but a trace may contain it. */
static bool may_part(const struct limit_code *code, const struct limit_sequence *path)
{
    for (u32 n = 0; n < path->length; n++) {
        const struct ws_instruction *const last = limit_code_last(code, path->tokens[n]);
        const u32 next = code->first[path->tokens[n] + 1];
        if (last->class_ == WS_CLASS_branch && last->target == next && last->reconverge != next)
            return true;
    }
    return false;
}

/* If all threads of a warp have one path, its columns are the packets that the simulator issued; if they diverge anyway, the
 * simulator issued at least as many. */
static void compare_packets(const struct rebuilt *rebuilt, const struct limit_code *code, u32 n)
{
    struct limit_warp *const warp = calloc(1, sizeof *warp);
    struct limit_stream stream = {.block = n / rebuilt->warps_per_block};
    u64 instructions;
    assert_non_null(warp);
    warp->block = stream.block;
    warp->first_thread = n % rebuilt->warps_per_block * rebuilt->machine->core_warp_size;
    warp->threads = ws_min(rebuilt->image->block_threads - warp->first_thread, rebuilt->machine->core_warp_size);
    for (u32 lane = 0; lane < warp->threads; lane++)
        EXPECT_OK(limit_path_read(rebuilt->image, code, warp->block, warp->first_thread + lane, ws_bit(lane),
                                  &warp->sequences[lane], &instructions, &error));
    limit_warp_gather(warp);
    if (warp->groups == 1) {
        EXPECT_OK(limit_packets_make(rebuilt->image, code, rebuilt->machine, warp, &stream, &error));
        if (may_part(code, &warp->sequences[0])) {
            assert_true(stream.count <= rebuilt->streams[n].count);
        } else {
            expect_packets(&stream, &rebuilt->streams[n]);
            warps_alike += warp->threads > 1;
        }
    }
    for (u32 lane = 0; lane < warp->threads; lane++)
        limit_sequence_free(&warp->sequences[lane]);
    limit_stream_free(&stream);
    free(warp);
}

static void compare_all_packets(const struct rebuilt *rebuilt, u32 warps)
{
    struct limit_code code;
    EXPECT_OK(limit_code_make(rebuilt->image, &code, &error));
    for (u32 n = 0; n < warps; n++)
        compare_packets(rebuilt, &code, n);
    limit_code_free(&code);
}

/* One random case; says whether it ran to its end. The limit study does not support barriers for part of a block (docs/limit.md).
 */
static bool try_case(struct ws_engine *engine, u64 seed)
{
    static const struct wanted wanted = {.pipeline = WS_pipeline_barrel, .divergence = WS_divergence_pdom, .policy = WS_policy_rr};
    struct random_case drawn;
    struct rebuilt rebuilt = {0};
    u32 warps;
    bool ran = false;
    random_case_make_of(&drawn, seed, &whole_size, &wanted);
    const struct ws_image *const image = drawn.image;
    if (!has_named_barriers(image) && make_room(image, &drawn.machine, &warps)) {
        const u32 threads = image->blocks * image->block_threads;
        rebuilt.image = image;
        rebuilt.machine = &drawn.machine;
        rebuilt.warps_per_block = warps / image->blocks;
        rebuilt.threads = calloc(threads, sizeof *rebuilt.threads);
        assert_non_null(rebuilt.threads);
        for (u32 n = 0; n < threads; n++)
            rebuilt.threads[n] = ws_streams_of(image, n / image->block_threads, n % image->block_threads);
        for (u32 n = 0; n < warps; n++)
            rebuilt.streams[n].block = n / rebuilt.warps_per_block;
        ran = run(engine, image, &drawn.machine, warps, &rebuilt);
        if (ran)
            compare_all_packets(&rebuilt, warps);
        for (u32 n = 0; n < warps; n++)
            limit_stream_free(&rebuilt.streams[n]);
        free(rebuilt.threads);
    }
    random_case_free(&drawn);
    return ran;
}

TEST(packets_and_cycles_are_the_simulators)
{
    const struct ws_engine_options options = {WS_STRUCT(engine_options), .engine = "native", .threads = 1};
    struct ws_engine *engine;
    u32 ran = 0;
    EXPECT_OK(ws_engine_open(&options, &engine, &error));
    for (u64 seed = 1; seed <= CASES; seed++)
        ran += try_case(engine, seed);
    ws_engine_close(engine);
    if (ran < CASES / 2)
        fail_msg("only %u of %u random cases ran to their end", ran, CASES);
    if (warps_alike < CASES)
        fail_msg("only %u warps had one path", warps_alike);
}

/* Warp 0 arrives, and block 1's warp never does: blocks have separate barriers, and a single warp passes its own at once. */
TEST(barriers_belong_to_blocks)
{
    static struct limit_packet packets[] = {{.arrives = true}, {.arrives = false}};
    const struct limit_stream streams[] = {{.block = 0, .packets = packets, .count = 2},
                                           {.block = 1, .packets = packets, .count = 2}};
    struct ws_machine machine;
    u64 cycles;
    machine_defaults(&machine);
    EXPECT_OK(limit_barrel_run(&machine, streams, 2, &cycles, &error));
    /* Slot 1 issues in cycle 1 and, released on completion, in 1 + depth. */
    assert_int_equal(cycles, 1 + 2 * machine.core_depth);
}
