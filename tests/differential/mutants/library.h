/* Libraries of the kernels with mutants: one for all mutants of the same kind. */
#pragma once

#include <stdbool.h>

#include "differential/mutants/plant.h"
#include "engine/native/native.h"

/* Reads the kernels as included for the mutant's pipeline, path unit, dispatch, words and lane form. A failure fails the test. */
void library_source(const struct mutant *mutant, struct source *source);

/* Compiles a library of them with plants, at a path. False, with the compiler's output on standard error, on failure. */
bool library_compile(const char *path, const struct mutant *mutant, const struct source *source, const struct plant *plants,
                     u32 count);

/* A loaded library. */
struct library {
    ws_native_quantum *advance;
    unsigned *planted;      /* number of the active mutant, 0 for none */
    void (*seed)(u64 seed); /* decides the order of lanes; NULL in form loop */
    bool (*diverged)(void); /* whether lanes have diverged at a barrier; NULL in form loop */
};

/* Opens the library at a path. False if it lacks a required symbol. */
bool library_open(const char *path, const struct mutant *mutant, struct library *library);
