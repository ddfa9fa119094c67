/* What a space is made of besides its public members. */
#pragma once

#include "base/arena.h"
#include "config/experiment/axis.h"
#include "warpsweep/space.h"

struct ws_space_rules {
    struct ws_yaml *root;              /* of a file, else NULL */
    struct ws_arena arena;             /* the tree of a command line */
    const struct ws_yaml *constraints; /* NULL for none */
    const struct ws_yaml *place;       /* of the axes, for messages */
    struct draft base;                 /* the machine with the settings of all points */
    struct axes axes;
    char *baseline_label;
    struct ws_error failure; /* of the first constraint that could not be evaluated; its status is WS_STATUS_ok without one */
};

/* Reads a tree, which must live as long as the space. */
enum ws_status space_read(const struct ws_yaml *root, struct ws_space *space, struct ws_error *error);

/* Makes an empty space. */
enum ws_status space_new(struct ws_space **space, struct ws_error *error);

/* The draft of a choice; its label is that of a point of axes. */
void space_draft(const struct ws_space *space, const u32 *choice, struct draft *draft);
