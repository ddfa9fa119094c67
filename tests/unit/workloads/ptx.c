/* Every workload's PTX, executed by the front end, gives the results of plain C, and each size has its expected amount of work. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "unit/workloads/rows.h"

enum { SEED = 7 };

/* Thread instructions of a size. */
static const struct {
    u64 least, most;
} range[WS_SIZES] = {
    [WS_SIZE_TINY] = {20 * 1000, 200 * 1000},
    [WS_SIZE_SMALL] = {5 * 1000 * 1000, 12 * 1000 * 1000},
};

/* Whether a launch is the workload's whole paper size: it may then be less work than others of its size. */
static bool is_whole(const struct ws_workload *workload, const struct ws_ndrange *launch)
{
    struct ws_ndrange paper;
    if (workload->prepare(WS_SIZE_PAPER, SEED, &paper, NULL) != WS_STATUS_ok)
        return false;
    bool whole = memcmp(launch->global, paper.global, sizeof paper.global) == 0;
    for (u32 n = 0; n < paper.argument_count; n++)
        whole = whole && launch->arguments[n].bytes == paper.arguments[n].bytes;
    workload->release(&paper);
    return whole;
}

/* Whether a workload is another one's work in blocks of one warp (NAME_32 of NAME): fewer threads to set up, so less work. */
static bool is_rewritten(const struct ws_workload *workload)
{
    char name[64];
    snprintf(name, sizeof name, "%s", workload->name);
    char *const suffix = strrchr(name, '_');
    if (!suffix || strcmp(suffix, "_32") != 0)
        return false;
    *suffix = 0;
    return ws_workload_find(name) != NULL;
}

static enum ws_status run(const struct ws_workload *workload, enum ws_size size, const struct ws_program *program,
                          const struct ws_frontend_options *options, struct ws_error *error)
{
    struct ws_ndrange launch;
    WS_TRY(workload->prepare(size, SEED, &launch, error));
    u64 instructions = 0;
    enum ws_status status = ws_execute(program, options, &launch, NULL, &instructions, error);
    const bool too_few = instructions < range[size].least && !is_whole(workload, &launch) && !is_rewritten(workload);
    if (status == WS_STATUS_ok && (too_few || instructions > range[size].most))
        status = ws_fail(error, WS_STATUS_failed, "%llu thread instructions at size %s", (unsigned long long)instructions,
                         ws_size_name(size));
    if (status == WS_STATUS_ok)
        status = workload->check(&launch, size, SEED, error);
    workload->release(&launch);
    return status;
}

/* The same on several cores: all buffers are equal to the last bit, and so is the count. */
static enum ws_status compare(const struct ws_workload *workload, const struct ws_program *program,
                              const struct ws_frontend_options *options, struct ws_error *error)
{
    struct ws_ndrange launches[2];
    u64 instructions[2];
    enum ws_status status = WS_STATUS_ok;
    for (u32 n = 0; n < 2; n++) {
        struct ws_frontend_options own = *options;
        own.workers = n ? 4 : 0;
        if (workload->prepare(WS_SIZE_SMALL, SEED, &launches[n], error) != WS_STATUS_ok)
            return WS_STATUS_failed;
        if (status == WS_STATUS_ok)
            status = ws_execute(program, &own, &launches[n], NULL, &instructions[n], error);
    }
    for (u32 n = 0; status == WS_STATUS_ok && n < launches[0].argument_count; n++) {
        const struct ws_argument *const one = &launches[0].arguments[n], *const other = &launches[1].arguments[n];
        if (one->kind == WS_ARGUMENT_BUFFER && one->bytes > 0 && memcmp(one->data, other->data, one->bytes) != 0)
            status = ws_fail(error, WS_STATUS_mismatch, "argument %u differs on several cores", n);
    }
    if (status == WS_STATUS_ok && instructions[0] != instructions[1])
        status = ws_fail(error, WS_STATUS_mismatch, "the count of instructions differs on several cores");
    workload->release(&launches[0]);
    workload->release(&launches[1]);
    return status;
}

static void test_ptx(void **state)
{
    const struct ws_workload *workload = *state;
    struct ws_frontend_options options;
    ws_frontend_defaults(&options);

    struct ws_error error = {0};
    struct ws_program *program = NULL;
    enum ws_status status = ws_program_load(workload->name, workload->ptx, workload->ptx_length, &options, &program, &error);
    for (enum ws_size size = WS_SIZE_TINY; size <= WS_SIZE_SMALL && status == WS_STATUS_ok; size++)
        status = run(workload, size, program, &options, &error);
    if (status == WS_STATUS_ok)
        status = compare(workload, program, &options, &error);
    ws_program_free(program);
    if (status != WS_STATUS_ok)
        fail_msg("%s: %s", workload->name, error.message);
}

int main(void)
{
    static struct workload_rows rows;
    workload_rows_add(&rows, "PTX", test_ptx);
    return workload_rows_run(&rows, "workloads_ptx");
}
