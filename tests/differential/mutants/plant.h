/* Planting defects in a source. */
#pragma once

#include "base/text.h"
#include "differential/mutants/source.h"

/* A defect: what lies at the spot becomes the replacement, where `planted` is the number, which is not 0. */
struct plant {
    u32 number;
    struct spot spot;
    const char *replacement;
};

/* Adds the source to out with every plant. `unsigned planted` says which one is alive; 0 is none. Each plant of a function is in a
 * copy of it, and the function calls one of them. In a macro the pattern and its replacement are expressions. */
void plant_all(const struct source *source, const struct plant *plants, u32 count, struct ws_text *out);

/* Adds the tokens of a plant's function or macro to out, with the defect alone, a blank after each. */
void plant_tokens(const struct source *source, const struct plant *plant, struct ws_text *out);
