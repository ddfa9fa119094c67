/* Random changes of a text of words, of PTX or YAML: bytes, tokens, lines and numbers. */
#pragma once

#include <stddef.h>

#include "differential/random/random.h"

enum { MUTANT_ROOM = 1 << 17 };

struct mutant {
    struct random random;
    size_t length;
    char text[MUTANT_ROOM];
    /* What may also stand in the place of a token or a number, or between lines. NULL-terminated. */
    const char *const *words, *const *numbers, *const *lines;
};

/* Changes the text at one place. What does not fit is left out. */
void mutate(struct mutant *mutant);

/* Fails the test unless the message is the prefix, "LINE: " with a line of the text, and a few words. */
void mutant_expect_line(const struct mutant *mutant, const char *prefix, const char *message);
