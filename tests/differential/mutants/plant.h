/* Planting defects in the text of a file of kernels/. */
#ifndef WS_TESTS_PLANT_H
#define WS_TESTS_PLANT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "shared/dialect.h"

/* A defect of one file: text, which occurs in it once, becomes replacement. The number is chosen at run time; it is not 0. */
struct plant {
    u32 number;
    const char *text, *replacement;
};

/* Whether text occurs in source exactly once. */
bool plant_occurs(const char *source, const char *text);

/* Whether the text lies within one function, so that plant_clones can plant it. */
bool plant_within_function(const char *source, const char *text);

/* Adds source to out with the plant in place. */
void plant_alone(const char *source, const struct plant *plant, struct ws_text *out);

/* Adds source to out with every plant in a copy of its function: the function itself asks `unsigned planted`, which the first copy
 * defines, whose copy to call; 0 is none. Functions are laid out as .clang-format has them. */
void plant_clones(const char *source, const struct plant *plants, u32 count, struct ws_text *out);

#endif
