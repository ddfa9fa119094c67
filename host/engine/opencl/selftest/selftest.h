/* Self-test: a small simulation with known counters, run on a device before any other. */
#pragma once

#include "engine/opencl/batch.h"

struct ws_selftest {
    const char *variant; /* its name */
    struct ws_machine machine;
    struct ws_image *threads, *packets; /* packets: pre-decoded; NULL unless the variant requires it */
    const struct ws_image *image;       /* the one in use */
    u64 expected[WS_COUNTERS];          /* after ws_selftest_expect */
};

/* Makes the self-test of a variant, on a machine of its own or, unless NULL, on this one, on which it may fail to run. Close it in
 * every case. */
enum ws_status ws_selftest_open(struct ws_selftest *test, u32 variant, const struct ws_machine *machine, struct ws_error *error);
void ws_selftest_close(struct ws_selftest *test);

/* Computes the expected counters with the native engine, which may have to compile its kernels. */
enum ws_status ws_selftest_expect(struct ws_selftest *test, struct ws_error *error);

/* A digest of plan and image. The counters follow from them and from the kernels. */
void ws_selftest_digest(const struct ws_selftest *test, char digest[17]);

/* Compares the layout of shared structs, tests the collectives, and runs the simulation in quanta of odd length. WS_STATUS_mismatch
 * names the variant and the first difference. */
enum ws_status ws_selftest_run(const struct ws_selftest *test, struct ws_cl *cl, const struct ws_device_program *program,
                               const struct ws_limits *limits, struct ws_error *error);
