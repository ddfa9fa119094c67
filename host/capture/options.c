/* Options of clBuildProgram, in the form of launch files. */
#include <string.h>
#include <unistd.h>

#include "base/compiler_options.h"
#include "capture/launch.h"

enum { PATH_ROOM = 4096 };

/* A word in quotes of the compiler, within single quotes of YAML. */
static void add_word(struct ws_text *out, const char *word)
{
    ws_text_add(out, "%s\"", out->length ? " " : "");
    for (; *word; word++) {
        if (*word == '"' || *word == '\\')
            ws_text_add(out, "\\");
        ws_text_bytes(out, *word == '\'' ? "''" : *word == '\n' ? " " : word, *word == '\'' ? 2 : 1);
    }
    ws_text_add(out, "\"");
}

/* Folders of -I are relative to the program's working directory. */
static void add_folder(struct ws_text *out, const char *folder)
{
    char here[PATH_ROOM] = "";
    struct ws_text path = {0};
    if (folder[0] != '/' && !getcwd(here, sizeof here))
        here[0] = 0;
    ws_text_add(&path, "-I%s%s%s", here, *here ? "/" : "", folder);
    add_word(out, path.data ? path.data : "");
    out->failed = out->failed || path.failed;
    ws_text_free(&path);
}

static bool is_letter(const char *word)
{
    return word[0] == '-' && word[1] && strchr("DUI", word[1]) && !word[2];
}

void capture_options(const char *text, struct ws_text *out, struct ws_text *dropped)
{
    struct ws_text word = {0}, joined = {0};
    while ((text = ws_compiler_word(text, &word)) && !word.failed && !joined.failed) {
        joined.length = 0;
        ws_text_add(&joined, "%s", word.data ? word.data : "");
        const char *rest = is_letter(word.data ? word.data : "") ? ws_compiler_word(text, &word) : NULL;
        if (rest) {
            ws_text_add(&joined, "%s", word.data ? word.data : "");
            text = rest;
        }
        if (joined.failed || !*joined.data)
            continue;
        if (!ws_compiler_option(joined.data))
            ws_text_add(dropped, " %s", joined.data);
        else if (strncmp(joined.data, "-I", 2) == 0)
            add_folder(out, joined.data + 2);
        else
            add_word(out, joined.data);
    }
    out->failed = out->failed || word.failed || joined.failed;
    ws_text_free(&word);
    ws_text_free(&joined);
}
