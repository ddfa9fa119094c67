/* Made launches: memory. */
#include "import/generate.h"

#include <stdlib.h>

void made_free(struct made_launch *launch)
{
    for (u32 n = 0; launch && launch->thread && n < launch->blocks * launch->threads; n++)
        free(launch->thread[n].accesses);
    for (u32 n = 0; launch && launch->warp && n < launch->blocks * launch->warps; n++)
        free(launch->warp[n].records);
    if (launch) {
        free(launch->thread);
        free(launch->warp);
    }
    free(launch);
}

struct made_launch *made_launch(const struct made_options *options)
{
    struct made_launch *const launch = calloc(1, sizeof *launch);
    if (!launch)
        return NULL;
    launch->options = *options;
    launch->blocks = options->grid[0] * options->grid[1] * options->grid[2];
    launch->threads = options->block[0] * options->block[1] * options->block[2];
    launch->warps = (launch->threads + MADE_LANES - 1) / MADE_LANES;
    launch->thread = calloc((size_t)launch->blocks * launch->threads, sizeof *launch->thread);
    launch->warp = calloc((size_t)launch->blocks * launch->warps, sizeof *launch->warp);
    made_program(launch);
    if (launch->thread && launch->warp && made_execute(launch))
        return launch;
    made_free(launch);
    return NULL;
}
