/* AES-128 (FIPS 197) in plain C, byte by byte: what the workloads that use it are made of and checked with. */
#pragma once

#include "shared/dialect.h"

enum { WS_AES_BLOCK = 16, WS_AES_ROUNDS = 10, WS_AES_KEY_BYTES = WS_AES_BLOCK * (WS_AES_ROUNDS + 1), WS_AES_BYTES = 256 };

/* The example of FIPS 197, appendix C.1. */
extern const u8 ws_aes_example_key[WS_AES_BLOCK], ws_aes_example_plain[WS_AES_BLOCK];

/* Product of two bytes in the field of the cipher (FIPS 197, 4.2). */
u32 ws_aes_multiply(u32 a, u32 b);

/* The S-box: the inverse in the field, then an affine map (FIPS 197, 5.1.1). */
void ws_aes_make_sbox(u8 sbox[WS_AES_BYTES]);

/* The round keys (FIPS 197, 5.2), the first of encryption first. */
void ws_aes_expand_key(const u8 sbox[WS_AES_BYTES], const u8 key[WS_AES_BLOCK], u8 keys[WS_AES_KEY_BYTES]);

/* The cipher (FIPS 197, 5.1) of one block. */
void ws_aes_encrypt(const u8 sbox[WS_AES_BYTES], const u8 keys[WS_AES_KEY_BYTES], const u8 *plain, u8 *cipher);
