/* Machines: files, overrides, checks. Values are those of shared/machine.h. */
#ifndef WARPSWEEP_MACHINE_H
#define WARPSWEEP_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/machine.h"
#include "warpsweep/status.h"

/* What sweeps know of a parameter's effect (shared/parameters.def). */
enum ws_parameter_kind {
    WS_PARAMETER_plain,
    WS_PARAMETER_limit,  /* an upper limit, which binds or not */
    WS_PARAMETER_planned /* simulations know only what a job's plan makes of it */
};

/* One row of parameters.def. */
struct ws_parameter {
    const char *key; /* "divergence.unit" */
    const char *unit, *doc;
    const char *set; /* set of choices, or NULL for a number */
    u32 standard, least, most;
    bool power; /* must be a power of two */
    enum ws_parameter_kind kind;
};

/* Below 0 if a is the tighter limit of the two, above 0 if b is: 0 is none where the parameter may be 0. */
int ws_limit_compare(const struct ws_parameter *limit, u32 a, u32 b);

/* All parameters in the order of struct ws_machine, so that the n-th is the n-th u32 of it; *count receives their number. */
const struct ws_parameter *ws_parameters(size_t *count);

/* Writes what a parameter may be, "a power of two from 4 to 1024" or "pdom, lwm", into text. */
void ws_parameter_allowed(const struct ws_parameter *parameter, char *text, size_t room);

/* One row of choices.def. */
struct ws_choice {
    const char *set, *name, *doc;
    u32 value;
};
const struct ws_choice *ws_choices(size_t *count);

/* Names of choices that are compiled in together: each a pipeline, a path unit, a scheduler and a way of dispatch. */
struct ws_variant {
    const char *pipeline, *divergence, *policy, *dispatch;
};
const struct ws_variant *ws_variants(size_t *count);

/* A bundled machine. */
struct ws_machine_row {
    const char *name, *about;
};
const struct ws_machine_row *ws_machines(size_t *count);

/* A machine with the source of every value: "default", "FILE:LINE" or "override". */
struct ws_machine_file {
    struct ws_machine machine;
    char name[64];
    char about[256];
    u32 sms;              /* SMs of the GPU that the machine is one SM of; 0 where the file does not say */
    char source[256][96]; /* by parameter */
};

/* All defaults. */
void ws_machine_defaults(struct ws_machine *machine);

/* Loads a YAML file, or by name a bundled machine. Every error names file, line, key, value and what is allowed. Combinations are
 * checked by ws_machine_check, after overrides. */
enum ws_status ws_machine_load(const char *file_or_name, struct ws_machine_file *file, struct ws_error *error);

/* Sets one parameter from text ("divergence.unit", "lwm"); a key that does not exist names the nearest. */
enum ws_status ws_machine_set(struct ws_machine *machine, const char *key, const char *value, struct ws_error *error);

/* Sets one parameter of a loaded machine from "key=value" and notes "override" as its source. */
enum ws_status ws_machine_override(struct ws_machine_file *file, const char *assignment, struct ws_error *error);

/* Writes the value of parameter n as text. */
void ws_machine_get(const struct ws_machine *machine, size_t n, char *text, size_t room);

/* The most warp slots that the machine's path unit can have in its pipeline; 0 where it does not run there. */
u32 ws_machine_slots(const struct ws_machine *machine);

/* The memory spaces whose addresses the machine's pipeline reads: what ws_image_load takes for it. */
u32 ws_machine_spaces(const struct ws_machine *machine);

/* Row of ws_variants with these names; the number of rows where there is none. */
size_t ws_variant_find(const struct ws_variant *variant);

/* Row of ws_variants that the machine's choices are; the number of rows where they are none. */
size_t ws_machine_variant(const struct ws_machine *machine);

/* The parameter that decides that simulations of the machine do not read parameter n: core.pipeline of l2.size in the barrel. The
 * number of parameters where they do. What ws_machine_check accepts does not depend on the value of a parameter that is not read.
 */
size_t ws_machine_unread(const struct ws_machine *machine, size_t n);

/* Says so, "l2.size is not read where core.pipeline is barrel"; false where parameter n is read. */
bool ws_machine_unread_text(const struct ws_machine *machine, size_t n, char *text, size_t room);

/* What a launch asks for: threads of a block, registers of a thread, bytes of shared memory of a block. */
struct ws_demand {
    u32 threads, registers, shared_bytes;
};

/* What a block and a warp of a launch are allocated, and how many of them an empty SM holds (docs/model/dispatch.md). */
struct ws_occupancy {
    u32 warps, slots;                    /* warps of a block; warp slots, which are whole sets with path unit vws */
    u64 warp_registers, block_registers; /* registers */
    u64 block_shared;                    /* bytes */
    u32 places;                          /* warps that fit by warp slots and registers */
    u32 shared_blocks;                   /* blocks that fit by block slots and shared memory */
    u32 blocks;                          /* blocks that fit by all of these */
};

/* All 0 for a block without threads. The machine is one that ws_machine_check accepts, or has its core group at least. */
struct ws_occupancy ws_machine_occupancy(const struct ws_machine *machine, const struct ws_demand *demand);

/* Adds to the message of an error by which settings the machine would hold a block of the trace, "; it fits with -s core.warps=32";
 * nothing where it holds one, or where no settings of these parameters are legal. */
struct ws_image;
void ws_machine_advise(const struct ws_machine *machine, const struct ws_image *image, struct ws_error *error);

/* Refuses impossible combinations, naming the keys, more warps than the path unit can have, and choices that do not
 * go together, naming the legal ones. */
enum ws_status ws_machine_check(const struct ws_machine *machine, struct ws_error *error);

#endif
