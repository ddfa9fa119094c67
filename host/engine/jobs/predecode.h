/* Packets of warps, made before the simulation (include/shared/packets.h). Which threads of a warp execute what together follows
 * from the trace alone where the path unit keeps warps as they are; so do the lines that they access, for a size of lines. */
#pragma once

#include <stdbool.h>

#include "model/access.h"
#include "warpsweep/machine.h"
#include "warpsweep/trace.h"

/* What packets depend on besides the image. */
struct ws_predecoding {
    u32 sectors, unit, warp_size, first_path;
    struct ws_access_rules access;
    u32 line[WS_SPACES]; /* granules of a line, where lines matter */
};

/* Whether a machine has kernels for packets made before; if so, how they are made. */
bool ws_predecoding_of(const struct ws_machine *machine, struct ws_predecoding *predecoding);

/* Makes the packets of all warps of an image, in at most so many bytes. What the result has in common with the image belongs to the
 * image, which has to outlive it; to be freed by ws_predecoded_free. WS_STATUS_no_memory: they take more, or WS_STATUS_usage: they
 * cannot be made; the image itself can be simulated in any case. */
enum ws_status ws_predecode(const struct ws_image *image, const struct ws_predecoding *predecoding, u64 bytes,
                            struct ws_image **packets);

/* NULL is allowed. */
void ws_predecoded_free(struct ws_image *packets);
