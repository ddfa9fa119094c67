/* Special registers, read as 32 and as 16 bits, against a plain model. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "warpsweep/frontend.h"

/* The masks have more than 16 bits. */
enum { X = 20, Y = 2, Z = 2, GRID_X = 3, GRID_Y = 2, THREADS = X * Y * Z, BLOCKS = GRID_X * GRID_Y, REGISTERS = 27 };

static const char *const names[REGISTERS] = {
    "%tid.x",       "%tid.y",       "%tid.z",    "%ntid.x", "%ntid.y", "%ntid.z",  "%ctaid.x",     "%ctaid.y",     "%ctaid.z",
    "%nctaid.x",    "%nctaid.y",    "%nctaid.z", "%laneid", "%warpid", "%nwarpid", "%lanemask_eq", "%lanemask_lt", "%lanemask_le",
    "%lanemask_gt", "%lanemask_ge", "%smid",     "%nsmid",  "%gridid", "WARP_SZ",  "%envreg3",     "%envreg4",     "%envreg5"};

/* Of global numbers. */
static const u32 offset[3] = {5, 70000, 7};

/* Masks bit by bit: lanes whose number compares so with the thread's. */
static void model(u32 block, u32 thread, u32 expected[REGISTERS])
{
    const u32 lane = thread % 32;
    const u32 plain[] = {thread % X, thread / X % Y, thread / (X * Y), X, Y, Z, block % GRID_X, block / GRID_X, 0, GRID_X, GRID_Y,
                         1,          lane,           thread / 32,      3};
    memset(expected, 0, REGISTERS * sizeof *expected);
    memcpy(expected, plain, sizeof plain);
    for (u32 n = 0; n < 32; n++) {
        expected[15] |= (u32)(n == lane) << n;
        expected[16] |= (u32)(n < lane) << n;
        expected[17] |= (u32)(n <= lane) << n;
        expected[18] |= (u32)(n > lane) << n;
        expected[19] |= (u32)(n >= lane) << n;
    }
    expected[21] = 1;
    expected[23] = 32;
    for (u32 n = 0; n < 3; n++)
        expected[24 + n] = offset[n];
}

/* out[REGISTERS thread + n] = register n, or its low 16 bits. */
static void write_kernel(char *text, size_t room, bool narrow)
{
    size_t length =
        (size_t)snprintf(text, room,
                         ".version 6.0\n.target sm_70\n.address_size 64\n.entry k(.param .u64 k_param_0) {\n"
                         ".reg .b16 %%h, %%g; .reg .b32 %%r<9>; .reg .b64 %%d<4>; ld.param.u64 %%d1, [k_param_0];\n"
                         "mov.u32 %%r1, %%tid.x; mov.u32 %%r2, %%tid.y; mov.u32 %%r3, %%tid.z; mov.u32 %%r4, %%ctaid.x;\n"
                         "mov.u32 %%r5, %%ctaid.y; mad.lo.u32 %%r1, %%r2, %u, %%r1; mad.lo.u32 %%r1, %%r3, %u, %%r1;\n"
                         "mad.lo.u32 %%r4, %%r5, %u, %%r4; mad.lo.u32 %%r1, %%r4, %u, %%r1;\n"
                         "mul.wide.u32 %%d2, %%r1, %u; add.u64 %%d1, %%d1, %%d2;\n",
                         X, X * Y, GRID_X, THREADS, 4 * REGISTERS);
    for (u32 n = 0; n < REGISTERS; n++)
        length += (size_t)snprintf(text + length, room - length,
                                   narrow ? "mov.u16 %%h, %s; mov.b32 %%r6, {%%h, %%g}; st.global.u32 [%%d1+%u], %%r6;\n"
                                          : "mov.u32 %%r6, %s; st.global.u32 [%%d1+%u], %%r6;\n",
                                   names[n], 4 * n);
    snprintf(text + length, room - length, "ret; }\n");
}

static void check(bool narrow)
{
    static u32 out[BLOCKS * THREADS][REGISTERS];
    static char text[8000];
    struct ws_argument argument = {.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof out, .data = out};
    struct ws_ndrange launch = {.kernel = "k",
                                .global = {X * GRID_X, Y * GRID_Y, Z},
                                .local = {X, Y, Z},
                                .argument_count = 1,
                                .arguments = &argument,
                                .offset = {offset[0], offset[1], offset[2]}};
    struct ws_frontend_options options;
    struct ws_program *program;
    write_kernel(text, sizeof text, narrow);
    memset(out, 0xAA, sizeof out);
    ws_frontend_defaults(&options);
    EXPECT_OK(ws_program_load("specials", text, strlen(text), &options, &program, &error));
    EXPECT_OK(ws_execute(program, &options, &launch, NULL, NULL, &error));
    ws_program_free(program);
    for (u32 n = 0; n < BLOCKS * THREADS; n++) {
        u32 expected[REGISTERS];
        model(n / THREADS, n % THREADS, expected);
        for (u32 r = 0; r < REGISTERS; r++)
            if (out[n][r] != (narrow ? expected[r] & 0xFFFF : expected[r]))
                fail_msg("block %u, thread %u: %s is 0x%x, not 0x%x", n / THREADS, n % THREADS, names[r], out[n][r], expected[r]);
    }
}

TEST(test_whole)
{
    check(false);
}

TEST(test_narrow)
{
    check(true);
}
