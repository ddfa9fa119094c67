/* wgmma against plain products of matrices that the test places in shared memory by the rules of the PTX ISA, and bulk copies, with
 * tensor maps, against plain indexing. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "test.h"
#include "unit/kit/ptx_run.h"
#include "warpsweep/frontend.h"
#include "warpsweep/tensor_map.h"

enum { THREADS = 128, SHARED_BYTES = 32768, WORDS = 128 /* of a thread's output */, SIDE = 64 };

static u8 input[SHARED_BYTES], tensor[SIDE * SIDE * 8];
static float output[THREADS * WORDS];

/* Loads the kernel and launches one block of THREADS threads. buffers: bytes and data in the order of parameters. */
static enum ws_status launch(const char *text, struct ws_argument *arguments, u32 count, struct ws_error *error)
{
    struct ws_buffer pointed = {.name = "tensor", .bytes = sizeof tensor, .data = tensor};
    struct ws_program *program = NULL;
    struct ws_frontend_options options;
    struct ws_ndrange range = {.kernel = "k",
                               .global = {THREADS, 1, 1},
                               .local = {THREADS, 1, 1},
                               .argument_count = count,
                               .arguments = arguments,
                               .buffer_count = 1,
                               .buffers = &pointed};
    ws_frontend_defaults(&options);
    const enum ws_status loaded = ws_program_load("k.ptx", text, strlen(text), &options, &program, error);
    const enum ws_status status = loaded == WS_STATUS_ok ? ws_execute(program, &options, &range, NULL, NULL, error) : loaded;
    if (loaded == WS_STATUS_ok)
        ws_program_free(program);
    return status;
}

/* ---- wgmma ---- */

/* A small number in a type of 16, 32 or 8 bits (f16, tf32, s8), as bits. */
static u32 encoded(const char *type, int value)
{
    const float number = (float)value;
    u32 bits;
    memcpy(&bits, &number, sizeof bits);
    if (strcmp(type, "s8") == 0)
        return (u8)value;
    if (strcmp(type, "tf32") == 0)
        return bits;
    if (strcmp(type, "bf16") == 0)
        return bits >> 16;
    if (strcmp(type, "e4m3") == 0) /* value is 0, or 1 to 8 with a sign */
        return value == 0 ? 0 : (bits >> 24 & 0x80) | ((bits >> 23 & 0xFF) - 120) << 3 | (bits >> 20 & 7);
    return value == 0 ? 0 : (bits >> 16 & 0x8000) | ((bits >> 23 & 0xFF) - 112) << 10 | (bits >> 13 & 0x3FF);
}

struct layout {
    u32 width;    /* of the swizzle in bytes; 0: none */
    bool by_line; /* the numbers of a k lie side by side */
    u32 leading, stride;
};

/* The place of 16 bytes of a matrix without swizzle, as the tables of canonical layouts give it: for lines of numbers by k, eight
 * lines of `row` bytes are a group; by line, eight k are. Then the swizzle changes places of 16 bytes within a row. */
static u32 place(const struct layout *layout, u32 line, u32 k, u32 bytes)
{
    const u32 along = (layout->by_line ? line : k) * bytes, across = layout->by_line ? k : line;
    const u32 row = layout->width ? layout->width : 16;
    const u32 piece = along / row, in_piece = along % row, group = across / 8, in_group = across % 8;
    /* Which field holds the distance of pieces, and which that of groups. */
    const bool stride_of_groups = layout->width || !layout->by_line;
    u32 at =
        in_group * row + in_piece +
        (stride_of_groups ? group * layout->stride + piece * layout->leading : piece * layout->stride + group * layout->leading);
    if (layout->width) {
        const u32 pieces = layout->width / 16, number = at / 16 % pieces, turn = at / 128 % pieces;
        at = at / layout->width * layout->width + (number ^ turn) * 16 + at % 16;
    }
    return at;
}

struct product {
    const char *sum, *type;
    u32 n, bytes; /* columns; of a number */
    struct layout a, b;
    bool registers, negative, adds; /* A in registers; -B; C is added */
};

static void fill(const struct product *product, int a[64][32], int b[256][32])
{
    u64 state = 7;
    const u32 k = 32 / product->bytes;
    memset(input, 0, sizeof input);
    for (u32 line = 0; line < 64 + product->n; line++)
        for (u32 i = 0; i < k; i++) {
            const int value = (int)(ws_random(&state) % 9) - 4;
            const u32 bits = encoded(product->type, value), of_b = line >= 64;
            u8 *const at = input + (of_b ? 8192 + place(&product->b, line - 64, i, product->bytes)
                                         : place(&product->a, line, i, product->bytes));
            *(of_b ? &b[line - 64][i] : &a[line][i]) = value;
            memcpy(at, &bits, product->bytes);
        }
}

static u64 descriptor(const struct layout *layout)
{
    const u64 swizzle = layout->width == 128 ? 1 : layout->width == 64 ? 2 : layout->width == 32 ? 3 : 0;
    return (u64)(layout->leading >> 4) << 16 | (u64)(layout->stride >> 4) << 32 | swizzle << 62;
}

static size_t write_kernel(const struct product *product, char *text, size_t room)
{
    const u32 count = product->n / 2, k = 32 / product->bytes;
    char list[1500] = "", stores[9000] = "", a[200], signs[40] = "";
    size_t length = 0, stored = 0;
    for (u32 n = 0; n < count; n++) {
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%%f%u", n ? ", " : "", n);
        stored += (size_t)snprintf(stores + stored, sizeof stores - stored, "st.global.b32 [%%d2+%u], %%f%u;\n", 4 * n, n);
    }
    snprintf(a, sizeof a, product->registers ? "{%%w0, %%w1, %%w2, %%w3}" : "%%d3");
    if (strcmp(product->sum, "s32") != 0)
        snprintf(signs, sizeof signs, ", 1, %d", product->negative ? -1 : 1);
    if (product->bytes == 2 && !product->registers)
        snprintf(signs + strlen(signs), sizeof signs - strlen(signs), ", %d", product->a.by_line);
    if (product->bytes == 2)
        snprintf(signs + strlen(signs), sizeof signs - strlen(signs), ", %d", product->b.by_line);
    return (size_t)snprintf(
        text, room,
        ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out) {\n"
        ".reg .b64 %%d<9>; .reg .b32 %%r<9>, %%f<128>, %%w<4>; .reg .pred %%p; .shared .align 1024 .b8 tile[%d];\n"
        "ld.param.u64 %%d1, [in]; ld.param.u64 %%d2, [out]; mov.u32 %%r1, %%tid.x; mov.u32 %%r2, tile; shl.b32 %%r3, %%r1, 2;\n"
        "COPY: cvt.u64.u32 %%d6, %%r3; add.u64 %%d6, %%d6, %%d1; ld.global.u32 %%r4, [%%d6]; add.u32 %%r5, %%r2, %%r3;\n"
        "st.shared.u32 [%%r5], %%r4; add.u32 %%r3, %%r3, %d; setp.lt.u32 %%p, %%r3, %d; @%%p bra COPY; bar.sync 0;\n"
        "shr.u32 %%r6, %%r2, 4; cvt.u64.u32 %%d3, %%r6; or.b64 %%d4, %%d3, 0x%llx; add.u64 %%d4, %%d4, 512;\n"
        "or.b64 %%d3, %%d3, 0x%llx;\n"
        /* A in registers: rows of 32 bytes, without swizzle, four bytes each (PTX ISA, register fragments). */
        "shr.u32 %%r7, %%r1, 5; and.b32 %%r8, %%r1, 31; shr.u32 %%r3, %%r8, 2; mad.lo.u32 %%r3, %%r7, 16, %%r3;\n"
        "and.b32 %%r4, %%r8, 3; shl.b32 %%r4, %%r4, 2; mad.lo.u32 %%r3, %%r3, 32, %%r4; add.u32 %%r3, %%r3, %%r2;\n"
        "ld.shared.b32 %%w0, [%%r3]; ld.shared.b32 %%w1, [%%r3+256]; ld.shared.b32 %%w2, [%%r3+16]; ld.shared.b32 %%w3, "
        "[%%r3+272];\n"
        "mad.wide.u32 %%d2, %%r1, %d, %%d2; setp.eq.u32 %%p, %d, 1;\nmov.b32 %%f0, %s;\n"
        "wgmma.fence.sync.aligned;\nwgmma.mma_async.sync.aligned.m64n%uk%u.%s.%s.%s {%s}, %s, %%d4, %%p%s;\n"
        "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n%sret; }\n",
        (int)SHARED_BYTES, (int)(THREADS * 4), (int)SHARED_BYTES, (unsigned long long)descriptor(&product->b),
        (unsigned long long)descriptor(&product->a), (int)(WORDS * sizeof(float)), product->adds ? 1 : 0,
        strcmp(product->sum, "s32") == 0 ? "3" : "0f40400000", product->n, k, product->sum, product->type, product->type, list, a,
        signs, stores);
}

static void check(const struct product *product)
{
    static char text[16000];
    static int a[64][32], b[256][32];
    struct ws_error error;
    struct ws_argument arguments[] = {{.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof input, .data = input},
                                      {.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof output, .data = output}};
    fill(product, a, b);
    write_kernel(product, text, sizeof text);
    if (launch(text, arguments, 2, &error) != WS_STATUS_ok)
        fail_msg("%s\n%s", text, error.message);
    for (u32 n = 0; n < THREADS * product->n / 2; n++) {
        const u32 thread = n / (product->n / 2), number = n % (product->n / 2), lane = thread % 32;
        const u32 row = thread / 32 * 16 + lane / 4 + number / 2 % 2 * 8, column = number / 4 * 8 + lane % 4 * 2 + number % 2;
        int sum = 0;
        for (u32 i = 0; i < 32 / product->bytes; i++)
            sum += a[row][i] * b[column][i];
        sum = (product->negative ? -sum : sum) + (product->adds && number == 0 ? 3 : 0);
        float found = output[thread * WORDS + number];
        if (strcmp(product->sum, "s32") == 0) {
            int whole;
            memcpy(&whole, &found, sizeof whole);
            found = (float)whole;
        }
        if (fabsf(found - (float)sum) > 0)
            fail_msg("%s\nrow %u, column %u is %f, not %d", text, row, column, (double)found, sum);
    }
}

TEST(test_products)
{
    static const struct product products[] = {
        {"f32", "f16", 8, 2, {0, false, 128, 256}, {0, false, 128, 256}, false, false, true},
        {"f32", "f16", 64, 2, {32, false, 16, 256}, {32, false, 16, 256}, false, true, false},
        {"f32", "bf16", 64, 2, {64, false, 16, 512}, {64, false, 16, 512}, false, false, true},
        {"f32", "f16", 64, 2, {128, false, 16, 1024}, {128, false, 16, 1024}, false, false, false},
        {"f32", "f16", 128, 2, {128, true, 2048, 1024}, {128, true, 2048, 1024}, false, false, true},
        {"f32", "f16", 32, 2, {64, true, 1024, 512}, {64, true, 1024, 512}, false, false, true},
        {"f32", "bf16", 16, 2, {32, true, 512, 256}, {32, true, 512, 256}, false, true, true},
        {"f32", "f16", 64, 2, {0, true, 1024, 128}, {0, true, 1024, 128}, false, false, true},
        {"f32", "tf32", 24, 4, {128, false, 16, 1024}, {32, false, 16, 256}, false, false, true},
        {"f32", "e4m3", 40, 1, {64, false, 16, 512}, {0, false, 128, 256}, false, true, true},
        {"s32", "s8", 256, 1, {128, false, 16, 1024}, {32, false, 16, 256}, false, false, true}};
    for (size_t n = 0; n < sizeof products / sizeof *products; n++)
        check(&products[n]);
}

/* A in registers, whose words the kernel loads from rows of 32 bytes. */
TEST(test_registers)
{
    static const struct {
        const char *sum, *type;
        u32 bytes;
    } types[] = {{"f32", "f16", 2}, {"f32", "tf32", 4}, {"s32", "s8", 1}};
    static int a[64][32], b[256][32];
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        static char text[16000];
        struct ws_error error;
        struct product product = {types[t].sum, types[t].type, 16,  types[t].bytes, {0, false, 0, 0}, {128, false, 16, 1024},
                                  true,         false,         true};
        fill(&product, a, b);
        memset(input, 0, 8192);
        for (u32 row = 0; row < 64; row++)
            for (u32 i = 0; i < 32 / types[t].bytes; i++) {
                const u32 bits = encoded(types[t].type, a[row][i]);
                memcpy(input + row * 32 + i * types[t].bytes, &bits, types[t].bytes);
            }
        struct ws_argument arguments[] = {{.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof input, .data = input},
                                          {.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof output, .data = output}};
        write_kernel(&product, text, sizeof text);
        if (launch(text, arguments, 2, &error) != WS_STATUS_ok)
            fail_msg("%s\n%s", text, error.message);
        for (u32 n = 0; n < THREADS * 8; n++) {
            const u32 thread = n / 8, number = n % 8, lane = thread % 32;
            const u32 row = thread / 32 * 16 + lane / 4 + number / 2 % 2 * 8, column = number / 4 * 8 + lane % 4 * 2 + number % 2;
            int sum = number == 0 ? 3 : 0, whole;
            for (u32 i = 0; i < 32 / types[t].bytes; i++)
                sum += a[row][i] * b[column][i];
            memcpy(&whole, &output[thread * WORDS + number], sizeof whole);
            const double found = types[t].sum[0] == 's' ? whole : (double)output[thread * WORDS + number];
            if (fabs(found - sum) > 0)
                fail_msg("%s: row %u, column %u is %f, not %d", types[t].type, row, column, found, sum);
        }
    }
}

/* ---- Tensor maps ---- */

enum { BOX_COLUMNS = 16, BOX_ROWS = 5, COLUMNS = 40, ROWS = 7 };

static const char copy_kernel[] =
    ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .align 64 .b8 map[128], .param .u64 out, .param .u64 "
    "back, .param .u32 x, .param .u32 y) {\n"
    ".reg .b64 %d<9>; .reg .b32 %r<9>; .reg .pred %p<3>; .shared .align 1024 .b8 tile[1024]; .shared .align 8 .b64 gate;\n"
    "ld.param.u64 %d2, [out]; ld.param.u32 %r1, [x]; ld.param.u32 %r2, [y]; mov.u32 %r3, %tid.x; mov.u64 %d3, map;\n"
    "cvta.param.u64 %d3, %d3; mov.u32 %r4, tile; mov.u32 %r5, gate; setp.eq.u32 %p1, %r3, 0;\n"
    "@%p1 mbarrier.init.shared::cta.b64 [gate], 1; bar.sync 0; @!%p1 bra WAIT; prefetch.tensormap [%d3];\n"
    "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r5], 320;\n"
    "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r4], [%d3, {%r1, %r2}], [%r5];\n"
    "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r5], 0; @!%p2 bra WAIT;\n"
    "mad.lo.u32 %r6, %r3, 4, %r4; ld.shared.u32 %r7, [%r6]; mad.wide.u32 %d4, %r3, 4, %d2; setp.lt.u32 %p2, %r3, 80;\n"
    "@%p2 st.global.u32 [%d4], %r7; add.u32 %r7, %r7, 1000; @%p2 st.shared.u32 [%r6], %r7; fence.proxy.async.shared::cta;\n"
    "bar.sync 0; @!%p1 bra END; ld.param.u64 %d5, [back]; setp.ne.u64 %p2, %d5, 0; @!%p2 bra END;\n"
    "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%d3, {%r1, %r2}], [%r4];\n"
    "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n"
    "END: ret; }\n";

/* Copies a box from (x, y) and compares; steps: every how many columns. */
static void check_box(int x, int y, u32 swizzle, u32 steps, bool reduces)
{
    static u32 found[THREADS];
    u32 *const numbers = (u32 *)tensor;
    struct ws_tensor_map map = {.address = (u64)(uintptr_t)tensor,
                                .strides = {SIDE * sizeof *numbers},
                                .sizes = {COLUMNS - 1, ROWS - 1},
                                .box = {(u16)(BOX_COLUMNS * steps), BOX_ROWS},
                                .steps = {(u8)steps, 1},
                                .rank = 2,
                                .magic = WS_TENSOR_MAGIC,
                                .element_bytes = sizeof *numbers,
                                .swizzle = (u8)swizzle};
    u32 place[2];
    u64 back = reduces;
    struct ws_error error;
    memcpy(&place[0], &x, sizeof x);
    memcpy(&place[1], &y, sizeof y);
    for (u32 n = 0; n < SIDE * SIDE; n++)
        numbers[n] = n + 1;
    const u64 pointer = 0; /* the offset of the address */
    struct ws_argument arguments[] = {
        {.kind = WS_ARGUMENT_SCALAR, .bytes = sizeof map, .data = &map, .pointer_count = 1, .pointers = &pointer},
        {.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof found, .data = found},
        {.kind = WS_ARGUMENT_SCALAR, .bytes = sizeof back, .data = &back},
        {.kind = WS_ARGUMENT_SCALAR, .bytes = 4, .data = &place[0]},
        {.kind = WS_ARGUMENT_SCALAR, .bytes = 4, .data = &place[1]}};
    if (launch(copy_kernel, arguments, 5, &error) != WS_STATUS_ok)
        fail_msg("%s", error.message);
    for (int n = 0; n < BOX_COLUMNS * BOX_ROWS; n++) {
        const int column = x + n % BOX_COLUMNS * (int)steps, row = y + n / BOX_COLUMNS;
        const bool inside = column >= 0 && column < COLUMNS && row >= 0 && row < ROWS;
        const u32 expect = inside ? (u32)(row * SIDE + column + 1) : 0;
        u32 unit = (u32)n / 4; /* 16 bytes; the tile begins at a multiple of 1 KB, its rows have 64 bytes */
        unit ^= swizzle == WS_TENSOR_SWIZZLE_64 ? unit / 8 % 4 : 0;
        assert_int_equal(found[unit * 4 + (u32)n % 4], expect);
        if (inside)
            assert_int_equal(numbers[row * SIDE + column], reduces ? 2 * expect + 1000 : expect);
    }
}

TEST(test_boxes)
{
    check_box(0, 0, WS_TENSOR_SWIZZLE_none, 1, false);
    check_box(20, 2, WS_TENSOR_SWIZZLE_none, 1, true);
    check_box(30, 4, WS_TENSOR_SWIZZLE_64, 1, false); /* partly outside */
    check_box(-3, -2, WS_TENSOR_SWIZZLE_64, 1, true);
    check_box(1, 1, WS_TENSOR_SWIZZLE_none, 2, false);
    check_box(1000, 0, WS_TENSOR_SWIZZLE_none, 1, true);
}

/* Bulk copies without a map: in, inside shared memory, and out with a sum. */
TEST(test_lines)
{
    static const char kernel[] =
        ".version 8.6\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out) {\n"
        ".reg .b64 %d<9>; .reg .b32 %r<9>; .reg .pred %p<3>; .shared .align 128 .b8 tile[2048]; .shared .align 8 .b64 gate;\n"
        "ld.param.u64 %d1, [in]; ld.param.u64 %d2, [out]; mov.u32 %r3, %tid.x; mov.u32 %r4, tile; mov.u32 %r5, gate;\n"
        "setp.eq.u32 %p1, %r3, 0; @%p1 mbarrier.init.shared::cta.b64 [gate], 1; bar.sync 0;\n"
        "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [gate], 656;\n"
        "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%r4], [%d1+16], 336, [gate], %d7;\n"
        "@%p1 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r4+1024], [%r4+16], 320, [gate];\n"
        "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p2, [gate], 0; @!%p2 bra WAIT;\n"
        "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%d2], [tile], 336;\n"
        "@%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%d2], [%r4+1024], 320;\n"
        "@%p1 cp.async.bulk.prefetch.L2.global [%d1], 128; ret; }\n";
    struct ws_error error;
    float *const numbers = (float *)input;
    for (u32 n = 0; n < SHARED_BYTES / sizeof *numbers; n++)
        numbers[n] = (float)n;
    memset(output, 0, sizeof output);
    struct ws_argument arguments[] = {{.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof input, .data = input},
                                      {.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof output, .data = output}};
    if (launch(kernel, arguments, 2, &error) != WS_STATUS_ok)
        fail_msg("%s", error.message);
    for (u32 n = 0; n < 100; n++) {
        const float expect = n < 80 ? (float)(n + 4 + n + 8) : n < 84 ? (float)(n + 4) : 0;
        if (fabsf(output[n] - expect) > 0)
            fail_msg("number %u is %f, not %f", n, (double)output[n], (double)expect);
    }
}

/* cp.async: a predicate makes it read nothing and store zeros; a cache policy has no effect. */
TEST(test_ignored_source)
{
    static run_row in[THREADS], out[THREADS];
    struct ws_frontend_options options;
    struct ws_error error;
    ws_frontend_defaults(&options);
    run_values(in, THREADS);
    if (run_body(".shared .align 16 .b8 s[2048];",
                 "mov.u32 %r2, s; mad.lo.u32 %r0, %thread, 16, %r2; and.b32 %r1, %thread, 1; setp.eq.u32 %p1, %r1, 1;\n"
                 "st.shared.v2.u64 [%r0], {%in, %in};\n"
                 "cp.async.cg.shared.global.L2::cache_hint.L2::128B [%r0], [%in], 16, %p1, %d7; cp.async.wait_all;\n"
                 "ld.shared.v2.u64 {%y0, %y1}, [%r0]; cp.async.ca.shared.global.L2::cache_hint [%r0], [%in+8], 8, %d7;\n"
                 "ld.shared.u64 %y2, [%r0];",
                 &options, in, out, THREADS, &error) != WS_STATUS_ok)
        fail_msg("%s", error.message);
    for (u32 n = 0; n < THREADS; n++) {
        assert_true(out[n][0] == (n % 2 ? 0 : in[n][0]));
        assert_true(out[n][1] == (n % 2 ? 0 : in[n][1]));
        assert_true(out[n][2] == in[n][1]);
    }
}

TEST(test_refused)
{
    struct ws_error error;
    u32 zero = 0;
    u64 none = 0, map[16] = {0};
    struct ws_argument arguments[] = {{.kind = WS_ARGUMENT_SCALAR, .bytes = sizeof map, .data = map},
                                      {.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof output, .data = output},
                                      {.kind = WS_ARGUMENT_SCALAR, .bytes = sizeof none, .data = &none},
                                      {.kind = WS_ARGUMENT_SCALAR, .bytes = 4, .data = &zero},
                                      {.kind = WS_ARGUMENT_SCALAR, .bytes = 4, .data = &zero}};
    assert_int_equal(launch(copy_kernel, arguments, 5, &error), WS_STATUS_bad_input);
    assert_non_null(strstr(error.message, "without a tensor map of that many dimensions"));
    run_refused("", "wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16 {%f0}, %d0, %d1, 1, 1, 1, 0, 0;", 32, 32,
                "this form of 'wgmma.mma_async' is not supported");
    run_refused("",
                "cp.async.bulk.tensor.2d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%r0], [%d0, {%r1}], [%r2];",
                32, 32, "is not supported with .im2col");
}
