/* manual TEMPLATE OUTPUT: writes the template with every line "@part@" replaced by that part. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "manual/manual.h"

enum { MOST_TEMPLATE_BYTES = 1 << 20 };

static const struct {
    const char *line;
    enum ws_status (*add)(struct ws_text *out, struct ws_error *error);
} parts[] = {
    {"@title@", add_title},
    {"@synopsis@", add_synopsis},
    {"@commands@", add_commands},
    {"@names@", add_names},
    {"@bash-options@", add_bash_options},
    {"@bash-values@", add_bash_values},
    {"@zsh-commands@", add_zsh_commands},
    {"@zsh-arguments@", add_zsh_arguments},
};

static enum ws_status add_line(const char *line, struct ws_text *out, struct ws_error *error)
{
    for (size_t n = 0; n < sizeof parts / sizeof *parts; n++) {
        if (strcmp(parts[n].line, line) == 0)
            return parts[n].add(out, error);
    }
    const size_t length = strlen(line);
    if (length > 1 && line[0] == '@' && line[length - 1] == '@')
        return ws_fail(error, WS_STATUS_bad_input, "no part is called %s", line);
    ws_text_add(out, "%s\n", line);
    return WS_STATUS_ok;
}

static enum ws_status fill(char *template, struct ws_text *out, struct ws_error *error)
{
    for (char *line = template; *line;) {
        const size_t length = strcspn(line, "\n");
        char *const next = line + length + (line[length] == '\n');
        line[length] = 0;
        WS_TRY(add_line(line, out, error));
        line = next;
    }
    return out->failed ? ws_fail(error, WS_STATUS_no_memory, "out of memory") : WS_STATUS_ok;
}

static enum ws_status make(const char *template, const char *output, struct ws_error *error)
{
    char *text;
    size_t length;
    struct ws_text out = {0};
    WS_TRY(ws_file_read(template, MOST_TEMPLATE_BYTES, &text, &length, error));
    enum ws_status status = fill(text, &out, error);
    if (status == WS_STATUS_ok)
        status = ws_file_write(output, out.data, out.length, error);
    ws_text_free(&out);
    free(text);
    return status;
}

int main(int argc, char **argv)
{
    struct ws_error error;
    if (argc != 3) {
        fprintf(stderr, "usage: manual TEMPLATE OUTPUT\n");
        return 2;
    }
    if (make(argv[1], argv[2], &error) == WS_STATUS_ok)
        return 0;
    fprintf(stderr, "%s: %s\n", argv[1], error.message);
    return 1;
}
