/* Options of the compiler, as clBuildProgram takes them. */
#include <stdlib.h>
#include <string.h>

#include "base/compiler_options.h"
#include "base/error.h"
#include "base/text.h"
#include "frontend/launch/fill.h"
#include "frontend/launch/file.h"

static enum ws_status check(const struct ws_yaml *node, const char *word, struct ws_error *error)
{
    struct ws_names names = {.nearest = {.word = word}};
    if (ws_compiler_option(word))
        return WS_STATUS_ok;
    for (size_t n = 0; ws_compiler_options[n]; n++)
        ws_names_offer(&names, ws_compiler_options[n]);
    const enum ws_status status = ws_yaml_fail(node, error, "found '%s', allowed are %s", word, ws_names_text(&names));
    ws_names_free(&names);
    return status;
}

/* Adds a word for the compiler: a one-letter option and its value become one word; a folder of -I is relative to the launch file.
 */
static enum ws_status add(struct ws_launch_file *file, const struct ws_yaml *node, size_t *count, const char *letter,
                          const char *word, struct ws_error *error)
{
    struct ws_text text = {0};
    const bool folder = strcmp(letter, "-I") == 0;
    char *const path = folder ? ws_beside(node->file, word) : NULL;
    ws_text_add(&text, "%s%s", letter, folder ? path ? path : "" : word);
    char *const copy = text.data ? ws_arena_text(&file->arena, text.data, text.length) : NULL;
    const bool failed = text.failed || !copy || (folder && !path);
    ws_text_free(&text);
    free(path);
    if (failed)
        return ws_yaml_no_memory(node, error);
    file->options[(*count)++] = copy;
    return WS_STATUS_ok;
}

/* Reads one option and, after a single letter, its value. */
static enum ws_status read_option(struct ws_launch_file *file, const struct ws_yaml *node, const char **text, struct ws_text *word,
                                  size_t *count, struct ws_error *error)
{
    char letter[3] = "";
    const char *value = word->data;
    WS_TRY(check(node, value, error));
    if (strlen(value) >= 2 && value[0] == '-' && strchr("DUI", value[1])) {
        memcpy(letter, value, 2);
        value += 2;
    }
    if (*letter && !*value) {
        const char *const rest = ws_compiler_word(*text, word);
        if (!rest || word->length == 0)
            return ws_yaml_fail(node, error, "found '%s' without a value", letter);
        *text = rest;
        value = word->data;
    }
    return add(file, node, count, letter, value, error);
}

enum ws_status launch_options_read(struct ws_launch_file *file, struct ws_error *error)
{
    const struct ws_yaml *const node = ws_yaml_get(file->root, "options");
    const char *text = "";
    struct ws_text word = {0};
    size_t count = 0;
    enum ws_status status = WS_STATUS_ok;
    if (node)
        WS_TRY(ws_yaml_text(node, &text, error));
    file->options = ws_arena_array(&file->arena, strlen(text) + 1, sizeof *file->options);
    if (!file->options)
        return ws_yaml_no_memory(file->root, error);
    while (status == WS_STATUS_ok && (text = ws_compiler_word(text, &word)))
        status = word.failed ? ws_yaml_no_memory(node, error) : read_option(file, node, &text, &word, &count, error);
    ws_text_free(&word);
    return status;
}
