#include <stdlib.h>

#include "test.h"
#include "timing/timing.h"

struct ws_machine plain_machine(void)
{
    struct ws_machine machine;
    machine_defaults(&machine);
    machine.icache_size = 0;
    return machine;
}

struct ws_machine large_machine(u32 threads)
{
    struct ws_machine machine = plain_machine();
    machine.divergence_unit = WS_divergence_lwm;
    machine.core_warp_size = threads;
    machine.core_warps = 1024 / threads;
    return machine;
}

void add_line(struct image_build *build, u32 first, u32 granule)
{
    for (u32 lane = 0; lane < WS_LANES; lane++)
        add_access(build, 0, first + lane, granule);
}

u32 line_granule(u32 line)
{
    return line * 4;
}
