#include "cli/program/canary.h"

#include <inttypes.h>
#include <stdbool.h>

#include "base/error.h"
#include "warpsweep/frontend.h"

enum { THREADS = 128, GROUP = 64, MOST_INSTRUCTIONS = 1 << 20 };

static const char *const kernels[] = {
#define CANARY(kernel, value) #kernel,
#include "cli/program/canary.def"
#undef CANARY
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static u32 clamped(int64_t x, int64_t least, int64_t most)
{
    return (u32)(x < least ? least : x > most ? most : x);
}

static u32 integers(u32 a, u32 b)
{
    const int64_t x = (i32)a, y = (i32)b;
    const u64 pair = (u64)a << 32 | b, turned = pair << b % 64 | pair >> (64 - b % 64) % 64;
    const u32 zeros = a ? (u32)__builtin_clz(a) : 32;
    return clamped(x + y, INT32_MIN, INT32_MAX) + 3 * (u32)((u64)a * b >> 32) + 5 * (u32)(((u64)a + b) >> 1) + 7 * zeros +
           11 * (u32)__builtin_popcount(b) + 13 * clamped(x, 0, UINT8_MAX) + 17 * (u32)(turned >> 32) + 19 * (u32)turned;
}

/* (((u128)x * y) >> 64) - 5, truncated to 64 bits. Values from 2^31 on lose their last eight bits in a float; 2^l has exponent l.
 */
static u32 defined(u32 a, u32 b, u32 l)
{
    const int64_t x = (i32)a, y = (i32)b, product = x * y;
    const bool fits = product == (i32)product;
    const u32 high = fits ? (u32)product - 1 : product > 0 ? INT32_MAX : (u32)INT32_MIN;
    const u32 cut = 0x4F000000u | ((a >> 8) & 0x7FFFFFu);
    return clamped(x - y, INT32_MIN, INT32_MAX) + 3 * (((a & 255) * (b & 255) / 256 + 255) & 255) + 5 * cut + 7 * high +
           11 * 0x8001u + 13 * ((127 + l % 8) << 23);
}

static u32 expected(size_t kernel, const u32 *in, u32 t)
{
    const u32 l = t % GROUP;
    const u32 values[] = {
#define CANARY(kernel, value) (u32)(value),
#include "cli/program/canary.def"
#undef CANARY
    };
    return values[kernel];
}

static enum ws_status execute(const struct ws_program *program, const struct ws_frontend_options *options, size_t kernel, u32 *in,
                              u32 *out, struct ws_error *error)
{
    struct ws_argument arguments[] = {
        {.kind = WS_ARGUMENT_BUFFER, .name = "out", .bytes = THREADS * sizeof *out, .data = out},
        {.kind = WS_ARGUMENT_BUFFER, .name = "in", .bytes = THREADS * sizeof *in, .data = in},
        {.kind = WS_ARGUMENT_SHARED, .name = "words", .bytes = GROUP * sizeof(u32)},
    };
    struct ws_ndrange launch = {.kernel = kernels[kernel],
                                .source = "canary.cl",
                                .global = {THREADS, 1, 1},
                                .local = {GROUP, 1, 1},
                                .argument_count = sizeof arguments / sizeof *arguments,
                                .arguments = arguments};
    return ws_execute(program, options, &launch, NULL, NULL, error);
}

/* An error in the test program is the compiler's fault. */
static enum ws_status blame(enum ws_status status, struct ws_text *fault, struct ws_error *error)
{
    if (status != WS_STATUS_bad_input)
        return status;
    ws_text_add(fault, "%s", error->message);
    return WS_STATUS_ok;
}

static enum ws_status try_kernel(const struct ws_program *program, const struct ws_frontend_options *options, size_t kernel,
                                 struct ws_text *fault, struct ws_error *error)
{
    u32 in[THREADS], out[THREADS] = {0};
    for (u32 t = 0; t < THREADS; t++)
        in[t] = t < THREADS / GROUP ? 7 + 2 * t : t * 0x9E3779B9u;
    const enum ws_status status = execute(program, options, kernel, in, out, error);
    if (status != WS_STATUS_ok)
        return blame(status, fault, error);
    for (u32 t = 0; t < THREADS && !fault->length; t++)
        if (out[t] != expected(kernel, in, t))
            ws_text_add(fault, "kernel '%s', thread %" PRIu32 ": found %" PRIu32 ", right is %" PRIu32, kernels[kernel], t, out[t],
                        expected(kernel, in, t));
    return WS_STATUS_ok;
}

enum ws_status cli_canary(const char *ptx, size_t length, struct ws_text *fault, struct ws_error *error)
{
    struct ws_frontend_options options;
    struct ws_program *program;
    ws_frontend_defaults(&options);
    options.compiled = true;
    options.most_thread_instructions = MOST_INSTRUCTIONS;
    enum ws_status status = ws_program_load("canary.cl", ptx, length, &options, &program, error);
    if (status != WS_STATUS_ok)
        return blame(status, fault, error);
    for (size_t kernel = 0; kernel < KERNELS && status == WS_STATUS_ok && !fault->length; kernel++)
        status = try_kernel(program, &options, kernel, fault, error);
    ws_program_free(program);
    return status;
}
