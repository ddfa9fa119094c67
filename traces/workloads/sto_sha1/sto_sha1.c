#include "workload.h"

#include <math.h>

#include "base/error.h"
#include "base/random.h"

WORKLOAD(sto_sha1, "anantpur2015", 10, "SHA-1 of overlapping windows of a text (Anantpur 2015, Table II: sha1_overlap)");

enum { DATA, HASHES, ARGUMENTS };

enum { OFFSET = 4, WINDOW = 52, BLOCK = 64, STATE = 5 }; /* bytes, bytes, bytes, words */

static const struct {
    const char *source;
    u32 groups, items;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"sto_sha1:tiny", 1, 64},
    [WS_SIZE_SMALL] = {"sto_sha1:small", 28, 128},
    [WS_SIZE_PAPER] = {"sto_sha1:paper", 384, 128},
};

enum ws_status ws_sto_sha1_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    const u32 windows = inputs[size].groups * inputs[size].items;
    const struct ws_argument arguments[ARGUMENTS] = {
        [DATA] = {WS_ARGUMENT_BUFFER, "data", (windows - 1) * OFFSET + WINDOW, NULL},
        [HASHES] = {WS_ARGUMENT_BUFFER, "hashes", windows * sizeof(u32), NULL},
    };
    *launch = (struct ws_ndrange){
        .kernel = "sto_sha1", .source = inputs[size].source, .global = {windows, 1, 1}, .local = {inputs[size].items, 1, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    u8 *data = launch->arguments[DATA].data;
    for (u64 n = 0; n < arguments[DATA].bytes; n++)
        data[n] = (u8)ws_random_range(&seed, 0, UINT8_MAX);
    return WS_STATUS_ok;
}

static u32 turn(u32 word, u32 bits)
{
    return word << bits | word >> (32 - bits);
}

static u32 choose(u32 b, u32 c, u32 d)
{
    return (b & c) | (~b & d);
}

static u32 parity(u32 b, u32 c, u32 d)
{
    return b ^ c ^ d;
}

static u32 majority(u32 b, u32 c, u32 d)
{
    return (b & c) ^ (b & d) ^ (c & d);
}

/* FIPS 180-4, 6.1.2, with all 80 words of the schedule; the constants are 2^30 times the roots of 2, 3, 5 and 10. */
static void compress(const u8 block[BLOCK], u32 state[STATE])
{
    static u32 (*const mix[])(u32, u32, u32) = {choose, parity, majority, parity};
    static const double squares[] = {2, 3, 5, 10};
    u32 words[80], next[STATE];
    for (u32 t = 0; t < 80; t++)
        if (t < 16)
            words[t] = (u32)block[4 * t] << 24 | (u32)block[4 * t + 1] << 16 | (u32)block[4 * t + 2] << 8 | block[4 * t + 3];
        else
            words[t] = turn(words[t - 3] ^ words[t - 8] ^ words[t - 14] ^ words[t - 16], 1);
    for (u32 n = 0; n < STATE; n++)
        next[n] = state[n];
    for (u32 t = 0; t < 80; t++) {
        const u32 first = turn(next[0], 5) + mix[t / 20](next[1], next[2], next[3]) + next[4] + words[t] +
                          (u32)floor(ldexp(sqrt(squares[t / 20]), 30));
        next[4] = next[3];
        next[3] = next[2];
        next[2] = turn(next[1], 30);
        next[1] = next[0];
        next[0] = first;
    }
    for (u32 n = 0; n < STATE; n++)
        state[n] += next[n];
}

/* The first 4 bytes of a window's hash. */
static void hash(const u8 window[WINDOW], u8 first[4])
{
    u32 state[STATE] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
    u8 block[BLOCK] = {0};
    for (u32 n = 0; n < WINDOW; n++)
        block[n] = window[n];
    block[WINDOW] = 0x80;
    block[BLOCK - 2] = WINDOW * 8 >> 8;
    block[BLOCK - 1] = WINDOW * 8 & 0xFF;
    compress(block, state);
    for (u32 n = 0; n < 4; n++)
        first[n] = (u8)(state[0] >> (24 - 8 * n));
}

enum ws_status ws_sto_sha1_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_sto_sha1_prepare(size, seed, &expected, error));
    const u8 *data = expected.arguments[DATA].data;
    u8 *hashes = expected.arguments[HASHES].data;
    for (u32 window = 0; window < expected.global[0]; window++)
        hash(data + (size_t)window * OFFSET, hashes + (size_t)window * 4);
    enum ws_status status = ws_launch_equal(launch, &expected, DATA, 1, error);
    if (status == WS_STATUS_ok)
        status = ws_launch_equal(launch, &expected, HASHES, sizeof(u32), error);
    ws_launch_release(&expected);
    return status;
}
