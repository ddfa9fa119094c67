#include <stdio.h>
#include <string.h>

#include "base/documents/yaml.h"
#include "base/error.h"
#include "config/bundled.h"
#include "config/parameters.h"

enum { LONGEST_KEY = 128, MOST_SMS = 65536 };

/* Groups in table order: equal ones are adjacent. */
static const char *const group_of[PARAMETERS] = {
#define NUMBER(group, name, standard, least, most, unit, doc) #group,
#define POWER(group, name, standard, least, most, unit, doc)  #group,
#define CHOOSE(group, name, set, standard, doc)               #group,
#include "shared/parameters.def"
#undef NUMBER
#undef POWER
#undef CHOOSE
};

/* The allowed keys of a machine file; the rest of the array is NULL. */
static void list_keys(const char *keys[PARAMETERS + 4])
{
    size_t count = 0;
    keys[count++] = "name";
    keys[count++] = "about";
    keys[count++] = "sms";
    for (size_t n = 0; n < PARAMETERS; n++) {
        if (n == 0 || strcmp(group_of[n], group_of[n - 1]) != 0)
            keys[count++] = group_of[n];
    }
}

static enum ws_status copy_text(const struct ws_yaml *node, char *to, size_t room, struct ws_error *error)
{
    const char *text;
    WS_TRY(ws_yaml_text(node, &text, error));
    const size_t length = strlen(text);
    if (length >= room)
        return ws_yaml_fail(node, error, "found %zu bytes, allowed are at most %zu", length, room - 1);
    memcpy(to, text, length + 1);
    return WS_STATUS_ok;
}

/* "FILE:LINE", with a long path shortened to its end. */
static void note_source(const struct ws_yaml *node, char *source, size_t room)
{
    char line[16];
    const size_t line_length = (size_t)snprintf(line, sizeof line, ":%u", node->line);
    const size_t length = strlen(node->file), most = room - 1 - line_length;
    snprintf(source, room, "%s%s", length > most ? node->file + (length - most) : node->file, line);
}

static enum ws_status read_parameter(const struct ws_yaml *node, struct ws_machine_file *file, struct ws_error *error)
{
    char key[LONGEST_KEY];
    const char *text;
    snprintf(key, sizeof key, "%s.%s", node->parent->key, node->key);
    size_t n;
    WS_TRY(config_find_at(node, key, &n, error));
    WS_TRY(ws_yaml_text(node, &text, error));
    u32 value;
    if (config_parse(n, text, &value, error) != WS_STATUS_ok)
        return ws_yaml_at(node, error);
    config_put(&file->machine, n, value);
    note_source(node, file->source[n], sizeof file->source[n]);
    return WS_STATUS_ok;
}

static enum ws_status read_group(const struct ws_yaml *group, struct ws_machine_file *file, struct ws_error *error)
{
    WS_TRY(ws_yaml_expect(group, WS_YAML_MAPPING, error));
    for (const struct ws_yaml *member = group->first; member; member = member->next)
        WS_TRY(read_parameter(member, file, error));
    return WS_STATUS_ok;
}

static enum ws_status read_machine(const struct ws_yaml *root, struct ws_machine_file *file, struct ws_error *error)
{
    const char *keys[PARAMETERS + 4] = {NULL};
    const struct ws_yaml *name;
    list_keys(keys);
    WS_TRY(ws_yaml_expect_keys(root, keys, error));
    WS_TRY(ws_yaml_need(root, "name", &name, error));
    WS_TRY(copy_text(name, file->name, sizeof file->name, error));
    const struct ws_yaml *const about = ws_yaml_get(root, "about"), *const sms = ws_yaml_get(root, "sms");
    uint64_t count = 0;
    if (about)
        WS_TRY(copy_text(about, file->about, sizeof file->about, error));
    if (sms)
        WS_TRY(ws_yaml_unsigned(sms, 1, MOST_SMS, &count, error));
    file->sms = (u32)count;
    for (const struct ws_yaml *member = root->first; member; member = member->next) {
        if (member != name && member != about && member != sms)
            WS_TRY(read_group(member, file, error));
    }
    return WS_STATUS_ok;
}

enum ws_status ws_machine_load(const char *file_or_name, struct ws_machine_file *file, struct ws_error *error)
{
    memset(file, 0, sizeof *file);
    ws_machine_defaults(&file->machine);
    for (size_t n = 0; n < PARAMETERS; n++)
        strcpy(file->source[n], "default");
    struct ws_yaml *root;
    WS_TRY(config_load_yaml(BUNDLED_MACHINE, file_or_name, &root, error));
    const enum ws_status status = read_machine(root, file, error);
    ws_yaml_free(root);
    return status;
}
