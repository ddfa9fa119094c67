/* Planting mutants in a source. */
#pragma once

#include "base/text.h"
#include "differential/mutants/source.h"

/* A mutant: if `planted` equals its number (not 0), the text at the spot becomes the replacement. */
struct plant {
    u32 number;
    struct spot spot;
    const char *replacement;
};

/* Adds the source to out with every mutant. `unsigned planted` selects the active one; 0 is none. Each mutant of a function is in a
 * copy of it, and the function calls one of them. In a macro the pattern and its replacement are expressions. */
void plant_all(const struct source *source, const struct plant *plants, u32 count, struct ws_text *out);

/* Adds the tokens of a mutant's function or macro to out, with the mutation, a blank after each. */
void plant_tokens(const struct source *source, const struct plant *plant, struct ws_text *out);
