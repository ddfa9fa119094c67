#include "workload.h"

#include "base/error.h"
#include "base/random.h"

WORKLOAD(viterbi, "narasiman2011", 3, "Viterbi decoding of a convolutional code (Narasiman 2011, Table 2: viterbi)");

#define ITEMS 1024u /* in one work-group */

enum { SYMBOLS, SURVIVORS, DECODED, BLOCKS, STEPS, ARGUMENTS };

enum { STATES = 4, FLUSH = 2, MOST_STEPS = 2048, ERROR_IN = 40 }; /* one coded bit in this many is wrong */

/* Generators over the input bit (highest) and the two before it. */
enum { FIRST_GENERATOR = 7, SECOND_GENERATOR = 5 };

#define UNREACHED 0x10000u

static const struct {
    const char *source;
    u32 blocks, steps;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"viterbi:tiny", 48, 18},
    [WS_SIZE_SMALL] = {"viterbi:small", ITEMS, 90},
    [WS_SIZE_PAPER] = {"viterbi:paper", ITEMS, MOST_STEPS}, /* 2 x 2^21 coded bits */
};

static u32 parity(u32 bits)
{
    return (u32)__builtin_parity(bits);
}

/* The two coded bits of an input bit in a state. */
static u32 encode(u32 bit, u32 state)
{
    const u32 window = bit << 2 | state;
    return parity(window & FIRST_GENERATOR) << 1 | parity(window & SECOND_GENERATOR);
}

static u32 received_wrong(u64 *random)
{
    return ws_random_range(random, 1, ERROR_IN) == 1;
}

enum ws_status ws_viterbi_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    u32 blocks = inputs[size].blocks, steps = inputs[size].steps;
    const u64 bytes = (u64)blocks * steps;
    const struct ws_argument arguments[ARGUMENTS] = {
        [SYMBOLS] = {WS_ARGUMENT_BUFFER, "symbols", bytes, NULL},
        [SURVIVORS] = {WS_ARGUMENT_BUFFER, "survivors", bytes, NULL},
        [DECODED] = {WS_ARGUMENT_BUFFER, "decoded", bytes, NULL},
        [BLOCKS] = {WS_ARGUMENT_SCALAR, "blocks", sizeof blocks, &blocks},
        [STEPS] = {WS_ARGUMENT_SCALAR, "steps", sizeof steps, &steps},
    };
    *launch =
        (struct ws_ndrange){.kernel = "viterbi", .source = inputs[size].source, .global = {ITEMS, 1, 1}, .local = {ITEMS, 1, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    u8 *symbols = launch->arguments[SYMBOLS].data;
    for (u32 block = 0; block < blocks; block++) {
        u32 state = 0;
        for (u32 step = 0; step < steps; step++) {
            const u32 bit = step < steps - FLUSH ? ws_random_range(&seed, 0, 1) : 0;
            const u32 errors = received_wrong(&seed) << 1 | received_wrong(&seed);
            symbols[(u64)step * blocks + block] = (u8)(encode(bit, state) ^ errors);
            state = bit << 1 | state >> 1;
        }
    }
    return WS_STATUS_ok;
}

/* Decoded bits of the best path to each state, the latest in the highest word. */
struct paths {
    u32 metric[STATES];
    u64 bits[STATES][MOST_STEPS / 64];
};

/* Extends the best paths by one step, state after state. */
static void extend(u32 symbol, u32 step, const struct paths *before, struct paths *after)
{
    for (u32 to = 0; to < STATES; to++) {
        const u32 bit = to >> 1;
        u32 from = 0;
        after->metric[to] = UINT32_MAX;
        for (u32 last = 0; last < 2; last++) { /* the lower predecessor wins a tie */
            const u32 state = (to << 1 & 2) | last;
            const u32 metric = before->metric[state] + (u32)__builtin_popcount(symbol ^ encode(bit, state));
            if (metric < after->metric[to]) {
                after->metric[to] = metric;
                from = state;
            }
        }
        for (u32 word = 0; word <= step / 64; word++)
            after->bits[to][word] = before->bits[from][word];
        after->bits[to][step / 64] |= (u64)bit << step % 64;
    }
}

/* Decodes keeping every state's whole path, without traceback. */
static void decode(const u8 *symbols, u8 *decoded, u32 block, u32 blocks, u32 steps)
{
    struct paths paths[2] = {{.metric = {0, UNREACHED, UNREACHED, UNREACHED}}};
    for (u32 step = 0; step < steps; step++)
        extend(symbols[(u64)step * blocks + block], step, &paths[step % 2], &paths[(step + 1) % 2]);
    for (u32 step = 0; step < steps; step++)
        decoded[(u64)step * blocks + block] = paths[steps % 2].bits[0][step / 64] >> step % 64 & 1;
}

enum ws_status ws_viterbi_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    const u32 blocks = inputs[size].blocks, steps = inputs[size].steps;
    struct ws_ndrange expected;
    WS_TRY(ws_viterbi_prepare(size, seed, &expected, error));
    for (u32 block = 0; block < blocks; block++)
        decode(expected.arguments[SYMBOLS].data, expected.arguments[DECODED].data, block, blocks, steps);
    enum ws_status status = ws_launch_equal(launch, &expected, SYMBOLS, 1, error);
    if (status == WS_STATUS_ok)
        status = ws_launch_equal(launch, &expected, DECODED, 1, error);
    ws_launch_release(&expected);
    return status;
}
