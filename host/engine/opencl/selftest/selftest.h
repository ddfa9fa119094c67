/* A small simulation whose counters are known, run on a device before anything else is believed of it. */
#pragma once

#include "engine/opencl/batch.h"

struct ws_selftest {
    const char *variant; /* its name */
    struct ws_machine machine;
    struct ws_image *threads, *packets; /* packets: NULL unless the variant replays them */
    const struct ws_image *image;       /* what it is tested with */
    u64 expected[WS_COUNTERS];          /* since ws_selftest_expect */
};

/* Makes the test of a variant, on a machine of its own or, unless NULL, on this one, on which it may not run. To be closed in
 * every case. */
enum ws_status ws_selftest_open(struct ws_selftest *test, u32 variant, const struct ws_machine *machine, struct ws_error *error);
void ws_selftest_close(struct ws_selftest *test);

/* Takes the expected counters from the native engine, which may have to compile its kernels. */
enum ws_status ws_selftest_expect(struct ws_selftest *test, struct ws_error *error);

/* A word for what is tested: plan and image. The counters follow from them and from the kernels. */
void ws_selftest_digest(const struct ws_selftest *test, char digest[17]);

/* Compares the layout of shared structs, tries the collectives of lanes, and runs the test in quanta of odd length.
 * WS_STATUS_mismatch names the variant and the first difference. */
enum ws_status ws_selftest_run(const struct ws_selftest *test, struct ws_cl *cl, const struct ws_device_program *program,
                               const struct ws_limits *limits, struct ws_error *error);
