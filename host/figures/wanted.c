/* The paper and figure of a name, and lists of all. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/folder.h"
#include "figures/paper.h"
#include "figures/paper_files.h"
#include "warpsweep/report.h"

const struct ws_paper_figure *ws_paper_find(const struct ws_paper *paper, const char *name)
{
    for (size_t n = 0; n < paper->figures; n++)
        if (strcmp(paper->figure[n].name, name) == 0)
            return &paper->figure[n];
    return NULL;
}

static enum ws_status unknown_figure(const struct ws_paper *paper, const char *what, const char *figure, struct ws_error *error)
{
    struct ws_text names = {0};
    struct ws_nearest nearest = {.word = figure};
    for (size_t n = 0; n < paper->figures; n++) {
        ws_text_add(&names, "%s%s", n > 0 ? ", " : "", paper->figure[n].name);
        ws_nearest_offer(&nearest, paper->figure[n].name);
    }
    ws_fail(error, WS_STATUS_usage, "%s: no such figure of %s; there are %s%s%s%s", what, paper->name,
            names.failed ? "" : names.data, nearest.best ? " (did you mean '" : "", nearest.best ? nearest.best : "",
            nearest.best ? "'?)" : "");
    ws_text_free(&names);
    return WS_STATUS_usage;
}

static enum ws_status unknown_paper(const char *what, struct ws_error *error)
{
    size_t count;
    const char *const *const papers = ws_paper_names(&count);
    struct ws_names names = {.nearest = {.word = what}};
    for (size_t n = 0; n < count; n++)
        ws_names_offer(&names, papers[n]);
    ws_fail(error, WS_STATUS_usage, "%s: no such paper, and no folder with a paper.yaml; there are %s", what,
            ws_names_text(&names));
    ws_names_free(&names);
    return WS_STATUS_usage;
}

/* Whether a prefix of this length names a paper: a bundled one, or a folder with a paper.yaml. */
static bool is_paper(const char *what, size_t length)
{
    struct ws_text name = {0};
    ws_text_bytes(&name, what, length);
    bool is = !name.failed && length > 0 && ws_paper_is_bundled(name.data);
    ws_text_add(&name, "/paper.yaml");
    is = is || (!name.failed && length > 0 && access(name.data, F_OK) == 0);
    ws_text_free(&name);
    return is;
}

enum ws_status ws_paper_want(const char *what, struct ws_wanted *wanted, struct ws_error *error)
{
    const char *slash = strrchr(what, '/');
    size_t length = strlen(what);
    while (length > 1 && what[length - 1] == '/')
        length--;
    *wanted = (struct ws_wanted){0};
    if (!is_paper(what, length)) {
        length = slash ? (size_t)(slash - what) : 0;
        wanted->figure = slash ? slash + 1 : NULL;
        if (!is_paper(what, length))
            return unknown_paper(what, error);
    }
    char *const name = strndup(what, length);
    if (!name)
        return ws_no_memory(error);
    enum ws_status status = ws_paper_load(name, &wanted->paper, error);
    free(name);
    if (status == WS_STATUS_ok && wanted->figure && !ws_paper_find(wanted->paper, wanted->figure)) {
        status = unknown_figure(wanted->paper, what, wanted->figure, error);
        ws_paper_free(wanted->paper);
    }
    return status;
}

/* ---- All figures ---- */

static enum ws_status take(const struct ws_paper *paper, void (*use)(void *context, const struct ws_figure *figure), void *context)
{
    for (size_t n = 0; n < paper->figures; n++) {
        const struct ws_paper_figure *const figure = &paper->figure[n];
        use(context,
            &(struct ws_figure){
                .paper = paper->name, .name = figure->name, .title = ws_paper_text(figure, "title"), .standard = figure->standard});
    }
    return WS_STATUS_ok;
}

enum ws_status ws_figures(void (*use)(void *context, const struct ws_figure *figure), void *context, struct ws_error *error)
{
    size_t count;
    const char *const *const papers = ws_paper_names(&count);
    for (size_t n = 0; n < count; n++) {
        struct ws_paper *paper;
        WS_TRY(ws_paper_load(papers[n], &paper, error));
        take(paper, use, context);
        ws_paper_free(paper);
    }
    return WS_STATUS_ok;
}
