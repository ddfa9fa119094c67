/* Axes: parameters and their values. */
#pragma once

#include "config/experiment/draft.h"

/* A range of more than WIDE_RANGE values needs a step or factor, unless the axis is only sampled. */
enum { MOST_AXES = PARAMETERS, MOST_VALUES = 65536, WIDE_RANGE = 32 };

struct axis {
    size_t parameter;
    const struct ws_yaml *place;
    u32 *values;
    size_t count;
};

/* Starts as {0} except for sampled; to be freed by axes_free. */
struct axes {
    struct axis axis[MOST_AXES];
    size_t parameters[MOST_AXES]; /* of each axis */
    size_t count;
    bool sampled; /* set by the caller: wide ranges need no step */
};

/* Reads a mapping of parameters to lists of values or ranges {from, to, step or factor}; without step and factor a range has every
 * legal value. No value may repeat. A parameter that the experiment sets without effect is refused (draft_refuse_set). */
enum ws_status axes_read(const struct ws_yaml *mapping, const struct draft *base, const struct expansion *expansion,
                         struct axes *axes, struct ws_error *error);
void axes_free(struct axes *axes);
