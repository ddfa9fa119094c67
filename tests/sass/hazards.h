/* Static check of control fields: an instruction that reads a register must wait for the instruction that writes it. */
#pragma once

#include "sass/file/kernel.h"

enum hazard_kind {
    HAZARD_RAW,     /* reads or overwrites a pending result without waiting for its counter */
    HAZARD_LATENCY, /* reads before the writer's fixed latency has passed */
    HAZARD_WAR,     /* overwrites a register that a pending instruction has still to read */
    HAZARD_SILENT   /* reads a result of variable latency that no counter signals */
};

struct hazard {
    enum hazard_kind kind;
    u32 first, second; /* offsets: the pending instruction, and the one that is too early */
    u8 file;           /* enum ws_sass_file */
    u16 number;        /* number of the register */
    u32 cycles;        /* HAZARD_LATENCY: cycles between the two */
};

typedef void hazard_report(void *context, const struct hazard *hazard);

/* Reports all hazards in the code of a kernel. Nothing is pending after an instruction that is not decoded, nor after calls and
 * returns, where the compiler waits for everything. Returns the number of decoded instructions that are reachable. */
u32 hazards_find(const struct ws_sass_kernel *kernel, hazard_report *report, void *context);

/* Fails the test for a hazard in any kernel of a machine-code program; the message names both instructions. Returns the number of
 * checked instructions. */
u32 hazards_expect_none(const struct ws_program *program);
