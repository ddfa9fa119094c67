/* Instructions that NVIDIA's compilers emit for recent GPUs: tf32, 8-bit numbers, pairs of integers and of single precision, min
 * and max of three numbers or with the sign of the product, clusters of one block. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "unit/kit/ptx_run.h"

static run_row in[RUN_THREADS], out[RUN_THREADS], other[1];

struct edge {
    const char *body; /* its result is %r9, or %h9 */
    u32 expected;
};

static void expect(const struct edge *edges, u32 count, const char *leave)
{
    for (u32 n = 0; n < count; n++) {
        char body[400];
        snprintf(body, sizeof body, "%s %s", edges[n].body, leave);
        run_map(body, in, out, 1);
        if (out[0][0] != edges[n].expected)
            fail_msg("%s: found 0x%" PRIx64 ", expected 0x%x", edges[n].body, out[0][0], edges[n].expected);
    }
}

#define WORDS(edges)  expect(edges, sizeof edges / sizeof *edges, "cvt.u64.u32 %y0, %r9;")
#define HALVES(edges) expect(edges, sizeof edges / sizeof *edges, "cvt.u64.u16 %y0, %h9;")

/* Expected .rna values are those in code of ptxas 13.0. */
TEST(test_tf32)
{
    static const struct edge edges[] = {
        {"cvt.rna.tf32.f32 %r9, 0f3F801000;", 0x3F802000},
        {"cvt.rna.tf32.f32 %r9, 0f7F7FFFFF;", 0x7F800000},
        {"cvt.rna.satfinite.tf32.f32 %r9, 0f7F7FFFFF;", 0x7F7FE000},
        {"cvt.rna.satfinite.tf32.f32 %r9, 0fFF800000;", 0xFF7FE000},
        {"cvt.rna.tf32.f32 %r9, 0fFFC01234;", 0xFFC00000},
        {"cvt.rna.tf32.f32 %r9, 0f7FFFFFFF;", 0x7FFFE000},
        {"cvt.rna.tf32.f32 %r9, 0f7F800001;", 0x7F800000},
        {"cvt.rna.tf32.f32 %r9, 0f00001000;", 0x00002000},
        {"cvt.rna.tf32.f32 %r9, 0f80000FFF;", 0x80000000},
        {"cvt.rna.tf32.f32 %r9, 0f7F7FEFFF;", 0x7F7FE000},
        {"cvt.rn.tf32.f32 %r9, 0f3F801000;", 0x3F800000},
        {"cvt.rn.tf32.f32 %r9, 0f3F803000;", 0x3F804000},
        {"cvt.rn.tf32.f32 %r9, 0f3F801001;", 0x3F802000},
        {"cvt.rn.tf32.f32 %r9, 0f7F7FFFFF;", 0x7F800000},
        {"cvt.rn.satfinite.tf32.f32 %r9, 0f7F7FFFFF;", 0x7F7FE000},
        {"cvt.rz.tf32.f32 %r9, 0fBF801FFF;", 0xBF800000},
        {"cvt.rn.relu.tf32.f32 %r9, 0fBF801FFF;", 0},
        {"cvt.rn.satfinite.relu.tf32.f32 %r9, 0f7F800000;", 0x7F7FE000},
        {"cvt.rn.relu.tf32.f32 %r9, 0fFFC01234;", 0x7FFFFFFF},
        {"cvt.rz.tf32.f32 %r9, 0fFFC01234;", 0x7FFFFFFF},
    };
    WORDS(edges);
    run_refused("", "cvt.rp.tf32.f32 %r0, %f0;", 32, 1, "this rounds by .rn, .rz or .rna");
    run_refused("", "cvt.rna.f16.f32 %h0, %f0;", 32, 1, ".rna is for .tf32");
    run_refused("", "cvt.tf32.f32 %r0, %f0;", 32, 1, "a rounding is missing");
}

/* ---- Numbers of 8 bits ---- */

struct format {
    const char *name;
    u32 places;
    int bias;
    u32 largest;
    bool infinite;
};

static const struct format formats[] = {{"e4m3x2", 3, 7, 0x7E, false}, {"e5m2x2", 2, 15, 0x7B, true}};

static double value_of(const struct format *format, u32 bits)
{
    const u32 size = bits & 0x7F, exponent = size >> format->places, fraction = size & ((1u << format->places) - 1);
    const double units = exponent ? fraction + (double)(1u << format->places) : fraction;
    const double value = ldexp(units, (int)(exponent ? exponent : 1) - format->bias - (int)format->places);
    return bits & 0x80 ? -value : value;
}

/* The nearest number, ties to even; saturates to the largest. */
static u32 nearest(const struct format *format, double value)
{
    const double size = fabs(value);
    u32 best = 0;
    if (isnan(value))
        return 0x7F;
    for (u32 bits = 1; bits <= format->largest; bits++) {
        const double far = fabs(value_of(format, bits) - size), least = fabs(value_of(format, best) - size);
        if (far < least || (far == least && bits % 2 == 0))
            best = bits;
    }
    return (size > value_of(format, format->largest) ? format->largest : best) | (signbit(value) ? 0x80 : 0);
}

/* Every number, midpoints between two numbers and their neighbours; both elements. */
TEST(test_to_bytes)
{
    for (u32 f = 0; f < 2; f++)
        for (u32 relu = 0; relu < 2; relu++) {
            const struct format *const format = &formats[f];
            char body[400];
            for (u32 n = 0; n < RUN_THREADS; n++) {
                const double first = value_of(format, n & 0x7F), next = value_of(format, (n + 1) & 0x7F);
                const float value = (float)((first + next) / 2 * (n & 256 ? 1 + (n & 512 ? 1 : -1) * 0x1p-20 : 1));
                const float edge = n == 7 ? NAN : n == 8 ? INFINITY : n == 9 ? 1e30f : n & 128 ? -value : value;
                memcpy(&in[n][0], &edge, sizeof edge);
                memcpy((char *)&in[n][0] + 4, &value, sizeof value);
            }
            snprintf(body, sizeof body,
                     "mov.b64 {%%r0, %%r1}, %%x0; mov.b32 %%f0, %%r0; mov.b32 %%f1, %%r1;\n"
                     "cvt.rn.satfinite%s.%s.f32 %%h0, %%f0, %%f1; cvt.u64.u16 %%y0, %%h0;",
                     relu ? ".relu" : "", format->name);
            run_map(body, in, out, RUN_THREADS);
            for (u32 n = 0; n < RUN_THREADS; n++) {
                float edge, value;
                memcpy(&edge, &in[n][0], sizeof edge);
                memcpy(&value, (char *)&in[n][0] + 4, sizeof value);
                const u32 high = relu && edge <= 0 ? 0 : nearest(format, (double)edge);
                const u32 expected = high << 8 | nearest(format, (double)value);
                if (out[n][0] != expected)
                    fail_msg("%s of %a, %a: found 0x%" PRIx64 ", expected 0x%x", body, (double)edge, (double)value, out[n][0],
                             expected);
            }
        }
}

/* All numbers to f16 and back. */
TEST(test_from_bytes)
{
    for (u32 f = 0; f < 2; f++) {
        const struct format *const format = &formats[f];
        char body[400];
        for (u32 n = 0; n < 256; n++)
            in[n][0] = n << 8 | (n ^ 0x80);
        snprintf(body, sizeof body,
                 "cvt.u16.u64 %%h0, %%x0; cvt.rn.f16x2.%s %%r0, %%h0; cvt.rn.satfinite.%s.f16x2 %%h1, %%r0;\n"
                 "cvt.u64.u32 %%y0, %%r0; cvt.u64.u16 %%y1, %%h1; cvt.rn.relu.f16x2.%s %%r1, %%h0; mov.b32 {%%h2, %%h3}, %%r1;\n"
                 "cvt.u64.u16 %%y2, %%h2; mov.b32 {%%h2, %%h3}, %%r0; cvt.f32.f16 %%f0, %%h3; mov.b32 %%r2, %%f0;\n"
                 "cvt.u64.u32 %%y3, %%r2;",
                 format->name, format->name, format->name);
        run_map(body, in, out, 256);
        for (u32 n = 0; n < 256; n++) {
            const u32 size = n & 0x7F, bits = (u32)out[n][3];
            const bool infinite = format->infinite && size == format->largest + 1, nan = size > format->largest && !infinite;
            const u32 back = nan ? 0x7F : infinite ? format->largest | (n & 0x80) : n;
            float found;
            memcpy(&found, &bits, sizeof found);
            assert_int_equal(out[n][1] >> 8, back);
            assert_int_equal(out[n][0] >> 16, nan ? 0x7FFF : infinite ? 0x7C00 | (n & 0x80) << 8 : out[n][0] >> 16);
            assert_true(nan ? isnan(found) : infinite ? isinf(found) : (double)found == value_of(format, n));
            assert_int_equal(out[n][2], n < 0x80 && !nan ? 0 : out[n][0] & 0xFFFF);
        }
    }
    run_refused("", "cvt.rz.satfinite.e4m3x2.f32 %h0, %f0, %f1;", 32, 1, "this rounds to nearest (.rn)");
    run_refused("", "cvt.rn.e4m3x2.f32 %h0, %f0, %f1;", 32, 1, "'cvt.rn.e4m3x2.f32' is not supported");
}

TEST(test_finite_halves)
{
    static const struct edge edges[] = {{"cvt.rn.satfinite.f16.f32 %h9, 0f7F800000;", 0x7BFF},
                                        {"cvt.rn.satfinite.f16.f32 %h9, 0fFFC00000;", 0x7FFF},
                                        {"cvt.rn.satfinite.relu.f16.f32 %h9, 0fFF800000;", 0},
                                        {"cvt.rn.satfinite.bf16.f32 %h9, 0fFF7FFFFF;", 0xFF7F},
                                        {"cvt.rn.bf16.f32 %h9, 0fFF7FFFFF;", 0xFF80}};
    static const struct edge pairs[] = {{"cvt.rn.satfinite.f16x2.f32 %r9, 0f7F800000, 0fC77FF000;", 0x7BFFFBFF}};
    HALVES(edges);
    WORDS(pairs);
    run_refused("", "cvt.rn.satfinite.f64.f32 %e0, %f0;", 32, 1, ".satfinite is for .f16 and .bf16 of .f32, without .sat");
}

/* ---- Pairs ---- */

static int32_t low_half(u64 word, bool is_signed)
{
    return is_signed ? (int16_t)word : (int32_t)(u16)word;
}

static int32_t computed(u32 operation, int32_t a, int32_t b)
{
    const int32_t least = a < b ? a : b, most = a < b ? b : a;
    const int32_t results[] = {a + b, least, most, least > 0 ? least : 0, most > 0 ? most : 0};
    return results[operation];
}

TEST(test_integers)
{
    static const char *const names[] = {"add", "min", "max", "min.relu", "max.relu"};
    run_values(in, RUN_THREADS);
    for (u32 n = 0; n < 5; n++)
        for (u32 is_signed = n >= 3; is_signed < 2; is_signed++) {
            char body[200];
            snprintf(body, sizeof body, "%s.%s16x2 %%r0, %%w0, %%w1; cvt.u64.u32 %%y0, %%r0;", names[n], is_signed ? "s" : "u");
            run_map(body, in, out, RUN_THREADS);
            for (u32 i = 0; i < RUN_THREADS; i++) {
                const u64 a = in[i][0], b = in[i][1];
                const u32 low = (u16)computed(n, low_half(a, is_signed), low_half(b, is_signed));
                const u32 high = (u16)computed(n, low_half(a >> 16, is_signed), low_half(b >> 16, is_signed));
                assert_int_equal(out[i][0], high << 16 | low);
            }
        }
    run_map("max.s32.relu %r0, %w0, %w1; cvt.u64.u32 %y0, %r0; min.relu.s32 %r0, %w0, %w1; cvt.u64.u32 %y1, %r0;", in, out,
            RUN_THREADS);
    for (u32 i = 0; i < RUN_THREADS; i++) {
        const int32_t a = (int32_t)in[i][0], b = (int32_t)in[i][1];
        assert_int_equal(out[i][0], (u32)(a > b ? a > 0 ? a : 0 : b > 0 ? b : 0));
        assert_int_equal(out[i][1], (u32)(a < b ? a > 0 ? a : 0 : b > 0 ? b : 0));
    }
    run_refused("", "max.relu.u32 %r0, %r1, %r2;", 32, 1, "is not supported");
    run_refused("", "sub.s16x2 %r0, %r1, %r2;", 32, 1, "is not supported");
}

/* Each element of a pair equals the single-number instruction. */
TEST(test_singles)
{
    static const char *const names[] = {"add",    "add.ftz",    "add.rz", "sub.rm",    "sub.ftz",
                                        "mul.rp", "mul.rn.ftz", "fma.rn", "fma.rz.ftz"};
    run_values(in, RUN_THREADS);
    for (u32 n = 0; n < sizeof names / sizeof *names; n++) {
        const char *const third = n < 7 ? "" : ", %x2", *const low = n < 7 ? "" : ", %f4", *const high = n < 7 ? "" : ", %f5";
        char body[500];
        snprintf(
            body, sizeof body,
            "mov.b64 {%%f0, %%f1}, %%x0; mov.b64 {%%f2, %%f3}, %%x1; mov.b64 {%%f4, %%f5}, %%x2; %s.f32x2 %%y0, %%x0, %%x1%s;\n"
            "%s.f32 %%f6, %%f0, %%f2%s; %s.f32 %%f7, %%f1, %%f3%s; mov.b64 %%y1, {%%f6, %%f7};",
            names[n], third, names[n], low, names[n], high);
        run_map(body, in, out, RUN_THREADS);
        for (u32 i = 0; i < RUN_THREADS; i++)
            assert_int_equal(out[i][0], out[i][1]);
    }
    run_refused("", "add.sat.f32x2 %d0, %d1, %d2;", 32, 1, ".sat is not supported here");
}

/* ---- min and max ---- */

TEST(test_extremes)
{
    static const struct edge edges[] = {
        {"min.xorsign.abs.f32 %f9, 0fBF800000, 0fC0000000; mov.b32 %r9, %f9;", 0x3F800000},
        {"max.xorsign.abs.f32 %f9, 0fBF800000, 0f40000000; mov.b32 %r9, %f9;", 0xC0000000},
        {"max.xorsign.abs.f32 %f9, 0f7FC00000, 0f40000000; mov.b32 %r9, %f9;", 0x40000000},
        {"max.NaN.xorsign.abs.f32 %f9, 0f7FC00000, 0f40000000; mov.b32 %r9, %f9;", 0x7FFFFFFF},
        {"min.ftz.NaN.xorsign.abs.f32 %f9, 0f80000001, 0f40000000; mov.b32 %r9, %f9;", 0x80000000},
        {"mov.b32 %r0, 0xBC003C00; mov.b32 %r1, 0xC0004200; max.xorsign.abs.f16x2 %r9, %r0, %r1;", 0x40004200},
        {"mov.b32 %r0, 0xBF803F80; mov.b32 %r1, 0x40007FC0; min.NaN.xorsign.abs.bf16x2 %r9, %r0, %r1;", 0xBF807FFF},
        {"min.f32 %f9, 0fBF800000, 0fC0000000, 0f40400000; mov.b32 %r9, %f9;", 0xC0000000},
        {"max.f32 %f9, 0fBF800000, 0f7FC00000, 0f40400000; mov.b32 %r9, %f9;", 0x40400000},
        {"max.NaN.f32 %f9, 0fBF800000, 0f7FC00000, 0f40400000; mov.b32 %r9, %f9;", 0x7FFFFFFF},
        {"max.NaN.abs.f32 %f9, 0fC0800000, 0f3F800000, 0f40400000; mov.b32 %r9, %f9;", 0x40800000},
        {"min.abs.f32 %f9, 0fBF800000, 0fC0000000, 0f40400000; mov.b32 %r9, %f9;", 0x3F800000},
        {"min.ftz.f32 %f9, 0f00000001, 0f40000000, 0f3F800000; mov.b32 %r9, %f9;", 0},
    };
    WORDS(edges);
    run_refused("", "min.s32 %r0, %r1, %r2, %r3;", 32, 1, "min and max of three numbers are for .f32");
    run_refused("", "max.xorsign.abs.f64 %e0, %e1, %e2;", 32, 1, "is not supported");
}

/* ---- Clusters of one block ---- */

TEST(test_clusters)
{
    run_values(in, RUN_THREADS);
    run_map(
        ".shared .align 4 .b8 s[4096]; mov.u32 %r0, s; shl.b32 %r1, %thread, 2; add.u32 %r1, %r0, %r1; st.shared::cluster.u32 "
        "[%r1], "
        "%thread;\n"
        "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned; fence.acq_rel.cluster;\n"
        "xor.b32 %r2, %thread, 1023; shl.b32 %r2, %r2, 2; add.u32 %r2, %r0, %r2; mapa.shared::cluster.u32 %r2, %r2, 0;\n"
        "ld.shared::cluster.u32 %r3, [%r2]; cvt.u64.u32 %y0, %r3; mov.u32 %r4, %cluster_ctarank; mov.u32 %r5, %cluster_nctarank;\n"
        "mov.b64 %y1, {%r4, %r5}; mov.u32 %r4, %cluster_ctaid.y; mov.u32 %r5, %cluster_nctaid.z; mov.b64 %y2, {%r4, %r5};\n"
        "mov.u32 %r4, %clusterid.x; mov.u32 %r5, %nclusterid.x; getctarank.shared::cluster.u32 %r6, %r2; add.u32 %r4, %r4, %r6;\n"
        "mov.b64 %y3, {%r4, %r5};",
        in, out, RUN_THREADS);
    run_map("mov.pred %p1, %is_explicit_cluster; selp.u32 %r0, 1, 2, %p1; cvt.u64.u32 %y0, %r0;", in, other, 1);
    assert_int_equal(other[0][0], 2);
    for (u32 n = 0; n < RUN_THREADS; n++) {
        assert_int_equal(out[n][0], n ^ 1023);
        for (u32 word = 1; word < 4; word++)
            assert_int_equal(out[n][word], UINT64_C(1) << 32);
    }
}
