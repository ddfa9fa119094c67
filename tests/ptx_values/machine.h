/* What is known of a thread's registers while its machine code is read. */
#pragma once

#include <stdbool.h>

#include "shared/dialect.h"

enum {
    ZERO = 255, /* the register that reads 0 */
    ALWAYS = 7  /* the predicate that is true */
};

struct registers {
    u32 value[256];
    bool known[256];
};

struct machine {
    struct registers plain, uniform, predicate;
    u64 *word;
    bool *known, *stored;
    u32 count;
    bool computes; /* integer instructions of known registers give known results: numbers of sm_75 */
};

/* Bits of an instruction. */
u64 machine_field(const u64 *code, u32 from, u32 bits);

void machine_set(struct registers *registers, u32 number, u32 value, bool known);

/* integers.c: executes an integer instruction; false if it is none of those that ptxas makes of others. */
bool machine_integer(struct machine *machine, const u64 *code);
