#include "search/drive/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "results/schema/columns.h"
#include "results/schema/metrics.h"

enum { DEEPEST = 32, LONGEST_WORD = 79, MOST_OPERATORS = 500 };

/* What names an expression may have: inside an aggregate those of a kernel, inside baseline() no other baseline(). */
enum place { OUTSIDE, AGGREGATED };

struct reader {
    const struct ws_space_text *from;
    const char *rest;
    struct ws_expressions *all;
    enum place place;
    bool in_baseline;
    unsigned depth, operators;
    struct ws_error *error;
};

/* Means over workloads by their weights; of numbers above 0 the first two. */
static const char *const aggregates[] = {"geometric_mean", "harmonic_mean", "mean", "sum", "min", "max", NULL};

static enum ws_status fail(const struct reader *reader, const char *what)
{
    return ws_fail(reader->error, WS_STATUS_bad_input, "%s'%s' at character %zu: %s", reader->from->place, reader->from->text,
                   (size_t)(reader->rest - reader->from->text) + 1, what);
}

static void skip_space(struct reader *reader)
{
    while (*reader->rest == ' ')
        reader->rest++;
}

static bool take(struct reader *reader, char sign)
{
    skip_space(reader);
    if (*reader->rest != sign)
        return false;
    reader->rest++;
    return true;
}

static enum ws_status sum(struct reader *reader, struct ws_text *sql);

static enum ws_status bracket(struct reader *reader, struct ws_text *sql)
{
    if (!take(reader, '('))
        return fail(reader, "an opening bracket is missing");
    if (++reader->depth > DEEPEST)
        return fail(reader, "brackets nest too deep");
    ws_text_add(sql, "(");
    WS_TRY(sum(reader, sql));
    ws_text_add(sql, ")");
    reader->depth--;
    return take(reader, ')') ? WS_STATUS_ok : fail(reader, "a bracket is not closed");
}

/* ---- Names ---- */

static enum ws_status parameter(struct reader *reader, size_t n, struct ws_text *sql)
{
    size_t count;
    if (ws_parameters(&count)[n].set)
        return fail(reader, "this parameter is a choice without a number; use numbers, or a constraint of the space");
    ws_text_add(sql, "%s", ws_parameter_column(n).name);
    return WS_STATUS_ok;
}

static bool is_counter(const char *word)
{
    for (size_t n = 0; n < ws_counter_column_count; n++) {
        const struct ws_counter_column *const counter = &ws_counter_columns[n];
        const size_t length = strlen(counter->name);
        const char *const bin = word + length + 1;
        char *end;
        if (counter->bins == 0 ? strcmp(counter->name, word) == 0
                               : strncmp(counter->name, word, length) == 0 && word[length] == '_' && isdigit((unsigned char)*bin) &&
                                     (*bin != '0' || !bin[1]) && strtoul(bin, &end, 10) < counter->bins && !*end)
            return true;
    }
    return false;
}

static bool is_metric(const char *word)
{
    for (size_t n = 0; n < ws_metric_count(); n++)
        if (strcmp(ws_metric_name(n), word) == 0)
            return true;
    return false;
}

static enum ws_status unknown(const struct reader *reader, const char *word)
{
    struct ws_nearest nearest = {.word = word};
    size_t count;
    const struct ws_parameter *const parameters = ws_parameters(&count);
    const char *name;
    for (size_t n = 0; n < count; n++)
        ws_nearest_offer(&nearest, parameters[n].key);
    for (size_t n = 0; n < ws_metric_count(); n++)
        ws_nearest_offer(&nearest, ws_metric_name(n));
    for (size_t n = 0; n < ws_counter_column_count; n++)
        ws_nearest_offer(&nearest, ws_counter_columns[n].name);
    for (size_t n = 0; (name = ws_storage_name(n)); n++)
        ws_nearest_offer(&nearest, name);
    for (size_t n = 0; aggregates[n]; n++)
        ws_nearest_offer(&nearest, aggregates[n]);
    return ws_fail(reader->error, WS_STATUS_bad_input,
                   "%s'%s' at character %zu: found '%s'%s%s%s; allowed are metrics and counters inside a function over workloads "
                   "(warpsweep list metrics, counters), parameters with numbers, storage_bits and its parts (docs/search.md)",
                   reader->from->place, reader->from->text, (size_t)(reader->rest - reader->from->text) + 1, word,
                   nearest.best ? " (did you mean '" : "", nearest.best ? nearest.best : "", nearest.best ? "'?)" : "");
}

/* baseline(EXPRESSION): a variable, bound when the baseline is known. */
static enum ws_status baseline(struct reader *reader, struct ws_text *sql)
{
    struct ws_expressions *const all = reader->all;
    if (reader->in_baseline || reader->place == AGGREGATED)
        return fail(reader, "baseline() goes outside of functions over workloads and of another baseline()");
    if (all->baselines == WS_MOST_BASELINES)
        return fail(reader, "too many baseline()");
    const u32 n = all->baselines++;
    reader->in_baseline = true;
    WS_TRY(bracket(reader, &all->baseline[n]));
    reader->in_baseline = false;
    ws_text_add(sql, "?%u", WS_FIRST_BASELINE + n);
    return WS_STATUS_ok;
}

static enum ws_status aggregate(struct reader *reader, const char *function, struct ws_text *sql)
{
    if (reader->place == AGGREGATED)
        return fail(reader, "a function over workloads inside another one");
    reader->place = AGGREGATED;
    ws_text_add(sql, "over_workloads_%s", function);
    ws_text_add(sql, "(weight, ");
    WS_TRY(bracket(reader, sql));
    ws_text_add(sql, ")");
    reader->place = OUTSIDE;
    return WS_STATUS_ok;
}

static enum ws_status name(struct reader *reader, struct ws_text *sql)
{
    char word[LONGEST_WORD + 1];
    size_t length = 0, count;
    const struct ws_parameter *const parameters = ws_parameters(&count);
    while (isalnum((unsigned char)reader->rest[length]) || reader->rest[length] == '_' || reader->rest[length] == '.')
        length++;
    if (length == 0 || length > LONGEST_WORD)
        return fail(reader, *reader->rest ? "allowed are numbers, names, brackets, + - * /" : "ends early");
    memcpy(word, reader->rest, length);
    word[length] = 0;
    for (size_t n = 0; n < count; n++)
        if (strcmp(parameters[n].key, word) == 0) {
            WS_TRY(parameter(reader, n, sql));
            reader->rest += length;
            return WS_STATUS_ok;
        }
    const bool counted = is_counter(word) || is_metric(word);
    if (counted && reader->place == OUTSIDE)
        return fail(reader, "a metric or counter differs between workloads; name a function over them: geometric_mean, "
                            "harmonic_mean, mean, sum, min, max");
    const bool stored = !counted && ws_storage_sql(word, sql);
    for (size_t n = 0; !counted && !stored && aggregates[n]; n++)
        if (strcmp(aggregates[n], word) == 0) {
            reader->rest += length;
            return aggregate(reader, word, sql);
        }
    if (!counted && !stored && strcmp(word, "baseline") == 0) {
        reader->rest += length;
        return baseline(reader, sql);
    }
    if (!counted && !stored)
        return unknown(reader, word);
    if (counted)
        ws_text_add(sql, "%s", word);
    reader->rest += length;
    return WS_STATUS_ok;
}

/* ---- Arithmetic; the SQL is of reals, so that no division drops a remainder ---- */

static enum ws_status number(struct reader *reader, struct ws_text *sql)
{
    static const char digits[] = "0123456789";
    const char *const start = reader->rest, *at = start + strspn(start, digits);
    char *end;
    if (*at == '.')
        at += 1 + strspn(at + 1, digits);
    const double value = strtod(start, &end);
    if (isalnum((unsigned char)*end) || *end == '_' || *end == '.' || ((*at | 32) != 'e' && end != at))
        return fail(reader, "allowed is a decimal number without a suffix, such as 12, 0.5 or 1e6");
    if (!isfinite(value))
        return fail(reader, "the number is too large");
    ws_text_add(sql, "%.17g", value);
    reader->rest = end;
    return WS_STATUS_ok;
}

static enum ws_status factor(struct reader *reader, struct ws_text *sql)
{
    bool negative = false;
    while (take(reader, '-'))
        negative = !negative;
    if (negative)
        ws_text_add(sql, "-"); /* one alone: "--" would begin a comment */
    if (*reader->rest == '(')
        return bracket(reader, sql);
    const bool numeric = isdigit((unsigned char)reader->rest[*reader->rest == '.']);
    return numeric ? number(reader, sql) : name(reader, sql);
}

/* SQLite's trees of expressions have at most 1,000 levels. */
static enum ws_status note_operator(struct reader *reader)
{
    return ++reader->operators > MOST_OPERATORS ? fail(reader, "more than 500 operators") : WS_STATUS_ok;
}

static enum ws_status product(struct reader *reader, struct ws_text *sql)
{
    WS_TRY(factor(reader, sql));
    for (;;) {
        const bool divided = take(reader, '/');
        if (!divided && !take(reader, '*'))
            return WS_STATUS_ok;
        WS_TRY(note_operator(reader));
        ws_text_add(sql, divided ? " * 1.0 / " : " * ");
        WS_TRY(factor(reader, sql));
    }
}

static enum ws_status sum(struct reader *reader, struct ws_text *sql)
{
    WS_TRY(product(reader, sql));
    for (;;) {
        const bool less = take(reader, '-');
        if (!less && !take(reader, '+'))
            return WS_STATUS_ok;
        WS_TRY(note_operator(reader));
        ws_text_add(sql, less ? " - " : " + ");
        WS_TRY(product(reader, sql));
    }
}

static enum ws_status no_memory(const struct ws_text *sql, struct ws_error *error)
{
    return sql->failed ? ws_no_memory(error) : WS_STATUS_ok;
}

enum ws_status ws_expression(const struct ws_space_text *from, struct ws_expressions *all, struct ws_text *sql,
                             struct ws_error *error)
{
    struct reader reader = {.from = from, .rest = from->text, .all = all, .error = error};
    WS_TRY(sum(&reader, sql));
    skip_space(&reader);
    if (*reader.rest)
        return fail(&reader, "allowed is an operator (+ - * /) or the end");
    return no_memory(sql, error);
}

enum ws_status ws_limit_expression(const struct ws_space_text *from, struct ws_expressions *all, struct ws_text *left,
                                   struct ws_text *right, bool *least, struct ws_error *error)
{
    struct reader reader = {.from = from, .rest = from->text, .all = all, .error = error};
    WS_TRY(sum(&reader, left));
    skip_space(&reader);
    *least = *reader.rest == '>';
    if ((*reader.rest != '<' && *reader.rest != '>') || reader.rest[1] != '=')
        return fail(&reader, "a limit is EXPRESSION >= EXPRESSION or EXPRESSION <= EXPRESSION");
    reader.rest += 2;
    WS_TRY(sum(&reader, right));
    skip_space(&reader);
    if (*reader.rest)
        return fail(&reader, "allowed is an operator (+ - * /) or the end");
    WS_TRY(no_memory(left, error));
    return no_memory(right, error);
}

void ws_expressions_free(struct ws_expressions *all)
{
    for (u32 n = 0; n < all->baselines; n++)
        ws_text_free(&all->baseline[n]);
}
