#include <string.h>

#include "base/error.h"
#include "config/experiment/draft.h"

/* The columns of a table; one may be called label. */
struct columns {
    const struct ws_yaml *list;
    size_t parameters[PARAMETERS]; /* columns other than label */
    size_t count;
};

static bool is_label(const struct ws_yaml *column)
{
    return strcmp(column->text, "label") == 0;
}

static enum ws_status read_columns(const struct ws_yaml *list, const struct draft *base, const struct expansion *expansion,
                                   struct columns *columns, struct ws_error *error)
{
    WS_TRY(ws_yaml_expect(list, WS_YAML_SEQUENCE, error));
    if (!list->first)
        return ws_yaml_fail(list, error, "a table needs at least one column");
    columns->list = list;
    for (const struct ws_yaml *column = list->first; column; column = column->next) {
        const char *text;
        WS_TRY(ws_yaml_text(column, &text, error));
        for (const struct ws_yaml *other = list->first; other != column; other = other->next)
            if (strcmp(other->text, text) == 0)
                return ws_yaml_fail(column, error, "found '%s', which the table has already; remove one", text);
        if (is_label(column))
            continue;
        const size_t parameter = config_find(text);
        if (parameter == PARAMETERS) {
            struct ws_error unknown;
            config_unknown(text, &unknown);
            return ws_yaml_fail(column, error, "%s", unknown.message);
        }
        WS_TRY(draft_refuse_set(base, parameter, column, expansion, error));
        columns->parameters[columns->count++] = parameter;
    }
    return WS_STATUS_ok;
}

static enum ws_status read_row(const struct draft *base, const struct columns *columns, const struct ws_yaml *row,
                               const struct expansion *expansion, struct ws_error *error)
{
    struct draft draft = *base;
    const char *label = NULL, *text;
    size_t n = 0;
    WS_TRY(ws_yaml_expect(row, WS_YAML_SEQUENCE, error));
    if (row->count != columns->list->count)
        return ws_yaml_fail(row, error, "found %zu values, the table has %zu columns", row->count, columns->list->count);
    const struct ws_yaml *value = row->first;
    for (const struct ws_yaml *column = columns->list->first; column; column = column->next, value = value->next) {
        WS_TRY(ws_yaml_text(value, &text, error));
        if (is_label(column))
            label = text;
        else
            WS_TRY(draft_set_parameter(&draft, columns->parameters[n++], value, error));
    }
    return label ? draft_append(&draft, label, NULL, row, expansion, error)
                 : draft_append_named(&draft, "", columns->parameters, columns->count, row, expansion, error);
}

enum ws_status table_append(const struct draft *base, const struct ws_yaml *table, const struct expansion *expansion,
                            struct ws_error *error)
{
    static const char *const keys[] = {"columns", "rows", NULL};
    const struct ws_yaml *list, *rows;
    struct columns columns = {0};
    if (!table)
        return WS_STATUS_ok;
    WS_TRY(ws_yaml_expect_keys(table, keys, error));
    WS_TRY(ws_yaml_need(table, "columns", &list, error));
    WS_TRY(ws_yaml_need(table, "rows", &rows, error));
    WS_TRY(read_columns(list, base, expansion, &columns, error));
    WS_TRY(ws_yaml_expect(rows, WS_YAML_SEQUENCE, error));
    for (const struct ws_yaml *row = rows->first; row; row = row->next)
        WS_TRY(read_row(base, &columns, row, expansion, error));
    return WS_STATUS_ok;
}
