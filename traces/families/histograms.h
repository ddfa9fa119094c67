/* What the workloads of partial histograms share: those that count bytes, and those that add what was counted. */
#pragma once

#include "workload.h"

/* Gives a launch whose other fields are set its arguments: data, of so many elements of random bytes; partial, a histogram of so
 * many bins for each work-group; elements. */
enum ws_status ws_histograms_prepare(struct ws_ndrange *launch, u32 elements, u32 element_bytes, u32 bins, u64 seed,
                                     struct ws_error *error);

/* Compares a launch with prepared, which is released: work-item n counts the elements n, n + work-items, ...; a bin is a byte's
 * leading bits. */
enum ws_status ws_histograms_check(const struct ws_ndrange *launch, struct ws_ndrange *prepared, u32 element_bytes, u32 bins,
                                   struct ws_error *error);

/* Gives a launch whose other fields are set its arguments: histogram, a bin for each work-group; partial, so many histograms of so
 * many bins; histograms. */
enum ws_status ws_histogram_merge_prepare(struct ws_ndrange *launch, u32 histograms, u32 bins, u64 seed, struct ws_error *error);

/* Compares a launch with prepared, which is released: each work-group adds a bin of all histograms. */
enum ws_status ws_histogram_merge_check(const struct ws_ndrange *launch, struct ws_ndrange *prepared, u32 bins,
                                        struct ws_error *error);
