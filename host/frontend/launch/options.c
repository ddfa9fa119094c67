/* Options of the compiler, as clBuildProgram takes them. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "frontend/launch/fill.h"
#include "frontend/launch/file.h"

/* Options that a launch file may have; with = any value follows, those of one letter may have it in the next word. */
static const char *const known[] = {"-D",
                                    "-U",
                                    "-I",
                                    "-cl-std=",
                                    "-cl-fast-relaxed-math",
                                    "-cl-unsafe-math-optimizations",
                                    "-cl-finite-math-only",
                                    "-cl-mad-enable",
                                    "-cl-no-signed-zeros",
                                    "-cl-denorms-are-zero",
                                    "-cl-single-precision-constant",
                                    "-cl-opt-disable",
                                    "-std=",
                                    "-w",
                                    "-Werror",
                                    NULL};

static bool takes(const char *option, const char *word)
{
    const size_t length = strlen(option);
    const bool open = option[length - 1] == '=' || strchr("DUI", option[length - 1]);
    return open ? strncmp(option, word, length) == 0 : strcmp(option, word) == 0;
}

static enum ws_status check(const struct ws_yaml *node, const char *word, struct ws_error *error)
{
    struct ws_names names = {.nearest = {.word = word}};
    for (size_t n = 0; known[n]; n++)
        if (takes(known[n], word))
            return WS_STATUS_ok;
    for (size_t n = 0; known[n]; n++)
        ws_names_offer(&names, known[n]);
    const enum ws_status status = ws_yaml_fail(node, error, "found '%s', allowed are %s", word, ws_names_text(&names));
    ws_names_free(&names);
    return status;
}

/* Takes a word from text, without quotes (" and ') and with what \\ protects; NULL at the end of the text. */
static const char *take(const char *text, struct ws_text *word)
{
    char quote = 0;
    text += strspn(text, " \t\n");
    if (!*text)
        return NULL;
    for (; *text && (quote || !strchr(" \t\n", *text)); text++) {
        if (*text == quote)
            quote = 0;
        else if (!quote && (*text == '"' || *text == '\''))
            quote = *text;
        else
            ws_text_bytes(word, *text == '\\' && text[1] ? ++text : text, 1);
    }
    return quote ? "" : text;
}

/* A word for the compiler: one letter and its value are one word, a folder of -I is relative to the launch file. */
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
        return launch_no_memory(node, error);
    file->options[(*count)++] = copy;
    return WS_STATUS_ok;
}

/* Reads one option and, where it is a letter alone, its value. */
static enum ws_status read_option(struct ws_launch_file *file, const struct ws_yaml *node, const char **text, struct ws_text *word,
                                  size_t *count, struct ws_error *error)
{
    char letter[3] = "";
    const char *value = word->data ? word->data : "";
    WS_TRY(check(node, value, error));
    if (strlen(value) >= 2 && value[0] == '-' && strchr("DUI", value[1])) {
        memcpy(letter, value, 2);
        value += 2;
    }
    if (*letter && !*value) {
        word->length = 0;
        const char *const rest = take(*text, word);
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
    size_t count = 0;
    enum ws_status status = WS_STATUS_ok;
    if (node)
        WS_TRY(ws_yaml_text(node, &text, error));
    file->options = ws_arena_array(&file->arena, strlen(text) + 1, sizeof *file->options);
    if (!file->options)
        return launch_no_memory(file->root, error);
    while (status == WS_STATUS_ok) {
        struct ws_text word = {0};
        text = take(text, &word);
        if (text)
            status = read_option(file, node, &text, &word, &count, error);
        ws_text_free(&word);
        if (!text)
            break;
    }
    return status;
}
