/* The functions and macros of a preprocessed C source (conditions and includes done), and places in them. */
#pragma once

#include "differential/mutants/table.h"
#include "differential/mutants/tokens.h"

/* A function's definition, or #define; numbers of tokens. */
struct part {
    u32 begin, name, body, end; /* body: its opening brace, or the token after a macro's name; end: after the last */
    bool is_macro;
};

struct source {
    char *text;
    struct tokens tokens;
    struct part *parts;
    u32 count;
};

/* Reads a text, which it then owns. */
void source_read(struct source *source, char *text);
void source_free(struct source *source);

/* Whether the path of the file that a token comes from ends in some words. */
bool source_is_of(const struct source *source, u32 token, const char *end);

/* Place of a mutant's pattern. */
struct spot {
    const struct part *part; /* NULL if no function or macro has its name */
    u32 begin, end;          /* tokens */
    u32 found;               /* number of occurrences of the pattern in it */
};

/* Finds it; false unless it occurs once, or as often as the mutant says. */
bool source_find(const struct source *source, const struct mutant *mutant, struct spot *spot);
