/* AES-128 decryption (FIPS 197, 5.3: the inverse cipher), block by block, byte by byte. A block is 16 bytes, a state's column a
 * word, its first row the lowest byte. keys has the 11 round keys, the first of encryption first. sbox is the inverse S-box;
 * multiples has 14, 9, 13 and 11 times each byte in the cipher's field, a table after the other: the column of the inverse
 * MixColumns matrix. */
#define ROUNDS 10

static uint byte_of(uint word, uint row)
{
    return word >> 8 * row & 255;
}

__kernel void decrypt(__global const uint4 *cipher, __global uint4 *plain, __global const uint *keys, __global const uchar *sbox,
                      __global const uchar *multiples, uint blocks)
{
    for (size_t block = get_local_id(0); block < blocks; block += get_local_size(0)) {
        uint state[4], next[4];
        const uint4 input = cipher[block];
        state[0] = input.x ^ keys[4 * ROUNDS];
        state[1] = input.y ^ keys[4 * ROUNDS + 1];
        state[2] = input.z ^ keys[4 * ROUNDS + 2];
        state[3] = input.w ^ keys[4 * ROUNDS + 3];

        for (uint round = ROUNDS; round-- > 0;) {
            /* Row r comes from r columns before; then substitute, and add the round's key. */
#pragma nounroll
            for (uint column = 0; column < 4; column++) {
                uint word = 0;
                for (uint row = 0; row < 4; row++)
                    word |= (uint)sbox[byte_of(state[(column - row) % 4], row)] << 8 * row;
                next[column] = word ^ keys[4 * round + column];
            }
#pragma nounroll
            for (uint column = 0; column < 4; column++) {
                uint word = next[column];
                if (round > 0) {
                    uint mixed = 0;
                    for (uint row = 0; row < 4; row++) {
                        uint sum = 0;
                        for (uint from = 0; from < 4; from++)
                            sum ^= multiples[(row - from) % 4 * 256 + byte_of(word, from)];
                        mixed |= sum << 8 * row;
                    }
                    word = mixed;
                }
                state[column] = word;
            }
        }
        plain[block] = (uint4)(state[0], state[1], state[2], state[3]);
    }
}
