/* Random changes of a text of words, as of PTX: bytes, tokens, lines and numbers. */
#ifndef WS_TESTS_MUTATE_H
#define WS_TESTS_MUTATE_H

#include <stddef.h>

#include "differential/random.h"

enum { MUTANT_ROOM = 1 << 17 };

struct mutant {
    struct random random;
    size_t length;
    char text[MUTANT_ROOM];
    const char *const *words; /* what may also stand in the place of a token, and lines to put in between; NULL-terminated */
    const char *const *lines;
};

/* Changes the text at one place. What does not fit is left out. */
void mutate(struct mutant *mutant);

#endif
