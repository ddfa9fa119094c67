/* The layouts of matrices in shared memory: PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions". */
#include "frontend/ptx/warpgroup.h"

#include <string.h>

#include "frontend/ptx/bulk.h"

enum { GROUP = 8, UNIT = 16 /* bytes */, LANES_OF_GROUP = 4 };

/* A matrix descriptor: bytes, and the width of its swizzle (0: none). */
struct descriptor {
    u32 start, leading, stride, width;
    u32 swizzle; /* enum ws_tensor_swizzle */
    bool offset;
};

static struct descriptor decoded(u64 bits)
{
    static const u8 swizzles[] = {0, 3, 2, 1}; /* none, 128, 64, 32 bytes */
    const u32 swizzle = swizzles[bits >> 62];
    return (struct descriptor){.start = (u32)(bits & 0x3FFF) << 4,
                               .leading = (u32)(bits >> 16 & 0x3FFF) << 4,
                               .stride = (u32)(bits >> 32 & 0x3FFF) << 4,
                               .width = swizzle ? UNIT << swizzle : 0,
                               .swizzle = swizzle,
                               .offset = bits >> 49 & 7};
}

/* Where number k of line n (row of A, column of B) lies. Lines lie one after another, in groups of eight: */
static u64 place_by_k(const struct descriptor *in, u32 n, u32 k, u32 bytes)
{
    const u32 at = k * bytes;
    if (in->width)
        return in->start + n / GROUP * in->stride + n % GROUP * in->width + at;
    return in->start + n / GROUP * in->stride + n % GROUP * UNIT + at / UNIT * in->leading + at % UNIT;
}

/* Or the numbers of one k lie side by side, for eight k one after another. */
static u64 place_by_line(const struct descriptor *in, u32 n, u32 k, u32 bytes)
{
    const u32 at = n * bytes;
    if (in->width)
        return in->start + at / in->width * in->leading + at % in->width + k % GROUP * in->width + k / GROUP * in->stride;
    return in->start + at / UNIT * in->stride + at % UNIT + k % GROUP * UNIT + k / GROUP * in->leading;
}

u32 ws_wgmma_k(const struct ws_op *op)
{
    return 2 * UNIT * 8 / ws_matrix_bits(op->from);
}

/* A number in shared memory. */
static bool read_number(const struct descriptor *in, bool by_line, u32 n, u32 k, u8 type, const struct ws_range *shared,
                        double *number)
{
    const u32 bytes = ws_matrix_bits(type) / 8;
    const u64 place = ws_tensor_swizzled(by_line ? place_by_line(in, n, k, bytes) : place_by_k(in, n, k, bytes), in->swizzle);
    const u8 *const at = ws_range_at(shared, place, bytes);
    u32 bits = 0;
    if (!at)
        return false;
    memcpy(&bits, at, bytes);
    *number = ws_matrix_number(bits, 0, type);
    return true;
}

static double in_register(const struct ws_op *op, const u64 (*sources)[WS_MATRIX_SOURCES], u32 row, u32 k)
{
    const u32 per = 32 / ws_matrix_bits(op->from);
    const u32 place = k / (per * LANES_OF_GROUP) * 2 + row / GROUP;
    return ws_matrix_number(sources[row % GROUP * LANES_OF_GROUP + k / per % LANES_OF_GROUP][WS_WGMMA_A + place], k % per,
                            op->from);
}

bool ws_wgmma_read(const struct ws_op *op, u32 warp, const struct ws_range *shared, const u64 (*sources)[WS_MATRIX_SOURCES],
                   struct ws_wgmma_tile *tile)
{
    const bool a_shared = op->compare & WS_WGMMA_A_SHARED;
    const struct descriptor a = decoded(sources[0][WS_WGMMA_A]), b = decoded(sources[0][WS_WGMMA_B]);
    if ((a_shared && a.offset) || b.offset)
        return false;
    for (u32 k = 0; k < ws_wgmma_k(op); k++) {
        for (u32 row = 0; row < WS_WGMMA_ROWS; row++) {
            const u32 line = warp % 4 * WS_WGMMA_ROWS + row;
            tile->a[row][k] = a_shared ? 0 : in_register(op, sources, row, k);
            if (a_shared && !read_number(&a, op->compare & WS_WGMMA_A_COLUMNS, line, k, op->from, shared, &tile->a[row][k]))
                return false;
            tile->a[row][k] *= op->compare & WS_WGMMA_A_NEGATIVE ? -1 : 1;
        }
        for (u32 column = 0; column < WS_WGMMA_TILE; column++) {
            const u32 line = (u32)op->offset * WS_WGMMA_TILE + column;
            if (!read_number(&b, op->compare & WS_WGMMA_B_COLUMNS, line, k, op->mode, shared, &tile->b[column][k]))
                return false;
            tile->b[column][k] *= op->compare & WS_WGMMA_B_NEGATIVE ? -1 : 1;
        }
    }
    return true;
}

void ws_wgmma_product(const struct ws_op *op, const struct ws_wgmma_tile *tile, u32 lane, const u64 *sources, u64 *slot)
{
    const bool halves = op->type == WS_TYPE_f16;
    for (u32 n = 0; n < (halves ? 2u : 4u); n++) {
        const u64 c = sources[WS_WGMMA_ADDS] ? sources[WS_WGMMA_C + n] : 0;
        u64 word = 0;
        for (u32 half = 0; half < (halves ? 2u : 1u); half++) {
            const u32 row = lane / LANES_OF_GROUP + (halves ? n : n / 2) * GROUP;
            const u32 column = lane % LANES_OF_GROUP * 2 + (halves ? half : n % 2);
            double sum = 0;
            for (u32 k = 0; k < ws_wgmma_k(op); k++)
                sum += tile->a[row][k] * tile->b[column][k];
            word |= ws_matrix_sum(op, sum, c, half) << 16 * half;
        }
        if (op->dst[n] != WS_SLOT_NONE)
            slot[op->dst[n]] = word;
    }
}
