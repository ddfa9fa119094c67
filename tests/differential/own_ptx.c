/* The kernels in lane form ptx as PTX, executed by the front end, against the oracle: runs shfl, vote, match, redux and
 * bar.warp.sync without a GPU. own_ptx.sh compiles the PTX. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "differential/judge/judge.h"
#include "differential/judge/kernel_run.h"
#include "engine/accumulate.h"
#include "engine/variant.h"
#include "test.h"
#include "warpsweep/frontend.h"

enum { FIRST_SEED = 1, CASES = 24, SLICE = 5003, MOST_TESTS = 64, LANES = 32, MOST_BYTES = 1 << 24 };

static const struct case_size tiny_size = {.blocks = 2, .block_threads = 64, .statements = 8, .thread_instructions = 300};

/* A variant that is compiled to PTX. */
struct kernel {
    const char *name, *file;
    struct wanted wanted;
};

/* Arguments of advance, which knows only the job. */
static struct ws_program *program;
static const struct ws_image *image;

static u64 group_count(void)
{
    return (u64)image->blocks * image->groups_per_block;
}

/* The image in one piece, as on a device, and the offsets of its parts. Offsets in jobs are of 32-bit words. */
static u8 *make_trace(struct ws_job *job, u64 *bytes)
{
    const u64 instructions = image->instructions * sizeof *image->program, groups = group_count() * sizeof *image->groups;
    const u64 words = image->word_count * sizeof *image->words;
    job->program = 0;
    job->groups = (instructions + 7) / 8 * 2;
    job->words = job->groups + (groups + 7) / 8 * 2;
    *bytes = job->words * sizeof(u32) + words;
    u8 *const trace = calloc(1, *bytes + 1);
    assert_non_null(trace);
    memcpy(trace, image->program, instructions);
    memcpy(trace + job->groups * sizeof(u32), image->groups, groups);
    if (words > 0)
        memcpy(trace + job->words * sizeof(u32), image->words, words);
    return trace;
}

/* One quantum, as host/engine/opencl/batch.c launches it. */
static void advance(const struct ws_job *job, const struct ws_native_parts *parts, u32 quantum)
{
    struct ws_frontend_options options;
    struct ws_job placed = *job;
    u64 trace_bytes;
    u32 first = 0;
    u8 *const trace = make_trace(&placed, &trace_bytes);
    placed.state = 0;
    struct ws_argument arguments[] = {
        {.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof placed, .data = &placed},
        {.kind = WS_ARGUMENT_BUFFER, .bytes = trace_bytes, .data = trace},
        {.kind = WS_ARGUMENT_BUFFER, .bytes = placed.plan.state_words * sizeof(u32), .data = parts->state},
        {.kind = WS_ARGUMENT_BUFFER, .bytes = ws_times_bytes(&placed), .data = parts->records},
        {.kind = WS_ARGUMENT_SCALAR, .bytes = sizeof first, .data = &first},
        {.kind = WS_ARGUMENT_SCALAR, .bytes = sizeof quantum, .data = &quantum},
    };
    struct ws_ndrange launch = {.kernel = "sm_quantum",
                                .global = {LANES, 1, 1},
                                .local = {LANES, 1, 1},
                                .argument_count = sizeof arguments / sizeof *arguments,
                                .arguments = arguments};
    ws_frontend_defaults(&options);
    EXPECT_OK(ws_execute(program, &options, &launch, NULL, NULL, &error));
    free(trace);
}

static void load(const struct kernel *kernel)
{
    struct ws_frontend_options options;
    char *text;
    size_t length;
    ws_frontend_defaults(&options);
    EXPECT_OK(ws_file_read(kernel->file, MOST_BYTES, &text, &length, &error));
    EXPECT_OK(ws_program_load(kernel->file, text, length, &options, &program, &error));
    free(text);
}

static void equals_oracle(void **state)
{
    const struct kernel *const kernel = *state;
    const struct judged_cases cases = judged_cases(FIRST_SEED, CASES, &tiny_size);
    u32 different = 0, judged = 0;
    load(kernel);
    for (u64 seed = cases.first; judged < cases.count; seed++) {
        struct random_case random_case;
        struct verdict verdict;
        struct ws_job_result result;
        random_case_make_of(&random_case, seed, &cases.size, &kernel->wanted);
        image = random_case.image;
        if (ws_variant_suits(&random_case.machine, kernel->wanted.pipeline, kernel->wanted.divergence,
                             random_case.machine.core_dispatch, 1)) {
            verdict_make(&random_case, &verdict);
            kernel_run(&random_case, NULL, advance, SLICE, verdict_most_cycles(&verdict), &result);
            if (!verdict_agrees(&verdict, &result, true)) {
                fprintf(stderr, "  %s differs: WS_SEED=%llu\n", kernel->name, (unsigned long long)seed);
                different++;
            }
            judged++;
            ws_job_result_free(&result);
            verdict_free(&verdict);
        }
        random_case_free(&random_case);
    }
    ws_program_free(program);
    assert_int_equal(different, 0);
}

static u32 choice(const char *set, const char *name)
{
    size_t count;
    const struct ws_choice *const choices = ws_choices(&count);
    for (size_t n = 0; n < count; n++)
        if (strcmp(choices[n].set, set) == 0 && strcmp(choices[n].name, name) == 0)
            return choices[n].value;
    fprintf(stderr, "%s is no %s\n", name, set);
    exit(2);
}

/* From .../FORM-COMPUTE-PIPELINE-PATH-SCHEDULER-DISPATCH.ptx, as tools/kernel-resources names it. */
static void read_name(const char *file, struct kernel *kernel)
{
    char pipeline[32], path[32], policy[32], dispatch[32];
    const char *const slash = strrchr(file, '/');
    kernel->file = file;
    kernel->name = slash ? slash + 1 : file;
    if (sscanf(kernel->name, "%*[a-z]-%*u-%31[^-]-%31[^-]-%31[^-]-%31[^.].ptx", pipeline, path, policy, dispatch) != 4) {
        fprintf(stderr, "%s: found another name than FORM-COMPUTE-PIPELINE-PATH-SCHEDULER-DISPATCH.ptx\n", file);
        exit(2);
    }
    kernel->wanted = (struct wanted){.pipeline = choice("pipeline", pipeline),
                                     .divergence = choice("divergence", path),
                                     .policy = choice("policy", policy),
                                     .by_warps = choice("dispatch", dispatch) == WS_dispatch_warp};
}

int main(int argc, char **argv)
{
    struct kernel kernels[MOST_TESTS];
    const size_t count = (size_t)argc - 1;
    if (count == 0 || count > MOST_TESTS) {
        fprintf(stderr, "usage: %s FORM-COMPUTE-PIPELINE-PATH-SCHEDULER-DISPATCH.ptx...\n", argv[0]);
        return 2;
    }
    for (size_t n = 0; n < count; n++) {
        read_name(argv[n + 1], &kernels[n]);
        test_add((struct CMUnitTest){kernels[n].name, equals_oracle, NULL, NULL, &kernels[n]});
    }
    return test_run(NULL, NULL);
}
