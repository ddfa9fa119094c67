/* Machines: files, overrides, checks. Values are those of shared/machine.h. */
#ifndef WARPSWEEP_MACHINE_H
#define WARPSWEEP_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/machine.h"
#include "warpsweep/status.h"

/* Effect of a parameter, as sweeps use it (shared/parameters.def). */
enum ws_parameter_kind {
    WS_PARAMETER_plain,
    WS_PARAMETER_limit,  /* an upper bound, which a simulation may or may not reach */
    WS_PARAMETER_planned /* simulations depend on it only through a job's plan */
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

/* Negative if a is the tighter bound of the two, positive if b is; 0 means no bound if the parameter may be 0. */
int ws_limit_compare(const struct ws_parameter *limit, u32 a, u32 b);

/* All parameters in the order of struct ws_machine: the n-th is its n-th u32. *count receives their number. */
const struct ws_parameter *ws_parameters(size_t *count);

/* Writes the allowed values, "a power of two from 4 to 1024" or "pdom, lwm", into text. */
void ws_parameter_allowed(const struct ws_parameter *parameter, char *text, size_t room);

/* One row of choices.def. */
struct ws_choice {
    const char *set, *name, *doc;
    u32 value;
};
const struct ws_choice *ws_choices(size_t *count);

/* Names of choices that are compiled into one kernel: a pipeline, a path unit, a scheduler and a way of dispatch. */
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
    u32 sms;              /* SMs of the GPU; 0 if the file does not say */
    char source[256][96]; /* by parameter */
};

/* All defaults. */
void ws_machine_defaults(struct ws_machine *machine);

/* Loads a YAML file, or by name a bundled machine. Every error names file, line, key, value and what is allowed. Combinations are
 * checked by ws_machine_check, after overrides. */
enum ws_status ws_machine_load(const char *file_or_name, struct ws_machine_file *file, struct ws_error *error);

/* Sets one parameter from text ("divergence.unit", "lwm"); an unknown key is an error that suggests the nearest. */
enum ws_status ws_machine_set(struct ws_machine *machine, const char *key, const char *value, struct ws_error *error);

/* Sets one parameter of a loaded machine from "key=value" and records "override" as its source. */
enum ws_status ws_machine_override(struct ws_machine_file *file, const char *assignment, struct ws_error *error);

/* Writes the value of parameter n as text. */
void ws_machine_get(const struct ws_machine *machine, size_t n, char *text, size_t room);

/* Most warp slots of the machine's path unit in its pipeline; 0 if that combination does not exist. */
u32 ws_machine_slots(const struct ws_machine *machine);

/* Memory spaces whose addresses the machine's pipeline simulates: an argument of ws_image_load. */
u32 ws_machine_spaces(const struct ws_machine *machine);

/* Row of ws_variants with these names; the number of rows if there is none. */
size_t ws_variant_find(const struct ws_variant *variant);

/* Row of ws_variants for the machine's choices; the number of rows if there is none. */
size_t ws_machine_variant(const struct ws_machine *machine);

/* The parameter because of which simulations of the machine do not read parameter n: core.pipeline for l2.size in the barrel. The
 * number of parameters if they read it. ws_machine_check does not depend on the values of parameters that are not read. */
size_t ws_machine_unread(const struct ws_machine *machine, size_t n);

/* Writes that as text, "l2.size is not read where core.pipeline is barrel"; false if parameter n is read. */
bool ws_machine_unread_text(const struct ws_machine *machine, size_t n, char *text, size_t room);

/* Resources of a launch: threads of a block, registers of a thread, bytes of shared memory of a block. */
struct ws_demand {
    u32 threads, registers, shared_bytes;
};

/* Allocation of a block and a warp of a launch, and how many of them an empty SM holds (docs/model/dispatch.md). */
struct ws_occupancy {
    u32 warps, slots;                    /* warps of a block; warp slots, which are whole sets with path unit vws */
    u64 warp_registers, block_registers; /* registers */
    u64 block_shared;                    /* bytes */
    u32 places;                          /* warps that fit by warp slots and registers */
    u32 shared_blocks;                   /* blocks that fit by block slots and shared memory */
    u32 blocks;                          /* blocks that fit by all of these */
};

/* All 0 for a block without threads. The machine must pass ws_machine_check, or at least its core group must. */
struct ws_occupancy ws_machine_occupancy(const struct ws_machine *machine, const struct ws_demand *demand);

/* Appends to an error's message the settings with which the machine would hold a block of the trace, "; it fits with -s
 * core.warps=32"; nothing if it holds one, or if no legal settings of these parameters do. */
struct ws_image;
void ws_machine_advise(const struct ws_machine *machine, const struct ws_image *image, struct ws_error *error);

/* Refuses illegal combinations, naming the keys; more warps than the path unit supports; and choices without a kernel, naming the
 * legal ones. */
enum ws_status ws_machine_check(const struct ws_machine *machine, struct ws_error *error);

#endif
