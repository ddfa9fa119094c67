/* What the kernels of speckle reducing diffusion share: work-groups of 512 over an image, column by column. */
#pragma once

#include "shared/dialect.h"

enum {
    WS_SRAD_ITEMS = 512,
    WS_SRAD_REGISTERS = 5, /* of a thread: 2560 a block (Xiang 2014, Table 2) */
    WS_SRAD_ROWS = 502,    /* Rodinia's image */
    WS_SRAD_COLUMNS = 458
};

/* Fills an image with speckle: from 1 to e, as the original has it after its exponential. */
void ws_srad_draw(float *image, u32 count, u64 *seed);

/* The places before and after each of so many, the border's own at the border; before may be NULL. */
void ws_srad_neighbours(i32 *before, i32 *after, i32 count);
