/* A static check of control fields: whether an instruction that reads a register waits for the one that writes it. */
#pragma once

#include "sass/file/kernel.h"

enum hazard_kind {
    HAZARD_RAW,     /* reads, or replaces, what a pending instruction writes, and does not wait for its counter */
    HAZARD_LATENCY, /* reads before the fixed latency of the writer is over */
    HAZARD_WAR,     /* writes what a pending instruction has not read yet */
    HAZARD_SILENT   /* reads what an instruction of variable latency writes that raises no counter */
};

struct hazard {
    enum hazard_kind kind;
    u32 first, second; /* offsets of the pending instruction and of the one that is too early */
    u8 file;           /* enum ws_sass_file */
    u16 number;        /* of the register */
    u32 cycles;        /* HAZARD_LATENCY: between the two */
};

typedef void hazard_report(void *context, const struct hazard *hazard);

/* Tells of all hazards in the code of a kernel. An instruction that is not decoded ends what is pending. Returns the number of
 * decoded instructions that a path reaches. Paths end at calls and returns: the compiler settles all there. */
u32 hazards_find(const struct ws_sass_kernel *kernel, hazard_report *report, void *context);

/* Fails the test, with both instructions, for a hazard in any kernel of a program of machine code; returns how many instructions
 * were checked. */
u32 hazards_expect_none(const struct ws_program *program);
