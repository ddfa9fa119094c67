#include "differential/mutants/source.h"

#include <stdlib.h>
#include <string.h>

#include "oracle/allocate.h"

static void add_part(struct source *source, const struct part *part)
{
    source->parts = oracle_grow(source->parts, source->count, sizeof *source->parts);
    source->parts[source->count++] = *part;
}

/* The end of the directive that begins at a token. */
static u32 pass_directive(struct source *source, u32 at)
{
    const struct token *const token = source->tokens.of;
    u32 end = at + 1;
    while (end < source->tokens.count && !token[end].first)
        end++;
    if (end > at + 2 && token_is(&token[at + 1], "define"))
        add_part(source, &(struct part){at, at + 2, at + 3, end, true});
    return end;
}

/* State of a scan of declarations. */
struct scan {
    struct part part;  /* last start outside of brackets */
    u32 depth, opened; /* open brackets, and the last outermost ( */
};

static void pass_token(struct source *source, struct scan *scan, u32 at)
{
    const struct token *const token = &source->tokens.of[at];
    const char c = *token->at;
    if (scan->depth == 0 && c == '(')
        scan->opened = at;
    if (scan->depth == 0 && c == '{') {
        scan->part.name = at > 0 && token[-1].at[0] == ')' ? scan->opened - 1 : 0;
        scan->part.body = at;
    }
    scan->depth += c == '(' || c == '[' || c == '{';
    scan->depth -= c == ')' || c == ']' || c == '}';
    if (scan->depth != 0 || (c != '}' && c != ';'))
        return;
    scan->part.end = at + 1;
    if (c == '}' && scan->part.name != 0)
        add_part(source, &scan->part);
    scan->part = (struct part){.begin = at + 1};
}

void source_read(struct source *source, char *text)
{
    struct scan scan = {0};
    *source = (struct source){.text = text, .tokens = tokens_of(text)};
    for (u32 at = 0; at < source->tokens.count;) {
        const struct token *const token = &source->tokens.of[at];
        const bool is_directive = token->first && *token->at == '#', begins = at == scan.part.begin;
        if (!is_directive)
            pass_token(source, &scan, at);
        at = is_directive ? pass_directive(source, at) : at + 1;
        if (is_directive && begins)
            scan.part.begin = at;
    }
}

void source_free(struct source *source)
{
    free(source->text);
    free(source->tokens.of);
    free(source->parts);
}

bool source_is_of(const struct source *source, u32 token, const char *end)
{
    const char *at = source->tokens.of[token].at;
    while (at > source->text && strncmp(at, "\n# ", 3) != 0)
        at--;
    const char *const path = at + strcspn(at, "\""), *const found = strstr(path, end);
    return found && found[strlen(end)] == '"' && found < path + 1 + strcspn(path + 1, "\n");
}

/* Finds the n-th occurrence of a pattern in a part. */
static void find_in(const struct source *source, const struct part *part, const struct tokens *pattern, u32 n, struct spot *spot)
{
    spot->part = spot->part ? spot->part : part;
    for (u32 at = part->body; at < part->end; at++) {
        if (!tokens_match(&source->tokens.of[at], part->end - at, pattern) || ++spot->found != n)
            continue;
        spot->part = part;
        spot->begin = at;
        spot->end = at + pattern->count;
    }
}

bool source_find(const struct source *source, const struct mutant *mutant, struct spot *spot)
{
    struct tokens place = tokens_of(mutant->place), pattern = tokens_of(mutant->pattern);
    const u32 n = place.count > 2 ? (u32)strtoul(place.of[2].at, NULL, 10) : 0;
    *spot = (struct spot){0};
    for (u32 i = 0; i < source->count; i++)
        if (tokens_match(&source->tokens.of[source->parts[i].name], 1, &(struct tokens){place.of, 1}))
            find_in(source, &source->parts[i], &pattern, n ? n : 1, spot);
    free(place.of);
    free(pattern.of);
    return n ? spot->found >= n : spot->found == 1;
}
