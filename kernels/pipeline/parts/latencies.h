/* Latencies of operations by class and kind ([unit.latency] of docs/model/pipelines.md). */
#ifndef WS_PIPELINE_PARTS_LATENCIES_H
#define WS_PIPELINE_PARTS_LATENCIES_H

#include "shared/instruction.h"

/* Latency or interval of an instruction: fields of ws_machine stand in the order of kinds (machine_latency_is_by_kind). */
enum { KINDS_OF_CLASS = 5, LATENCY_SFU = 3 * KINDS_OF_CLASS, LATENCY_OTHER, LATENCY_TENSOR };

/* Place of an operation among the latencies. Divisions of floating-point numbers are of class sfu. */
static inline u32 operation_latency(u32 class_, u32 kind)
{
    if (class_ == WS_CLASS_sfu)
        return kind == WS_KIND_div        ? WS_CLASS_fp32 * KINDS_OF_CLASS + 4
               : kind == WS_KIND_div_fp64 ? WS_CLASS_fp64 * KINDS_OF_CLASS + 4
                                          : LATENCY_SFU;
    if (class_ == WS_CLASS_tensor)
        return LATENCY_TENSOR;
    if (class_ > WS_CLASS_fp64 || kind == WS_KIND_other || kind == WS_KIND_fma)
        return LATENCY_OTHER;
    return class_ * KINDS_OF_CLASS + (kind >= WS_KIND_div ? 4 : kind - WS_KIND_add);
}

#endif
