/* The collectives of lane form group on an OpenCL CPU device with real work-groups of 32. Whole simulations in that form run in
 * fibers and on oclgrind: PoCL needs minutes and gigabytes to compile the barriers of a simulation (docs/performance.md). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "embedded/collectives_source.h"
#include "shared/collectives.h"
#include "test.h"
#include "unit/kit/cl_runner.h"

enum { LANES = 32, RESULTS = WS_COLLECTIVES, CASES = 50 };

static void expect_results(const u32 *in, const u32 *out)
{
    u32 mask = 0, least = UINT32_MAX, leaders = 0, kinds = 0;
    for (u32 lane = 0; lane < LANES; lane++) {
        const u32 kind = in[lane] & 1 ? 1u << in[lane] / 2 % 8 : 0;
        leaders |= (u32)((kind & ~kinds) != 0) << lane;
        kinds |= kind;
        mask |= (in[lane] & 1) << lane;
        least = in[lane] < least ? in[lane] : least;
    }
    const u32 expected[RESULTS] = {mask, least, in[in[LANES]], in[0], mask != 0, 0, least, leaders, 0};
    for (u32 lane = 0; lane < LANES; lane++)
        for (u32 n = 0; n < RESULTS; n++)
            assert_int_equal(out[lane * RESULTS + n], n == WS_COLLECTIVE_neighbour ? in[(lane + 1) % LANES] : expected[n]);
}

TEST(collectives_of_a_work_group)
{
    const char *ci = getenv("CI");
    static const char define[] = "#define WS_LANES_GROUP\n";
    char *source = malloc(sizeof define + collectives_source_length);
    assert_non_null(source);
    memcpy(source, define, sizeof define - 1);
    memcpy(source + sizeof define - 1, collectives_source, collectives_source_length + 1);
    u64 seed = 1;
    for (u32 n = 0; n < CASES; n++) {
        u32 in[LANES + 1], out[LANES * RESULTS] = {0};
        for (u32 lane = 0; lane < LANES; lane++)
            in[lane] = n == 0 ? 2 * lane : (u32)ws_random(&seed) >> n % 32;
        in[LANES] = n % LANES;
        struct ws_argument arguments[] = {
            {.kind = WS_ARGUMENT_BUFFER, .name = "in", .bytes = sizeof in, .data = in},
            {.kind = WS_ARGUMENT_BUFFER, .name = "out", .bytes = sizeof out, .data = out},
        };
        struct ws_ndrange launch = {
            .kernel = "collectives", .global = {LANES, 1, 1}, .local = {LANES, 1, 1}, .argument_count = 2, .arguments = arguments};
        struct ws_error error;
        const enum ws_status status = cl_run(source, &launch, &error);
        if (status == WS_STATUS_no_device && !(ci && strcmp(ci, "true") == 0)) {
            fprintf(stderr, "SKIPPED: %s\n", error.message);
            free(source);
            skip();
        }
        EXPECT_DONE(status, &error);
        expect_results(in, out);
    }
    free(source);
}
