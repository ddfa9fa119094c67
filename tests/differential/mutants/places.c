/* Every row of mutants.def has exactly one place in its variant's kernels, also when functions, lines, blanks and comments move. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "differential/mutants/library.h"
#include "oracle/allocate.h"
#include "test.h"

static struct source *sources; /* of each mutant that is the first of its kind, otherwise empty */

/* The first mutant of the n-th one's kind. */
static u32 first_alike(u32 n)
{
    u32 first = 0;
    while (!mutants_alike(&mutants[first], &mutants[n]))
        first++;
    return first;
}

static int set_up(void **state)
{
    (void)state;
    sources = oracle_allocate(mutant_count, sizeof *sources);
    for (u32 n = 0; n < mutant_count; n++)
        if (first_alike(n) == n)
            library_source(&mutants[n], &sources[n]);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (u32 n = 0; n < mutant_count; n++)
        source_free(&sources[n]);
    free(sources);
    return 0;
}

TEST(every_row_has_its_place)
{
    u32 lost = 0;
    for (u32 n = 0; n < mutant_count; n++) {
        const struct mutant *const mutant = &mutants[n];
        struct spot spot;
        if (source_find(&sources[first_alike(n)], mutant, &spot))
            continue;
        lost++;
        if (!spot.part)
            fprintf(stderr, "  %s: pipeline %s, path unit %s has no function or macro '%s'\n", mutant->name, mutant->pipeline_name,
                    mutant->unit, mutant->place);
        else
            fprintf(stderr, "  %s: '%s' occurs %u times in %s\n", mutant->name, mutant->pattern, spot.found, mutant->place);
    }
    assert_int_equal(lost, 0);
}

/* Adds tokens with other blanks, lines and comments between them. */
static void add_laid_out(struct ws_text *text, const struct tokens *tokens, u32 from, u32 to)
{
    static const char *const blanks[] = {" ", "\\\n", " /* ( */", "\n", "\n\t// {\n"};
    bool was_directive = false, is_directive;
    for (u32 n = from; n < to; n++, was_directive = is_directive) {
        const struct token *const token = &tokens->of[n];
        const bool begins = token->first && *token->at == '#';
        is_directive = begins || (was_directive && !token->first);
        ws_text_add(text, "%s%.*s", begins || was_directive != is_directive ? "\n" : blanks[n % (is_directive ? 3 : 5)],
                    (int)token->length, token->at);
    }
    ws_text_add(text, "\n");
}

/* The first function from a part on, or source->count. */
static u32 function_from(const struct source *source, u32 i)
{
    while (i < source->count && source->parts[i].is_macro)
        i++;
    return i;
}

/* The same source with its functions in reverse order and another layout. */
static void lay_out(const struct source *source, struct source *other)
{
    struct ws_text text = {0};
    u32 done = 0, last = source->count;
    for (u32 i = function_from(source, 0); i < source->count; i = function_from(source, i + 1)) {
        do
            last--;
        while (source->parts[last].is_macro);
        add_laid_out(&text, &source->tokens, done, source->parts[i].begin);
        add_laid_out(&text, &source->tokens, source->parts[last].begin, source->parts[last].end);
        done = source->parts[i].end;
    }
    add_laid_out(&text, &source->tokens, done, source->tokens.count);
    assert_false(text.failed);
    source_read(other, text.data);
}

static struct ws_text planted(const struct source *source, u32 n)
{
    struct ws_text text = {0};
    struct plant plant = {n + 1, .replacement = mutants[n].replacement};
    assert_true(source_find(source, &mutants[n], &plant.spot));
    plant_tokens(source, &plant, &text);
    assert_false(text.failed);
    return text;
}

TEST(layout_does_not_matter)
{
    for (u32 first = 0; first < mutant_count; first++) {
        struct source other;
        if (first_alike(first) != first)
            continue;
        lay_out(&sources[first], &other);
        assert_int_equal(other.tokens.count, sources[first].tokens.count);
        for (u32 n = first; n < mutant_count; n++) {
            if (first_alike(n) != first)
                continue;
            struct ws_text expected = planted(&sources[first], n), found = planted(&other, n);
            assert_string_equal(found.data, expected.data);
            ws_text_free(&expected);
            ws_text_free(&found);
        }
        source_free(&other);
    }
}

static const char small[] = "# 1 \"small.c\"\n"
                            "#define TWICE(x) ((x) \\\n * 2)\n"
                            "static inline u32 add(u32 a,\n  const u32 *b) // {\n{\n    return a + *b + TWICE(a);\n}\n"
                            "static inline void nothing(void)\n{\n}\n";

static u32 times_found(const char *place, const char *pattern, bool *is_one)
{
    struct source source;
    struct spot spot;
    source_read(&source, strdup(small));
    *is_one = source_find(&source, &(struct mutant){.place = place, .pattern = pattern}, &spot);
    const u32 found = spot.found;
    source_free(&source);
    return found;
}

TEST(only_one_place_will_do)
{
    static const struct {
        const char *place, *pattern;
        u32 found;
        bool is_one;
    } cases[] = {{"add", "a+*b", 1, true},    {"add", "+", 2, false},     {"add[2]", "+", 2, true},   {"add[3]", "+", 2, false},
                 {"add", "b +", 1, true},     {"add", "a - b", 0, false}, {"add", "u32 a", 0, false}, {"sub", "a", 0, false},
                 {"TWICE", "(x)*2", 1, true}, {"nothing", "}", 1, true},  {"nothing", "", 0, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool is_one;
        assert_int_equal(times_found(cases[i].place, cases[i].pattern, &is_one), cases[i].found);
        assert_int_equal(is_one, cases[i].is_one);
    }
}

TEST(a_plant_is_a_choice)
{
    const struct mutant rows[] = {{.place = "add[2]", .pattern = "+", .replacement = "-"},
                                  {.place = "TWICE", .pattern = "2", .replacement = "3"},
                                  {.place = "nothing", .pattern = "{", .replacement = "{ crash();"}};
    struct plant plants[3];
    struct source source;
    struct ws_text text = {0};
    source_read(&source, strdup(small));
    for (u32 n = 0; n < 3; n++) {
        plants[n] = (struct plant){n + 1, .replacement = rows[n].replacement};
        assert_true(source_find(&source, &rows[n], &plants[n].spot));
    }
    plant_all(&source, plants, 3, &text);
    struct tokens found = tokens_of(text.data);
    struct tokens expected = tokens_of("unsigned planted;\n"
                                       "#define TWICE(x) ((x) * (planted == 2 ? (3) : (2)))\n"
                                       "static u32 add_planted_0(u32 a, const u32 *b) { return a + *b + TWICE(a); }"
                                       "static u32 add_planted_1(u32 a, const u32 *b) { return a + *b - TWICE(a); }"
                                       "static inline u32 add(u32 a, const u32 *b) { switch (planted) {"
                                       "case 1: return add_planted_1(a, b); default: return add_planted_0(a, b); } }"
                                       "static void nothing_planted_0(void) {}"
                                       "static void nothing_planted_3(void) { crash(); }"
                                       "static inline void nothing(void) { switch (planted) {"
                                       "case 3: return nothing_planted_3(); default: return nothing_planted_0(); } }");
    assert_true(found.count == expected.count && tokens_match(found.of, found.count, &expected));
    free(found.of);
    free(expected.of);
    ws_text_free(&text);
    source_free(&source);
}

TESTS(set_up, tear_down)
