/* What the workloads of a separable convolution share: an image, a filter of 17 values. */
#pragma once

#include "workload.h"

/* Gives a launch whose other fields are set its arguments: image, filter, result, width, height. */
enum ws_status ws_convolution_prepare(struct ws_ndrange *launch, u32 width, u32 height, u64 seed, struct ws_error *error);

/* The same with an image that a texture unit reads. */
enum ws_status ws_convolution_prepare_texture(struct ws_ndrange *launch, u32 width, u32 height, u64 seed, struct ws_error *error);

/* What pixels beyond the border are: 0, or as the nearest one of the image. */
enum ws_border { WS_BORDER_ZERO, WS_BORDER_NEAREST };

/* Compares a launch with prepared, which is released: rows convolved with the filter, or columns. */
enum ws_status ws_convolution_check(const struct ws_ndrange *launch, struct ws_ndrange *prepared, bool rows, enum ws_border border,
                                    struct ws_error *error);
