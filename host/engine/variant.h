/* Rows of variants.def by the values of their choices: what a program is specialised for. */
#ifndef WS_ENGINE_VARIANT_H
#define WS_ENGINE_VARIANT_H

#include "shared/machine.h"

enum {
#define VARIANT(pipeline, divergence, policy, dispatch) WS_VARIANT_##pipeline##_##divergence##_##policy##_##dispatch,
#include "shared/variants.def"
#undef VARIANT
    WS_VARIANTS
};

struct ws_tuple {
    u32 pipeline, divergence, policy, dispatch;
    const char *name; /* for messages */
};

/* The rows in order, WS_VARIANTS of them. */
const struct ws_tuple *ws_tuples(void);

/* Gives a machine the choices of a row. */
void ws_variant_choose(struct ws_machine *machine, u32 variant);

/* The row of a machine, WS_VARIANTS if there is none. */
u32 ws_variant_of(const struct ws_machine *machine);

#endif
