/* Pictures that workloads look at. */
#pragma once

#include "shared/dialect.h"

/* A period that no picture reaches. */
#define WS_PICTURE_ENDLESS (1u << 20)

/* Fills width x height pixels, row by row, with soft shapes of all sizes from 4 to 32 pixels. The seed decides; it is not advanced.
 * A picture continues beyond its border: one that begins at (left, top) overlaps with one that begins elsewhere. It repeats itself
 * in both directions after period pixels, a multiple of 32. */
void ws_picture_draw(u8 *pixels, u32 width, u32 height, u32 left, u32 top, u32 period, u64 seed);
