/* Conditions over parameters: comparisons of sums and products, and power_of_two, joined by not, and, or. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "config/experiment/draft.h"

enum { DEEPEST = 32, LONGEST_WORD = 63 };

enum kind { NUMBER, CHOICE, WORD, TRUTH };

/* The value of a part of a condition. */
struct value {
    enum kind kind;
    int64_t number;              /* of a TRUTH 0 or 1; of a CHOICE its value */
    const char *set;             /* of a CHOICE */
    char word[LONGEST_WORD + 1]; /* of a WORD: not a parameter; parsed as a value of the choice on the other side */
};

struct reader {
    const struct ws_yaml *node;
    const struct ws_machine *machine;
    const char *rest;
    unsigned depth;
    struct ws_error *error;
};

static enum ws_status fail(const struct reader *reader, const char *what)
{
    const size_t at = (size_t)(reader->rest - reader->node->text);
    return ws_yaml_fail(reader->node, reader->error, "'%s' at character %zu: %s", reader->node->text, at + 1, what);
}

static void skip_space(struct reader *reader)
{
    while (*reader->rest == ' ')
        reader->rest++;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* Consumes an operator or keyword if it comes next. */
static bool take(struct reader *reader, const char *token)
{
    skip_space(reader);
    const size_t length = strlen(token);
    if (strncmp(reader->rest, token, length) != 0 || (is_word(*token) && is_word(reader->rest[length])))
        return false;
    reader->rest += length;
    return true;
}

static enum ws_status sum(struct reader *reader, struct value *value);
static enum ws_status disjunction(struct reader *reader, struct value *value);

static enum ws_status name(struct reader *reader, struct value *value)
{
    size_t length = 0, count;
    while (is_word(reader->rest[length]))
        length++;
    if (length == 0)
        return fail(reader, *reader->rest ? "allowed are a number, a parameter, a choice, not and ("
                                          : "ends early; a number, a parameter or a choice is missing");
    if (length > LONGEST_WORD)
        return fail(reader, "the name is longer than any parameter or choice");
    *value = (struct value){.kind = WORD};
    memcpy(value->word, reader->rest, length);
    const size_t parameter = config_find(value->word);
    if (parameter == PARAMETERS && strchr(value->word, '.')) {
        config_unknown(value->word, reader->error);
        return ws_yaml_at(reader->node, reader->error);
    }
    reader->rest += length;
    if (parameter == PARAMETERS)
        return WS_STATUS_ok;
    value->set = ws_parameters(&count)[parameter].set;
    value->kind = value->set ? CHOICE : NUMBER;
    value->number = config_value(reader->machine, parameter);
    return WS_STATUS_ok;
}

static enum ws_status number(struct reader *reader, struct value *value)
{
    char *end;
    *value = (struct value){.kind = NUMBER, .number = strtoll(reader->rest, &end, 10)};
    if (value->number > UINT32_MAX)
        return fail(reader, "found more than 4294967295, the largest value of a parameter");
    if (is_word(*end))
        return fail(reader, "allowed is a whole number, without a suffix");
    reader->rest = end;
    return WS_STATUS_ok;
}

/* power_of_two(N): 1, 2, 4, ... */
static enum ws_status power_of_two(struct reader *reader, struct value *value)
{
    if (!take(reader, "("))
        return fail(reader, "allowed is power_of_two(NUMBER)");
    if (++reader->depth > DEEPEST)
        return fail(reader, "brackets nest too deep; write two constraints");
    WS_TRY(sum(reader, value));
    reader->depth--;
    if (value->kind != NUMBER)
        return fail(reader, "power_of_two needs a number");
    *value = (struct value){.kind = TRUTH, .number = value->number > 0 && (value->number & (value->number - 1)) == 0};
    return take(reader, ")") ? WS_STATUS_ok : fail(reader, "a bracket is not closed");
}

static enum ws_status factor(struct reader *reader, struct value *value)
{
    skip_space(reader);
    if (take(reader, "power_of_two"))
        return power_of_two(reader, value);
    if (isdigit((unsigned char)*reader->rest))
        return number(reader, value);
    if (!take(reader, "("))
        return name(reader, value);
    if (++reader->depth > DEEPEST)
        return fail(reader, "brackets nest too deep; write two constraints");
    WS_TRY(disjunction(reader, value));
    reader->depth--;
    return take(reader, ")") ? WS_STATUS_ok : fail(reader, "a bracket is not closed");
}

/* Results that do not fit into 64 bits are errors, including the smallest number divided by -1. */
static enum ws_status calculate(struct reader *reader, char operation, struct value *left, const struct value *right)
{
    if (left->kind != NUMBER || right->kind != NUMBER)
        return fail(reader, "arithmetic needs numbers on both sides");
    if ((operation == '/' || operation == '%') && right->number == 0)
        return fail(reader, "a division by zero; leave such values out");
    int64_t result = 0;
    bool overflow = false;
    switch (operation) {
    case '+':
        overflow = __builtin_add_overflow(left->number, right->number, &result);
        break;
    case '-':
        overflow = __builtin_sub_overflow(left->number, right->number, &result);
        break;
    case '*':
        overflow = __builtin_mul_overflow(left->number, right->number, &result);
        break;
    case '/':
        overflow = left->number == INT64_MIN && right->number == -1;
        result = overflow ? 0 : left->number / right->number;
        break;
    default:
        result = right->number == -1 ? 0 : left->number % right->number;
        break;
    }
    left->number = result;
    return overflow ? fail(reader, "the number becomes too large") : WS_STATUS_ok;
}

static enum ws_status operand_list(struct reader *reader, const char *operations,
                                   enum ws_status (*operand)(struct reader *reader, struct value *value), struct value *value)
{
    WS_TRY(operand(reader, value));
    for (;;) {
        struct value right;
        skip_space(reader);
        const char operation = *reader->rest;
        if (!operation || !strchr(operations, operation))
            return WS_STATUS_ok;
        reader->rest++;
        WS_TRY(operand(reader, &right));
        WS_TRY(calculate(reader, operation, value, &right));
    }
}

static enum ws_status product(struct reader *reader, struct value *value)
{
    return operand_list(reader, "*/%", factor, value);
}

static enum ws_status sum(struct reader *reader, struct value *value)
{
    return operand_list(reader, "+-", product, value);
}

/* A name compared with a choice is parsed as a value of its set. */
static enum ws_status read_choice(struct reader *reader, struct value *word, const struct value *beside)
{
    size_t count;
    const struct ws_choice *const choices = ws_choices(&count);
    struct ws_names names = {.nearest = {.word = word->word}};
    bool found = false;
    for (size_t n = 0; n < count; n++) {
        if (strcmp(choices[n].set, beside->set) != 0)
            continue;
        ws_names_offer(&names, choices[n].name);
        if (strcmp(choices[n].name, config_choice(beside->set, word->word)) == 0) {
            word->number = choices[n].value;
            found = true;
        }
    }
    char message[400];
    snprintf(message, sizeof message, "found '%s', allowed are %s", word->word, ws_names_text(&names));
    ws_names_free(&names);
    word->kind = CHOICE;
    word->set = beside->set;
    return found ? WS_STATUS_ok : fail(reader, message);
}

static enum ws_status compare(struct reader *reader, const char *sign, struct value *left, struct value *right)
{
    if (left->kind == CHOICE && right->kind == WORD)
        WS_TRY(read_choice(reader, right, left));
    if (left->kind == WORD && right->kind == CHOICE)
        WS_TRY(read_choice(reader, left, right));
    const bool equality = sign[1] == '=' && (sign[0] == '=' || sign[0] == '!');
    const bool choices = left->kind == CHOICE && right->kind == CHOICE && strcmp(left->set, right->set) == 0;
    if (left->kind == WORD || right->kind == WORD)
        return fail(reader, "a name stands alone; allowed are parameters (KEY.NAME), and choices compared with one");
    if (!(left->kind == NUMBER && right->kind == NUMBER) && !(equality && choices))
        return fail(reader, "allowed are numbers with any comparison, and two choices of one parameter with == or !=");
    const int64_t a = left->number, b = right->number;
    const bool holds = strcmp(sign, "==") == 0   ? a == b
                       : strcmp(sign, "!=") == 0 ? a != b
                       : strcmp(sign, "<=") == 0 ? a <= b
                       : strcmp(sign, ">=") == 0 ? a >= b
                       : *sign == '<'            ? a < b
                                                 : a > b;
    *left = (struct value){.kind = TRUTH, .number = holds};
    return WS_STATUS_ok;
}

static enum ws_status comparison(struct reader *reader, struct value *value)
{
    static const char *const signs[] = {"==", "!=", "<=", ">=", "<", ">"};
    WS_TRY(sum(reader, value));
    for (size_t n = 0; n < sizeof signs / sizeof *signs; n++) {
        struct value right;
        if (!take(reader, signs[n]))
            continue;
        WS_TRY(sum(reader, &right));
        return compare(reader, signs[n], value, &right);
    }
    return WS_STATUS_ok;
}

static enum ws_status negation(struct reader *reader, struct value *value)
{
    const bool negated = take(reader, "not");
    WS_TRY(comparison(reader, value));
    if (!negated)
        return WS_STATUS_ok;
    if (value->kind != TRUTH)
        return fail(reader, "'not' needs a condition behind it");
    value->number = !value->number;
    return WS_STATUS_ok;
}

static enum ws_status junction(struct reader *reader, const char *word,
                               enum ws_status (*operand)(struct reader *reader, struct value *value), struct value *value)
{
    WS_TRY(operand(reader, value));
    while (take(reader, word)) {
        struct value right;
        WS_TRY(operand(reader, &right));
        if (value->kind != TRUTH || right.kind != TRUTH)
            return fail(reader, "'and' and 'or' need a condition on each side");
        value->number = *word == 'a' ? value->number & right.number : value->number | right.number;
    }
    return WS_STATUS_ok;
}

static enum ws_status conjunction(struct reader *reader, struct value *value)
{
    return junction(reader, "and", negation, value);
}

static enum ws_status disjunction(struct reader *reader, struct value *value)
{
    return junction(reader, "or", conjunction, value);
}

enum ws_status constraint_holds(const struct ws_yaml *constraint, const struct ws_machine *machine, bool *holds,
                                struct ws_error *error)
{
    struct reader reader = {.node = constraint, .machine = machine, .error = error};
    struct value value;
    WS_TRY(ws_yaml_text(constraint, &reader.rest, error));
    WS_TRY(disjunction(&reader, &value));
    skip_space(&reader);
    if (*reader.rest)
        return fail(&reader, "allowed is an operator or the end");
    if (value.kind != TRUTH)
        return fail(&reader, "a condition is a comparison, or several joined by and, or, not");
    *holds = value.number != 0;
    return WS_STATUS_ok;
}
