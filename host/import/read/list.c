#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "import/read/input.h"
#include "warpsweep/import.h"

void ws_nvbit_list_free(struct ws_nvbit_list *list)
{
    for (size_t n = 0; n < list->count; n++)
        free(list->files[n]);
    free(list->files);
    *list = (struct ws_nvbit_list){0};
}

/* Adds a file in the folder of another one. */
static bool add(struct ws_nvbit_list *list, const char *beside, size_t folder, const char *name)
{
    char **const files = realloc(list->files, (list->count + 1) * sizeof *files);
    const size_t length = strlen(name);
    if (!files)
        return false;
    list->files = files;
    char *const file = malloc(folder + length + 1);
    if (!file)
        return false;
    memcpy(file, beside, folder);
    memcpy(file + folder, name, length + 1);
    files[list->count++] = file;
    return true;
}

bool ws_nvbit_names(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return strstr(slash ? slash : path, ".trace") != NULL;
}

/* Whether a line records a call of the runtime, as tracers write it: "MemcpyHtoD,...", "cudaMalloc,...". */
static bool is_call(const char *line)
{
    return strncmp(line, "Memcpy", 6) == 0 || strncmp(line, "cuda", 4) == 0;
}

static void note_skipped(const struct sass_input *input, const struct ws_nvbit_options *options, const char *line)
{
    struct ws_error text;
    sass_input_fail(input, &text, "'%.40s' is skipped: it names no kernel and is no call of the runtime", line);
    if (options->note)
        options->note(options->context, text.message);
}

/* "kernel..." names a file. Calls of the runtime are skipped; other lines are skipped with a note, as in Accel-Sim. */
static enum ws_status read_lines(struct sass_input *input, const struct ws_nvbit_options *options, struct ws_nvbit_list *list,
                                 struct ws_error *error)
{
    const char *const path = input->path;
    const char *const slash = strrchr(path, '/');
    char *line;
    size_t length;
    for (;;) {
        WS_TRY(sass_input_line(input, &line, &length, error));
        if (!line)
            return WS_STATUS_ok;
        while (length > 0 && line[length - 1] == ' ')
            line[--length] = 0;
        if (strncmp(line, "kernel", 6) != 0) {
            if (*line && !is_call(line))
                note_skipped(input, options, line);
            continue;
        }
        if (!ws_nvbit_names(line))
            return sass_input_fail(input, error, "found '%.40s', allowed is the name of a .traceg, .trace or .tracez", line);
        if (!add(list, path, slash ? (size_t)(slash - path) + 1 : 0, line))
            return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", path);
        if (access(list->files[list->count - 1], R_OK) != 0)
            return sass_input_fail(input, error, "names %s, which cannot be read: %s", list->files[list->count - 1],
                                   strerror(errno));
    }
}

enum ws_status ws_nvbit_list_read(const char *path, const struct ws_nvbit_options *options, struct ws_nvbit_list *list,
                                  struct ws_error *error)
{
    struct sass_input input;
    *list = (struct ws_nvbit_list){0};
    if (ws_nvbit_names(path))
        return add(list, "", 0, path) ? WS_STATUS_ok : ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", path);
    enum ws_status status = sass_input_open(path, &input, error);
    WS_THEN(status, read_lines(&input, options, list, error));
    if (status == WS_STATUS_ok && list->count == 0)
        status = ws_fail(error, WS_STATUS_bad_input,
                         "%s: names no kernel, allowed are lines with a .traceg, .trace or .tracez file", path);
    sass_input_close(&input);
    return status;
}
