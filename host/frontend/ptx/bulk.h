/* Bulk copies (cp.async.bulk): a loop of operations, each for a line or a row of a box. */
#pragma once

#include "frontend/ptx/ir.h"

enum { WS_BULK_LINE = 128 /* bytes */ };

/* How a reduction combines what is there with what comes: `combine` of its operations. */
enum ws_bulk {
    WS_BULK_none,
    WS_BULK_add,
    WS_BULK_min,
    WS_BULK_max,
    WS_BULK_and,
    WS_BULK_or,
    WS_BULK_xor,
    WS_BULK_inc,
    WS_BULK_dec
};

/* Fields of tensor maps: `mode` of tensor_replace. */
enum ws_tensor_field {
#define TENSOR_FIELD(name, dimension) WS_TENSOR_FIELD_##name,
#include "frontend/ptx/tensor_fields.def"
#undef TENSOR_FIELD
};

/* The address in shared memory of a byte of a swizzled layout (enum ws_tensor_swizzle), whose pattern repeats at multiples of 1 KB
 * or less: groups of 16 bytes change places within 32, 64 or 128. */
u64 ws_tensor_swizzled(u64 address, u32 swizzle);
