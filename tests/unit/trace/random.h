/* Random launches and random legal paths through them, recorded in awkward interleavings. */
#pragma once

#include <stdbool.h>

#include "warpsweep/trace.h"

/* A small generator of pseudo-random numbers; any state but 0. */
u64 random_next(u64 *state);
u32 random_below(u64 *state, u32 limit);

enum { MOST_SEGMENTS = 6 };

struct random_launch {
    struct ws_launch launch;
    struct ws_machine_code *code; /* for half of the launches */
    struct ws_instruction *program;
    struct ws_segment segment[MOST_SEGMENTS];
};

/* Makes a launch of a few blocks; paths beyond `steps` decisions are led to the exit. To be freed by random_launch_free. */
void random_launch_make(u64 *state, struct random_launch *made);
void random_launch_free(struct random_launch *made);

/* Machine code of this many instructions, using every field of the format. To be freed by random_code_free; NULL is allowed. */
struct ws_machine_code *random_code_make(u64 *state, u32 count);
void random_code_free(struct ws_machine_code *code);

/* What a thread did. */
struct access {
    u64 address;
    u32 space;
    bool atomic;
};
struct path {
    u8 *decisions; /* one a byte */
    struct access *accesses;
    u64 decision_count, access_count, instructions;
    u64 room;
};

/* Paths of all threads, block after block; random_paths_free frees them. */
struct path *random_paths(u64 *state, const struct ws_launch *launch, u32 steps);
void random_paths_free(struct path *paths, const struct ws_launch *launch);

u32 threads_of(const struct ws_launch *launch);
u32 blocks_of(const struct ws_launch *launch);

/* Writes the paths as a trace, with random interleaving of a block's threads; fails the test on any error. */
void random_record(u64 *state, const struct ws_launch *launch, const struct path *paths, const char *file);
