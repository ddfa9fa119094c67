/* Random changes of a text of words, of PTX or YAML: bytes, tokens, lines and numbers. */
#pragma once

#include <stddef.h>

#include "differential/random/random.h"

enum { MUTANT_ROOM = 1 << 17 };

struct mutant {
    struct random random;
    size_t length;
    char text[MUTANT_ROOM];
    /* Possible replacements of a token or number, and extra lines. NULL-terminated. */
    const char *const *words, *const *numbers, *const *lines;
};

/* Changes the text at one place. Drops text that does not fit. */
void mutate(struct mutant *mutant);

/* Fails the test unless the message is the prefix, "LINE: " with a line of the text, and a few words. */
void mutant_expect_line(const struct mutant *mutant, const char *prefix, const char *message);
