/* Tensor maps of cp.async.bulk.tensor: CUtensorMap in CUDA. The contents of NVIDIA's 128 bytes are not documented; a program that
 * warpsweep executes needs maps of this type instead. */
#pragma once

#include "shared/dialect.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WS_TENSOR_RANK = 5, WS_TENSOR_MAP_BYTES = 128 };
#define WS_TENSOR_MAGIC UINT32_C(0x4D545357) /* "WSTM" */

/* Swizzle of rows in shared memory: which groups of 16 bytes change places. In 32, 64 and 128 bytes, bits 4, 4 and 5, 4 to 6 of an
 * address are combined by xor with bits 7, 7 and 8, 7 to 9. */
enum ws_tensor_swizzle { WS_TENSOR_SWIZZLE_none, WS_TENSOR_SWIZZLE_32, WS_TENSOR_SWIZZLE_64, WS_TENSOR_SWIZZLE_128 };

/* What elements are: integers, and floating-point numbers (of their bytes); for the fill with NaN and for reductions. */
enum ws_tensor_element { WS_TENSOR_natural, WS_TENSOR_integer, WS_TENSOR_real, WS_TENSOR_bf16 };

/* Dimension 0 is the innermost one, whose elements follow each other. The size is that of CUtensorMap; the address comes first, so
 * that a launch file can give it as a pointer. */
struct ws_tensor_map {
    u64 address;                     /* of element 0, a multiple of 16 */
    u64 strides[WS_TENSOR_RANK - 1]; /* bytes between elements of dimension 1 and on; multiples of 16 */
    u32 sizes[WS_TENSOR_RANK];       /* elements less one */
    u16 box[WS_TENSOR_RANK];         /* elements of a copy, 1 to 256 */
    u8 steps[WS_TENSOR_RANK];        /* each step-th element of the tensor: a box of n has (n + step - 1) / step elements */
    u8 rank;                         /* 1 to 5 */
    u32 magic;                       /* WS_TENSOR_MAGIC */
    u8 element_bytes;                /* 1, 2, 4 or 8 */
    u8 element;                      /* enum ws_tensor_element */
    u8 swizzle;                      /* enum ws_tensor_swizzle */
    u8 nan;                          /* elements outside of the tensor read as NaN; 0: as zero */
    u8 reserved[44];
};

#ifdef __cplusplus
}
#endif
