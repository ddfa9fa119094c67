#include "workload.h"

#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "data/aes.h"

WORKLOAD(decrypt, "narasiman2011", 5, "AES-128 decryption, byte by byte (Narasiman 2011, Table 2: decrypt)");

#define ITEMS 1024u /* in one work-group */

enum { CIPHER, PLAIN, KEYS, SBOX, MULTIPLES, BLOCKS, ARGUMENTS };

enum { BLOCK = WS_AES_BLOCK, BYTES = WS_AES_BYTES };

static const struct {
    const char *source;
    u32 blocks;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"decrypt:tiny", 16},
    [WS_SIZE_SMALL] = {"decrypt:small", 2 * ITEMS},
    [WS_SIZE_PAPER] = {"decrypt:paper", 16 * 1024},
};

/* The key of the example of FIPS 197, appendix C.1, is used for all blocks, its plaintext is the first block. */
static void make_tables(struct ws_ndrange *launch, u8 sbox[BYTES])
{
    static const u32 factors[] = {14, 9, 13, 11};
    u8 *inverse = launch->arguments[SBOX].data, *multiples = launch->arguments[MULTIPLES].data;
    ws_aes_make_sbox(sbox);
    ws_aes_expand_key(sbox, ws_aes_example_key, launch->arguments[KEYS].data);
    for (u32 byte = 0; byte < BYTES; byte++)
        inverse[sbox[byte]] = (u8)byte;
    for (u32 n = 0; n < 4 * BYTES; n++)
        multiples[n] = (u8)ws_aes_multiply(n % BYTES, factors[n / BYTES]);
}

/* with_plain: as the kernel leaves it. */
static enum ws_status prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, bool with_plain, struct ws_error *error)
{
    u32 blocks = inputs[size].blocks;
    const u64 bytes = (u64)blocks * BLOCK;
    const struct ws_argument arguments[ARGUMENTS] = {
        [CIPHER] = {WS_ARGUMENT_BUFFER, "cipher", bytes, NULL},
        [PLAIN] = {WS_ARGUMENT_BUFFER, "plain", bytes, NULL},
        [KEYS] = {WS_ARGUMENT_BUFFER, "keys", WS_AES_KEY_BYTES, NULL},
        [SBOX] = {WS_ARGUMENT_BUFFER, "sbox", BYTES, NULL},
        [MULTIPLES] = {WS_ARGUMENT_BUFFER, "multiples", 4 * BYTES, NULL},
        [BLOCKS] = {WS_ARGUMENT_SCALAR, "blocks", sizeof blocks, &blocks},
    };
    u8 sbox[BYTES], text[BLOCK];
    *launch =
        (struct ws_ndrange){.kernel = "decrypt", .source = inputs[size].source, .global = {ITEMS, 1, 1}, .local = {ITEMS, 1, 1}};
    WS_TRY(ws_launch_arguments(launch, arguments, ARGUMENTS, error));
    make_tables(launch, sbox);
    u8 *cipher = launch->arguments[CIPHER].data, *plain = launch->arguments[PLAIN].data;
    for (u32 block = 0; block < blocks; block++) {
        for (u32 n = 0; n < BLOCK; n++)
            text[n] = block == 0 ? ws_aes_example_plain[n] : (u8)ws_random_range(&seed, 0, BYTES - 1);
        ws_aes_encrypt(sbox, launch->arguments[KEYS].data, text, cipher + (size_t)block * BLOCK);
        if (with_plain)
            memcpy(plain + (size_t)block * BLOCK, text, BLOCK);
    }
    return WS_STATUS_ok;
}

enum ws_status ws_decrypt_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    return prepare(size, seed, launch, false, error);
}

enum ws_status ws_decrypt_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    struct ws_ndrange expected;
    WS_TRY(prepare(size, seed, &expected, true, error));
    enum ws_status status = WS_STATUS_ok;
    for (u32 n = 0; n < BLOCKS && status == WS_STATUS_ok; n++)
        status = ws_launch_equal(launch, &expected, n, 1, error);
    ws_launch_release(&expected);
    return status;
}
