/* One case on all judges, so that a test states each expectation once: the oracle, the native engine, and that engine with a
 * pre-decoded trace if the machine has such kernels. */
#pragma once

#include "oracle/image_build.h"
#include "oracle/oracle.h"
#include "warpsweep/engine.h"

struct trial {
    const char *who;
    enum ws_status status;
    u64 counters[WS_COUNTERS];
    struct ws_timeline_event *events; /* in order; stall slots of one kind may be one event or several */
    size_t event_count;
    struct ws_block_time *times;
    struct ws_warp_time *warps; /* block by block */
    u32 warps_per_block;
};

enum { TRIALS = 3 };

/* Runs machine and trace on each judge, and fails the test unless all counters agree. To be freed by trials_free. */
void trials_run_image(const struct ws_machine *machine, const struct ws_image *image, struct trial trials[TRIALS]);

/* The same for a trace built by the test. */
void trials_run(const struct ws_machine *machine, const struct image_build *build, struct trial trials[TRIALS]);
void trials_free(struct trial trials[TRIALS]);

/* Cycle of the n-th issue (from 0) of pc by the warp in slot; fails the test if there is none. */
u64 issue_cycle(const struct trial *trial, u32 slot, u32 pc, u32 nth);

/* Fails the test, naming judge and expectation, unless the warp issues pc for the n-th time at cycle. */
void expect_issue(const struct trial trials[TRIALS], u32 slot, u32 pc, u32 nth, u64 cycle);

/* The same for the mask of lanes of that issue. */
void expect_lanes(const struct trial trials[TRIALS], u32 slot, u32 pc, u32 nth, u32 lanes);

/* The same for a counter (WS_COUNT_*). */
void expect_count(const struct trial trials[TRIALS], u32 counter, u64 value);

/* Several of them: `EXPECT_COUNTS(trials, IS(cycles, 18), IS(l1_hits, 5))`; `EXPECT_ISSUED(trials, {slot, pc, nth, cycle}, ...)`.
 */
struct expected_count {
    u32 counter;
    u64 value;
};
struct expected_issue {
    u32 slot, pc, nth;
    u64 cycle;
};
#define IS(counter, value)                                                                                                         \
    {                                                                                                                              \
        WS_COUNT_##counter, value                                                                                                  \
    }
#define EXPECT_COUNTS(trials, ...)                                                                                                 \
    expect_counts(trials, (const struct expected_count[]){__VA_ARGS__},                                                            \
                  sizeof((const struct expected_count[]){__VA_ARGS__}) / sizeof(struct expected_count))
void expect_counts(const struct trial trials[TRIALS], const struct expected_count *expected, size_t count);
#define EXPECT_ISSUED(trials, ...)                                                                                                 \
    expect_issued(trials, (const struct expected_issue[]){__VA_ARGS__},                                                            \
                  sizeof((const struct expected_issue[]){__VA_ARGS__}) / sizeof(struct expected_issue))
void expect_issued(const struct trial trials[TRIALS], const struct expected_issue *expected, size_t count);
