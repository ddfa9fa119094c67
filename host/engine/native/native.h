/* The kernels as host C: one function for each divergence unit and instruction set. */
#ifndef WS_ENGINE_NATIVE_H
#define WS_ENGINE_NATIVE_H

#include "shared/state.h"

/* Where a job's data lie. */
struct ws_native_parts {
    const struct ws_instruction *program;
    const struct ws_group *groups;
    const u32 *words;
    u32 *state;
    u64 *times;
    struct ws_event *timeline;
};

/* Advances a job by at most slice cycles. */
typedef void ws_native_slice(const struct ws_job *job, const struct ws_native_parts *parts, u32 slice);

ws_native_slice ws_native_pdom_base, ws_native_lwm_base, ws_native_tbc_base;
ws_native_slice ws_native_pdom_avx2, ws_native_lwm_avx2, ws_native_tbc_avx2; /* where WS_NATIVE_AVX2 is defined */

#endif
