#include "differential/mutants/plant.h"

#include <stdlib.h>
#include <string.h>

#include "oracle/allocate.h"
#include "test.h"

/* End of the tokens before a number. */
static const char *end_before(const struct source *source, u32 token)
{
    return token == 0 ? source->text : source->tokens.of[token - 1].at + source->tokens.of[token - 1].length;
}

/* The tokens from one to before another, with the text before them. */
static void add(struct ws_text *out, const struct source *source, u32 from, u32 to)
{
    const char *const start = end_before(source, from);
    ws_text_bytes(out, start, (size_t)(end_before(source, to) - start));
}

static void add_words(struct ws_text *out, const struct source *source, u32 from, u32 to)
{
    for (u32 n = from; n < to; n++)
        ws_text_add(out, "%.*s ", (int)source->tokens.of[n].length, source->tokens.of[n].at);
}

static void add_name(struct ws_text *out, const struct source *source, const struct part *part, u32 number)
{
    const struct token *const name = &source->tokens.of[part->name];
    ws_text_add(out, "%.*s_planted_%u", (int)name->length, name->at, number);
}

/* A copy of the function under another name, up to a token. Not `inline`: one copy of its callees is enough. */
static void add_copy(struct ws_text *out, const struct source *source, const struct part *part, u32 number, u32 end)
{
    ws_text_add(out, "\nstatic ");
    for (u32 n = part->begin; n < part->name; n++)
        if (!token_is(&source->tokens.of[n], "static") && !token_is(&source->tokens.of[n], "inline"))
            add_words(out, source, n, n + 1);
    add_name(out, source, part, number);
    add(out, source, part->name + 1, end);
}

/* A call of a copy with the function's own arguments: the last word of each parameter. */
static void add_call(struct ws_text *out, const struct source *source, const struct part *part, u32 number)
{
    const struct token *const token = source->tokens.of;
    const char *separator = "";
    ws_text_add(out, "return ");
    add_name(out, source, part, number);
    ws_text_add(out, "(");
    for (u32 n = part->name + 2; n < part->body; n++) {
        if ((*token[n].at != ',' && *token[n].at != ')') || token_is(&token[n - 1], "void"))
            continue;
        ws_text_add(out, "%s%.*s", separator, (int)token[n - 1].length, token[n - 1].at);
        separator = ", ";
    }
    ws_text_add(out, ");\n");
}

/* The function's copies, and a selection among them in its place. */
static void add_function(struct ws_text *out, const struct source *source, const struct plant *plants, u32 count)
{
    const struct part *const part = plants->spot.part;
    add_copy(out, source, part, 0, part->end);
    for (u32 i = 0; i < count; i++) {
        add_copy(out, source, part, plants[i].number, plants[i].spot.begin);
        ws_text_add(out, " %s ", plants[i].replacement);
        add(out, source, plants[i].spot.end, part->end);
    }
    add(out, source, part->begin, part->body);
    ws_text_add(out, "{\nswitch (planted) {\n");
    for (u32 i = 0; i < count; i++) {
        ws_text_add(out, "case %u: ", plants[i].number);
        add_call(out, source, part, plants[i].number);
    }
    ws_text_add(out, "default: ");
    add_call(out, source, part, 0);
    ws_text_add(out, "}\n}\n");
}

/* The macro, with a selection in place of each pattern. */
static void add_macro(struct ws_text *out, const struct source *source, const struct plant *plants, u32 count)
{
    u32 done = plants->spot.part->begin;
    for (u32 i = 0; i < count; i++) {
        assert_true(done <= plants[i].spot.begin);
        add(out, source, done, plants[i].spot.begin);
        ws_text_add(out, "(planted == %u ? (%s) : (", plants[i].number, plants[i].replacement);
        add_words(out, source, plants[i].spot.begin, plants[i].spot.end);
        ws_text_add(out, "))");
        done = plants[i].spot.end;
    }
    add(out, source, done, plants->spot.part->end);
}

static int by_spot(const void *one, const void *other)
{
    const struct plant *const a = one, *const b = other;
    return (a->spot.begin > b->spot.begin) - (a->spot.begin < b->spot.begin);
}

void plant_all(const struct source *source, const struct plant *plants, u32 count, struct ws_text *out)
{
    struct plant *const sorted = oracle_copy(plants, count * sizeof *plants);
    u32 done = 0;
    qsort(sorted, count, sizeof *sorted, by_spot);
    ws_text_add(out, "unsigned planted;\n");
    for (u32 i = 0, next; i < count; i = next) {
        const struct part *const part = sorted[i].spot.part;
        for (next = i + 1; next < count && sorted[next].spot.part == part;)
            next++;
        assert_true(done <= part->begin);
        add(out, source, done, part->begin);
        (part->is_macro ? add_macro : add_function)(out, source, &sorted[i], next - i);
        done = part->end;
    }
    add(out, source, done, source->tokens.count);
    ws_text_add(out, "\n");
    free(sorted);
}

void plant_tokens(const struct source *source, const struct plant *plant, struct ws_text *out)
{
    const struct tokens replacement = tokens_of(plant->replacement);
    add_words(out, source, plant->spot.part->name, plant->spot.begin);
    add_words(out, &(struct source){.tokens = replacement}, 0, replacement.count);
    add_words(out, source, plant->spot.end, plant->spot.part->end);
    free(replacement.of);
}
