/* A set of granules. */
#pragma once

#include <stdbool.h>

#include "shared/image.h"

#define WST_PAGE_GRANULES 65536u
#define WST_PAGES         (WS_GLOBAL_GRANULES / WST_PAGE_GRANULES + 1u)

/* Starts as {0}; freed by wst_footprint_free. */
struct wst_footprint {
    u64 granules; /* in the set */
    u64 **pages;  /* bits of WST_PAGE_GRANULES granules each, NULL for none */
};

/* Adds a granule below WS_GLOBAL_GRANULES; false when out of memory. */
bool wst_footprint_add(struct wst_footprint *footprint, u32 granule);
void wst_footprint_free(struct wst_footprint *footprint);
