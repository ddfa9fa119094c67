/* Launches: executed by the front end, and recorded as launch files. */
#pragma once

#include "capture/cuda/core/module.h"

/* Shape of a launch. */
struct gpu_config {
    u32 grid[3], block[3];
    u64 shared; /* dynamic, bytes of a block */
    bool cooperative;
    u32 cluster[3]; /* blocks; 0: none asked for */
};

/* Reads the attributes of a launch (cudaLaunchAttribute, CUlaunchAttribute): clusters, and whether all blocks are there at once.
 * The others are hints for speed or order. */
void gpu_config_attributes(const void *attributes, u32 count, struct gpu_config *config);

/* Checks a launch against device and kernel. */
int gpu_launch_check(struct gpu_function *function, const struct gpu_config *config);

/* Executes it. arguments: the kernel's parameters, one after the other, each at gpu_argument_offset. */
int gpu_launch(struct gpu_function *function, const struct gpu_config *config, const u8 *arguments);

/* Where parameter n lies among the arguments of a loaded function, and their bytes. */
u32 gpu_argument_offset(const struct gpu_function *function, u32 n);
u32 gpu_argument_bytes(const struct gpu_function *function);

/* Blocks of a launch that an SM holds at once. */
u32 gpu_occupancy(const struct gpu_function *function, u32 threads, u64 dynamic_shared);
