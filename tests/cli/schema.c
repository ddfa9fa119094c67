/* Validates JSON against a JSON schema (draft 2020-12) of the keywords below. Other keywords are errors, so that no requirement is
 * ignored. Usage: schema SCHEMA.json FILE.json. Prints every violation; exits with 1 if there are any. */
#include <math.h>
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_reader.h"

enum { LONGEST_PATH = 400 };

static int violations;

static void violation(const char *path, const char *what)
{
    fprintf(stderr, "%s: %s\n", *path ? path : "the value", what);
    violations++;
}

static void validate(const struct json *schema, const struct json *value, const char *path);

static void validate_member(const struct json *schema, const struct json *member, size_t n, const char *path)
{
    char place[LONGEST_PATH];
    if (member->key)
        snprintf(place, sizeof place, "%s/%s", path, member->key);
    else
        snprintf(place, sizeof place, "%s/%zu", path, n);
    validate(schema, member, place);
}

static bool is_type(const char *type, const struct json *value)
{
    static const char *const names[] = {"null", "boolean", "boolean", "number", "string", "array", "object"};
    if (strcmp(type, "integer") == 0)
        return value->type == JSON_NUMBER && isfinite(value->number) && floor(value->number) >= value->number;
    return strcmp(type, names[value->type]) == 0;
}

static bool same(const struct json *a, const struct json *b)
{
    return a->type == b->type && (a->type == JSON_NUMBER || a->type == JSON_TEXT) && strcmp(a->text, b->text) == 0;
}

/* ---- Keywords and their requirements ---- */

static void check_type(const struct json *schema, const struct json *types, const struct json *value, const char *path)
{
    (void)schema;
    bool found = types->type == JSON_TEXT && is_type(types->text, value);
    for (size_t n = 0; types->type == JSON_ARRAY && n < types->count; n++)
        found = found || is_type(types->member[n].text, value);
    if (!found)
        violation(path, "is not of the type");
}

static void check_const(const struct json *schema, const struct json *constant, const struct json *value, const char *path)
{
    (void)schema;
    if (!same(constant, value))
        violation(path, "is not the constant");
}

static void check_enum(const struct json *schema, const struct json *words, const struct json *value, const char *path)
{
    (void)schema;
    bool found = false;
    for (size_t n = 0; n < words->count; n++)
        found = found || same(&words->member[n], value);
    if (!found)
        violation(path, "is none of the values");
}

static void check_pattern(const struct json *schema, const struct json *pattern, const struct json *value, const char *path)
{
    (void)schema;
    regex_t regex;
    if (value->type != JSON_TEXT)
        return;
    if (regcomp(&regex, pattern->text, REG_EXTENDED | REG_NOSUB) != 0) {
        violation(path, "the pattern cannot be read");
        return;
    }
    if (regexec(&regex, value->text, 0, NULL, 0) != 0)
        violation(path, "does not match the pattern");
    regfree(&regex);
}

static void check_minimum(const struct json *schema, const struct json *least, const struct json *value, const char *path)
{
    (void)schema;
    if (value->type == JSON_NUMBER && value->number < least->number)
        violation(path, "is below the minimum");
}

static void check_least_items(const struct json *schema, const struct json *least, const struct json *value, const char *path)
{
    (void)schema;
    if (value->type == JSON_ARRAY && (double)value->count < least->number)
        violation(path, "has too few items");
}

static void check_most_items(const struct json *schema, const struct json *most, const struct json *value, const char *path)
{
    (void)schema;
    if (value->type == JSON_ARRAY && (double)value->count > most->number)
        violation(path, "has too many items");
}

static void check_items(const struct json *schema, const struct json *items, const struct json *value, const char *path)
{
    (void)schema;
    for (size_t n = 0; value->type == JSON_ARRAY && n < value->count; n++)
        validate_member(items, &value->member[n], n, path);
}

static void check_required(const struct json *schema, const struct json *keys, const struct json *value, const char *path)
{
    (void)schema;
    for (size_t n = 0; value->type == JSON_OBJECT && n < keys->count; n++) {
        char what[LONGEST_PATH];
        snprintf(what, sizeof what, "lacks %s", keys->member[n].text);
        if (!json_find(value, keys->member[n].text))
            violation(path, what);
    }
}

static void check_properties(const struct json *schema, const struct json *properties, const struct json *value, const char *path)
{
    (void)schema;
    for (size_t n = 0; value->type == JSON_OBJECT && n < value->count; n++) {
        const struct json *const property = json_find(properties, value->member[n].key);
        if (property)
            validate_member(property, &value->member[n], n, path);
    }
}

static void check_others(const struct json *schema, const struct json *others, const struct json *value, const char *path)
{
    const struct json *const properties = json_find(schema, "properties");
    for (size_t n = 0; value->type == JSON_OBJECT && n < value->count; n++) {
        const struct json *const member = &value->member[n];
        char what[LONGEST_PATH];
        snprintf(what, sizeof what, "has %s, which the schema lacks", member->key);
        if (properties && json_find(properties, member->key))
            continue;
        if (others->type == JSON_FALSE)
            violation(path, what);
        else
            validate_member(others, member, n, path);
    }
}

static const struct {
    const char *keyword;
    void (*check)(const struct json *schema, const struct json *asked, const struct json *value, const char *path); /* or NULL */
} keywords[] = {
    {"$schema", NULL},
    {"title", NULL},
    {"description", NULL},
    {"type", check_type},
    {"const", check_const},
    {"enum", check_enum},
    {"pattern", check_pattern},
    {"minimum", check_minimum},
    {"minItems", check_least_items},
    {"maxItems", check_most_items},
    {"items", check_items},
    {"required", check_required},
    {"properties", check_properties},
    {"additionalProperties", check_others},
};

static void validate(const struct json *schema, const struct json *value, const char *path)
{
    for (size_t n = 0; n < schema->count; n++) {
        const struct json *const asked = &schema->member[n];
        size_t row = 0;
        while (row < sizeof keywords / sizeof *keywords && strcmp(keywords[row].keyword, asked->key) != 0)
            row++;
        if (row == sizeof keywords / sizeof *keywords) {
            fprintf(stderr, "%s: the keyword %s is not known\n", path, asked->key);
            exit(1);
        }
        if (keywords[row].check)
            keywords[row].check(schema, asked, value, path);
    }
}

int main(int count, char **arguments)
{
    if (count != 3) {
        fprintf(stderr, "usage: schema SCHEMA.json FILE.json\n");
        return 2;
    }
    validate(json_read(arguments[1]), json_read(arguments[2]), "");
    return violations > 0;
}
