/* Options of OpenCL's compiler, as clBuildProgram takes them in one text and launch files keep them. */
#pragma once

#include "base/text.h"

/* Those that launch files take (warpsweep/compiler_options.def), up to NULL. */
extern const char *const ws_compiler_options[];

/* Whether a word, with its value where it has one at once, is one of them. */
bool ws_compiler_option(const char *word);

/* Takes a word from text into *word, without quotes (" and ') and with what \ protects. Returns the rest of the text; NULL, and an
 * empty *word, at its end. */
const char *ws_compiler_word(const char *text, struct ws_text *word);
