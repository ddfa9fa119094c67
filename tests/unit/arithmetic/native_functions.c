/* native_* functions of OpenCL C, by way of cl2ptx's prelude and approximate PTX instructions, against the mathematical library. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/file.h"
#include "test.h"
#include "warpsweep/frontend.h"

enum { COUNT = 64, FUNCTIONS = 14, MOST_PTX = 1 << 20 };

/* Elements that native.cl compares: two functions in vectors of 2, 3, 4, 8 and 16. */
enum { SAME_ELEMENTS = 2 * (2 + 3 + 4 + 8 + 16) };

/* Part of the result that may be lost: exp10 multiplies its argument, up to 4, by an inexact constant; all else is better. */
static const double tolerance = 4e-6;

struct buffers {
    float x[COUNT], y[COUNT], result[FUNCTIONS][COUNT];
    u32 same_elements[COUNT];
};

static enum ws_status execute(const char *ptx, size_t length, struct buffers *buffers, struct ws_error *error)
{
    struct ws_frontend_options options;
    ws_frontend_defaults(&options);
    struct ws_argument arguments[] = {
        {.kind = WS_ARGUMENT_BUFFER, .name = "x", .bytes = sizeof buffers->x, .data = buffers->x},
        {.kind = WS_ARGUMENT_BUFFER, .name = "y", .bytes = sizeof buffers->y, .data = buffers->y},
        {.kind = WS_ARGUMENT_BUFFER, .name = "result", .bytes = sizeof buffers->result, .data = buffers->result},
        {.kind = WS_ARGUMENT_BUFFER,
         .name = "same_elements",
         .bytes = sizeof buffers->same_elements,
         .data = buffers->same_elements},
    };
    struct ws_ndrange launch = {
        .kernel = "native",
        .source = "native.ptx",
        .global = {COUNT, 1, 1},
        .local = {COUNT / 2, 1, 1},
        .argument_count = sizeof arguments / sizeof *arguments,
        .arguments = arguments,
    };
    struct ws_program *program;
    WS_TRY(ws_program_load("native.ptx", ptx, length, &options, &program, error));
    const enum ws_status status = ws_execute(program, &options, &launch, NULL, NULL, error);
    ws_program_free(program);
    return status;
}

static void run(struct buffers *buffers)
{
    for (int n = 0; n < COUNT; n++) {
        buffers->x[n] = 0.1f + 3.9f * (float)n / COUNT;
        buffers->y[n] = 2.0f - 3.8f * (float)n / COUNT;
    }
    struct ws_error failure = {0};
    char *ptx = NULL;
    size_t length = 0;
    enum ws_status status = ws_file_read(KERNELS_FOLDER "/native.ptx", MOST_PTX, &ptx, &length, &failure);
    if (status == WS_STATUS_ok)
        status = execute(ptx, length, buffers, &failure);
    free(ptx);
    EXPECT_DONE(status, &failure);
}

static void expected(double x, double y, double values[FUNCTIONS])
{
    const double list[FUNCTIONS] = {cos(x),  exp(x),        exp2(x), pow(10.0, x), log(x), log2(x), log10(x),
                                    1.0 / x, 1.0 / sqrt(x), sin(x),  sqrt(x),      tan(x), x / y,   pow(x, y)};
    for (int f = 0; f < FUNCTIONS; f++)
        values[f] = list[f];
}

TEST(test_scalars)
{
    static struct buffers buffers;
    run(&buffers);
    for (int n = 0; n < COUNT; n++) {
        double values[FUNCTIONS];
        expected((double)buffers.x[n], (double)buffers.y[n], values);
        for (int f = 0; f < FUNCTIONS; f++) {
            const double found = (double)buffers.result[f][n];
            if (!(fabs(found - values[f]) <= tolerance * fmax(1.0, fabs(values[f]))))
                fail_msg("function %d of %.9g and %.9g is %.9g instead of %.9g", f, (double)buffers.x[n], (double)buffers.y[n],
                         found, values[f]);
        }
    }
}

TEST(test_vectors)
{
    static struct buffers buffers;
    run(&buffers);
    for (int n = 0; n < COUNT; n++)
        assert_int_equal(buffers.same_elements[n], SAME_ELEMENTS);
}
