#include "workload.h"

#include <string.h>

#include "base/error.h"
#include "base/random.h"

WORKLOAD(decrypt, "narasiman2011", 5, "AES-128 decryption, byte by byte (Narasiman 2011, Table 2: decrypt)");

#define ITEMS 1024u /* in one work-group */

enum { CIPHER, PLAIN, KEYS, SBOX, MULTIPLES, BLOCKS, ARGUMENTS };

enum { BLOCK = 16, ROUNDS = 10, KEY_BYTES = BLOCK * (ROUNDS + 1), BYTES = 256 };

static const struct {
    const char *source;
    u32 blocks;
} inputs[WS_SIZES] = {
    [WS_SIZE_TINY] = {"decrypt:tiny", 16},
    [WS_SIZE_SMALL] = {"decrypt:small", 2 * ITEMS},
    [WS_SIZE_PAPER] = {"decrypt:paper", 16 * 1024},
};

/* The example of FIPS 197, appendix C.1: its key is used for all blocks, its plaintext is the first block. */
static const u8 example_key[BLOCK] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
static const u8 example_plain[BLOCK] = {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                        0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF};

/* Product in the field of the cipher (FIPS 197, 4.2). */
static u32 multiply(u32 a, u32 b)
{
    u32 product = 0;
    for (; b != 0; b >>= 1) {
        product ^= b & 1 ? a : 0;
        a = a << 1 ^ (a & 0x80 ? 0x11B : 0);
    }
    return product;
}

/* The S-box: the inverse in the field, then an affine map (FIPS 197, 5.1.1). */
static void make_sbox(u8 sbox[BYTES])
{
    for (u32 byte = 0; byte < BYTES; byte++) {
        u32 inverse = 0;
        while (byte != 0 && multiply(byte, inverse) != 1)
            inverse++;
        u32 mapped = 0x63;
        for (u32 turn = 0; turn < 5; turn++)
            mapped ^= (inverse << turn | inverse >> (8 - turn)) & 0xFF;
        sbox[byte] = (u8)mapped;
    }
}

/* The round keys (FIPS 197, 5.2). */
static void expand_key(const u8 sbox[BYTES], u8 keys[KEY_BYTES])
{
    u32 constant = 1;
    memcpy(keys, example_key, BLOCK);
    for (u32 n = BLOCK; n < KEY_BYTES; n++) {
        u32 byte = keys[n - 4];
        if (n % BLOCK < 4)
            byte = sbox[keys[n - n % BLOCK - 4 + (n + 1) % 4]] ^ (n % BLOCK == 0 ? constant : 0);
        keys[n] = (u8)(keys[n - BLOCK] ^ byte);
        if (n % BLOCK == 3)
            constant = multiply(constant, 2);
    }
}

/* The cipher (FIPS 197, 5.1). */
static void encrypt(const u8 sbox[BYTES], const u8 keys[KEY_BYTES], const u8 *plain, u8 *cipher)
{
    u8 state[BLOCK], shifted[BLOCK];
    for (u32 n = 0; n < BLOCK; n++)
        state[n] = plain[n] ^ keys[n];
    for (u32 round = 1; round <= ROUNDS; round++) {
        for (u32 n = 0; n < BLOCK; n++)
            shifted[n] = sbox[state[(n + 4 * (n % 4)) % BLOCK]];
        for (u32 n = 0; n < BLOCK; n++) {
            const u8 *column = shifted + n / 4 * 4;
            u32 byte = shifted[n];
            if (round < ROUNDS)
                byte = multiply(byte, 2) ^ multiply(column[(n + 1) % 4], 3) ^ column[(n + 2) % 4] ^ column[(n + 3) % 4];
            state[n] = (u8)(byte ^ keys[BLOCK * round + n]);
        }
    }
    memcpy(cipher, state, BLOCK);
}

static void make_tables(struct ws_ndrange *launch, u8 sbox[BYTES])
{
    static const u32 factors[] = {14, 9, 13, 11};
    u8 *inverse = launch->arguments[SBOX].data, *multiples = launch->arguments[MULTIPLES].data;
    make_sbox(sbox);
    expand_key(sbox, launch->arguments[KEYS].data);
    for (u32 byte = 0; byte < BYTES; byte++)
        inverse[sbox[byte]] = (u8)byte;
    for (u32 n = 0; n < 4 * BYTES; n++)
        multiples[n] = (u8)multiply(n % BYTES, factors[n / BYTES]);
}

/* with_plain: as the kernel leaves it. */
static enum ws_status prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, bool with_plain, struct ws_error *error)
{
    u32 blocks = inputs[size].blocks;
    const u64 bytes = (u64)blocks * BLOCK;
    const struct ws_argument arguments[ARGUMENTS] = {
        [CIPHER] = {WS_ARGUMENT_BUFFER, "cipher", bytes, NULL},
        [PLAIN] = {WS_ARGUMENT_BUFFER, "plain", bytes, NULL},
        [KEYS] = {WS_ARGUMENT_BUFFER, "keys", KEY_BYTES, NULL},
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
            text[n] = block == 0 ? example_plain[n] : (u8)ws_random_range(&seed, 0, BYTES - 1);
        encrypt(sbox, launch->arguments[KEYS].data, text, cipher + (size_t)block * BLOCK);
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
