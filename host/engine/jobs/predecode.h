/* Pre-decoding of traces (include/shared/packets.h). If the path unit keeps warps fixed, the trace alone decides which threads of a
 * warp execute together and, for a given line size, which lines they access. */
#pragma once

#include <stdbool.h>

#include "model/access.h"
#include "warpsweep/machine.h"
#include "warpsweep/trace.h"

/* Parameters on which a pre-decoded trace depends, beside the image. */
struct ws_predecoding {
    u32 sectors, unit, warp_size, first_path;
    struct ws_access_rules access;
    u32 line[WS_SPACES]; /* granules of a line, for spaces with lines */
};

/* Whether there are kernels for pre-decoded traces of the machine; if so, the parameters of pre-decoding. */
bool ws_predecoding_of(const struct ws_machine *machine, struct ws_predecoding *predecoding);

/* Pre-decodes all warps of an image, in at most so many bytes. The result shares data with the image, which must outlive it; to be
 * freed by ws_predecoded_free. WS_STATUS_no_memory: more bytes are needed; WS_STATUS_usage: not possible; the image itself can be
 * simulated in any case. */
enum ws_status ws_predecode(const struct ws_image *image, const struct ws_predecoding *predecoding, u64 bytes,
                            struct ws_image **packets);

/* NULL is allowed. */
void ws_predecoded_free(struct ws_image *packets);
