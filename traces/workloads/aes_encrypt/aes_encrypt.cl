/* AES-128 encryption (FIPS 197) by tables: each joins SubBytes and MixColumns for one row of the state. A work-item has one column
 * of 4 bytes (a word, the first row its lowest byte), 4 items have a block of 16 bytes. tables has a word for each byte, a table of
 * 256 after the other; keys the 11 round keys. Both are staged in local memory; so is the state, between two buffers: each column
 * needs all four of the round before. A work-group has 256 items. */
#define ITEMS   256
#define ROUNDS  10
#define COLUMNS 4

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void aes_encrypt(__global const uint *plain, __global uint *cipher,
                                                                             __constant uint *tables, __constant uint *keys)
{
    __local uint table[4][256], key[COLUMNS * (ROUNDS + 1)], state[2][ITEMS];
    const uint item = get_local_id(0);
    const uint column = item % COLUMNS, first = item - column;
    const uint next = first + (column + 1) % COLUMNS, third = first + (column + 2) % COLUMNS, last = first + (column + 3) % COLUMNS;

    for (uint row = 0; row < 4; row++)
        table[row][item] = tables[256 * row + item];
    if (item < COLUMNS * (ROUNDS + 1))
        key[item] = keys[item];
    const uint input = plain[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    state[0][item] = input ^ key[column];
    barrier(CLK_LOCAL_MEM_FENCE);

#pragma unroll
    for (uint round = 1; round < ROUNDS; round++) {
        __local const uint *from = state[(round - 1) % 2];
        state[round % 2][item] = table[0][from[item] & 255] ^ table[1][from[next] >> 8 & 255] ^ table[2][from[third] >> 16 & 255] ^
                                 table[3][from[last] >> 24] ^ key[COLUMNS * round + column];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    /* The last round mixes no columns. The byte itself, substituted, is the second of its word in the first table. */
    __local const uint *from = state[(ROUNDS - 1) % 2];
    const uint word = (table[0][from[item] & 255] >> 8 & 255) | (table[0][from[next] >> 8 & 255] & 0xFF00) |
                      (table[0][from[third] >> 16 & 255] << 8 & 0xFF0000) | (table[0][from[last] >> 24] << 16 & 0xFF000000);
    cipher[get_global_id(0)] = word ^ key[COLUMNS * ROUNDS + column];
}
