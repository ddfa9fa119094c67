/* Copies of kernels/ with planted defects, and libraries compiled from them. */
#ifndef WS_TESTS_OVERLAY_H
#define WS_TESTS_OVERLAY_H

#include <stdbool.h>

#include "differential/mutants/mutants.h"
#include "engine/native/native.h"

/* Reads kernels/ and include/, and frees what was read. A failure fails the test. */
void overlay_open(void);
void overlay_close(void);

/* Where a mutant can be planted: within a function, so that it can be one of several in a library; elsewhere, in a library of its
 * own; or not, unless one file ends in its name and its text occurs there once. */
enum overlay_place { OVERLAY_IN_FUNCTION, OVERLAY_ELSEWHERE, OVERLAY_NO_FILE, OVERLAY_NO_TEXT };
enum overlay_place overlay_place(const struct mutant *mutant);

/* Compiles a library for the mutant's pipeline, path unit, words and lane form into a folder: with the mutant alone, or with all
 * mutants like it (mutants_alike) that lie within functions; mutants[n] has the number n + 1. False, with the compiler's words on
 * standard error, when that fails. */
bool overlay_compile(const char *folder, const struct mutant *mutant, bool alone);

/* A library ready to run. */
struct library {
    ws_native_slice *advance;
    unsigned *planted;      /* number of the mutant that runs, 0 for none; NULL in a library of one mutant alone */
    void (*seed)(u64 seed); /* decides the order of lanes; NULL in form loop */
    bool (*parted)(void);   /* whether lanes have parted at a barrier; NULL in form loop */
};

/* Opens the library in a folder. False when it lacks what it must have. */
bool library_open(const char *folder, const struct mutant *mutant, struct library *library);

#endif
