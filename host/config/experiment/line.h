/* The tree of the YAML that equals a command line. */
#pragma once

#include "base/arena.h"
#include "config/experiment/draft.h"

/* The tree lives in the arena, to be freed by ws_arena_free. */
struct line_builder {
    struct ws_arena arena;
    struct ws_error *error;
};

/* Adds a node to its parent, if any. option is used in messages. key and text are copied, NULL for none; added may be NULL. */
enum ws_status line_add(struct line_builder *builder, struct ws_yaml *parent, enum ws_yaml_kind kind, const char *option,
                        const char *key, const char *text, struct ws_yaml **added);

/* Builds the tree of an experiment: with axes, or of the one point "base". */
enum ws_status line_build(struct line_builder *builder, const struct ws_experiment_line *line, struct ws_yaml **root);
