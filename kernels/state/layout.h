/* How this compiler lays out the shared structs, for the host to compare before it trusts a device. */
#ifndef WS_STATE_LAYOUT_H
#define WS_STATE_LAYOUT_H

#include "shared/state.h"

/* Writes the rows of shared/layout.def; the address is only a place to measure from. */
static inline void write_layout(GLOBAL u32 *layout)
{
    u32 n = 0;
#define SIZE(type) layout[n++] = (u32)sizeof(struct type);
#define OFFSET(type, field)                                                                                                        \
    layout[n++] = (u32)((GLOBAL const char *)&((GLOBAL const struct type *)layout)->field - (GLOBAL const char *)layout);
#include "shared/layout.def"
#undef SIZE
#undef OFFSET
}

#endif
