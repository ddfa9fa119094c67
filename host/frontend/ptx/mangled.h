/* Names of C++ functions: what a programmer calls them. */
#pragma once

#include <stdbool.h>

#include "base/text.h"

/* Whether a symbol (Itanium C++ ABI, 5.1: "_Z4axpyILi2EfEvT0_") is what plain names: its name with or without arguments of
 * templates
 * ("axpy", "axpy<2, float>", "space::name"). Blanks do not count. Arguments that are neither integers nor types of one word or
 * their pointers are not known; such a symbol has its name without them only. */
bool ws_mangled_is(const char *symbol, const char *plain);

/* Adds the name of a symbol, with the arguments of templates where they are known; nothing where it is no such symbol. */
void ws_mangled_name(const char *symbol, struct ws_text *name);
