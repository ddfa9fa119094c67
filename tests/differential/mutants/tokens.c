#include "differential/mutants/tokens.h"

#include <ctype.h>
#include <string.h>

#include "oracle/allocate.h"

/* Those of several characters, longest first. */
static const char *const punctuators[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=",
                                          "&&",  "||",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##"};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static const char *after(const char *at, const char *end)
{
    const char *const found = strstr(at, end);
    return found ? found + strlen(end) : at + strlen(at);
}

/* Skips text between tokens at a place; returns the place itself at the start of a token. */
static const char *pass_blank(const char *at, bool first)
{
    if (strncmp(at, "/*", 2) == 0)
        return after(at + 2, "*/");
    if (strncmp(at, "//", 2) == 0 || (first && at[0] == '#' && at[1] == ' ' && isdigit((unsigned char)at[2])))
        return at + strcspn(at, "\n");
    if (strncmp(at, "\\\n", 2) == 0)
        return at + 2;
    return at + (*at != 0 && isspace((unsigned char)*at));
}

static u32 length_of_quoted(const char *at)
{
    u32 length = 1;
    while (at[length] != 0 && at[length] != at[0])
        length += at[length] == '\\' && at[length + 1] != 0 ? 2 : 1;
    return length + (at[length] != 0);
}

static u32 length_at(const char *at)
{
    u32 length = 0;
    if (*at == '"' || *at == '\'')
        return length_of_quoted(at);
    while (is_word(at[length]) || (at[length] == '.' && isdigit((unsigned char)*at)))
        length++;
    for (size_t n = 0; length == 0 && n < sizeof punctuators / sizeof *punctuators; n++)
        if (strncmp(at, punctuators[n], strlen(punctuators[n])) == 0)
            length = (u32)strlen(punctuators[n]);
    return length ? length : 1;
}

struct tokens tokens_of(const char *source)
{
    struct tokens tokens = {0};
    bool first = true;
    for (const char *at = source, *next; *at; at = next) {
        next = pass_blank(at, first);
        first = first || *at == '\n';
        if (next != at)
            continue;
        tokens.of = oracle_grow(tokens.of, tokens.count, sizeof *tokens.of);
        tokens.of[tokens.count] = (struct token){at, length_at(at), first};
        next = at + tokens.of[tokens.count++].length;
        first = false;
    }
    return tokens;
}

bool token_is(const struct token *token, const char *word)
{
    return strlen(word) == token->length && memcmp(token->at, word, token->length) == 0;
}

bool tokens_match(const struct token *at, u32 count, const struct tokens *pattern)
{
    if (pattern->count == 0 || count < pattern->count)
        return false;
    for (u32 n = 0; n < pattern->count; n++)
        if (at[n].length != pattern->of[n].length || memcmp(at[n].at, pattern->of[n].at, at[n].length) != 0)
            return false;
    return true;
}
