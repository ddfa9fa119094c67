/* The paths of threads. */
#pragma once

#include "limit/sequence.h"

/* The path of a thread, as lanes in a mask; path starts as {0}. *instructions: number of executed instructions. */
enum ws_status limit_path_read(const struct ws_image *image, const struct limit_code *code, u32 block, u32 thread, u32 lanes,
                               struct limit_sequence *path, u64 *instructions, struct ws_error *error);
