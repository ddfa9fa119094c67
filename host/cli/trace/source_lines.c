#include "base/text.h"
#include "cli/trace/source_lines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "warpsweep/frontend.h"

enum { MOST_BYTES = 64 << 20 };

static bool is_ptx_file(const char *source)
{
    return ws_stem(source, ".ptx") > 0 && access(source, R_OK) == 0;
}

static bool has_locations(const char *ptx)
{
    for (const char *at = ptx; (at = strstr(at, ".loc")); at++)
        if (at[4] == ' ' || at[4] == '\t')
            return true;
    return false;
}

/* The PTX that the launch names; *text stays NULL if it is not available. */
static enum ws_status find_ptx(const struct ws_launch *launch, char **text, struct ws_error *error)
{
    size_t length;
    const struct ws_workload *workload;
    enum ws_size size;
    if (ws_workload_parse(launch->source, &workload, &size, NULL) != WS_STATUS_ok)
        workload = NULL; /* a file with a colon in its name */
    if (workload) {
        *text = strdup(workload->ptx);
        if (!*text)
            return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", launch->source);
    } else if (is_ptx_file(launch->source)) {
        WS_TRY(ws_file_read(launch->source, MOST_BYTES, text, &length, error));
    }
    if (*text && has_locations(*text)) {
        free(*text);
        *text = NULL;
    }
    return WS_STATUS_ok;
}

/* Collapses white space to single spaces. */
static void tidy(char *line)
{
    char *to = line;
    for (const char *from = line; *from; from++) {
        const bool space = isspace((unsigned char)*from) || iscntrl((unsigned char)*from);
        if (!space)
            *to++ = *from;
        else if (to > line && to[-1] != ' ')
            *to++ = ' ';
    }
    if (to > line && to[-1] == ' ')
        to--;
    *to = 0;
}

static enum ws_status split(struct cli_source *source, struct ws_error *error)
{
    size_t count = 1;
    for (const char *at = source->text; *at; at++)
        count += *at == '\n';
    source->lines = calloc(count, sizeof *source->lines);
    if (!source->lines)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory for %zu lines of source", count);
    for (char *at = source->text, *end; at; at = end ? end + 1 : NULL) {
        end = strchr(at, '\n');
        if (end)
            *end = 0;
        tidy(at);
        source->lines[source->count++] = at;
    }
    return WS_STATUS_ok;
}

enum ws_status cli_source_load(const char *file, const struct ws_launch *launch, struct cli_source *source, struct ws_error *error)
{
    size_t length;
    if (file)
        WS_TRY(ws_file_read(file, MOST_BYTES, &source->text, &length, error));
    else
        WS_TRY(find_ptx(launch, &source->text, error));
    return source->text ? split(source, error) : WS_STATUS_ok;
}

void cli_source_free(struct cli_source *source)
{
    free(source->lines);
    free(source->text);
    *source = (struct cli_source){0};
}

const char *cli_source_line(const struct cli_source *source, u32 line)
{
    return line > 0 && line <= source->count ? source->lines[line - 1] : NULL;
}
