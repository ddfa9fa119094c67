#include "workload.h"

#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "data/aes.h"

WORKLOAD(aes_encrypt, "anantpur2015", 1, "AES-128 encryption by tables in local memory (Anantpur 2015, Table II: aesEncrypt128)");

enum { PLAIN, CIPHER, TABLES, KEYS, ARGUMENTS };

enum { ITEMS = 256, COLUMN = 4, GROUP_BYTES = ITEMS * COLUMN };

static const struct {
    const char *source;
    u32 groups;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"aes_encrypt:tiny", 1},
    [WS_SIZE_SMALL] = {"aes_encrypt:small", 84},
    [WS_SIZE_PAPER] = {"aes_encrypt:paper", 257},
};

/* Table r: what a byte of row r, substituted, adds to the mixed column, whose first row is the lowest byte. */
static void make_tables(const u8 sbox[WS_AES_BYTES], u8 *tables)
{
    static const u32 factors[COLUMN] = {2, 1, 1, 3}; /* the first column of MixColumns' matrix; the others are its rotations */
    for (u32 row = 0; row < COLUMN; row++)
        for (u32 byte = 0; byte < WS_AES_BYTES; byte++)
            for (u32 to = 0; to < COLUMN; to++)
                *tables++ = (u8)ws_aes_multiply(sbox[byte], factors[(to - row) % COLUMN]);
}

enum ws_status ws_aes_encrypt_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    const u64 bytes = (u64)inputs[size].groups * GROUP_BYTES;
    const struct ws_argument arguments[ARGUMENTS] = {
        [PLAIN] = {WS_ARGUMENT_BUFFER, "plain", bytes, NULL},
        [CIPHER] = {WS_ARGUMENT_BUFFER, "cipher", bytes, NULL},
        [TABLES] = {WS_ARGUMENT_BUFFER, "tables", COLUMN * COLUMN * WS_AES_BYTES, NULL},
        [KEYS] = {WS_ARGUMENT_BUFFER, "keys", WS_AES_KEY_BYTES, NULL},
    };
    *launch = (struct ws_ndrange){.kernel = "aes_encrypt",
                                  .source = inputs[size].source,
                                  .global = {inputs[size].groups * ITEMS, 1, 1},
                                  .local = {ITEMS, 1, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    u8 sbox[WS_AES_BYTES], *plain = launch->arguments[PLAIN].data;
    ws_aes_make_sbox(sbox);
    make_tables(sbox, launch->arguments[TABLES].data);
    ws_aes_expand_key(sbox, ws_aes_example_key, launch->arguments[KEYS].data);
    for (u64 n = 0; n < bytes; n++)
        plain[n] = (u8)ws_random_range(&seed, 0, UINT8_MAX);
    memcpy(plain, ws_aes_example_plain, WS_AES_BLOCK);
    return WS_STATUS_ok;
}

enum ws_status ws_aes_encrypt_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(ws_aes_encrypt_prepare(size, seed, &expected, error));
    const u8 *plain = expected.arguments[PLAIN].data;
    u8 sbox[WS_AES_BYTES], *cipher = expected.arguments[CIPHER].data;
    ws_aes_make_sbox(sbox);
    for (u64 n = 0; n < expected.arguments[PLAIN].bytes; n += WS_AES_BLOCK)
        ws_aes_encrypt(sbox, expected.arguments[KEYS].data, plain + n, cipher + n);
    enum ws_status status = WS_STATUS_ok;
    for (u32 n = 0; n < ARGUMENTS && status == WS_STATUS_ok; n++)
        status = ws_launch_equal(launch, &expected, n, 1, error);
    ws_launch_release(&expected);
    return status;
}
