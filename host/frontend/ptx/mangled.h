/* Demangling of C++ function names. */
#pragma once

#include <stdbool.h>

#include "base/text.h"

/* Whether a symbol (Itanium C++ ABI, 5.1: "_Z4axpyILi2EfEvT0_") denotes plain: its name with or without template arguments ("axpy",
 * "axpy<2, float>", "space::name"). Blanks do not count. Template arguments other than integers, one-word types and pointers to
 * these are unknown. Such a symbol only has its name without arguments. */
bool ws_mangled_is(const char *symbol, const char *plain);

/* Adds the name of a symbol, with known template arguments. Adds nothing for other symbols. */
void ws_mangled_name(const char *symbol, struct ws_text *name);
