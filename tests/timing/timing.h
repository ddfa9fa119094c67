/* Exact-timing tests: the comment of each derives from docs/model/, by hand and cycle by cycle, what a few instructions do. D is 7,
 * a burst of a line takes 4 cycles, a row hit 100 and a conflict 300, as by default; instructions always hit unless said. For the
 * scoreboard pipeline see timing/scene.h. */
#pragma once

#include "oracle/trial.h"
#include "test.h"

/* The default machine with an instruction cache that always hits. */
struct ws_machine plain_machine(void);

/* The machine with large warps of that many threads. */
struct ws_machine large_machine(u32 threads);

/* Gives all threads of a warp's worth (32 threads from first) of block 0 the same address. */
void add_line(struct image_build *build, u32 first, u32 granule);

/* Granule of the first byte of a data line of 128 bytes. */
u32 line_granule(u32 line);

/* Begins a test, to be followed by its body. It is run wherever it stands in this folder. */
#define TIMING_TEST(name) TEST(name)

/* The same with a machine and an empty trace of that many blocks and threads a block, which the body fills, runs and judges. */
#define BARREL_TEST(name, made, blocks, threads)                                                                                   \
    static void name##_body(struct ws_machine *machine, struct image_build *build, struct trial trials[TRIALS]);                   \
    TIMING_TEST(name)                                                                                                              \
    {                                                                                                                              \
        struct ws_machine machine = made;                                                                                          \
        struct image_build build;                                                                                                  \
        struct trial trials[TRIALS];                                                                                               \
        image_build_start(&build, blocks, threads);                                                                                \
        name##_body(&machine, &build, trials);                                                                                     \
        trials_free(trials);                                                                                                       \
        image_build_free(&build);                                                                                                  \
    }                                                                                                                              \
    static void name##_body(struct ws_machine *machine, struct image_build *build, struct trial trials[TRIALS])
