/* The first word of SHA-1 (FIPS 180-4) of every window of 52 bytes; windows begin 4 bytes apart, a work-item has one. With its
 * padding a window is one block of 16 words. The block, which becomes the message schedule, is in local memory: word n of the items
 * of a warp of 32 lies side by side. A work-group has at most 128 items, in whole warps, and twice the memory that they need, as
 * the original: three fit 48 KB. The 80 rounds are unrolled. */
#define MOST_ITEMS 128
#define BLOCK      16
#define WORDS      13 /* of a window */
#define ALLOCATED  (2 * MOST_ITEMS * BLOCK - 32)

/* The message is a sequence of bytes; words are big-endian. */
static uint swap(uint word)
{
    return as_uint(as_uchar4(word).wzyx);
}

/* Word t of the message schedule; words up to t - 1 have been made. The schedule is volatile, so that compilers leave it in memory.
 */
static uint word_of(volatile __local uint *schedule, uint t)
{
    if (t < BLOCK)
        return schedule[32 * t];
    const uint word = rotate(schedule[32 * ((t - 3) % BLOCK)] ^ schedule[32 * ((t - 8) % BLOCK)] ^
                                 schedule[32 * ((t - 14) % BLOCK)] ^ schedule[32 * (t % BLOCK)],
                             1u);
    schedule[32 * (t % BLOCK)] = word;
    return word;
}

/* The function of round t, with its constant. */
static uint mix(uint t, uint b, uint c, uint d)
{
    if (t < 20)
        return (d ^ (b & (c ^ d))) + 0x5A827999;
    if (t < 40)
        return (b ^ c ^ d) + 0x6ED9EBA1;
    if (t < 60)
        return ((b & c) | (d & (b | c))) + 0x8F1BBCDC;
    return (b ^ c ^ d) + 0xCA62C1D6;
}

__kernel void sto_sha1(__global const uint *data, __global uint *hashes)
{
    volatile __local uint blocks[ALLOCATED];
    const uint window = get_global_id(0), item = get_local_id(0);
    volatile __local uint *schedule = blocks + item / 32 * 32 * BLOCK + item % 32;

    data += window;
    for (uint n = 0; n < WORDS; n++)
        schedule[32 * n] = swap(data[n]);
    schedule[32 * WORDS] = 0x80000000;
    schedule[32 * (WORDS + 1)] = 0;
    schedule[32 * (WORDS + 2)] = WORDS * 32; /* bits of the message */

    uint a = 0x67452301, b = 0xEFCDAB89, c = 0x98BADCFE, d = 0x10325476, e = 0xC3D2E1F0;
#pragma unroll
    for (uint t = 0; t < 80; t++) {
        const uint next = rotate(a, 5u) + mix(t, b, c, d) + e + word_of(schedule, t);
        e = d;
        d = c;
        c = rotate(b, 30u);
        b = a;
        a = next;
    }
    hashes[window] = swap(a + 0x67452301);
}
