#include "workload.h"

#include "base/error.h"

WORKLOAD(nn_image_32, "xiang2014", 15, "nn_image with a block of one warp for each image (Xiang 2014, section 6.3: NN)");
WORKLOAD(nn_image, NULL, 0, ""); /* whose arguments these are; the kernel is another */

enum { ITEMS = 32 };

enum ws_status ws_nn_image_32_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    static const char *const sources[WS_SIZES] = {"nn_image_32:tiny", "nn_image_32:small", "nn_image_32:paper"};
    WS_TRY(ws_nn_image_prepare(size, seed, launch, error));
    launch->kernel = "nn_image_32";
    launch->source = sources[size];
    launch->global[0] = launch->global[0] / launch->local[0] * ITEMS;
    launch->local[0] = ITEMS;
    return WS_STATUS_ok;
}

enum ws_status ws_nn_image_32_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)
{
    return ws_nn_image_check(launch, size, seed, error);
}
