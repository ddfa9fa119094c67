/* Lanes that share words: atomic accesses, and accesses of 8 and 16 bytes to shared memory (docs/model/memory.md). */
#include "test.h"
#include "timing/scene.h"

/* ---- Atomics ---- */

static u32 one_word(u32 lane)
{
    return lane * 0;
}

static u32 each_its_own(u32 lane)
{
    return lane;
}

static u32 neighbours(u32 lane)
{
    return lane / 2;
}

static u32 across_halves(u32 lane)
{
    return lane % 16;
}

/* In one bank, and in four lines. */
static u32 four_words(u32 lane)
{
    return lane % 4 * 32;
}

/* An atomic of a warp whose lane i accesses a word; memory.atomics is to be set before scene_run. */
static void start_atomic(struct scene *scene, u32 pipeline, u32 space, u32 (*word)(u32 lane))
{
    scene_start(scene, 1, 32);
    scene->machine.core_pipeline = pipeline;
    scene->build.shared_bytes = 4096;
    OP(scene, .class_ = WS_CLASS_atomic, .space = space, .src = {15});
    add_end(scene);
    for (u32 lane = 0; lane < 32; lane++)
        add_access(&scene->build, 0, lane,
                   space == WS_SPACE_global ? word(lane) / 8 | word(lane) % 8 << WS_ATOMIC_WORD : word(lane));
}

static const u32 pipelines[] = {WS_pipeline_barrel, WS_pipeline_scoreboard};

/* Lines of 128 bytes have 32 words. */
TIMING_TEST(atomics_to_one_word_are_transactions_of_their_own)
{
    static const struct {
        u32 (*word)(u32 lane);
        u32 lines[3]; /* merged, serial, halves */
    } cases[] = {{one_word, {1, 32, 32}},
                 {each_its_own, {1, 1, 2}},
                 {neighbours, {1, 2, 4}},
                 {across_halves, {1, 2, 2}},
                 {four_words, {4, 32, 32}}};
    for (u32 pipeline = 0; pipeline < 2; pipeline++)
        for (u32 n = 0; n < sizeof cases / sizeof *cases; n++)
            for (u32 atomics = WS_atomics_merged; atomics <= WS_atomics_halves; atomics++) {
                struct scene scene;
                start_atomic(&scene, pipelines[pipeline], WS_SPACE_global, cases[n].word);
                scene.machine.memory_atomics = atomics;
                scene_run(&scene);
                EXPECT_COUNTS(scene.trials, IS(global_accesses, 1), IS(global_lines, cases[n].lines[atomics]),
                              IS(data_port_busy, cases[n].lines[atomics]), IS(l1_misses, cases[n].lines[atomics]));
                scene_end(&scene);
            }
}

TIMING_TEST(atomics_to_one_word_of_shared_memory_conflict)
{
    static const struct {
        u32 (*word)(u32 lane);
        u32 conflicts[2]; /* merged, serial */
    } cases[] = {{one_word, {0, 31}}, {each_its_own, {0, 0}}, {neighbours, {0, 1}}, {across_halves, {0, 1}}, {four_words, {3, 31}}};
    for (u32 pipeline = 0; pipeline < 2; pipeline++)
        for (u32 n = 0; n < sizeof cases / sizeof *cases; n++)
            for (u32 atomics = WS_shared_atomics_merged; atomics <= WS_shared_atomics_serial; atomics++) {
                struct scene scene;
                start_atomic(&scene, pipelines[pipeline], WS_SPACE_shared, cases[n].word);
                scene.machine.memory_shared_atomics = atomics;
                scene_run(&scene);
                EXPECT_COUNTS(scene.trials, IS(shared_accesses, 1), IS(shared_conflicts, cases[n].conflicts[atomics]),
                              IS(data_port_busy, cases[n].conflicts[atomics] + 1));
                scene_end(&scene);
            }
}

/* The barrel looks the line up 32 times at 0, reads it once, and writes it 32 times. It waits for the read: 300, and 4 for its
 * burst. The port is free for the next packet from 32 on. */
BARREL_TEST(the_barrel_waits_once_for_a_line_of_several_turns, plain_machine(), 1, 64)
{
    machine->memory_atomics = WS_atomics_serial;
    add_memory(build, WS_CLASS_atomic, WS_SPACE_global);
    add_exit(build);
    add_line(build, 0, 0);
    add_line(build, 32, 32);
    trials_run(machine, build, trials);
    EXPECT_ISSUED(trials, {1, 0, 0, 32}, {0, 1, 0, 304});
    EXPECT_COUNTS(trials, IS(l1_misses, 64), IS(l1_merges, 62), IS(dram_reads, 2), IS(mshrs_most, 2));
}

/* The unit makes 32 requests for one word, one a cycle from 6 on as the queue takes them; each keeps the port 2 cycles. L2 looks
 * them up at 38, 40, ...; the line comes at 84, so that 23 miss and 22 of these merge. It answers the first at 103. Every answer of
 * 128 bytes occupies the reply port for 5 cycles, so the last arrives 31 x 5 cycles later, and the warp continues. */
SCENE_WITH(every_turn_is_answered, start_atomic(scene, WS_pipeline_scoreboard, WS_SPACE_global, one_word))
{
    scene->machine.memory_atomics = WS_atomics_serial;
    scene_run(scene);
    EXPECT_ISSUES(scene, 0, 2, 103 + 31 * 5);
    EXPECT_COUNTS(scene->trials, IS(l1_misses, 32), IS(l2_misses, 23), IS(l2_merges, 22), IS(l2_hits, 9));
}

/* ---- Wide accesses to shared memory ---- */

/* Loads of elements from shared memory, measured on whole GPUs: time over that of a broadcast of 4 bytes. Lane t reads element (t
 * modulo apart) x 32 + t / apart, or with apart = 1 element t / together; then it adds the element's words to sums. Table of
 * gpu_shm_microbench, a public microbenchmark of shared memory. */
struct measured {
    u32 bytes, together, apart;
    double a100, v100;
    u32 word, phases, pairs; /* passes by memory.shared_wide */
};

static const struct measured measured[] = {
    {4, 1, 1, 1.103, 1.000, 1, 1, 1},       {4, 2, 1, 1.132, 1.006, 1, 1, 1},       {4, 4, 1, 0.998, 1.000, 1, 1, 1},
    {4, 8, 1, 0.999, 1.000, 1, 1, 1},       {4, 16, 1, 1.000, 1.000, 1, 1, 1},      {4, 32, 1, 1.000, 1.000, 1, 1, 1},
    {4, 1, 2, 1.974, 1.995, 2, 2, 2},       {4, 1, 4, 3.943, 4.151, 4, 4, 4},       {4, 1, 8, 7.883, 8.437, 8, 8, 8},
    {4, 1, 16, 15.752, 16.869, 16, 16, 16}, {8, 1, 1, 2.111, 2.035, 2, 2, 2},       {8, 2, 1, 1.347, 1.293, 1, 2, 1},
    {8, 4, 1, 1.251, 1.292, 1, 2, 1},       {8, 8, 1, 1.224, 1.286, 1, 2, 1},       {8, 16, 1, 1.225, 1.286, 1, 2, 1},
    {8, 32, 1, 1.225, 1.293, 1, 2, 1},      {8, 1, 2, 3.950, 3.990, 2, 4, 4},       {8, 1, 4, 7.884, 8.066, 4, 8, 8},
    {8, 1, 8, 15.756, 16.779, 8, 16, 16},   {8, 1, 16, 31.507, 33.740, 16, 32, 32}, {16, 1, 1, 4.235, 4.143, 4, 4, 4},
    {16, 2, 1, 2.417, 2.408, 2, 4, 2},      {16, 4, 1, 2.312, 2.407, 1, 4, 2},      {16, 8, 1, 2.201, 2.410, 1, 4, 2},
    {16, 16, 1, 2.163, 2.409, 1, 4, 2},     {16, 32, 1, 2.167, 2.409, 1, 4, 2},     {16, 1, 2, 7.893, 7.980, 4, 8, 8},
    {16, 1, 4, 15.765, 16.600, 4, 16, 16},  {16, 1, 8, 31.510, 33.747, 8, 32, 32},  {16, 1, 16, 31.515, 33.747, 16, 32, 32},
};

static u32 passes_of(const struct measured *row, u32 pipeline, u32 wide)
{
    struct scene scene;
    u32 passes;
    scene_start(&scene, 1, 32);
    scene.machine.core_pipeline = pipeline;
    scene.machine.memory_shared_wide = wide;
    scene.build.shared_bytes = 16384;
    const u32 load = add_load(&scene, WS_SPACE_shared, 1);
    scene.build.program[load].bytes = (u8)row->bytes;
    add_end(&scene);
    for (u32 lane = 0; lane < 32; lane++) {
        const u32 element = row->apart > 1 ? lane % row->apart * 32 + lane / row->apart : lane / row->together;
        add_access(&scene.build, 0, lane, element * row->bytes / 4);
    }
    scene_run(&scene);
    passes = (u32)scene.trials[0].counters[WS_COUNT_data_port_busy];
    EXPECT(&scene, data_port_busy, passes); /* in all of them */
    EXPECT(&scene, shared_conflicts, passes - 1);
    scene_end(&scene);
    return passes;
}

TIMING_TEST(wide_accesses_take_phases)
{
    for (u32 pipeline = 0; pipeline < 2; pipeline++)
        for (u32 n = 0; n < sizeof measured / sizeof *measured; n++) {
            assert_int_equal(passes_of(&measured[n], pipelines[pipeline], WS_shared_wide_word), measured[n].word);
            assert_int_equal(passes_of(&measured[n], pipelines[pipeline], WS_shared_wide_phases), measured[n].phases);
            assert_int_equal(passes_of(&measured[n], pipelines[pipeline], WS_shared_wide_pairs), measured[n].pairs);
        }
}

/* All but two rows are within 6 % of the passes. Exceptions: 4 bytes on A100, not shared and shared in pairs, are 10 and 13 % above
 * (unexplained). Wide accesses shared in pairs are up to 35 % above: two or four additions per load are the bottleneck. */
TIMING_TEST(passes_are_as_measured)
{
    for (u32 n = 0; n < sizeof measured / sizeof *measured; n++) {
        const struct measured *row = &measured[n];
        const bool shares = row->bytes > 4 && row->together > 1;
        const double most = shares ? 1.35 : row->bytes == 4 && row->together <= 2 && row->apart == 1 ? 1.14 : 1.06;
        assert_true(row->a100 / row->pairs > 0.98 && row->a100 / row->pairs < most);
        assert_true(row->v100 / row->pairs > 0.98 && row->v100 / row->pairs < most);
    }
}
