/* Every workload as machine code: ptxas compiles its PTX for an architecture. Results are compared with plain C, and byte for byte
 * with those of the PTX. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "sass/exec/machine.h"
#include "sass/hazards.h"
#include "test.h"
#include "unit/workloads/rows.h"

enum { SEED = 7, MOST_BYTES = 64 << 20 };

static const char *architecture, *folder; /* folder of cubins; NULL: ptxas makes them */

/* Workloads with approximate functions that machine code computes differently: bits differ, within the bounds of the comparison
 * with C. */
static const char *const approximate[] = {"lighting", "srad_gradient", "histogram_prescan"};

/* Kernels that read textures: ptxas uses bits of TEX that are not executed. */
static const char *const refused[] = {"conv_texture_rows", "conv_texture_columns"};

static bool is_among(const char *name, const char *const *names, size_t count)
{
    bool is = false;
    for (size_t n = 0; n < count; n++)
        is |= strcmp(name, names[n]) == 0;
    return is;
}

/* Contents of all buffers of a launch, concatenated. */
struct left {
    u8 *bytes;
    size_t length;
};

static void keep(const struct ws_ndrange *launch, struct left *left)
{
    for (u32 pass = 0; pass < 2; pass++) {
        left->length = 0;
        for (u32 n = 0; n < launch->argument_count; n++) {
            const struct ws_argument *const argument = &launch->arguments[n];
            if (argument->kind != WS_ARGUMENT_BUFFER || argument->pointer_count || argument->bytes == 0)
                continue;
            if (pass)
                memcpy(left->bytes + left->length, argument->data, argument->bytes);
            left->length += argument->bytes;
        }
        if (!pass)
            left->bytes = calloc(1, left->length + 1);
        assert_non_null(left->bytes);
    }
}

static enum ws_status execute(const struct ws_workload *workload, const struct ws_program *program, struct left *left,
                              struct ws_error *error)
{
    struct ws_frontend_options options;
    struct ws_ndrange launch;
    char path[200];
    ws_frontend_defaults(&options);
    snprintf(path, sizeof path, "sass-%s-%ld.wst", workload->name, (long)getpid());
    WS_TRY(workload->prepare(WS_SIZE_TINY, SEED, &launch, error));
    enum ws_status status = ws_trace_build(program, &options, &launch, path, NULL, error);
    WS_THEN(status, workload->check(&launch, WS_SIZE_TINY, SEED, error));
    keep(&launch, left);
    workload->release(&launch);
    struct ws_trace *trace = NULL;
    WS_THEN(status, ws_trace_check(path, error));
    WS_THEN(status, ws_trace_open(path, &trace, error));
    ws_trace_close(trace);
    unlink(path);
    return status;
}

/* Makes the cubin of a workload's kernel with ptxas. */
static u8 *compile(const struct ws_workload *workload, size_t *length)
{
    char ptx[200], cubin[220], command[600];
    snprintf(ptx, sizeof ptx, "sass-%s-%s-%ld.ptx", workload->name, architecture, (long)getpid());
    snprintf(cubin, sizeof cubin, "%s.cubin", ptx);
    FILE *const file = fopen(ptx, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(workload->ptx, 1, workload->ptx_length, file), workload->ptx_length);
    fclose(file);
    snprintf(command, sizeof command, "ptxas -arch=%s %s -o %s", architecture, ptx, cubin);
    assert_int_equal(system(command), 0);
    char *bytes = NULL;
    EXPECT_OK(ws_file_read(cubin, MOST_BYTES, &bytes, length, &error));
    unlink(ptx);
    unlink(cubin);
    return (u8 *)bytes;
}

static void kept_path(const struct ws_workload *workload, char *path, size_t room)
{
    snprintf(path, room, "%s/%s.%s.cubin", folder, workload->name, architecture);
}

static u8 *cubin_of(const struct ws_workload *workload, size_t *length)
{
    char path[500], *bytes = NULL;
    if (!folder)
        return compile(workload, length);
    kept_path(workload, path, sizeof path);
    EXPECT_OK(ws_file_read(path, MOST_BYTES, &bytes, length, &error));
    return (u8 *)bytes;
}

static void test_workload(void **state)
{
    const struct ws_workload *const workload = *state;
    struct ws_frontend_options options;
    struct ws_program *machine, *ptx;
    struct left machine_left, ptx_left;
    size_t length;
    u8 *const cubin = cubin_of(workload, &length);
    ws_frontend_defaults(&options);
    EXPECT_OK(ws_sass_program(workload->name, cubin, length, &machine, &error));
    if (is_among(workload->kernel, refused, sizeof refused / sizeof *refused)) {
        EXPECT_ERROR_HAS(execute(workload, machine, &machine_left, &error), WS_STATUS_bad_input, "of TEX of");
        free(machine_left.bytes);
        ws_program_free(machine);
        free(cubin);
        return;
    }
    assert_true(hazards_expect_none(machine) > 0);
    EXPECT_OK(ws_program_load(workload->name, workload->ptx, workload->ptx_length, &options, &ptx, &error));
    EXPECT_OK(execute(workload, machine, &machine_left, &error));
    EXPECT_OK(execute(workload, ptx, &ptx_left, &error));
    assert_int_equal(machine_left.length, ptx_left.length);
    if (!is_among(workload->name, approximate, sizeof approximate / sizeof *approximate))
        assert_memory_equal(machine_left.bytes, ptx_left.bytes, ptx_left.length);
    free(machine_left.bytes);
    free(ptx_left.bytes);
    ws_program_free(machine);
    ws_program_free(ptx);
    free(cubin);
}

/* Removes workloads without a cubin in the folder. */
static void keep_rows(struct workload_rows *rows)
{
    size_t count = 0;
    for (size_t n = 0; n < rows->count; n++) {
        char path[500];
        kept_path(rows->test[n].initial_state, path, sizeof path);
        if (access(path, R_OK) == 0)
            rows->test[count++] = rows->test[n];
    }
    rows->count = count;
}

int main(int count, char **arguments)
{
    static struct workload_rows rows;
    architecture = count > 1 ? arguments[1] : "sm_86";
    folder = count > 2 ? arguments[2] : NULL;
    workload_rows_add(&rows, architecture, test_workload);
    if (folder)
        keep_rows(&rows);
    else if (system("ptxas --version >/dev/null 2>&1") != 0) {
        fprintf(stderr, "ptxas is not installed: workloads are not compared with their machine code\n");
        return 77;
    }
    return workload_rows_run(&rows, "sass_workloads");
}
