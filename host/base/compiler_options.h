/* Options of the OpenCL compiler, as clBuildProgram takes them in one string and launch files keep them. */
#pragma once

#include "base/text.h"

/* Options that launch files accept (warpsweep/compiler_options.def), NULL-terminated. */
extern const char *const ws_compiler_options[];

/* Whether a word, including an attached value, is one of them. */
bool ws_compiler_option(const char *word);

/* Moves a word of the text into *word, without its quotes (" and ') and backslashes. Returns the rest of the text; NULL, and an
 * empty *word, at its end. */
const char *ws_compiler_word(const char *text, struct ws_text *word);
