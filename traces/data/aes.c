#include "data/aes.h"

#include <string.h>

const u8 ws_aes_example_key[WS_AES_BLOCK] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
const u8 ws_aes_example_plain[WS_AES_BLOCK] = {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                               0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF};

u32 ws_aes_multiply(u32 a, u32 b)
{
    u32 product = 0;
    for (; b != 0; b >>= 1) {
        product ^= b & 1 ? a : 0;
        a = a << 1 ^ (a & 0x80 ? 0x11B : 0);
    }
    return product;
}

void ws_aes_make_sbox(u8 sbox[WS_AES_BYTES])
{
    for (u32 byte = 0; byte < WS_AES_BYTES; byte++) {
        u32 inverse = 0;
        while (byte != 0 && ws_aes_multiply(byte, inverse) != 1)
            inverse++;
        u32 mapped = 0x63;
        for (u32 turn = 0; turn < 5; turn++)
            mapped ^= (inverse << turn | inverse >> (8 - turn)) & 0xFF;
        sbox[byte] = (u8)mapped;
    }
}

void ws_aes_expand_key(const u8 sbox[WS_AES_BYTES], const u8 key[WS_AES_BLOCK], u8 keys[WS_AES_KEY_BYTES])
{
    u32 constant = 1;
    memcpy(keys, key, WS_AES_BLOCK);
    for (u32 n = WS_AES_BLOCK; n < WS_AES_KEY_BYTES; n++) {
        u32 byte = keys[n - 4];
        if (n % WS_AES_BLOCK < 4)
            byte = sbox[keys[n - n % WS_AES_BLOCK - 4 + (n + 1) % 4]] ^ (n % WS_AES_BLOCK == 0 ? constant : 0);
        keys[n] = (u8)(keys[n - WS_AES_BLOCK] ^ byte);
        if (n % WS_AES_BLOCK == 3)
            constant = ws_aes_multiply(constant, 2);
    }
}

void ws_aes_encrypt(const u8 sbox[WS_AES_BYTES], const u8 keys[WS_AES_KEY_BYTES], const u8 *plain, u8 *cipher)
{
    u8 state[WS_AES_BLOCK], shifted[WS_AES_BLOCK];
    for (u32 n = 0; n < WS_AES_BLOCK; n++)
        state[n] = plain[n] ^ keys[n];
    for (u32 round = 1; round <= WS_AES_ROUNDS; round++) {
        for (u32 n = 0; n < WS_AES_BLOCK; n++)
            shifted[n] = sbox[state[(n + 4 * (n % 4)) % WS_AES_BLOCK]];
        for (u32 n = 0; n < WS_AES_BLOCK; n++) {
            const u8 *column = shifted + n / 4 * 4;
            u32 byte = shifted[n];
            if (round < WS_AES_ROUNDS)
                byte =
                    ws_aes_multiply(byte, 2) ^ ws_aes_multiply(column[(n + 1) % 4], 3) ^ column[(n + 2) % 4] ^ column[(n + 3) % 4];
            state[n] = (u8)(byte ^ keys[WS_AES_BLOCK * round + n]);
        }
    }
    memcpy(cipher, state, WS_AES_BLOCK);
}
