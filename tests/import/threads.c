/* Random kernels, to the text of their warps, through the importer, to the same threads: in every version of the tracer and every
 * form. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "import/container.h"
#include "import/generate.h"
#include "import/paths.h"
#include "test.h"
#include "unit/trace/container.h"
#include "warpsweep/import.h"

enum { SEEDS = 8, FORMS = 8 };

static const char text_file[] = "import_threads.traceg", container_file[] = "import_threads.tracez",
                  trace_file[] = "import_threads.wst";
static const char *const versions[] = {"1.2", "3", "4", "5", "6"};

/* Properties of the generated opcodes. */
static const struct {
    const char *name;
    u8 class_, kind;
} opcodes[] = {{"IADD3", WS_CLASS_int, WS_KIND_add},          {"IMAD.WIDE", WS_CLASS_int, WS_KIND_mad},
               {"FFMA", WS_CLASS_fp32, WS_KIND_fma},          {"IMAD.MOV.U32", WS_CLASS_int, WS_KIND_other},
               {"MUFU.RCP", WS_CLASS_sfu, WS_KIND_other},     {"ISETP.GE.AND", WS_CLASS_int, WS_KIND_other},
               {"S2R", WS_CLASS_int, WS_KIND_other},          {"DADD", WS_CLASS_fp64, WS_KIND_add},
               {"SHF.R.S32.HI", WS_CLASS_int, WS_KIND_other}, {"LOP3.LUT", WS_CLASS_int, WS_KIND_other},
               {"MOV", WS_CLASS_int, WS_KIND_other}};

static struct event event_of(const struct made_op *op)
{
    struct event event = {.bytes = op->action == MADE_MEMORY ? op->bytes : 0};
    if (op->action == MADE_MEMORY)
        event.class_ = op->opcode[0] == 'L' ? WS_CLASS_load : op->opcode[0] == 'R' ? WS_CLASS_atomic : WS_CLASS_store;
    for (size_t n = 0; n < sizeof opcodes / sizeof *opcodes && op->action == MADE_PLAIN; n++)
        if (strcmp(op->opcode, opcodes[n].name) == 0)
            event = (struct event){.class_ = opcodes[n].class_, .kind = opcodes[n].kind};
    return event;
}

/* The actions of a generated launch's threads: order of instructions from the records, accesses as generated. */
static void expected_paths(const struct made_launch *launch, struct paths *paths)
{
    paths_make(paths, (size_t)launch->blocks * launch->threads);
    size_t *const next = calloc(paths->threads, sizeof *next);
    assert_non_null(next);
    for (u32 warp = 0; warp < launch->blocks * launch->warps; warp++)
        for (size_t n = 0; n < launch->warp[warp].count; n++) {
            const struct made_record *const record = &launch->warp[warp].records[n];
            const struct made_op *const op = &launch->op[record->op];
            for (u32 lane = 0; lane < MADE_LANES; lane++) {
                const size_t thread = (size_t)warp / launch->warps * launch->threads + warp % launch->warps * MADE_LANES + lane;
                if (!(record->mask >> lane & 1) || (op->action != MADE_PLAIN && op->action != MADE_MEMORY))
                    continue;
                struct event event = event_of(op);
                if (op->action == MADE_MEMORY) {
                    const struct made_access *const access = &launch->thread[thread].accesses[next[thread]++];
                    event.space = access->space;
                    event.address = access->address;
                }
                paths_add(paths, thread, event);
            }
        }
    free(next);
}

static void import(const char *path, const void *bytes, size_t length, struct ws_nvbit_report *report)
{
    const struct ws_nvbit_options options = {WS_STRUCT(nvbit_options), .strict = true};
    struct ws_nvbit *nvbit;
    bytes_write(path, bytes, length);
    EXPECT_OK(ws_nvbit_open(path, &options, &nvbit, &error));
    EXPECT_OK(ws_nvbit_write(nvbit, trace_file, report, &error));
    assert_string_equal(ws_nvbit_kernel(nvbit), "_Z4madePi");
    ws_nvbit_close(nvbit);
}

/* The replayed trace matches the file as its threads did during generation. */
static void check_again(const struct ws_nvbit_report *report)
{
    const struct ws_nvbit_options options = {WS_STRUCT(nvbit_options)};
    struct ws_nvbit *nvbit;
    struct ws_nvbit_report again;
    struct ws_trace *trace;
    EXPECT_OK(ws_nvbit_open(text_file, &options, &nvbit, &error));
    EXPECT_OK(ws_trace_open(trace_file, &trace, &error));
    EXPECT_OK(ws_nvbit_check(nvbit, trace, &again, &error));
    ws_nvbit_close(nvbit);
    ws_trace_close(trace);
    assert_memory_equal(&again, report, sizeof again);
}

/* The report's counts match the records. The replay equals the records under the recorded order of paths, unless an indirect branch
 * leads to a guarded instruction: a thread with a false guard becomes visible only after it. */
static void check_report(const struct made_launch *launch, const struct ws_nvbit_report *report)
{
    u64 records = 0, executed = 0;
    for (u32 warp = 0; warp < launch->blocks * launch->warps; warp++)
        records += launch->warp[warp].count;
    for (u32 thread = 0; thread < launch->blocks * launch->threads; thread++)
        executed += launch->thread[thread].executed;
    assert_int_equal(report->warp_instructions, records);
    assert_int_equal(report->thread_instructions, executed);
    const u32 order = launch->options.taken_first ? WS_first_path_taken : WS_first_path_fallthrough;
    const struct ws_nvbit_replay *const replay = &report->replays[order];
    if (!launch->options.indirect && (replay->missing || replay->added))
        fail_msg("seed %llu, version %s: %llu missing, %llu added, %s", (unsigned long long)launch->options.seed,
                 launch->options.version, (unsigned long long)replay->missing, (unsigned long long)replay->added, replay->first);
    if (!launch->options.indirect)
        assert_int_equal(report->replays[ws_nvbit_nearest(report)].missing, 0);
}

static void check_paths(const struct paths *expected)
{
    struct paths found;
    paths_read(trace_file, &found);
    paths_compare(&found, expected);
    paths_free(&found);
}

/* The same text in a container is the same launch. */
static void check_container(const char *text, size_t length, bool dictionary, const struct ws_nvbit_report *report)
{
    struct ws_nvbit_report again;
    size_t size;
    u8 *const container = made_container(text, length, dictionary, &size);
    assert_non_null(container);
    import(container_file, container, size, &again);
    free(container);
    assert_memory_equal(&again, report, sizeof again);
}

static void check_case(const struct made_options *options)
{
    struct made_launch *const launch = made_launch(options);
    struct ws_nvbit_report report;
    struct paths expected;
    size_t length;
    assert_non_null(launch);
    char *const text = made_text(launch, &length);
    assert_non_null(text);
    import(text_file, text, length, &report);
    check_report(launch, &report);
    check_again(&report);
    expected_paths(launch, &expected);
    check_paths(&expected);
    if (options->clusters && *options->version >= '5' && !options->raw && !options->crlf)
        check_container(text, length, options->lines, &report);
    check_paths(&expected);
    paths_free(&expected);
    free(text);
    made_free(launch);
}

TEST(threads_come_back)
{
    for (u64 seed = 1; seed <= SEEDS; seed++)
        for (size_t n = 0; n < sizeof versions / sizeof *versions; n++)
            for (u32 form = 0; form < FORMS; form++) {
                const bool odd = form & 1;
                const struct made_options options = {.seed = seed,
                                                     .version = versions[n],
                                                     .grid = {2, 1, 1 + (u32)odd},
                                                     .block = {odd ? 20 : 64, 2, 1},
                                                     .statements = 4,
                                                     .raw = form & 2,
                                                     .compress = odd,
                                                     .lines = form & 4,
                                                     .crlf = odd,
                                                     .open_end = form & 2,
                                                     .taken_first = !(form & 4) || odd,
                                                     .indirect = seed % 2,
                                                     .clusters = seed % 3 == 0};
                check_case(&options);
            }
    remove(text_file);
    remove(container_file);
    remove(trace_file);
}
