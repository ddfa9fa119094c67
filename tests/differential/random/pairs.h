/* Sets of choices for machines: few machines that together show every pair. */
#pragma once

#include <stdbool.h>

#include "shared/machine.h"

/* Rows of values of all CHOOSE parameters of parameters.def: first those of the bundled experiments' points, then rows that cover
 * every pair of values which ws_machine_check allows together. The rows are the same in every run. */
u32 pairs_count(void);

/* Sets the machine's choices to a row below pairs_count(); numbers are unchanged. With icache.size 0 and the defaults of all other
 * numbers each row is legal. */
void pairs_apply(u32 row, struct ws_machine *machine);

/* A pair of values: a of parameter `one` (index of its CHOOSE row), b of parameter `other`. */
struct pair {
    u32 one, a, other, b;
};

/* All pairs of values, allowed or not; the caller frees them. */
struct pair *pairs_all(u32 *count);

/* Whether the machine has both values. */
bool pair_is_in(const struct pair *pair, const struct ws_machine *machine);

void pair_set(const struct pair *pair, struct ws_machine *machine);

/* Prints the pair, with the parameters' keys, to standard error. */
void pair_print(const struct pair *pair);

/* Numbers of the CHOOSE parameters, and of the values of one. */
u32 choices_count(void);
u32 choice_values(u32 parameter);

/* Sets parameter to the n-th of its values. */
void choice_set(struct ws_machine *machine, u32 parameter, u32 n);
