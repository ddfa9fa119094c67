/* The strict YAML reader: the tree it makes, everything it refuses, and typed values. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/documents/yaml.h"
#include "base/text.h"
#include "test.h"

static struct ws_yaml *parsed(const char *text)
{
    struct ws_yaml *root;
    EXPECT_OK(ws_yaml_parse("t.yaml", text, strlen(text), &root, &error));
    return root;
}

TEST(the_tree_knows_keys_order_and_lines)
{
    struct ws_yaml *const root = parsed("# comment\na: 1\nlist:\n  - x\n  - 'y z'\n  - {b: c}\nempty:\n");
    assert_int_equal(root->kind, WS_YAML_MAPPING);
    assert_int_equal(root->count, 3);
    const struct ws_yaml *const list = ws_yaml_get(root, "list");
    assert_int_equal(list->kind, WS_YAML_SEQUENCE);
    assert_int_equal(list->line, 3);
    assert_int_equal(list->count, 3);
    assert_string_equal(list->first->text, "x");
    assert_false(list->first->quoted);
    assert_string_equal(list->first->next->text, "y z");
    assert_true(list->first->next->quoted);
    assert_int_equal(list->first->next->next->first->line, 6);
    assert_string_equal(list->first->next->next->first->key, "b");
    assert_string_equal(ws_yaml_get(root, "empty")->text, "");
    assert_null(ws_yaml_get(root, "nothing"));
    assert_null(ws_yaml_get(list, "x"));
    ws_yaml_free(root);
}

/* What the reader refuses, and in which words. */
static const struct {
    const char *text, *message;
} refused[] = {
    {"", "t.yaml:1: is empty, allowed are lines KEY: VALUE"},
    {"# only a comment\n", "t.yaml:2: is empty, allowed are lines KEY: VALUE"},
    {"# only a comment", "t.yaml:1: is empty, allowed are lines KEY: VALUE"},
    {"a: 1\nb: 2\na: 3\n", "t.yaml:3: the key 'a' is given twice, first in line 1; remove one"},
    {"a: {b: 1, b: 2}\n", "t.yaml:1: the key 'b' is given twice, first in line 1; remove one"},
    {"a: &x 1\n", "t.yaml:1: an anchor (&NAME) is not allowed; leave it out"},
    {"a: &x [1]\n", "t.yaml:1: an anchor (&NAME) is not allowed; leave it out"},
    {"a: &x {b: 1}\n", "t.yaml:1: an anchor (&NAME) is not allowed; leave it out"},
    {"&x a: 1\n", "t.yaml:1: an anchor (&NAME) is not allowed; leave it out"},
    {"a:\n  - *x\n", "t.yaml:2: an alias (*NAME) is not allowed; write the value itself"},
    {"*x : 1\n", "t.yaml:1: an alias (*NAME) is not allowed; write the value itself"},
    {"a: !!str 1\n", "t.yaml:1: a tag (!NAME) is not allowed; leave it out"},
    {"a: !mine [1]\n", "t.yaml:1: a tag (!NAME) is not allowed; leave it out"},
    {"a: !mine {b: 1}\n", "t.yaml:1: a tag (!NAME) is not allowed; leave it out"},
    {"%YAML 1.1\n---\na: 1\n", "t.yaml:1: a directive (%NAME) is not allowed; leave it out"},
    {"%TAG ! tag:x,2000:\n---\na: 1\n", "t.yaml:1: a directive (%NAME) is not allowed; leave it out"},
    {"a: 1\n---\nb: 2\n", "t.yaml:2: a second document (---) is not allowed; write it into another file"},
    {"[a]: 1\n", "t.yaml:1: found a key that is empty, a list or a mapping, allowed is a word"},
    {"{a: 1}: 1\n", "t.yaml:1: found a key that is empty, a list or a mapping, allowed is a word"},
    {"'': 1\n", "t.yaml:1: found a key that is empty, a list or a mapping, allowed is a word"},
    {"a: \"x\\0y\"\n", "t.yaml:1: a zero byte is not allowed"},
    {"\"x\\0y\": 1\n", "t.yaml:1: a zero byte is not allowed"},
    {"a: 1\nb: \xC3\x28\n", "t.yaml:2: not UTF-8; save the file as UTF-8"},
    {"a: \xED\xA0\x80\n", "t.yaml:1: not UTF-8; save the file as UTF-8"},
    {"a: \xF4\x90\x80\x80\n", "t.yaml:1: not UTF-8; save the file as UTF-8"},
    {"a: \xC0\xAF\n", "t.yaml:1: not UTF-8; save the file as UTF-8"},
    {"a: \xE2\x82", "t.yaml:1: not UTF-8; save the file as UTF-8"},
    {"a: 1\nb: \x01\n", "t.yaml:2: not YAML: control characters are not allowed"},
    {"a: [1, 2", "t.yaml:1: not YAML: did not find expected ',' or ']'"},
    {"a: [1, 2\n", "t.yaml:2: not YAML: did not find expected ',' or ']'"},
    {"a: {b: 1\n", "t.yaml:2: not YAML: did not find expected ',' or '}'"},
    {"a: 'x\n", "t.yaml:2: not YAML: found unexpected end of stream"},
    {"a: b: c\n", "t.yaml:1: not YAML: mapping values are not allowed in this context"},
    {"a:\n\t- b\n", "t.yaml:2: not YAML: found character that cannot start any token"},
    {"- a\nb: 1\n", "t.yaml:2: not YAML: did not find expected '-' indicator"},
    {"[[[[[[[[[[[[[[[[x]]]]]]]]]]]]]]]]\n", "t.yaml:1: nested deeper than the 16 levels that are allowed"},
};

static void assert_refused(const char *text, size_t length, const char *message)
{
    struct ws_yaml *root;
    struct ws_error error = {.message = "no error"};
    const enum ws_status status = ws_yaml_parse("t.yaml", text, length, &root, &error);
    assert_string_equal(error.message, message);
    assert_int_equal(status, WS_STATUS_bad_input);
    assert_int_equal(error.status, WS_STATUS_bad_input);
    assert_null(root);
}

TEST(broken_files_are_refused)
{
    for (size_t n = 0; n < sizeof refused / sizeof *refused; n++)
        assert_refused(refused[n].text, strlen(refused[n].text), refused[n].message);
    assert_refused("a: 1\nb: x\0y\n", 12, "t.yaml:2: a zero byte is not allowed");
}

TEST(sixteen_levels_are_read)
{
    struct ws_yaml *const root = parsed("[[[[[[[[[[[[[[[x]]]]]]]]]]]]]]]\n");
    unsigned levels = 1;
    for (const struct ws_yaml *node = root; node->first; node = node->first)
        levels++;
    assert_int_equal(levels, WS_YAML_DEPTH);
    ws_yaml_free(root);
}

TEST(sizes_are_limited)
{
    char *const large = malloc(WS_YAML_BYTES + 1);
    assert_non_null(large);
    memset(large, ' ', WS_YAML_BYTES + 1);
    assert_refused(large, WS_YAML_BYTES + 1, "t.yaml: larger than the 4194304 bytes that are allowed");
    free(large);
    struct ws_text keys = {0};
    for (unsigned n = 0; n <= WS_YAML_KEYS; n++)
        ws_text_add(&keys, "k%u: 0\n", n);
    assert_false(keys.failed);
    assert_refused(keys.data, keys.length, "t.yaml:4097: found more than 4096 keys in one mapping, allowed are at most 4096");
    ws_text_free(&keys);
}

TEST(files_that_cannot_be_read_are_named)
{
    struct ws_yaml *root;
    EXPECT_ERROR(ws_yaml_load("/nonexistent/x.yaml", &root, &error), WS_STATUS_no_file,
                 "/nonexistent/x.yaml: cannot be read: No such file or directory");
    EXPECT_ERROR(ws_yaml_load("/", &root, &error), WS_STATUS_no_file, "/: cannot be read: Is a directory");
}

static const char *const colours[] = {"red", "green", "blue", NULL};

enum type { UNSIGNED, SIGNED, REAL, BOOLEAN, COLOUR, TEXT };

/* Reads node as a type with small bounds, and prints the result. */
static enum ws_status read_value(enum type type, const struct ws_yaml *node, char *out, size_t room, struct ws_error *error)
{
    uint64_t natural = 0;
    int64_t whole = 0;
    double real = 0;
    bool truth = false;
    size_t index = 0;
    const char *text = "";
    enum ws_status status = WS_STATUS_internal;
    switch (type) {
    case UNSIGNED:
        status = ws_yaml_unsigned(node, 2, 300, &natural, error);
        snprintf(out, room, "%llu", (unsigned long long)natural);
        break;
    case SIGNED:
        status = ws_yaml_signed(node, -9, INT64_MAX, &whole, error);
        snprintf(out, room, "%lld", (long long)whole);
        break;
    case REAL:
        status = ws_yaml_real(node, &real, error);
        snprintf(out, room, "%g", real);
        break;
    case BOOLEAN:
        status = ws_yaml_bool(node, &truth, error);
        snprintf(out, room, "%s", truth ? "yes" : "no");
        break;
    case COLOUR:
        status = ws_yaml_choice(node, colours, &index, error);
        snprintf(out, room, "%zu", index);
        break;
    case TEXT:
        status = ws_yaml_text(node, &text, error);
        snprintf(out, room, "%s", text);
        break;
    }
    return status;
}

/* Values of the key v, and their results. */
static const struct {
    enum type type;
    const char *text, *value, *message;
} values[] = {
    {UNSIGNED, "v: 2", "2", NULL},
    {UNSIGNED, "v: 300", "300", NULL},
    {UNSIGNED, "v: 0x12C", "300", NULL},
    {UNSIGNED, "v: 1", NULL, "t.yaml:1: v: found '1', allowed is a whole number from 2 to 300"},
    {UNSIGNED, "v: 301", NULL, "t.yaml:1: v: found '301', allowed is a whole number from 2 to 300"},
    {UNSIGNED, "v: 99999999999999999999", NULL,
     "t.yaml:1: v: found '99999999999999999999', allowed is a whole number from 2 to 300"},
    {UNSIGNED, "v: -3", NULL, "t.yaml:1: v: found '-3', allowed is a whole number from 2 to 300"},
    {UNSIGNED, "v: +3", NULL, "t.yaml:1: v: found '+3', allowed is a whole number from 2 to 300"},
    {UNSIGNED, "v: 3.0", NULL, "t.yaml:1: v: found '3.0', allowed is a whole number from 2 to 300"},
    {UNSIGNED, "v: '3'", NULL, "t.yaml:1: v: found '3', allowed is a whole number from 2 to 300"},
    {UNSIGNED, "v: 0x", NULL, "t.yaml:1: v: found '0x', allowed is a whole number from 2 to 300"},
    {UNSIGNED, "v:", NULL, "t.yaml:1: v: the value is missing"},
    {UNSIGNED, "v: [3]", NULL, "t.yaml:1: v: found a list, allowed is a value"},
    {SIGNED, "v: -9", "-9", NULL},
    {SIGNED, "v: -0x9", "-9", NULL},
    {SIGNED, "v: 9223372036854775807", "9223372036854775807", NULL},
    {SIGNED, "v: -10", NULL, "t.yaml:1: v: found '-10', allowed is a whole number from -9 to 9223372036854775807"},
    {SIGNED, "v: 9223372036854775808", NULL,
     "t.yaml:1: v: found '9223372036854775808', allowed is a whole number from -9 to 9223372036854775807"},
    {REAL, "v: -2.5e3", "-2500", NULL},
    {REAL, "v: 1e999", NULL, "t.yaml:1: v: found '1e999', allowed is a number"},
    {REAL, "v: nan", NULL, "t.yaml:1: v: found 'nan', allowed is a number"},
    {REAL, "v: 0x1p3", NULL, "t.yaml:1: v: found '0x1p3', allowed is a number"},
    {BOOLEAN, "v: true", "yes", NULL},
    {BOOLEAN, "v: false", "no", NULL},
    {BOOLEAN, "v: flase", NULL, "t.yaml:1: v: found 'flase', allowed are false, true (did you mean 'false'?)"},
    {COLOUR, "v: blue", "2", NULL},
    {COLOUR, "v: 'green'", "1", NULL},
    {COLOUR, "v: gren", NULL, "t.yaml:1: v: found 'gren', allowed are red, green, blue (did you mean 'green'?)"},
    {COLOUR, "v: violet", NULL, "t.yaml:1: v: found 'violet', allowed are red, green, blue"},
    {TEXT, "v: a b", "a b", NULL},
    {TEXT, "v: {a: b}", NULL, "t.yaml:1: v: found a mapping of keys to values, allowed is a value"},
};

TEST(values_have_types_and_bounds)
{
    for (size_t n = 0; n < sizeof values / sizeof *values; n++) {
        struct ws_yaml *const root = parsed(values[n].text);
        struct ws_error error = {.message = "no error"};
        char out[64];
        const enum ws_status status = read_value(values[n].type, ws_yaml_get(root, "v"), out, sizeof out, &error);
        if (values[n].value) {
            assert_int_equal(status, WS_STATUS_ok);
            assert_string_equal(out, values[n].value);
        } else {
            assert_int_equal(status, WS_STATUS_bad_input);
            assert_string_equal(error.message, values[n].message);
        }
        ws_yaml_free(root);
    }
}

TEST(errors_name_the_way_from_the_root)
{
    static const char *const known[] = {"label", "set", NULL};
    struct ws_yaml *const root = parsed("points:\n  - label: a\n  - lable: b\n    set:\n      l1: {size: x}\n");
    const struct ws_yaml *const second = ws_yaml_get(root, "points")->first->next;
    const struct ws_yaml *node = ws_yaml_get(ws_yaml_get(ws_yaml_get(second, "set"), "l1"), "size");
    uint64_t value;
    EXPECT_ERROR(ws_yaml_unsigned(node, 0, 9, &value, &error), WS_STATUS_bad_input,
                 "t.yaml:5: points[1].set.l1.size: found 'x', allowed is a whole number from 0 to 9");
    EXPECT_ERROR(ws_yaml_expect_keys(second, known, &error), WS_STATUS_bad_input,
                 "t.yaml:3: points[1].lable: unknown key 'lable', allowed are label, set (did you mean 'label'?)");
    EXPECT_ERROR(ws_yaml_need(root, "name", &node, &error), WS_STATUS_bad_input, "t.yaml:1: the key 'name' is missing");
    EXPECT_ERROR(ws_yaml_need(second->first, "name", &node, &error), WS_STATUS_bad_input,
                 "t.yaml:3: points[1].lable: found 'b', allowed is a mapping of keys to values");
    ws_yaml_free(root);
}
