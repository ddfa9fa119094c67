/* Points of a search as JSON lines (docs/search.schema.json). */
#pragma once

#include "base/text.h"
#include "warpsweep/search.h"

/* A line read: a point, or why it is none of the space. */
struct cli_told {
    struct ws_search_told told;
    char *illegal; /* NULL for a point */
};

struct cli_told_list {
    struct cli_told *line;
    u32 count;
};

/* Reads lines of {"id": N} or {"parameters": {...}}; file is for messages. To be freed by cli_told_free, also after an error. */
enum ws_status cli_told_read(struct ws_space *space, const struct ws_search_options *options, const char *file, char *text,
                             struct cli_told_list *list, struct ws_error *error);
void cli_told_free(struct cli_told_list *list);

/* Adds the line of a point. */
void cli_point_add(const struct ws_space *space, const struct ws_search_point *point, struct ws_text *out);

/* The line of one that is none of the space. */
void cli_point_add_illegal(const struct ws_space *space, const struct cli_told *told, struct ws_text *out);
