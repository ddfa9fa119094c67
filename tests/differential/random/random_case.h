/* Random machines and random programs with random paths and addresses, all from one seed. */
#pragma once

#include "differential/random/random.h"
#include "oracle/image_build.h"
#include "warpsweep/machine.h"

struct random_case {
    u64 seed;
    struct ws_machine machine;
    struct image_build build;
    struct ws_image *image;
};

/* Size of a case: smaller ones are easier to read. */
struct case_size {
    u32 blocks, block_threads; /* at most */
    u32 statements;            /* about, in a program */
    u32 thread_instructions;   /* about, of all threads */
};
extern const struct case_size whole_size; /* for optimized kernels */
extern const struct case_size small_size; /* for one work-item per lane, in fibers */

/* Makes the case of that seed. To be freed by random_case_free. The machine is legal and holds the block. */
void random_case_make(struct random_case *random_case, u64 seed, const struct case_size *size);
/* The same for a machine with these choices, for combinations that are rare otherwise. NULL wants nothing. */
struct wanted {
    u32 pipeline, divergence, policy; /* policy may be ANY_POLICY */
    bool by_warps;                    /* core.dispatch is warp, else block */
    bool no_named;                    /* no barriers for part of a block, which may wait for ever */
};
#define ANY_POLICY 0xFFFFFFFFu
void random_case_make_of(struct random_case *random_case, u64 seed, const struct case_size *size, const struct wanted *wanted);
void random_case_free(struct random_case *random_case);

/* Prints the parameters that differ from their defaults, one line each, to standard error. */
void print_machine(const struct ws_machine *machine);

/* ---- Its parts ---- */

/* The choices of seed n are row n - 1 of pairs.h, while there are rows. */
void random_machine(struct random *random, u64 seed, const struct wanted *wanted, struct ws_machine *machine);

/* A value that the parameter's table allows, regardless of others. */
u32 random_value(struct random *random, const struct ws_parameter *row);

/* Behaviour of an instruction in a thread: decisions of branches and guards, addresses of accesses. */
enum pattern { UNIFORM, BY_WARP, BY_THREAD, AT_RANDOM, LOOP_BOTTOM, LOOP_TOP, PATTERNS };
enum addressing { COALESCED, STRIDED, SCATTERED, ONE_LINE, FEW_ROWS, ADDRESSINGS };
struct behaviour {
    enum pattern pattern;
    bool uniform_trips; /* of loops: all threads of a block make the same number */
    u32 percent, trips;
    enum addressing addressing;
    u32 base, stride;
};

enum { MOST_INSTRUCTIONS = 1000 };

/* Fills in the program of build; behaviour[pc] belongs to each instruction. Reconvergence points are immediate post-dominators.
 * spaces: those with recorded accesses, as for ws_image_load; named: may have barriers for part of the block. */
void random_program(struct random *random, u32 statements, u32 spaces, bool named, struct image_build *build,
                    struct behaviour *behaviour);

/* Fills in control bits and operands of the program. */
void random_operands(struct random *random, struct image_build *build);

/* Every instruction from which no exit can be reached becomes an exit. Returns the instructions from each to the nearest exit. */
void make_exits_reachable(struct image_build *build, u32 *distance);

/* Sets the reconvergence points of all branches. */
void find_reconvergence(struct image_build *build, const u32 *distance);

/* Runs all threads of build through its program, up to about this many instructions each. */
void random_threads(u64 seed, const struct behaviour *behaviour, const u32 *distance, u32 instructions, struct image_build *build);

/* Whether threads of the image wait for part of their block, which some path units do not support. */
bool has_named_barriers(const struct ws_image *image);
