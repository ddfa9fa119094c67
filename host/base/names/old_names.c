#include "base/names/old_names.h"

#include <ctype.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const struct ws_old_name names[] = {
#define OLD_NAME(kind, scope, old, current) {WS_NAME_##kind, scope, old, current},
#include "base/names/old_names.def"
};

enum { NAMES = sizeof names / sizeof *names, UNUSED = 0, USED, TOLD, LONGEST = 64 };

static atomic_int state[NAMES];

static void note_use(size_t n)
{
    int unused = UNUSED;
    atomic_compare_exchange_strong(&state[n], &unused, USED);
}

const struct ws_old_name *ws_old_names(size_t *count)
{
    *count = NAMES;
    return names;
}

const char *ws_current_name(enum ws_name_kind kind, const char *scope, const char *name)
{
    for (size_t n = 0; n < NAMES; n++)
        if (names[n].kind == kind && strcmp(names[n].scope, scope) == 0 && strcmp(names[n].old, name) == 0) {
            note_use(n);
            return names[n].current;
        }
    return name;
}

/* Whether the text names a column; l1_size is the column of l1.size. */
static bool is_column(const char *name, const char *text, size_t length)
{
    for (size_t n = 0; n < length; n++)
        if (name[n] != text[n] && !(name[n] == '.' && text[n] == '_'))
            return false;
    return name[length] == 0;
}

/* The row of an old column, NAMES for none. */
static size_t find_column(const char *text, size_t length)
{
    size_t n = 0;
    while (n < NAMES && !((names[n].kind == WS_NAME_parameter || names[n].kind == WS_NAME_counter) &&
                          strlen(names[n].old) == length && is_column(names[n].old, text, length)))
        n++;
    return n;
}

static void write_column(size_t n, char column[LONGEST])
{
    snprintf(column, LONGEST, "%s", names[n].current);
    column[strcspn(column, ".")] = strchr(column, '.') ? '_' : 0;
}

const char *ws_current_column(const char *name)
{
    static _Thread_local char column[LONGEST];
    const size_t n = find_column(name, strlen(name));
    if (n == NAMES)
        return name;
    note_use(n);
    write_column(n, column);
    return column;
}

static size_t word_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length;
}

char *ws_current_sql(const char *sql, bool is_users)
{
    struct ws_text text = {0};
    bool changed = false;
    while (*sql) {
        char column[LONGEST];
        const size_t length = word_length(sql), n = find_column(sql, length);
        if (n < NAMES)
            write_column(n, column);
        if (n < NAMES && is_users)
            note_use(n);
        changed = changed || n < NAMES;
        ws_text_add(&text, "%.*s", (int)(n < NAMES ? sizeof column : length ? length : 1), n < NAMES ? column : sql);
        sql += length ? length : 1;
    }
    if (changed && !text.failed)
        return text.data;
    ws_text_free(&text);
    return NULL;
}

void ws_old_names_used(void (*tell)(void *context, const struct ws_old_name *name), void *context)
{
    for (size_t n = 0; n < NAMES; n++) {
        int used = USED;
        if (atomic_compare_exchange_strong(&state[n], &used, TOLD))
            tell(context, &names[n]);
    }
}
