/* The limit study of whole kernels (docs/limit.md): the loop of Figure 7 of Fung et al., whose numbers follow from its text, and
 * what a study refuses. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "test.h"
#include "unit/kit/config_files.h"
#include "warpsweep/frontend.h"
#include "warpsweep/limit.h"

enum { THREADS = 192, ROUNDS = 128, HEAD = 5, TEST = 2, BRANCH = 3, NEXT = 2, LOAD_STORE = 2, WIDTH = 16, WARPS = 128 / WIDTH };

static struct ws_error failure;
static struct ws_engine *engine;

/* for (i = tid % 2; i < rounds; ++i) if (i % 2) data[tid] += 1, in this many instructions. With a barrier at the head of every
 * round all threads execute equally many rounds. */
static void write_loop(struct ws_text *text, u32 additions, bool barrier)
{
    ws_text_add(text, ".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry loop(.param .u64 data)\n{\n"
                      "  .reg .pred %%p<3>;\n  .reg .b32 %%r<8>;\n  .reg .b64 %%rd<4>;\n"
                      "  ld.param.u64 %%rd1, [data];\n  mov.u32 %%r1, %%tid.x;\n  and.b32 %%r2, %%r1, 1;\n");
    ws_text_add(text, "  add.s32 %%r5, %%r2, %d;\n", ROUNDS);
    ws_text_add(text, "  mul.wide.u32 %%rd2, %%r1, 4;\n  add.s64 %%rd3, %%rd1, %%rd2;\n");
    ws_text_add(text, "LOOP:\n%s", barrier ? "  bar.sync 0;\n" : "");
    if (barrier)
        ws_text_add(text, "  setp.ge.s32 %%p1, %%r2, %%r5;\n");
    else
        ws_text_add(text, "  setp.ge.s32 %%p1, %%r2, %d;\n", ROUNDS);
    ws_text_add(text, "  @%%p1 bra END;\n  and.b32 %%r3, %%r2, 1;\n  setp.eq.s32 %%p2, %%r3, 0;\n  @%%p2 bra NEXT;\n"
                      "  ld.global.u32 %%r4, [%%rd3];\n");
    for (u32 n = 0; n < additions; n++)
        ws_text_add(text, "  add.u32 %%r4, %%r4, 1;\n");
    ws_text_add(text, "  st.global.u32 [%%rd3], %%r4;\nNEXT:\n  add.s32 %%r2, %%r2, 1;\n  bra LOOP;\nEND:\n  ret;\n}\n");
    assert_false(text->failed);
}

/* Traces one block of THREADS threads. */
static struct ws_trace *trace_loop(u32 additions, bool barrier)
{
    static u32 data[THREADS];
    struct ws_text text = {0};
    struct ws_frontend_options options;
    struct ws_program *program;
    struct ws_trace *trace;
    struct ws_argument argument = {.kind = WS_ARGUMENT_BUFFER, .name = "data", .bytes = sizeof data, .data = data};
    struct ws_ndrange launch = {.kernel = "loop",
                                .source = "here",
                                .global = {THREADS, 1, 1},
                                .local = {THREADS, 1, 1},
                                .argument_count = 1,
                                .arguments = &argument};
    write_loop(&text, additions, barrier);
    ws_frontend_defaults(&options);
    options.if_convert = 0;
    EXPECT_OK(ws_program_load("loop.ptx", text.data, text.length, &options, &program, &error));
    EXPECT_OK(ws_trace_build(program, &options, &launch, "loop.wst", NULL, &error));
    EXPECT_OK(ws_trace_open("loop.wst", &trace, &error));
    ws_program_free(program);
    ws_text_free(&text);
    return trace;
}

static struct ws_machine make_machine(void)
{
    struct ws_machine machine;
    ws_machine_defaults(&machine);
    machine.core_warp_size = machine.core_simd_width = WIDTH;
    return machine;
}

static struct ws_limit study(struct ws_trace *trace)
{
    const struct ws_machine machine = make_machine();
    struct ws_limit_options options;
    struct ws_limit limit;
    ws_limit_defaults(&options);
    EXPECT_OK(ws_limit_run(engine, &machine, trace, &options, &limit, &error));
    ws_trace_close(trace);
    return limit;
}

/* With post-dominators the body executes in each round, with half of the lanes; if even threads run a round ahead, in every other
 * round. */
TEST(figure_7_takes_half_of_its_bodies)
{
    static const u32 additions[] = {1, 30, 500};
    for (u32 n = 0; n < 3; n++) {
        struct ws_limit limit = study(trace_loop(additions[n], false));
        const u32 first = limit.warps[0].thread_instructions > 0 ? (u32)limit.warps[0].pdom : 0;
        const u32 body = LOAD_STORE + additions[n], round = TEST + BRANCH + NEXT;
        const u32 once = first - ROUNDS * (round + body); /* before and after the loop */
        assert_int_equal(limit.warp_count, WARPS);
        assert_true(once <= HEAD + TEST + 4);
        for (u32 warp = 0; warp < WARPS; warp++) {
            assert_int_equal(limit.warps[warp].threads, WIDTH);
            assert_int_equal(limit.warps[warp].pdom, once + ROUNDS * (round + body));
            assert_int_equal(limit.warps[warp].oracle, once + ROUNDS * round + ROUNDS / 2 * body);
            assert_int_equal(limit.warps[warp].least, limit.warps[warp].oracle);
        }
        assert_int_equal(limit.total.threads, WARPS * WIDTH);
        /* More warps than pipeline stages: one slot per cycle, except for the last ones. */
        assert_in_range(limit.pdom_cycles, limit.total.pdom, limit.total.pdom + 32);
        assert_in_range(limit.oracle_cycles, limit.total.oracle, limit.total.oracle + 32);
        if (additions[n] == 500)
            assert_in_range(limit.pdom_cycles * 100 / limit.oracle_cycles, 195, 200);
        ws_limit_free(&limit);
    }
}

/* The paper of Bitonic: "frequent barrier synchronizations that ensure loop iterations execute in lock-step". */
TEST(barriers_keep_rounds_together)
{
    struct ws_limit limit = study(trace_loop(30, true));
    assert_int_equal(limit.total.oracle, limit.total.pdom);
    assert_int_equal(limit.oracle_cycles, limit.pdom_cycles);
    assert_true(limit.total.least == limit.total.oracle);
    ws_limit_free(&limit);
}

/* Truncated blocks, several blocks, partial warps: the requested number of threads, in whole blocks. */
TEST(the_first_threads_are_studied)
{
    static const struct {
        u32 asked, found, warps;
    } rows[] = {{1, 1, 1}, {17, 17, 2}, {192, 192, 12}, {1000, 192, 12}};
    struct ws_trace *const trace = trace_loop(1, false);
    const struct ws_machine machine = make_machine();
    struct ws_limit_options options;
    struct ws_limit limit;
    ws_limit_defaults(&options);
    for (u32 n = 0; n < sizeof rows / sizeof *rows; n++) {
        options.threads = rows[n].asked;
        EXPECT_OK(ws_limit_run(engine, &machine, trace, &options, &limit, &error));
        assert_int_equal(limit.total.threads, rows[n].found);
        assert_int_equal(limit.warp_count, rows[n].warps);
        assert_int_equal(limit.total.block, 1);
        ws_limit_free(&limit);
    }
    ws_trace_close(trace);
}

TEST(what_does_not_fit_is_refused)
{
    static const struct {
        const char *key, *value, *message;
    } rows[] = {
        {"core.warps", "7", "core.warps: found 7, the first 128 threads need 8"},
        {"core.registers", "100", "core.registers: found 100, the first 128 threads need "},
        {"core.pipeline", "scoreboard", "core.pipeline: the limit study runs with barrel only"},
        {"divergence.unit", "tbc", "divergence.unit: the limit study runs with pdom only"},
        {"schedule.policy", "two_level", "schedule.policy: the limit study runs with rr only"},
    };
    struct ws_trace *const trace = trace_loop(1, false);
    struct ws_limit_options options;
    struct ws_limit limit;
    ws_limit_defaults(&options);
    for (u32 n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct ws_machine machine = make_machine();
        EXPECT_OK(ws_machine_set(&machine, rows[n].key, rows[n].value, &error));
        assert_int_equal(ws_limit_run(engine, &machine, trace, &options, &limit, &failure), WS_STATUS_bad_input);
        if (strncmp(failure.message, rows[n].message, strlen(rows[n].message)) != 0)
            fail_msg("found '%s', expected '%s'", failure.message, rows[n].message);
    }
    ws_trace_close(trace);
}

static int open_engine(void **state)
{
    const struct ws_engine_options options = {WS_STRUCT(engine_options), .engine = "native", .threads = 2};
    return files_enter(state) != 0 || ws_engine_open(&options, &engine, &failure) != WS_STATUS_ok;
}

static int close_engine(void **state)
{
    ws_engine_close(engine);
    return files_leave(state);
}

TESTS(open_engine, close_engine)
