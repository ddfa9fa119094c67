/* Conditions on the rows of a view: COLUMN OP VALUE. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names/old_names.h"
#include "results/schema/view.h"

#define SIGNS  "=!<>~"
#define BLANKS " \t"

/* NULL compares as in CSV: as an empty text; as a number, it equals none. */
static const struct {
    const char *sign, *text, *number;
    bool takes_empty;
} operators[] = {
    {"=", "=", "IS", true}, {"!=", "<>", "IS NOT", true}, {"<", "<", "<", false},      {"<=", "<=", "<=", false},
    {">", ">", ">", false}, {">=", ">=", ">=", false},    {"~", "GLOB", "GLOB", true},
};

enum { OPERATORS = sizeof operators / sizeof *operators };

static enum ws_status unreadable(const struct ws_view *view, const char *condition, struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_usage,
                   "%s: condition '%s': allowed is COLUMN OP VALUE with OP one of = != < <= > >= ~ (like a file name: * ? [...])",
                   view->results->path, condition);
}

/* Parses a number with the suffixes of parameters in bytes: K or Ki (1024), M or Mi, G or Gi; *factor: multiplier of the suffix. */
static bool is_number(const char *text, unsigned long *factor)
{
    static const char letters[] = "KMG";
    char *end;
    strtod(text, &end);
    const size_t digits = (size_t)(end - text);
    const char *const letter = *end ? strchr(letters, *end) : NULL;
    *factor = letter ? 1ul << 10 * (letter - letters + 1) : 1;
    end += letter ? (end[1] == 'i' ? 2 : 1) : 0;
    return digits > 0 && *end == 0 && strspn(text, "+-.0123456789eE") >= digits;
}

/* The possible values of a column, and whether one is among them. */
struct values {
    struct ws_names names;
    bool has;
};

static void offer(struct values *values, const char *value)
{
    values->has = values->has || strcmp(values->names.nearest.word, value) == 0;
    ws_names_offer(&values->names, value);
}

/* Offers statuses, and choices of parameters; none for a column of free text. */
static void offer_all(struct values *values, const char *column)
{
    size_t parameters, count;
    const struct ws_parameter *const parameter = ws_parameters(&parameters);
    const struct ws_choice *const choices = ws_choices(&count);
    for (size_t n = 0; n < parameters; n++)
        for (size_t choice = 0; parameter[n].set && ws_view_names(parameter[n].key, column) && choice < count; choice++)
            if (strcmp(choices[choice].set, parameter[n].set) == 0)
                offer(values, choices[choice].name);
    for (enum ws_status status = 0; strcmp(column, "status") == 0 && status < WS_STATUSES; status++)
        offer(values, ws_status_name(status));
}

/* The current name of a value of the column's parameter. */
static const char *current_value(const char *column, const char *value)
{
    size_t count;
    const struct ws_parameter *const parameter = ws_parameters(&count);
    for (size_t n = 0; n < count; n++)
        if (parameter[n].set && ws_view_names(parameter[n].key, column))
            return ws_current_name(WS_NAME_value, parameter[n].set, value);
    return value;
}

/* Whether any row has the value, possibly from another build. */
static enum ws_status find_value(const struct ws_view *view, const char *column, const char *value, bool *there,
                                 struct ws_error *error)
{
    sqlite3_int64 rows = 0;
    char *const question = sqlite3_mprintf("SELECT EXISTS (SELECT 1 FROM %s WHERE %s = %Q)", view->name, column, value);
    const enum ws_status status = question ? ws_sql_number(view->results, question, &rows, error)
                                           : ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", view->results->path);
    *there = rows > 0;
    sqlite3_free(question);
    return status;
}

/* Refuses a value that no row can have, which would give an empty table. */
static enum ws_status check_value(const struct ws_view *view, const char *condition, const char *column, const char *value,
                                  struct ws_error *error)
{
    struct values values = {.names.nearest = {.word = value}};
    enum ws_status status = WS_STATUS_ok;
    offer_all(&values, column);
    if (*value && !values.has && values.names.count > 0)
        status = find_value(view, column, value, &values.has, error);
    if (status == WS_STATUS_ok && *value && !values.has && values.names.count > 0)
        status = ws_fail(error, WS_STATUS_usage, "%s: condition '%s': found '%s', allowed are %s", view->results->path, condition,
                         value, ws_names_text(&values.names));
    ws_names_free(&values.names);
    return status;
}

enum ws_status ws_view_add_condition(const struct ws_view *view, const char *condition, int number, struct ws_text *sql,
                                     const char **value, struct ws_error *error)
{
    const char *const name = condition + strspn(condition, BLANKS);
    const size_t name_length = strcspn(name, BLANKS SIGNS);
    const char *const sign = name + name_length + strspn(name + name_length, BLANKS);
    const size_t sign_length = strspn(sign, SIGNS);
    size_t n = 0, column;
    unsigned long factor = 1;
    while (n < OPERATORS && (strlen(operators[n].sign) != sign_length || strncmp(operators[n].sign, sign, sign_length) != 0))
        n++;
    if (n == OPERATORS || name_length == 0)
        return unreadable(view, condition, error);
    *value = sign + sign_length + strspn(sign + sign_length, BLANKS);
    WS_TRY(ws_view_find(view, name, name_length, &column, error));
    const char *const field = ws_view_column(view, column);
    *value = current_value(field, *value);
    if (ws_view_is_text(view, column) && strchr("=!", operators[n].sign[0]))
        WS_TRY(check_value(view, condition, field, *value, error));
    if (ws_view_is_text(view, column) || strcmp(operators[n].sign, "~") == 0) {
        ws_text_add(sql, "ifnull(%s, '') %s ?%d", field, operators[n].text, number);
        return WS_STATUS_ok;
    }
    if (!is_number(*value, &factor) && !(**value == 0 && operators[n].takes_empty))
        return ws_fail(error, WS_STATUS_usage, "%s: condition '%s': found '%s', allowed is a number", view->results->path,
                       condition, *value);
    ws_text_add(sql, "%s %s CAST(nullif(?%d, '') AS NUMERIC) * %lu", field, operators[n].number, number, factor);
    return WS_STATUS_ok;
}
