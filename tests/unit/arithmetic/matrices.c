/* mma, ldmatrix and movmatrix against matrices assembled from the PTX ISA's rules on which thread holds which number. Numbers are
 * chosen to give exact sums. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "test.h"
#include "unit/kit/ptx_run.h"
#include "warpsweep/frontend.h"

typedef int8_t i8;
typedef int64_t i64;

enum { LANES = 32, THREADS = 3 * LANES, MOST_M = 16, N = 8, MOST_K = 256 };

static run_row in[THREADS], out[THREADS];

/* ---- Products ---- */

struct product {
    const char *shape, *sum, *a, *b; /* words of the instruction */
    u32 m, k;
    const char *bits; /* of b1: xor, and; else "" */
};

static u32 bits_of(const char *type)
{
    return type[0] == 'b' && type[1] == '1'                        ? 1
           : type[1] == '4' && type[2] == 0                        ? 4
           : (type[1] == '8' && type[2] == 0) || type[0] == 'e'    ? 8
           : strcmp(type, "tf32") == 0 || strcmp(type, "f32") == 0 ? 32
                                                                   : 16;
}

/* An 8-bit number by its definition: a sign, 4 or 5 bits of exponent, and a fraction. */
static double small_number(const char *type, u32 bits)
{
    const u32 fraction_bits = type[1] == '4' ? 3 : 2, bias = type[1] == '4' ? 7 : 15;
    const u32 exponent = bits >> fraction_bits & (0x7F >> fraction_bits), fraction = bits & ((1u << fraction_bits) - 1);
    double value = (double)fraction / (1 << fraction_bits) + (exponent ? 1 : 0);
    for (u32 n = exponent ? exponent : 1; n < bias; n++)
        value /= 2;
    for (u32 n = bias; n < exponent; n++)
        value *= 2;
    return bits & 0x80 ? -value : value;
}

/* A number that the type has, as bits; and back. */
static u32 encoded(const char *type, double value)
{
    const float number = (float)value;
    u32 bits;
    memcpy(&bits, &number, sizeof bits);
    if (bits_of(type) <= 4)
        return (u32)(i32)value & ((1u << bits_of(type)) - 1);
    for (u32 n = 0; type[0] == 'e' && n < 256; n++)
        if (small_number(type, n) >= value && small_number(type, n) <= value)
            return n;
    if (type[1] == '8')
        return (u8)(i32)value;
    if (strcmp(type, "tf32") == 0)
        return bits | 0x155; /* ignored positions */
    if (strcmp(type, "bf16") == 0)
        return bits >> 16;
    return bits == 0 ? 0 : (bits >> 16 & 0x8000) | ((bits >> 23 & 0xFF) - 112) << 10 | (bits >> 13 & 0x3FF);
}

static double decoded(const char *type, u32 bits)
{
    float number;
    if (bits_of(type) <= 4)
        return type[0] == 's' && bits & 8 ? (double)bits - 16 : bits;
    if (type[0] == 'e')
        return small_number(type, bits);
    if (type[1] == '8')
        return type[0] == 'u' ? (u8)bits : (i8)(u8)bits;
    if (strcmp(type, "f16") == 0)
        bits = (bits & 0x7FFF) == 0 ? 0 : (bits & 0x8000) << 16 | (((bits >> 10 & 0x1F) + 112) << 23) | (bits & 0x3FF) << 13;
    else if (strcmp(type, "bf16") == 0)
        bits <<= 16;
    else
        bits &= ~0x1FFFu;
    memcpy(&number, &bits, sizeof number);
    return (double)number;
}

/* 32-bit register n of a thread: A has 0 to 3, B 4 and 5, C 6 and 7; 8 and 9 are their negatives. */
static u32 register_of(u32 thread, u32 n)
{
    return (u32)(in[thread][n / 2] >> 32 * (n % 2));
}

/* Number i of those that a thread holds. */
static double held(u32 thread, u32 first, const char *type, u32 i)
{
    const u32 bits = bits_of(type), per = 32 / bits;
    return decoded(type, register_of(thread, first + i / per) >> bits * (i % per) & (bits == 32 ? UINT32_MAX : (1u << bits) - 1));
}

/* The matrices of a warp, by the tables of the PTX ISA. */
static double a[MOST_M][MOST_K], b[MOST_K][N];

static void place_matrices(const struct product *product, u32 warp)
{
    const u32 bits = bits_of(product->a), per = 32 / bits, count = product->m * product->k / LANES;
    for (u32 lane = 0; lane < LANES; lane++) {
        const u32 group = lane >> 2, number = lane % 4;
        for (u32 i = 0; i < count; i++) {
            u32 row = group, column = number * per + i % per;
            if (bits == 32) { /* a0 a1: column number; a1 a3: lower rows */
                row += i % 2 ? 8 : 0;
                column += i >= 2 ? 4 : 0;
            } else if (bits == 16) { /* a2 a3 a6 a7: lower rows; from a4 on: the right half */
                row += i % 4 >= 2 ? 8 : 0;
                column += i >= 4 ? 8 : 0;
            } else { /* the second and fourth register: lower rows; from the third on: the right half */
                row += product->m == 16 && i / per % 2 ? 8 : 0;
                column += i >= 2 * per ? 4 * per : 0;
            }
            a[row][column] = held(warp * LANES + lane, 0, product->a, i);
        }
        for (u32 i = 0; i < N * product->k / LANES; i++) {
            const u32 row = number * per + i % per + i / per * 4 * per;
            b[row][group] = held(warp * LANES + lane, 4, product->b, i);
        }
    }
}

static double dot(const struct product *product, u32 row, u32 column)
{
    double sum = 0;
    for (u32 k = 0; k < product->k; k++) {
        const bool one = a[row][k] > 0, other = b[k][column] > 0;
        sum += strcmp(product->bits, "xor") == 0 ? one != other : a[row][k] * b[k][column];
    }
    return sum;
}

/* Register n of D in a thread. */
static u32 expected(const struct product *product, u32 thread, u32 n, bool saturates)
{
    const u32 lane = thread % LANES, group = lane >> 2, column = lane % 4 * 2;
    const u32 given = register_of(thread, 6 + n % 2) ^ (n >= 2 ? 0x80000000u : 0);
    if (strcmp(product->sum, "f16") == 0) {
        u32 word = 0;
        for (u32 i = 0; i < 2; i++)
            word |= encoded("f16", dot(product, group + 8 * n, column + i) + decoded("f16", given >> 16 * i & 0xFFFF)) << 16 * i;
        return word;
    }
    const double sum = dot(product, group + (n >= 2 ? 8 : 0), column + n % 2);
    if (strcmp(product->sum, "s32") == 0) {
        const i64 exact = (i64)sum + (i32)given;
        return (u32)(saturates && exact > INT32_MAX ? INT32_MAX : saturates && exact < INT32_MIN ? INT32_MIN : exact);
    }
    float number;
    memcpy(&number, &given, sizeof number);
    number = (float)(sum + (double)number);
    u32 word;
    memcpy(&word, &number, sizeof word);
    return word;
}

static void fill(const struct product *product)
{
    u64 state = 5;
    for (u32 thread = 0; thread < THREADS; thread++) {
        u32 words[8] = {0};
        for (u32 n = 0; n < 6; n++) {
            const char *const type = n < 4 ? product->a : product->b;
            const u32 per = 32 / bits_of(type);
            for (u32 i = 0; i < per; i++)
                words[n] |= encoded(type, strcmp(product->sum, "s32") == 0 ? (double)(ws_random(&state) % 256)
                                                                           : (double)(ws_random(&state) % 9) / 2 - 2)
                            << bits_of(type) * i;
        }
        for (u32 n = 6; n < 8; n++) {
            const float number = (float)(ws_random(&state) % 64);
            memcpy(&words[n], &number, sizeof number);
            if (strcmp(product->sum, "f16") == 0)
                words[n] = encoded("f16", (double)(ws_random(&state) % 32)) | encoded("f16", -(double)(ws_random(&state) % 31) - 1)
                                                                                  << 16;
            if (strcmp(product->sum, "s32") == 0)
                words[n] = n == 6 ? INT32_MAX - (u32)(ws_random(&state) % 99999) : (u32)ws_random(&state);
        }
        memcpy(in[thread], words, sizeof words);
    }
}

static void list(char *text, const char *registers, u32 first, u32 count)
{
    text += sprintf(text, "{");
    for (u32 n = 0; n < count; n++)
        text += sprintf(text, "%s%s%u", n ? ", " : "", registers, first + n);
    sprintf(text, "}");
}

static void check(const struct product *product, bool saturates)
{
    static char body[3000];
    char d[60], ra[60], rb[60], rc[60];
    const u32 numbers = product->m * N / LANES, sums = strcmp(product->sum, "f16") == 0 ? numbers / 2 : numbers;
    const u32 per = 32 / bits_of(product->a);
    list(d, "%r", 10, sums);
    list(ra, "%r", 0, product->m * product->k / LANES / per);
    list(rb, "%r", 4, N * product->k / LANES / per);
    list(rc, "%r", 6, sums);
    snprintf(body, sizeof body,
             "mov.b64 {%%r0, %%r1}, %%x0;\nmov.b64 {%%r2, %%r3}, %%x1;\nmov.b64 {%%r4, %%r5}, %%x2;\nmov.b64 {%%r6, %%r7}, %%x3;\n"
             "xor.b32 %%r8, %%r6, 0x80000000;\nxor.b32 %%r9, %%r7, 0x80000000;\n"
             "mma.sync.aligned.%s.row.col%s.%s.%s.%s.%s%s%s %s, %s, %s, %s;\n"
             "cvt.u64.u32 %%y0, %%r10;\ncvt.u64.u32 %%y1, %%r11;\ncvt.u64.u32 %%y2, %%r12;\ncvt.u64.u32 %%y3, %%r13;\n",
             product->shape, saturates ? ".satfinite" : "", product->sum, product->a, product->b, product->sum,
             product->bits[0] == 'x'   ? ".xor"
             : product->bits[0] == 'a' ? ".and"
                                       : "",
             product->bits[0] ? ".popc" : "", d, ra, rb, rc);
    fill(product);
    run_map(body, in, out, THREADS);
    for (u32 thread = 0; thread < THREADS; thread++) {
        if (thread % LANES == 0)
            place_matrices(product, thread / LANES);
        for (u32 n = 0; n < sums; n++)
            if (out[thread][n] != expected(product, thread, n, saturates))
                fail_msg("%s\nthread %u: d%u is 0x%" PRIx64 ", not 0x%x", body, thread, n, out[thread][n],
                         expected(product, thread, n, saturates));
    }
}

TEST(test_products)
{
    static const struct product products[] = {
        {"m16n8k8", "f32", "f16", "f16", 16, 8, ""},      {"m16n8k16", "f32", "f16", "f16", 16, 16, ""},
        {"m16n8k8", "f16", "f16", "f16", 16, 8, ""},      {"m16n8k16", "f16", "f16", "f16", 16, 16, ""},
        {"m16n8k8", "f32", "bf16", "bf16", 16, 8, ""},    {"m16n8k16", "f32", "bf16", "bf16", 16, 16, ""},
        {"m16n8k4", "f32", "tf32", "tf32", 16, 4, ""},    {"m16n8k8", "f32", "tf32", "tf32", 16, 8, ""},
        {"m16n8k16", "s32", "s8", "s8", 16, 16, ""},      {"m16n8k32", "s32", "s8", "u8", 16, 32, ""},
        {"m16n8k32", "s32", "u8", "s8", 16, 32, ""},      {"m8n8k16", "s32", "u8", "u8", 8, 16, ""},
        {"m8n8k32", "s32", "s4", "u4", 8, 32, ""},        {"m16n8k32", "s32", "u4", "s4", 16, 32, ""},
        {"m16n8k64", "s32", "s4", "s4", 16, 64, ""},      {"m16n8k16", "f32", "e4m3", "e5m2", 16, 16, ""},
        {"m16n8k32", "f32", "e5m2", "e4m3", 16, 32, ""},  {"m16n8k32", "f16", "e4m3", "e4m3", 16, 32, ""},
        {"m8n8k128", "s32", "b1", "b1", 8, 128, "xor"},   {"m8n8k128", "s32", "b1", "b1", 8, 128, "and"},
        {"m16n8k128", "s32", "b1", "b1", 16, 128, "xor"}, {"m16n8k128", "s32", "b1", "b1", 16, 128, "and"},
        {"m16n8k256", "s32", "b1", "b1", 16, 256, "xor"}, {"m16n8k256", "s32", "b1", "b1", 16, 256, "and"},
    };
    for (size_t n = 0; n < sizeof products / sizeof *products; n++) {
        check(&products[n], false);
        if (strcmp(products[n].sum, "s32") == 0 && !products[n].bits[0])
            check(&products[n], true);
    }
}

/* Every lane fills its registers with numbers of its own. In m x 8 x k, A has column number + 4 i in registers i (or 2 i, with rows
 * from 8 on in 2 i + 1); B has row number + 4 i; C has two neighbours of a row, then of the row 8 below. */
static void check_doubles(u32 m, u32 k)
{
    static char body[2000];
    static double a_at[16][16], b_at[16][8];
    const u32 count_a = m * k / LANES, count_b = k / 4, count_c = m / 4;
    char *end = body;
    for (u32 n = 0; n < count_a; n++) /* a = x0 * (n + 1), b = x1 - n, c = x2 + n */
        end += sprintf(end, "mov.f64 %%e9, %u.0;\nmov.b64 %%e8, %%x0;\nmul.f64 %%e%u, %%e8, %%e9;\n", n + 1, 10 + n);
    for (u32 n = 0; n < count_b; n++)
        end += sprintf(end, "mov.f64 %%e9, %u.0;\nmov.b64 %%e8, %%x1;\nsub.f64 %%e%u, %%e8, %%e9;\n", n, 20 + n);
    for (u32 n = 0; n < count_c; n++)
        end += sprintf(end, "mov.f64 %%e9, %u.0;\nmov.b64 %%e8, %%x2;\nadd.f64 %%e%u, %%e8, %%e9;\n", n, 24 + n);
    char ra[99], rb[60], rc[60];
    list(ra, "%e", 10, count_a);
    list(rb, "%e", 20, count_b);
    list(rc, "%e", 24, count_c);
    end += sprintf(end, "mma.sync.aligned.m%un8k%u.row.col.f64.f64.f64.f64 %s, %s, %s, %s;\n", m, k, rc, ra, rb, rc);
    for (u32 n = 0; n < count_c; n++)
        end += sprintf(end, "mov.b64 %%y%u, %%e%u;\n", n, 24 + n);
    run_map(body, in, out, THREADS);
    for (u32 thread = 0; thread < THREADS; thread++) {
        double x[3];
        for (u32 n = 0; thread % LANES == 0 && n < LANES; n++) {
            memcpy(x, in[thread + n], sizeof x);
            for (u32 i = 0; i < count_a; i++)
                a_at[n / 4 + (m == 16 ? i % 2 * 8 : 0)][n % 4 + 4 * (m == 16 ? i / 2 : i)] = x[0] * (i + 1);
            for (u32 i = 0; i < count_b; i++)
                b_at[n % 4 + 4 * i][n / 4] = x[1] - i;
        }
        memcpy(x, in[thread], sizeof x);
        for (u32 n = 0; n < count_c; n++) {
            double sum = x[2] + n, found;
            for (u32 i = 0; i < k; i++)
                sum += a_at[thread % LANES / 4 + n / 2 * 8][i] * b_at[i][thread % 4 * 2 + n % 2];
            memcpy(&found, &out[thread][n], sizeof found);
            if (found < sum || found > sum)
                fail_msg("m%un8k%u, thread %u: d%u is %f, not %f", m, k, thread, n, found, sum);
        }
    }
}

TEST(test_doubles)
{
    u64 drawn = 3;
    for (u32 n = 0; n < THREADS * 4; n++) {
        const double number = (double)(ws_random(&drawn) % 65536) / 8 - 4096;
        memcpy(&in[n / 4][n % 4], &number, sizeof number);
    }
    check_doubles(8, 4);
    check_doubles(16, 4);
    check_doubles(16, 8);
    check_doubles(16, 16);
}

/* movmatrix: a lane has two neighbours of row lane / 4, then of column lane / 4. */
TEST(test_move)
{
    u64 drawn = 4;
    for (u32 n = 0; n < THREADS; n++)
        in[n][0] = (u32)ws_random(&drawn);
    run_map("cvt.u32.u64 %r0, %x0;\nmovmatrix.sync.aligned.m8n8.trans.b16 %r1, %r0;\ncvt.u64.u32 %y0, %r1;\n", in, out, THREADS);
    for (u32 n = 0; n < THREADS * 2; n++) {
        const u32 thread = n / 2, row = thread % LANES / 4, column = thread % 4 * 2 + n % 2;
        const u64 from = in[thread / LANES * LANES + column * 4 + row / 2][0];
        assert_int_equal(out[thread][0] >> 16 * (n % 2) & 0xFFFF, from >> 16 * (row % 2) & 0xFFFF);
    }
}

/* ---- wmma ---- */

/* A product of whole matrices in memory, with rows or columns a stride apart. */
struct whole {
    const char *shape, *words, *a, *sum; /* words: types of the instruction */
    u32 m, n, k;
};
enum { STRIDE = 48, MOST_NUMBERS = 32 * STRIDE };

static u8 memory[4][4 * MOST_NUMBERS]; /* A, B, C, D */

static u32 bytes_of(const char *type)
{
    return strcmp(type, "s32") == 0 || strcmp(type, "f32") == 0 ? 4 : bits_of(type) / 8;
}

static u8 *number_at(u32 matrix, bool column, u32 row, u32 col, const char *type)
{
    return memory[matrix] + (column ? col * STRIDE + row : row * STRIDE + col) * bytes_of(type);
}

static double read_number(u32 matrix, bool column, u32 row, u32 col, const char *type)
{
    u32 bits = 0;
    float number;
    memcpy(&bits, number_at(matrix, column, row, col, type), bytes_of(type));
    memcpy(&number, &bits, sizeof number);
    return strcmp(type, "s32") == 0 ? (i32)bits : strcmp(type, "f32") == 0 ? (double)number : decoded(type, bits);
}

static void fill_whole(const struct whole *whole, u32 layout)
{
    u64 state = 9;
    memset(memory, 0x77, sizeof memory);
    for (u32 matrix = 0; matrix < 3; matrix++) {
        const char *const type = matrix == 2 ? whole->sum : whole->a;
        const u32 rows = matrix == 1 ? whole->k : whole->m, columns = matrix == 0 ? whole->k : whole->n;
        for (u32 row = 0; row < rows; row++)
            for (u32 col = 0; col < columns; col++) {
                const double value = (double)(ws_random(&state) % 9) - (type[0] == 'u' ? 0 : 4);
                const float number = (float)value;
                u32 bits = strcmp(type, "s32") == 0 ? (u32)(i32)value : 0;
                if (strcmp(type, "f32") == 0)
                    memcpy(&bits, &number, sizeof bits);
                else if (strcmp(type, "s32") != 0)
                    bits = encoded(type, value);
                memcpy(number_at(matrix, layout >> matrix & 1, row, col, type), &bits, bytes_of(type));
            }
    }
}

/* Loads, multiplies and stores with one warp. layout has a bit for each of A, B and C, set for column-major; for D the other way
 * round. */
static void run_whole(const struct whole *whole, u32 layout, struct ws_error *error)
{
    static char text[6000];
    static const char *const ways[] = {"row", "col"};
    struct ws_program *program = NULL;
    struct ws_frontend_options options;
    char registers[4][80];
    const bool half = strcmp(whole->a, "f16") == 0;
    list(registers[0], "%a", 0, half ? 8 : whole->m * whole->k * bits_of(whole->a) / 1024);
    list(registers[1], "%b", 0, half ? 8 : whole->n * whole->k * bits_of(whole->a) / 1024);
    list(registers[2], "%c", 0, strcmp(whole->sum, "f16") == 0 ? 4 : 8);
    snprintf(
        text, sizeof text,
        ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 "
        "d)\n{\n.reg .b64 %%p<4>;\n.reg .b32 %%a<8>, %%b<8>, %%c<8>, %%s;\nmov.u32 %%s, %d;\n"
        "ld.param.u64 %%p0, [a];\nld.param.u64 %%p1, [b];\nld.param.u64 %%p2, [c];\nld.param.u64 %%p3, [d];\n"
        "wmma.load.a.sync.aligned.%s.%s.global.%s %s, [%%p0], %%s;\nwmma.load.b.sync.aligned.%s.%s.%s %s, [%%p1+0], %d;\n"
        "wmma.load.c.sync.aligned.%s.%s.global.%s %s, [%%p2], %%s;\nwmma.mma.sync.aligned.%s.%s.%s.%s %s, %s, %s, %s;\n"
        "wmma.store.d.sync.aligned.%s.%s.global.%s [%%p3], %s, %%s;\nret;\n}\n",
        STRIDE, ways[layout & 1], whole->shape, whole->a, registers[0], ways[layout >> 1 & 1], whole->shape, whole->a, registers[1],
        STRIDE, ways[layout >> 2], whole->shape, whole->sum, registers[2], ways[layout & 1], ways[layout >> 1 & 1], whole->shape,
        whole->words, registers[2], registers[0], registers[1], registers[2], ways[!(layout >> 2)], whole->shape, whole->sum,
        registers[2]);
    struct ws_argument arguments[4];
    for (u32 n = 0; n < 4; n++)
        arguments[n] = (struct ws_argument){.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof memory[n], .data = memory[n]};
    struct ws_ndrange launch = {
        .kernel = "k", .global = {LANES, 1, 1}, .local = {LANES, 1, 1}, .argument_count = 4, .arguments = arguments};
    ws_frontend_defaults(&options);
    if (ws_program_load("k.ptx", text, strlen(text), &options, &program, error) != WS_STATUS_ok ||
        ws_execute(program, &options, &launch, NULL, NULL, error) != WS_STATUS_ok)
        fail_msg("%s: %s", text, error->message);
    ws_program_free(program);
}

TEST(test_whole)
{
    static const struct whole all[] = {{"m16n16k16", "f32.f32", "f16", "f32", 16, 16, 16},
                                       {"m32n8k16", "f32.f32", "f16", "f32", 32, 8, 16},
                                       {"m8n32k16", "f32.f32", "f16", "f32", 8, 32, 16},
                                       {"m16n16k16", "f16.f16", "f16", "f16", 16, 16, 16},
                                       {"m32n8k16", "f16.f16", "f16", "f16", 32, 8, 16},
                                       {"m16n16k16", "f32.bf16.bf16.f32", "bf16", "f32", 16, 16, 16},
                                       {"m8n32k16", "f32.bf16.bf16.f32", "bf16", "f32", 8, 32, 16},
                                       {"m16n16k8", "f32.tf32.tf32.f32", "tf32", "f32", 16, 16, 8},
                                       {"m16n16k16", "s32.s8.s8.s32", "s8", "s32", 16, 16, 16},
                                       {"m32n8k16", "s32.u8.u8.s32.satfinite", "u8", "s32", 32, 8, 16},
                                       {"m8n32k16", "s32.s8.s8.s32", "s8", "s32", 8, 32, 16}};
    struct ws_error error;
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        for (u32 layout = 0; layout < 8; layout++) {
            const struct whole *const whole = &all[n];
            fill_whole(whole, layout);
            run_whole(whole, layout, &error);
            for (u32 row = 0; row < whole->m; row++)
                for (u32 col = 0; col < whole->n; col++) {
                    double sum = read_number(2, layout >> 2, row, col, whole->sum);
                    for (u32 k = 0; k < whole->k; k++)
                        sum += read_number(0, layout & 1, row, k, whole->a) * read_number(1, layout >> 1 & 1, k, col, whole->a);
                    const double found = read_number(3, !(layout >> 2), row, col, whole->sum);
                    if (found < sum || found > sum)
                        fail_msg("%s %s, layout %u: row %u, column %u is %f, not %f", whole->shape, whole->words, layout, row, col,
                                 found, sum);
                }
        }
}

/* ---- ldmatrix ---- */

/* Thread r ^ 5 of the warp stores the words of row r. */
static u32 word_of(u32 warp, u32 row, u32 word)
{
    return (u32)in[warp * LANES + (row ^ 5)][word];
}

static u32 dealt(u32 thread, u32 matrix, bool transposed)
{
    const u32 warp = thread / LANES, group = thread % LANES / 4, number = thread % 4;
    if (!transposed)
        return word_of(warp, 8 * matrix + group, number);
    const u32 upper = word_of(warp, 8 * matrix + 2 * number, group / 2),
              lower = word_of(warp, 8 * matrix + 2 * number + 1, group / 2);
    return (upper >> 16 * (group % 2) & 0xFFFF) | (lower >> 16 * (group % 2) & 0xFFFF) << 16;
}

TEST(test_loads)
{
    static char body[1200];
    struct ws_frontend_options options;
    struct ws_error error;
    ws_frontend_defaults(&options);
    run_values(in, THREADS);
    for (u32 variant = 0; variant < 12; variant++) {
        const u32 count = 1u << variant % 3;
        const bool transposed = variant / 3 % 2, generic = variant / 6;
        char d[60];
        list(d, "%r", 10, count);
        /* Lanes without a row have an invalid address. */
        snprintf(body, sizeof body,
                 "mov.u64 %%d0, tile;\n%s"
                 "mad.wide.u32 %%d1, %%thread, 16, %%d0;\nst%s.v4.b32 [%%d1], {%%w0, %%w1, %%w2, %%w3};\nbar.sync 0;\n"
                 "xor.b32 %%r0, %%thread, 5;\nmad.wide.u32 %%d2, %%r0, 16, %%d0;\nand.b32 %%r1, %%thread, 31;\n"
                 "setp.lt.u32 %%p1, %%r1, %u;\nselp.b64 %%d2, %%d2, 3, %%p1;\n"
                 "ldmatrix.sync.aligned.%s%u%s%s%s.b16 %s, [%%d2];\n"
                 "cvt.u64.u32 %%y0, %%r10;\ncvt.u64.u32 %%y1, %%r11;\ncvt.u64.u32 %%y2, %%r12;\ncvt.u64.u32 %%y3, %%r13;\n",
                 generic ? "cvta.shared.u64 %d0, %d0;\n" : "", generic ? "" : ".shared", 8 * count, transposed ? "x" : "m8n8.x",
                 count, transposed ? ".trans" : "", generic ? "" : ".shared", transposed ? ".m8n8" : "",
                 d); /* the words in any order */
        if (run_body(".shared .align 16 .b8 tile[1536];", body, &options, in, out, THREADS, &error) != WS_STATUS_ok)
            fail_msg("%s: %s", body, error.message);
        for (u32 thread = 0; thread < THREADS; thread++)
            for (u32 n = 0; n < count; n++)
                if (out[thread][n] != dealt(thread, n, transposed))
                    fail_msg("%s\nthread %u: matrix %u is 0x%" PRIx64 ", not 0x%x", body, thread, n, out[thread][n],
                             dealt(thread, n, transposed));
    }
}

/* ---- What is refused ---- */

TEST(test_refused)
{
    static const char good[] = "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r0, %r1}, {%r2, %r3}, {%r4}, {%r5, %r6};";
    static const char *const unsupported[] = {
        "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f16 {%r0}, {%r1}, {%r2}, {%r3};",
        "mma.sync.aligned.m8n8k4.row.row.row.f16.f16.f16.f16 {%r0}, {%r1}, {%r2}, {%r3};",
        "mma.sync.aligned.m16n8k8.col.col.f16.f16.f16.f16 {%r0, %r1}, {%r2, %r3}, {%r4}, {%r5, %r6};",
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32 {%r0}, {%r1}, {%r2}, {%r3};",
        "mma.sync.aligned.m16n8k16.row.col.f16.bf16.bf16.f16 {%r0}, {%r1}, {%r2}, {%r3};",
        "mma.sync.aligned.m16n8k16.row.col.satfinite.f32.f16.f16.f32 {%r0}, {%r1}, {%r2}, {%r3};",
        "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f16 {%r0}, {%r1}, {%r2}, {%r3};",
        "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32 {%r0}, {%r1}, {%r2}, {%r3};",
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.u4.s32 {%r0}, {%r1}, {%r2}, {%r3};",
        "stmatrix.sync.aligned.m8n8.x3.shared.b16 [%d0], {%r0};",
        "ldmatrix.sync.aligned.m8n8.x3.shared.b16 {%r0}, [%d0];",
        "ldmatrix.sync.aligned.x1.x2.m8n8.b16 {%r0}, [%d0];",
        "ldmatrix.sync.aligned.x1.m8n8.trans.trans.b16 {%r0}, [%d0];",
        "ldmatrix.sync.aligned.x1.b16 {%r0}, [%d0];",
        "ldmatrix.sync.aligned.m8n8.x1.shared.b8 {%r0}, [%d0];"};
    for (size_t n = 0; n < sizeof unsupported / sizeof *unsupported; n++)
        run_refused("", unsupported[n], 32, LANES, "is not supported: mma of");
    run_refused("", good, 32, LANES + 8, "with fewer than 32 threads");
    run_refused("", good, 16, LANES, "a warp-wide instruction needs");
    run_refused("", "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r0}, {%r2, %r3}, {%r4}, {%r5, %r6};", 32, LANES,
                "expected ','");
}

/* ---- stmatrix ---- */

/* Words of matrix n that a lane holds, stored and read back by rows: the reverse of ldmatrix. */
TEST(test_stores)
{
    static char body[1600];
    struct ws_frontend_options options;
    struct ws_error error;
    ws_frontend_defaults(&options);
    run_values(in, THREADS);
    for (u32 variant = 0; variant < 12; variant++) {
        const u32 count = 1u << variant % 3;
        const bool transposed = variant / 3 % 2, generic = variant / 6;
        char from[60];
        list(from, "%w", 0, count);
        snprintf(body, sizeof body,
                 "mov.u64 %%d0, tile;\n%sshr.u32 %%r0, %%thread, 5;\nmad.wide.u32 %%d1, %%r0, 512, %%d0;\n"
                 "and.b32 %%r1, %%thread, 31;\nmad.wide.u32 %%d2, %%r1, 16, %%d1;\nsetp.lt.u32 %%p1, %%r1, %u;\n"
                 "selp.b64 %%d3, %%d2, 3, %%p1;\nstmatrix.sync.aligned.m8n8.x%u%s%s.b16 [%%d3], %s;\nbar.sync 0;\n"
                 "ld%s.v4.b32 {%%r10, %%r11, %%r12, %%r13}, [%%d2];\n"
                 "cvt.u64.u32 %%y0, %%r10;\ncvt.u64.u32 %%y1, %%r11;\ncvt.u64.u32 %%y2, %%r12;\ncvt.u64.u32 %%y3, %%r13;\n",
                 generic ? "cvta.shared.u64 %d0, %d0;\n" : "", 8 * count, count, transposed ? ".trans" : "",
                 generic ? "" : ".shared", from, generic ? "" : ".shared");
        if (run_body(".shared .align 16 .b8 tile[1536];", body, &options, in, out, THREADS, &error) != WS_STATUS_ok)
            fail_msg("%s: %s", body, error.message);
        for (u32 n = 0; n < THREADS * 8; n++) {
            const u32 thread = n / 8, row = thread % 8, matrix = thread % LANES / 8, column = n % 8;
            const u32 held = transposed ? column * 4 + row / 2 : row * 4 + column / 2, half = transposed ? row % 2 : column % 2;
            const u64 expect = matrix < count ? in[thread / LANES * LANES + held][matrix] >> 16 * half & 0xFFFF : 0;
            if ((out[thread][column / 2] >> 16 * (column % 2) & 0xFFFF) != expect)
                fail_msg("%s\nthread %u, number %u: not 0x%" PRIx64, body, thread, column, expect);
        }
    }
}
