#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "config/parameters.h"
#include "base/names/old_names.h"

static const struct ws_parameter *row(size_t n)
{
    size_t count;
    return ws_parameters(&count) + n;
}

/* The power of two of a suffix: 10 for K and Ki; false for unknown suffixes. */
static bool parse_suffix(const char *suffix, unsigned *power)
{
    static const char letters[] = "KMG";
    const char *const letter = *suffix ? strchr(letters, *suffix) : NULL;
    *power = letter ? 10 * (unsigned)(letter - letters + 1) : 0;
    return !*suffix || (letter && strcmp(suffix[1] == 'i' ? suffix + 2 : suffix + 1, "") == 0);
}

bool config_parse_number(size_t n, const char *text, u32 *value)
{
    const size_t digits = strspn(text, "0123456789");
    unsigned power = 0;
    const bool whole = strcmp(row(n)->unit, "bytes") == 0 ? parse_suffix(text + digits, &power) : !text[digits];
    if (digits == 0 || !whole)
        return false;
    errno = 0;
    const unsigned long long number = strtoull(text, NULL, 10);
    *value = (u32)(number << power);
    return errno == 0 && number <= UINT32_MAX >> power;
}

const char *config_choice(const char *set, const char *text)
{
    if (strcmp(set, "toggle") != 0)
        return ws_current_name(WS_NAME_value, set, text);
    return strcmp(text, "true") == 0 ? "on" : strcmp(text, "false") == 0 ? "off" : text;
}

/* The value of a name in a set; offers every name of the set to nearest. */
static bool parse_choice(const char *set, const char *text, u32 *value, struct ws_nearest *nearest)
{
    size_t count;
    const struct ws_choice *const choices = ws_choices(&count);
    text = config_choice(set, text);
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
    const bool readable =
        parameter->set ? parse_choice(parameter->set, text, value, &nearest) : config_parse_number(n, text, value);
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

/* Adds the keys that consist of a group and this name: "'l1.size', 'l2.size'". */
static void add_grouped(struct ws_text *text, const char *name)
{
    for (size_t n = 0; n < PARAMETERS; n++)
        if (strcmp(strchr(row(n)->key, '.') + 1, name) == 0)
            ws_text_add(text, "%s'%s'", text->length > 0 ? ", " : "", row(n)->key);
}

enum ws_status config_unknown(const char *key, struct ws_error *error)
{
    struct ws_nearest nearest = {.word = key};
    struct ws_text grouped = {0};
    add_grouped(&grouped, key);
    if (grouped.data && !grouped.failed) {
        ws_fail(error, WS_STATUS_bad_input, "no parameter is called '%s' (did you mean %s?)", key, grouped.data);
        ws_text_free(&grouped);
        return WS_STATUS_bad_input;
    }
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
    return ws_yaml_at(node, error);
}

/* ---- Mappings ---- */

struct visit {
    bool seen[PARAMETERS];
    config_take *take;
    void *context;
};

static enum ws_status visit_parameter(struct visit *visit, const struct ws_yaml *node, const char *key, struct ws_error *error)
{
    size_t n;
    WS_TRY(config_find_at(node, key, &n, error));
    if (visit->seen[n])
        return ws_yaml_fail(node, error, "is given twice; remove one");
    visit->seen[n] = true;
    return visit->take(visit->context, n, node, error);
}

static enum ws_status visit_group(struct visit *visit, const struct ws_yaml *group, struct ws_error *error)
{
    if (!group->first)
        return ws_yaml_fail(group, error, "a group needs at least one parameter");
    for (const struct ws_yaml *member = group->first; member; member = member->next) {
        struct ws_text key = {0};
        ws_text_add(&key, "%s.%s", group->key, member->key);
        const enum ws_status status =
            key.failed ? ws_yaml_no_memory(group, error) : visit_parameter(visit, member, key.data, error);
        ws_text_free(&key);
        WS_TRY(status);
    }
    return WS_STATUS_ok;
}

enum ws_status config_each(const struct ws_yaml *mapping, config_take *take, void *context, struct ws_error *error)
{
    struct visit visit = {.take = take, .context = context};
    WS_TRY(ws_yaml_expect(mapping, WS_YAML_MAPPING, error));
    for (const struct ws_yaml *member = mapping->first; member; member = member->next)
        WS_TRY(member->kind == WS_YAML_MAPPING && !strchr(member->key, '.') ? visit_group(&visit, member, error)
                                                                            : visit_parameter(&visit, member, member->key, error));
    return WS_STATUS_ok;
}

/* ---- By key ---- */

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
        return ws_no_memory(error);
    const enum ws_status status = ws_machine_set(&file->machine, key, equals + 1, error);
    if (status == WS_STATUS_ok)
        strcpy(file->source[config_find(key)], "override");
    free(key);
    return status;
}
