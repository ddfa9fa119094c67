/* Known registers of a thread while its machine code is read. */
#pragma once

#include <stdbool.h>

#include "shared/dialect.h"

enum {
    ZERO = 255, /* the zero register */
    ALWAYS = 7  /* the true predicate */
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
    bool computes; /* integer instructions on known registers give known results: sm_75 encodings */
};

/* Bits of an instruction. */
u64 machine_field(const u64 *code, u32 from, u32 bits);

void machine_set(struct registers *registers, u32 number, u32 value, bool known);

/* integers.c: executes an integer instruction; false if ptxas does not build others from it. */
bool machine_integer(struct machine *machine, const u64 *code);
