/* The example of a user's kernel in configs/launches: its PTX and launch file give the results of plain C and OpenCL. */
#include <stdlib.h>

#include "base/file.h"
#include "test.h"
#include "unit/kit/cl_runner.h"

#define EXAMPLE LAUNCHES_FOLDER "/dot_product"

enum { A, B, PARTIAL, SUMS, COUNT, ARGUMENTS };
enum { MOST_BYTES = 1 << 20, SEED = 3 };

static char *read_text(const char *path, size_t *length)
{
    char *text = NULL;
    EXPECT_OK(ws_file_read(path, MOST_BYTES, &text, length, &error));
    return text;
}

static struct ws_ndrange *load_launch(struct ws_launch_file **file)
{
    struct ws_ndrange *launch = NULL;
    EXPECT_OK(ws_launch_file_load(EXAMPLE ".yaml", SEED, file, &error));
    EXPECT_OK(ws_launch_file_next(*file, &launch, &error));
    assert_int_equal(launch->argument_count, ARGUMENTS);
    return launch;
}

/* A partial sum belongs to the work-group whose work-items take every global[0]-th element. */
static void check(const struct ws_ndrange *launch)
{
    const i32 *a = launch->arguments[A].data;
    const i32 *b = launch->arguments[B].data;
    const i32 *partial = launch->arguments[PARTIAL].data;
    const u32 count = *(const u32 *)launch->arguments[COUNT].data;
    i32 expected[8] = {0};
    assert_int_equal(launch->arguments[PARTIAL].bytes, sizeof expected);
    for (u32 n = 0; n < count; n++)
        expected[n % launch->global[0] / launch->local[0]] += a[n] * b[n];
    for (u32 group = 0; group < 8; group++)
        assert_int_equal(partial[group], expected[group]);
}

TEST(test_ptx)
{
    struct ws_frontend_options options;
    ws_frontend_defaults(&options);
    size_t length = 0;
    char *ptx = read_text(EXAMPLE ".ptx", &length);
    struct ws_program *program = NULL;
    EXPECT_OK(ws_program_load("dot_product.ptx", ptx, length, &options, &program, &error));
    free(ptx);
    struct ws_launch_file *file = NULL;
    struct ws_ndrange *launch = load_launch(&file);
    EXPECT_OK(ws_execute(program, &options, launch, NULL, NULL, &error));
    check(launch);
    ws_launch_file_free(file);
    ws_program_free(program);
}

TEST(test_opencl)
{
    size_t length = 0;
    char *source = read_text(EXAMPLE ".cl", &length);
    struct ws_launch_file *file = NULL;
    struct ws_ndrange *launch = load_launch(&file);
    EXPECT_OK(cl_run(source, launch, &error));
    check(launch);
    ws_launch_file_free(file);
    free(source);
}
