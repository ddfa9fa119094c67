/* Linking of PTX: what nvlink does with machine code, for programs of several objects (nvcc -rdc=true). */
#pragma once

#include <stddef.h>

#include "shared/dialect.h"

/* One module of several, each zero-terminated: declarations of what another one defines go, further copies of weak definitions go,
 * equal names that are not visible from outside are told apart, files of source lines are numbered on, sections for debuggers go.
 * Newly allocated, the caller frees it; NULL when out of memory. Names that two modules define remain, for the loader to refuse. */
char *gpu_link(const char *const *texts, u32 count, size_t *length);
