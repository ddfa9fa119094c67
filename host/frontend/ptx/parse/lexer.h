/* PTX tokens, with one of lookahead. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "frontend/ptx/places.h"
#include "shared/dialect.h"

enum ptx_token_kind {
    PTX_END,     /* of the text */
    PTX_WORD,    /* add, %r1, $L_2, _ */
    PTX_DOTTED,  /* .u32: text begins after the dot */
    PTX_INTEGER, /* value */
    PTX_FLOAT32, /* 0f3F800000: value has the bits */
    PTX_FLOAT64, /* 0d... or decimal: value has the bits */
    PTX_STRING,
    PTX_MARK /* one character of punctuation: mark */
};

struct ptx_token {
    enum ptx_token_kind kind;
    char mark;
    const char *text; /* not zero-terminated */
    size_t length;
    u32 line;
    u64 value;
    bool is_unsigned; /* an integer that does not fit the signed type, or has the suffix U */
};

/* A copy of the struct saves a position to return to. */
struct ptx_lexer {
    const struct ws_places *places;
    u32 place; /* of text from a compiler: place of the current token */
    const char *at, *end;
    u32 line;
    struct ptx_token token; /* the current one */
    bool passes_over;       /* skipped text: numbers and characters may be invalid */
    struct ws_error *error;
};

/* Begins at the first token. Text and places outlive the lexer. */
enum ws_status ptx_lexer_begin(struct ptx_lexer *lexer, const struct ws_places *places, const char *text, size_t length,
                               struct ws_error *error);

/* Advances to the next token. */
enum ws_status ptx_next(struct ptx_lexer *lexer);

/* The place of a line of the PTX. */
static inline u32 ptx_place(const struct ptx_lexer *lexer, u32 line)
{
    return lexer->places->compiled ? lexer->place : line;
}

static inline bool ptx_at_mark(const struct ptx_lexer *lexer, char mark)
{
    return lexer->token.kind == PTX_MARK && lexer->token.mark == mark;
}

/* Whether the current token is this word, or this word after a dot. */
bool ptx_at_word(const struct ptx_lexer *lexer, const char *word);
bool ptx_at_dotted(const struct ptx_lexer *lexer, const char *word);

/* Consumes an optional mark; *taken: whether it was there. */
enum ws_status ptx_take(struct ptx_lexer *lexer, char mark, bool *taken);

/* Consumes a required mark. */
enum ws_status ptx_expect(struct ptx_lexer *lexer, char mark);

/* A required integer, with its signs. */
enum ws_status ptx_expect_integer(struct ptx_lexer *lexer, u64 *value);

/* Fails with "name:line: expected WHAT, found TOKEN". */
enum ws_status ptx_expected(struct ptx_lexer *lexer, const char *what);

/* Fails with "name:line: ..." for a given line. */
enum ws_status ptx_fail(const struct ptx_lexer *lexer, u32 line, const char *format, ...) __attribute__((format(printf, 3, 4)));
