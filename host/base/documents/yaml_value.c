#include "base/documents/yaml.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

static const char *const kind_names[] = {
    [WS_YAML_SCALAR] = "a value", [WS_YAML_SEQUENCE] = "a list", [WS_YAML_MAPPING] = "a mapping of keys to values"};

static size_t item_number(const struct ws_yaml *node)
{
    size_t number = 0;
    for (const struct ws_yaml *item = node->parent->first; item != node; item = item->next)
        number++;
    return number;
}

static void add_path(struct ws_text *text, const struct ws_yaml *node)
{
    if (!node->parent)
        return;
    add_path(text, node->parent);
    if (node->key)
        ws_text_add(text, "%s%s", text->length > 0 ? "." : "", node->key);
    else
        ws_text_add(text, "[%zu]", item_number(node));
}

enum ws_status ws_yaml_fail(const struct ws_yaml *node, struct ws_error *error, const char *format, ...)
{
    char message[sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    struct ws_text path = {0};
    add_path(&path, node);
    ws_fail(error, WS_STATUS_bad_input, "%s%s%s", path.length > 0 && !path.failed ? path.data : "",
            path.length > 0 && !path.failed ? ": " : "", message);
    ws_text_free(&path);
    ws_yaml_at(node, error);
    return WS_STATUS_bad_input;
}

enum ws_status ws_yaml_at(const struct ws_yaml *node, struct ws_error *error)
{
    return node->line > 0 ? ws_fail_in(error, "%s:%u: ", node->file, node->line) : ws_fail_in(error, "%s: ", node->file);
}

const struct ws_yaml *ws_yaml_get(const struct ws_yaml *mapping, const char *key)
{
    if (mapping->kind != WS_YAML_MAPPING)
        return NULL;
    for (const struct ws_yaml *member = mapping->first; member; member = member->next) {
        if (member->key && strcmp(member->key, key) == 0)
            return member;
    }
    return NULL;
}

enum ws_status ws_yaml_need(const struct ws_yaml *mapping, const char *key, const struct ws_yaml **node, struct ws_error *error)
{
    WS_TRY(ws_yaml_expect(mapping, WS_YAML_MAPPING, error));
    *node = ws_yaml_get(mapping, key);
    return *node ? WS_STATUS_ok : ws_yaml_fail(mapping, error, "the key '%s' is missing", key);
}

enum ws_status ws_yaml_expect(const struct ws_yaml *node, enum ws_yaml_kind kind, struct ws_error *error)
{
    if (node->kind == kind)
        return WS_STATUS_ok;
    if (node->kind == WS_YAML_SCALAR)
        return ws_yaml_fail(node, error, "found '%s', allowed is %s", node->text, kind_names[kind]);
    return ws_yaml_fail(node, error, "found %s, allowed is %s", kind_names[node->kind], kind_names[kind]);
}

/* Fails with "WHAT 'WORD', allowed are a, b, c (did you mean 'b'?)". */
static enum ws_status fail_with_names(const struct ws_yaml *node, const char *what, const char *word, const char *const *names,
                                      struct ws_error *error)
{
    struct ws_names known = {.nearest = {.word = word}};
    for (size_t n = 0; names[n]; n++)
        ws_names_offer(&known, names[n]);
    const enum ws_status status = ws_yaml_fail(node, error, "%s '%s', allowed are %s", what, word, ws_names_text(&known));
    ws_names_free(&known);
    return status;
}

static bool among(const char *word, const char *const *names, size_t *index)
{
    for (*index = 0; names[*index]; ++*index) {
        if (strcmp(names[*index], word) == 0)
            return true;
    }
    return false;
}

enum ws_status ws_yaml_expect_keys(const struct ws_yaml *node, const char *const *known, struct ws_error *error)
{
    WS_TRY(ws_yaml_expect(node, WS_YAML_MAPPING, error));
    size_t index;
    for (const struct ws_yaml *member = node->first; member; member = member->next) {
        if (!among(member->key, known, &index))
            return fail_with_names(member, "unknown key", member->key, known, error);
    }
    return WS_STATUS_ok;
}

enum ws_status ws_yaml_text(const struct ws_yaml *node, const char **text, struct ws_error *error)
{
    WS_TRY(ws_yaml_expect(node, WS_YAML_SCALAR, error));
    *text = node->text;
    return **text ? WS_STATUS_ok : ws_yaml_fail(node, error, "the value is missing");
}

enum ws_status ws_yaml_optional_text(const struct ws_yaml *node, const char **text, struct ws_error *error)
{
    *text = NULL;
    return node ? ws_yaml_text(node, text, error) : WS_STATUS_ok;
}

/* The digits of a plain number without its sign, and their base. NULL for anything else. */
static const char *digits_of(const struct ws_yaml *node, bool sign, int *base)
{
    const char *text = node->text;
    if (node->quoted)
        return NULL;
    if (sign && *text == '-')
        text++;
    *base = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10;
    const char *const digits = *base == 16 ? text + 2 : text;
    const char *const alphabet = *base == 16 ? "0123456789abcdefABCDEF" : "0123456789";
    return *digits && strspn(digits, alphabet) == strlen(digits) ? digits : NULL;
}

enum ws_status ws_yaml_unsigned(const struct ws_yaml *node, uint64_t least, uint64_t most, uint64_t *value, struct ws_error *error)
{
    const char *text;
    WS_TRY(ws_yaml_text(node, &text, error));
    int base;
    const char *const digits = digits_of(node, false, &base);
    errno = 0;
    *value = digits ? strtoull(digits, NULL, base) : 0;
    if (digits && errno == 0 && *value >= least && *value <= most)
        return WS_STATUS_ok;
    return ws_yaml_fail(node, error, "found '%s', allowed is a whole number from %" PRIu64 " to %" PRIu64, text, least, most);
}

enum ws_status ws_yaml_signed(const struct ws_yaml *node, int64_t least, int64_t most, int64_t *value, struct ws_error *error)
{
    const char *text;
    WS_TRY(ws_yaml_text(node, &text, error));
    int base;
    const bool valid = digits_of(node, true, &base) != NULL;
    errno = 0;
    *value = valid ? strtoll(text, NULL, base) : 0;
    if (valid && errno == 0 && *value >= least && *value <= most)
        return WS_STATUS_ok;
    return ws_yaml_fail(node, error, "found '%s', allowed is a whole number from %" PRId64 " to %" PRId64, text, least, most);
}

enum ws_status ws_yaml_real(const struct ws_yaml *node, double *value, struct ws_error *error)
{
    const char *text;
    WS_TRY(ws_yaml_text(node, &text, error));
    char *end;
    *value = strtod(text, &end);
    if (!node->quoted && !*end && strspn(text, "+-.0123456789eE") == strlen(text) && isfinite(*value))
        return WS_STATUS_ok;
    return ws_yaml_fail(node, error, "found '%s', allowed is a number", text);
}

enum ws_status ws_yaml_choice(const struct ws_yaml *node, const char *const *names, size_t *index, struct ws_error *error)
{
    const char *text;
    WS_TRY(ws_yaml_text(node, &text, error));
    return among(text, names, index) ? WS_STATUS_ok : fail_with_names(node, "found", text, names, error);
}

enum ws_status ws_yaml_bool(const struct ws_yaml *node, bool *value, struct ws_error *error)
{
    static const char *const names[] = {"false", "true", NULL};
    size_t index;
    WS_TRY(ws_yaml_choice(node, names, &index, error));
    *value = index == 1;
    return WS_STATUS_ok;
}
