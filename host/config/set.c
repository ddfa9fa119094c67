#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "config/parameters.h"

static const struct ws_parameter *row(size_t n)
{
    size_t count;
    return ws_parameters(&count) + n;
}

static bool parse_number(const char *text, u32 *value)
{
    if (!*text || strspn(text, "0123456789") != strlen(text))
        return false;
    errno = 0;
    const unsigned long long number = strtoull(text, NULL, 10);
    *value = (u32)number;
    return errno == 0 && number <= UINT32_MAX;
}

/* The value of a name in a set; every name of the set is offered to nearest. */
static bool parse_choice(const char *set, const char *text, u32 *value, struct ws_nearest *nearest)
{
    size_t count;
    const struct ws_choice *const choices = ws_choices(&count);
    for (size_t n = 0; n < count; n++) {
        if (strcmp(choices[n].set, set) != 0)
            continue;
        *value = choices[n].value;
        if (strcmp(choices[n].name, text) == 0)
            return true;
        ws_nearest_offer(nearest, choices[n].name);
    }
    return false;
}

enum ws_status config_parse(size_t n, const char *text, u32 *value, struct ws_error *error)
{
    const struct ws_parameter *const parameter = row(n);
    struct ws_nearest nearest = {.word = text};
    const bool readable = parameter->set ? parse_choice(parameter->set, text, value, &nearest) : parse_number(text, value);
    if (readable && config_within(n, *value))
        return WS_STATUS_ok;
    struct ws_text allowed = {0};
    config_add_allowed(&allowed, n);
    if (nearest.best)
        ws_text_add(&allowed, " (did you mean '%s'?)", nearest.best);
    const enum ws_status status =
        allowed.failed ? ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", parameter->key)
                       : ws_fail(error, WS_STATUS_bad_input, "%s: found '%s', allowed is %s", parameter->key, text, allowed.data);
    ws_text_free(&allowed);
    return status;
}

enum ws_status config_unknown(const char *key, struct ws_error *error)
{
    struct ws_nearest nearest = {.word = key};
    for (size_t n = 0; n < PARAMETERS; n++)
        ws_nearest_offer(&nearest, row(n)->key);
    if (nearest.best)
        return ws_fail(error, WS_STATUS_bad_input, "no parameter is called '%s' (did you mean '%s'?)", key, nearest.best);
    return ws_fail(error, WS_STATUS_bad_input, "no parameter is called '%s'; 'warpsweep list parameters' lists them", key);
}

enum ws_status config_find_at(const struct ws_yaml *node, const char *key, size_t *n, struct ws_error *error)
{
    *n = config_find(key);
    if (*n < PARAMETERS)
        return WS_STATUS_ok;
    config_unknown(key, error);
    return ws_fail_in(error, "%s:%u: ", node->file, node->line);
}

enum ws_status ws_machine_set(struct ws_machine *machine, const char *key, const char *value, struct ws_error *error)
{
    const size_t n = config_find(key);
    if (n == PARAMETERS)
        return config_unknown(key, error);
    u32 number = 0;
    WS_TRY(config_parse(n, value, &number, error));
    config_put(machine, n, number);
    return WS_STATUS_ok;
}

enum ws_status ws_machine_override(struct ws_machine_file *file, const char *assignment, struct ws_error *error)
{
    const char *const equals = strchr(assignment, '=');
    if (!equals)
        return ws_fail(error, WS_STATUS_usage, "found '%s', allowed is an override of the form KEY=VALUE", assignment);
    char *const key = strndup(assignment, (size_t)(equals - assignment));
    if (!key)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory");
    const enum ws_status status = ws_machine_set(&file->machine, key, equals + 1, error);
    if (status == WS_STATUS_ok)
        strcpy(file->source[config_find(key)], "override");
    free(key);
    return status;
}
