/* mma of m8n8k4 and f16, a product for each of four quad pairs, against the tables of the PTX ISA. */
#include <stdio.h>

#include "frontend/exec/arithmetic/half.h"
#include "frontend/exec/arithmetic/ieee.h"
#include "test.h"
#include "unit/kit/ptx_run.h"
#include "warpsweep/frontend.h"

enum { LANES = 32 };
static run_row in[LANES], out[LANES];

/* A number from 0 to 3 as a half, and the number that a lane has at n in A and B. */
static const u64 halves[] = {0x0000, 0x3C00, 0x4000, 0x4200};
static u32 factor(u32 matrix, u32 lane, u32 n)
{
    return (lane * 7 + n * 5 + matrix * 3 + lane * n) % 4;
}

/* PTX ISA, "Matrix Fragments for mma.m8n8k4 with .f16 floating point type". */
static float quads_result(u32 lane, u32 i, bool single, bool a_in_rows, bool b_in_rows)
{
    const u32 upper = lane / 16 * 4, quad = lane % 16 / 4;
    const u32 row = upper + (single ? (lane & 1) + (i & 2) : lane % 4), column = single ? (i & 4) + (lane & 2) + (i & 1) : i;
    u32 sum = lane;
    for (u32 other = 0; other < LANES; other++)
        for (u32 n = 0; other % 16 / 4 == quad && n < 4; n++)
            for (u32 last = 0; last < LANES; last++)
                for (u32 m = 0; last % 16 / 4 == quad && m < 4; m++) {
                    const u32 a_row = (a_in_rows ? other % 4 : n) + other / 16 * 4, a_k = a_in_rows ? n : other % 4;
                    const u32 b_column = (b_in_rows ? m : last % 4) + last / 16 * 4, b_k = b_in_rows ? last % 4 : m;
                    if (a_row == row && b_column == column && a_k == b_k)
                        sum += factor(0, other, n) * factor(1, last, m);
                }
    return (float)sum;
}

static void compare_quads(bool single, bool a_in_rows, bool b_in_rows)
{
    char body[1000];
    struct ws_frontend_options options;
    struct ws_error error;
    ws_frontend_defaults(&options);
    snprintf(
        body, sizeof body,
        "mov.b64 {%%r0, %%r1}, %%x0; mov.b64 {%%r2, %%r3}, %%x1; cvt.rn.f32.u32 %%f0, %%laneid;\n"
        "cvt.rn.f16.f32 %%h0, %%f0; mov.b32 %%r4, {%%h0, %%h0};\n"
        "mma.sync.aligned.m8n8k4.%s.%s.%s\n"
        "mov.b64 %%y0, {%%r10, %%r11}; mov.b64 %%y1, {%%r12, %%r13}; mov.b64 %%y2, {%%r14, %%r15}; mov.b64 %%y3, {%%r16, %%r17};\n",
        a_in_rows ? "row" : "col", b_in_rows ? "row" : "col",
        single ? "f32.f16.f16.f32 {%r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17}, {%r0, %r1}, {%r2, %r3}, "
                 "{%f0, %f0, %f0, %f0, %f0, %f0, %f0, %f0};"
               : "f16.f16.f16.f16 {%r10, %r11, %r12, %r13}, {%r0, %r1}, {%r2, %r3}, {%r4, %r4, %r4, %r4};");
    if (run_body("", body, &options, in, out, LANES, &error) != WS_STATUS_ok)
        fail_msg("%s: %s", body, error.message);
    for (u32 lane = 0; lane < LANES; lane++)
        for (u32 i = 0; i < 8; i++) {
            const u64 bits = single ? out[lane][i / 2] >> 32 * (i % 2) & UINT32_MAX : out[lane][i / 4] >> 16 * (i % 4) & 0xFFFF;
            const double found = single ? (double)ws_f32(bits) : ws_half_value(bits, 0, WS_TYPE_f16);
            if (found != (double)quads_result(lane, i, single, a_in_rows, b_in_rows))
                fail_msg("%s\nlane %u, number %u is %g, not %g", body, lane, i, found,
                         (double)quads_result(lane, i, single, a_in_rows, b_in_rows));
        }
}

TEST(test_quads)
{
    for (u32 lane = 0; lane < LANES; lane++)
        for (u32 matrix = 0; matrix < 2; matrix++) {
            in[lane][matrix] = 0;
            for (u32 n = 0; n < 4; n++)
                in[lane][matrix] |= halves[factor(matrix, lane, n)] << 16 * n;
        }
    for (u32 way = 0; way < 8; way++)
        compare_quads(way & 1, way & 2, way & 4);
    run_refused("",
                "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, {%r0,%r9}, {%r10,%r11}, "
                "{%r12,%r13,%r14,%r15,%r16,%r17,%r18,%r19};",
                32, LANES, "a register of D is also one of A");
}
