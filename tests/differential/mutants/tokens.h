/* The tokens of a C source, without regard to white space, comments and line breaks. */
#pragma once

#include <stdbool.h>

#include "shared/dialect.h"

struct token {
    const char *at; /* in the source */
    u32 length;
    bool first; /* of its line, so that # begins a directive */
};

struct tokens {
    struct token *of;
    u32 count;
};

/* The tokens, to be freed as tokens.of; the source must outlive them. Lines that only name a file and a line (# 1 "sm.cl") are
 * skipped. */
struct tokens tokens_of(const char *source);

/* Whether a token is a word. */
bool token_is(const struct token *token, const char *word);

/* Whether a pattern, which is not empty, occurs at a token and ends within a limit. */
bool tokens_match(const struct token *at, u32 count, const struct tokens *pattern);
