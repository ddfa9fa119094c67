#include "workload.h"

#include "base/error.h"
#include "base/random.h"

WORKLOAD(needleman, "narasiman2011", 7, "scores of all alignments of two DNA sequences (Narasiman 2011, Table 2: needleman)");

#define ITEMS 1024u /* in one work-group */

enum { FIRST, SECOND, SCORE, LENGTH, ARGUMENTS };

enum { MATCH = 2, MISMATCH = -1, GAP = -2 };

static const struct {
    const char *source;
    u32 length;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"needleman:tiny", 5},
    [WS_SIZE_SMALL] = {"needleman:small", 240},
    [WS_SIZE_PAPER] = {"needleman:paper", 2048},
};

static u8 random_base(u64 *random)
{
    return (u8) "ACGT"[ws_random_range(random, 0, 3)];
}

/* The second sequence is the first with one base in ten changed, deleted or inserted. */
static void mutate(const u8 *first, u8 *second, u32 length, u64 *random)
{
    for (u32 from = 0, to = 0; to < length; to++) {
        switch (from < length ? ws_random_range(random, 0, 29) : 1) {
        case 0:
            second[to] = random_base(random);
            from++;
            break;
        case 1:
            second[to] = random_base(random);
            break;
        case 2:
            from++;
            second[to] = from < length ? first[from] : random_base(random);
            from++;
            break;
        default:
            second[to] = first[from++];
        }
    }
}

enum ws_status ws_needleman_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    u32 length = inputs[size].length;
    const u64 cells = (length + 1ull) * (length + 1ull);
    const struct ws_argument arguments[ARGUMENTS] = {
        [FIRST] = {WS_ARGUMENT_BUFFER, "first", length, NULL},
        [SECOND] = {WS_ARGUMENT_BUFFER, "second", length, NULL},
        [SCORE] = {WS_ARGUMENT_BUFFER, "score", cells * sizeof(i32), NULL},
        [LENGTH] = {WS_ARGUMENT_SCALAR, "length", sizeof length, &length},
    };
    *launch =
        (struct ws_ndrange){.kernel = "needleman", .source = inputs[size].source, .global = {ITEMS, 1, 1}, .local = {ITEMS, 1, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    u8 *first = launch->arguments[FIRST].data;
    for (u32 n = 0; n < length; n++)
        first[n] = random_base(&seed);
    mutate(first, launch->arguments[SECOND].data, length, &seed);
    return WS_STATUS_ok;
}

static i32 larger(i32 a, i32 b)
{
    return a > b ? a : b;
}

/* Row by row. */
static void align(struct ws_ndrange *launch, u32 length)
{
    const u8 *first = launch->arguments[FIRST].data, *second = launch->arguments[SECOND].data;
    i32 *score = launch->arguments[SCORE].data;
    const u64 pitch = length + 1;
    for (u32 column = 1; column <= length; column++)
        score[column] = score[column - 1] + GAP;
    for (u32 row = 1; row <= length; row++) {
        i32 *const above = score + (row - 1) * pitch, *const here = above + pitch;
        here[0] = above[0] + GAP;
        for (u32 column = 1; column <= length; column++) {
            const i32 pair = first[row - 1] == second[column - 1] ? MATCH : MISMATCH;
            here[column] = larger(above[column - 1] + pair, larger(above[column] + GAP, here[column - 1] + GAP));
        }
    }
}

enum ws_status ws_needleman_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_needleman_prepare(size, seed, &expected, error));
    align(&expected, inputs[size].length);
    enum ws_status status = ws_launch_equal(launch, &expected, FIRST, 1, error);
    if (status == WS_STATUS_ok)
        status = ws_launch_equal(launch, &expected, SECOND, 1, error);
    if (status == WS_STATUS_ok)
        status = ws_launch_equal(launch, &expected, SCORE, sizeof(i32), error);
    ws_launch_release(&expected);
    return status;
}
