/* Division of 128-bit integers as compiled by nvcc (division128.cu), on edge cases and random numbers of all lengths. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "shared/dialect.h"
#include "test.h"
#include "warpsweep/frontend.h"

enum { COUNT = 1024, ROOM = 1 << 16 };

__extension__ typedef unsigned __int128 u128;

static u128 in[COUNT][2], out[COUNT][2];

static u64 next_random(u64 *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Every pair of edge cases first; divisors are not 0. */
static void fill(u64 *state)
{
    static const u64 words[] = {0, 1, 2, UINT32_MAX, 0x100000000, INT64_MAX, 0x8000000000000000, UINT64_MAX};
    enum { WORDS = sizeof words / sizeof *words };
    for (u32 n = 0; n < COUNT; n++)
        for (u32 i = 0; i < 2; i++) {
            const u64 high = next_random(state), low = next_random(state), shift = next_random(state) % 128;
            const bool edge = next_random(state) % 4 == 0;
            in[n][i] = edge ? (u128)words[high % WORDS] << 64 | words[low % WORDS] : ((u128)high << 64 | low) >> shift;
            if (i == 1 && in[n][i] == 0)
                in[n][i] = 1;
        }
}

static void run(struct ws_program *program, const struct ws_frontend_options *options)
{
    struct ws_argument arguments[] = {{.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof in, .data = in},
                                      {.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof out, .data = out}};
    struct ws_ndrange launch = {
        .kernel = "divide", .global = {COUNT, 1, 1}, .local = {COUNT, 1, 1}, .argument_count = 2, .arguments = arguments};
    EXPECT_OK(ws_execute(program, options, &launch, NULL, NULL, &error));
}

TEST(test_division)
{
    static char text[ROOM];
    struct ws_frontend_options options;
    struct ws_program *program = NULL;
    u64 random = 0x9E3779B97F4A7C15;
    FILE *const file = fopen(DIVISION, "r");
    assert_non_null(file);
    const size_t length = fread(text, 1, ROOM, file);
    fclose(file);
    ws_frontend_defaults(&options);
    EXPECT_OK(ws_program_load("division128.ptx", text, length, &options, &program, &error));
    for (u32 round = 0; round < 16; round++) {
        fill(&random);
        run(program, &options);
        for (u32 n = 0; n < COUNT; n++) {
            const u128 a = in[n][0], b = in[n][1];
            if (out[n][0] != a / b || out[n][1] != a % b)
                fail_msg("0x%016" PRIx64 "%016" PRIx64 " / 0x%016" PRIx64 "%016" PRIx64 " gives 0x%016" PRIx64 "%016" PRIx64,
                         (u64)(a >> 64), (u64)a, (u64)(b >> 64), (u64)b, (u64)(out[n][0] >> 64), (u64)out[n][0]);
        }
    }
    ws_program_free(program);
}
