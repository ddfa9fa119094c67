/* Papers as folders of files (docs/adding-a-paper.md): paper.yaml, a file for each figure, tables, views, notes. */
#pragma once

#include "base/text.h"
#include "base/documents/yaml.h"
#include "warpsweep/results.h"

enum { WS_LIKE_MOST = 4 }; /* longest chain of `like` */

/* A figure. Keys that its own file lacks come from root[1], the file in its key `like`, and so on. */
struct ws_paper_figure {
    const struct ws_paper *paper; /* NULL: a single file */
    char *name;
    bool standard; /* drawn with the whole paper */
    size_t roots;
    struct ws_yaml *root[WS_LIKE_MOST];
};

struct ws_paper {
    char *name, *folder; /* folder: NULL for a bundled one */
    struct ws_yaml *root;
    struct ws_paper_figure *figure;
    size_t figures;
};

/* Reads paper.yaml and all figures of a paper: a name of ws_paper_names, or a folder (with a slash, a dot or a paper.yaml in it).
 */
enum ws_status ws_paper_load(const char *name_or_folder, struct ws_paper **paper, struct ws_error *error);
void ws_paper_free(struct ws_paper *paper);

/* Resolves "PAPER", "PAPER/FIGURE", "FOLDER" or "FOLDER/FIGURE": the paper, to be freed, and the figure's name in it, or NULL.
 * WS_STATUS_usage lists the known ones. */
struct ws_wanted {
    struct ws_paper *paper;
    const char *figure; /* in the name */
};
/* The figure of that name, NULL if there is none. */
const struct ws_paper_figure *ws_paper_find(const struct ws_paper *paper, const char *name);

enum ws_status ws_paper_want(const char *what, struct ws_wanted *wanted, struct ws_error *error);

/* Reads a figure's file, and its paper if a paper.yaml is next to it: then figure->paper is to be freed, too. */
enum ws_status ws_paper_load_figure(const char *path, struct ws_paper_figure *figure, struct ws_error *error);
void ws_paper_free_figure(struct ws_paper_figure *figure);

/* The figure's value of a key, inherited if missing; NULL without. */
const struct ws_yaml *ws_paper_get(const struct ws_paper_figure *figure, const char *key);
const char *ws_paper_text(const struct ws_paper_figure *figure, const char *key); /* "" without */

/* The value of a name in queries: a member of the mapping `values`; context is a figure. */
const char *ws_paper_value(const void *figure, const char *name);

/* The path or name of the figure's experiment, for ws_experiment_load. */
enum ws_status ws_paper_experiment(const struct ws_paper_figure *figure, struct ws_text *path, struct ws_error *error);

/* Adds the paper's tables to a connection (targets, and those in paper.yaml), then the derived views, then the paper's own. */
enum ws_status ws_paper_derive(const struct ws_paper *paper, const char *experiment, struct ws_results *results,
                               struct ws_error *error);

/* Adds the notes.md text of a figure at a size of workloads: the text below the lines "## FIGURE, SIZE". */
enum ws_status ws_paper_notes(const struct ws_paper_figure *figure, const char *size, struct ws_text *text, struct ws_error *error);
