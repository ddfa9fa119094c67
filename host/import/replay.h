/* Compares recorded warps with those of the trace. */
#pragma once

#include "import/lower.h"

/* A growing list. Starts as {0}; its data are freed by free. */
struct sass_list {
    u64 *data;
    size_t count, room;
};
bool sass_list_add(struct sass_list *list, u64 value);

/* Decisions of a lane, one bit each. */
struct sass_bits {
    struct sass_list words;
    u64 count, at;
};
bool sass_bits_add(struct sass_bits *bits, u32 bit);

/* A record as a number: place in the upper half, mask in the lower. */
static inline u64 sass_issued(u32 place, u32 mask)
{
    return (u64)place << 32 | mask;
}

struct sass_replay {
    struct sass_list recorded; /* records of the warp; masks of exits contain only lanes that end there */
    struct sass_list replayed;
    struct sass_bits decisions[SASS_LANES];
    size_t ended[SASS_LANES]; /* by lane: 1 + record of its last executed exit; 0: none */
};
void sass_replay_free(struct sass_replay *replay);
void sass_replay_clear(struct sass_replay *replay);

/* Adds a record of the warp: op, at a place of the program, with lanes in mask. False when out of memory. */
bool sass_replay_record(struct sass_replay *replay, const struct sass_op *op, u32 place, u32 mask);

/* Executes the warp's threads (a mask) with a PDOM stack, for each order of paths; compares issued with recorded instructions, and
 * adds the differences to report. False when out of memory. */
bool sass_replay_compare(struct sass_replay *replay, const struct sass_code *code, const struct sass_program *program, u32 threads,
                         u64 block, u32 warp, struct ws_nvbit_report *report);
