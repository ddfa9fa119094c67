#include "engine/opencl/selftest/collectives.h"

#include "base/error.h"
#include "base/random.h"
#include "shared/collectives.h"

enum { ROUNDS = 4, OUTPUTS = WS_COLLECTIVES * 32 };

static const char *const names[WS_COLLECTIVES] = {
    [WS_COLLECTIVE_ballot] = "ballot",
    [WS_COLLECTIVE_least] = "least",
    [WS_COLLECTIVE_pick] = "pick",
    [WS_COLLECTIVE_first] = "first",
    [WS_COLLECTIVE_any] = "any",
    [WS_COLLECTIVE_none] = "any of none",
    [WS_COLLECTIVE_least_again] = "least again",
    [WS_COLLECTIVE_leaders] = "leaders",
    [WS_COLLECTIVE_neighbour] = "fence",
};

/* The same seed gives the same input; later rounds have smaller values, fewer of them odd. */
static void make_input(u64 *seed, u32 round, u32 *in)
{
    for (u32 lane = 0; lane < WS_LANES; lane++)
        in[lane] = (u32)ws_random(seed) >> 7 * round & ~(round == ROUNDS - 1 ? 1u : 0u);
    in[WS_LANES] = (u32)ws_random(seed) % WS_LANES;
}

static void expect(const u32 *in, u32 lane, u32 *expected)
{
    u32 odd = 0, least = in[0], leaders = 0, kinds = 0;
    for (u32 n = 0; n < WS_LANES; n++) {
        const u32 kind = in[n] & 1 ? 1u << in[n] / 2 % 8 : 0;
        odd |= (in[n] & 1) << n;
        leaders |= (u32)((kind & ~kinds) != 0) << n;
        kinds |= kind;
        least = ws_min(least, in[n]);
    }
    expected[WS_COLLECTIVE_ballot] = odd;
    expected[WS_COLLECTIVE_least] = least;
    expected[WS_COLLECTIVE_pick] = in[in[WS_LANES]];
    expected[WS_COLLECTIVE_first] = in[0];
    expected[WS_COLLECTIVE_any] = odd != 0;
    expected[WS_COLLECTIVE_none] = 0;
    expected[WS_COLLECTIVE_least_again] = least;
    expected[WS_COLLECTIVE_leaders] = leaders;
    expected[WS_COLLECTIVE_neighbour] = in[(lane + 1) % WS_LANES];
}

static enum ws_status compare(const u32 *in, const u32 *out, struct ws_error *error)
{
    for (u32 lane = 0; lane < WS_LANES; lane++) {
        u32 expected[WS_COLLECTIVES];
        expect(in, lane, expected);
        for (u32 n = 0; n < WS_COLLECTIVES; n++) {
            const u32 found = out[lane * WS_COLLECTIVES + n];
            if (found != expected[n])
                return ws_fail(error, WS_STATUS_mismatch, "collective %s of lane %u is %u, expected %u", names[n], lane, found,
                               expected[n]);
        }
    }
    return WS_STATUS_ok;
}

static enum ws_status try(struct ws_cl *cl, const struct ws_device_program *program, struct ws_cl_buffer *in_buffer,
                          struct ws_cl_buffer *out_buffer, struct ws_error *error)
{
    const struct ws_cl_argument arguments[] = {{.buffer = in_buffer}, {.buffer = out_buffer}};
    u32 in[WS_COLLECTIVE_INPUTS], out[OUTPUTS];
    u64 seed = 1;
    for (u32 round = 0; round < ROUNDS; round++) {
        make_input(&seed, round, in);
        WS_TRY(ws_cl_zero(cl, out_buffer, 0, sizeof out, error));
        WS_TRY(ws_cl_write(cl, in_buffer, 0, sizeof in, in, error));
        WS_TRY(ws_cl_launch(cl, program->program, "sm_collectives", arguments, 2, 1, program->form->work_items, error));
        WS_TRY(ws_cl_read(cl, out_buffer, 0, sizeof out, out, error));
        WS_TRY(compare(in, out, error));
    }
    return WS_STATUS_ok;
}

enum ws_status ws_collectives_check(struct ws_cl *cl, const struct ws_device_program *program, struct ws_error *error)
{
    struct ws_cl_buffer *in = NULL, *out = NULL;
    enum ws_status status = ws_cl_buffer_new(cl, WS_COLLECTIVE_INPUTS * sizeof(u32), &in, error);
    if (status == WS_STATUS_ok)
        status = ws_cl_buffer_new(cl, OUTPUTS * sizeof(u32), &out, error);
    if (status == WS_STATUS_ok)
        status = try(cl, program, in, out, error);
    ws_cl_buffer_free(in);
    ws_cl_buffer_free(out);
    return status;
}
