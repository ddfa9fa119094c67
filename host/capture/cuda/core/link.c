#include "capture/cuda/core/link.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* A statement of a module outside of functions. */
struct statement {
    const char *text;
    size_t length;
    const char *name;         /* that it declares or defines, in text; NULL: none */
    size_t name_length, head; /* head: bytes before the body */
    u32 module;
    bool is_extern, is_weak, is_local, is_function, is_entry, is_body, goes, is_doubled;
};

struct list {
    struct statement *items;
    size_t count, room;
};

/* ---- Tokens ---- */

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.' || c == '@';
}

/* The end of the token, comment, string or space that begins there. */
static const char *skip(const char *at)
{
    if (strncmp(at, "//", 2) == 0)
        return at + strcspn(at, "\n");
    if (strncmp(at, "/*", 2) == 0) {
        const char *const end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (*at == '"') {
        const char *const end = strchr(at + 1, '"');
        return end ? end + 1 : at + strlen(at);
    }
    if (!is_name(*at))
        return at + 1;
    at++;
    while (is_name(*at) && *at != '.')
        at++;
    return at;
}

static bool is_token(const char *at, const char *end, const char *word)
{
    return (size_t)(end - at) == strlen(word) && memcmp(at, word, (size_t)(end - at)) == 0;
}

static bool is_word(const char *at)
{
    return isalpha((unsigned char)*at) || *at == '_' || *at == '$';
}

/* ---- Statements ---- */

static bool add(struct list *list, struct statement statement)
{
    if (list->count == list->room) {
        const size_t room = list->room ? 2 * list->room : 64;
        struct statement *const more = realloc(list->items, room * sizeof *more);
        if (!more)
            return false;
        list->items = more;
        list->room = room;
    }
    list->items[list->count++] = statement;
    return true;
}

/* What a token says of the statement that it is in, outside of parentheses and braces. */
static void read_token(struct statement *statement, const char *at, const char *end, bool *is_variable)
{
    statement->is_extern |= is_token(at, end, ".extern");
    statement->is_weak |= is_token(at, end, ".weak") || is_token(at, end, ".common");
    statement->is_local &= !is_token(at, end, ".extern") && !is_token(at, end, ".weak") && !is_token(at, end, ".common") &&
                           !is_token(at, end, ".visible");
    statement->is_entry |= is_token(at, end, ".entry");
    statement->is_function |= is_token(at, end, ".func") || statement->is_entry;
    *is_variable |= is_token(at, end, ".global") || is_token(at, end, ".const") || is_token(at, end, ".shared");
    if (!statement->name && is_word(at) && (statement->is_function || *is_variable)) {
        statement->name = at;
        statement->name_length = (size_t)(end - at);
    }
}

/* Directives that end with their line. */
static bool is_line(const char *at, const char *end)
{
    return is_token(at, end, ".version") || is_token(at, end, ".target") || is_token(at, end, ".address_size") ||
           is_token(at, end, ".file");
}

/* Reads a statement. *goes: a section for debuggers, or a header that the first module has, too. */
static const char *read_statement(const char *at, struct statement *statement)
{
    const char *const start = at, *end = at;
    int depth = 0;
    bool is_variable = false, is_section = false;
    statement->is_local = true;
    for (; *at; at = end) {
        end = skip(at);
        if (at == start && is_line(at, end)) {
            statement->goes = !is_token(at, end, ".file") && statement->module > 0;
            end = at + strcspn(at, "\n");
            break;
        }
        is_section |= is_token(at, end, ".section");
        if (depth == 0)
            read_token(statement, at, end, &is_variable);
        if (depth == 0 && *at == '{' && statement->head == 0)
            statement->head = (size_t)(at - start);
        depth += (*at == '(' || *at == '{' || *at == '[') - (*at == ')' || *at == '}' || *at == ']');
        const bool closes = *at == '}' && depth <= 0 && (statement->is_function || is_section);
        statement->is_body |= closes && statement->is_function;
        if (closes || (*at == ';' && depth <= 0))
            break;
    }
    statement->goes |= is_section;
    statement->text = start;
    statement->length = (size_t)((*at ? end : at) - start);
    return *at ? end : at;
}

static bool read_module(struct list *list, const char *at, u32 module)
{
    while (*at) {
        const bool is_space = isspace((unsigned char)*at) || strncmp(at, "//", 2) == 0 || strncmp(at, "/*", 2) == 0;
        struct statement statement = {.module = module};
        if (is_space) {
            at = skip(at);
            continue;
        }
        at = read_statement(at, &statement);
        if (!add(list, statement))
            return false;
    }
    return true;
}

/* ---- What goes ---- */

static bool defines(const struct statement *statement)
{
    return statement->name && !statement->is_extern && (statement->is_body || !statement->is_function);
}

static bool is_same(const struct statement *one, const struct statement *other)
{
    return one->name && other->name && one->name_length == other->name_length &&
           memcmp(one->name, other->name, one->name_length) == 0;
}

/* A statement is superfluous beside an earlier or, as a declaration, beside a definition of another module. */
static bool is_superfluous(const struct list *list, const struct statement *statement)
{
    for (size_t n = 0; n < list->count; n++) {
        const struct statement *const other = &list->items[n];
        if (other == statement || other->module == statement->module || other->is_local || other->goes ||
            !is_same(other, statement))
            continue;
        if (statement->is_extern && (defines(other) || other < statement))
            return true;
        if (statement->is_weak && (defines(other) || !defines(statement)) &&
            (other < statement || (defines(other) && !other->is_weak)))
            return true;
    }
    return false;
}

/* Whether the name, not visible from outside, is that of something else in another module. */
static bool is_doubled(const struct list *list, const struct statement *statement)
{
    for (size_t n = 0; n < list->count && statement->is_local; n++)
        if (list->items[n].module != statement->module && is_same(&list->items[n], statement))
            return true;
    return false;
}

/* ---- Writing ---- */

/* Names of one module that others have, too. */
struct names {
    const struct statement *const *items;
    size_t count;
    u32 module, first_file;
};

static bool has(const struct names *names, const char *at, const char *end)
{
    for (size_t n = 0; n < names->count; n++)
        if (names->items[n]->name_length == (size_t)(end - at) && memcmp(names->items[n]->name, at, (size_t)(end - at)) == 0)
            return true;
    return false;
}

static void write(const struct statement *statement, const struct names *names, struct ws_text *out)
{
    bool is_file = false;
    for (const char *at = statement->text, *end; at < statement->text + statement->length; at = end) {
        end = skip(at);
        const bool is_number = isdigit((unsigned char)*at);
        if (is_file && is_number)
            ws_text_add(out, "%lu", strtoul(at, NULL, 10) + names->first_file);
        else
            ws_text_bytes(out, at, (size_t)(end - at));
        if (is_word(at) && has(names, at, end))
            ws_text_add(out, "$m%u", names->module);
        is_file = is_token(at, end, ".file") || is_token(at, end, ".loc") || is_token(at, end, "inlined_at") ||
                  (is_file && isspace((unsigned char)*at));
    }
    ws_text_add(out, "\n");
}

/* The largest number of a file in a module. */
static u32 last_file(const struct list *list, u32 module)
{
    u32 last = 0;
    for (size_t n = 0; n < list->count; n++) {
        const struct statement *const statement = &list->items[n];
        if (statement->module != module || strncmp(statement->text, ".file", 5) != 0)
            continue;
        const u32 number = (u32)strtoul(statement->text + 5, NULL, 10);
        last = number > last ? number : last;
    }
    return last;
}

/* Parts of the module that results, in this order: variables name functions (tables of pointers, virtual functions), also those
 * that another module defines, and functions name variables. Functions with a body are declared, too. */
enum part { HEADERS, DECLARATIONS, VARIABLES, BODIES, PARTS };

static void write_part(const struct statement *statement, enum part part, const struct names *names, struct ws_text *out)
{
    const enum part own = statement->is_body       ? BODIES
                          : statement->is_function ? DECLARATIONS
                          : statement->name        ? VARIABLES
                                                   : HEADERS;
    if (part == own)
        write(statement, names, out);
    else if (part == DECLARATIONS && own == BODIES && !statement->is_entry) {
        write(&(struct statement){.text = statement->text, .length = statement->head}, names, out);
        ws_text_add(out, ";\n");
    }
}

static void write_all(const struct list *list, u32 count, enum part part, const struct statement **doubled, struct ws_text *out)
{
    u32 first_file = 0;
    for (u32 module = 0; module < count; module++) {
        struct names names = {.items = doubled, .module = module, .first_file = first_file};
        for (size_t n = 0; n < list->count; n++)
            if (list->items[n].module == module && list->items[n].is_doubled)
                doubled[names.count++] = &list->items[n];
        for (size_t n = 0; n < list->count; n++)
            if (list->items[n].module == module && !list->items[n].goes)
                write_part(&list->items[n], part, &names, out);
        first_file += last_file(list, module);
    }
}

char *gpu_link(const char *const *texts, u32 count, size_t *length)
{
    struct list list = {0};
    struct ws_text out = {0};
    bool good = true;
    for (u32 n = 0; good && n < count; n++)
        good = read_module(&list, texts[n], n);
    for (size_t n = 0; good && n < list.count; n++)
        list.items[n].goes |= is_superfluous(&list, &list.items[n]);
    for (size_t n = 0; good && n < list.count; n++)
        list.items[n].is_doubled = is_doubled(&list, &list.items[n]);
    const struct statement **const doubled = good ? calloc(list.count + 1, sizeof(void *)) : NULL;
    for (enum part part = HEADERS; doubled && part < PARTS; part++)
        write_all(&list, count, part, doubled, &out);
    good = doubled && !out.failed;
    free(doubled);
    free(list.items);
    if (!good)
        ws_text_free(&out);
    *length = out.length;
    return good ? out.data : NULL;
}
