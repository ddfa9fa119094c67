/* What the bundled workloads share: their two functions each, and making and checking launches. */
#ifndef WS_TRACES_WORKLOAD_H
#define WS_TRACES_WORKLOAD_H

#include "warpsweep/frontend.h"

/* Work-items of a launch, all in one work-group (Narasiman 4: one core, 1024 threads). */
#define WS_WORK_ITEMS 1024u

/* prepare and check of each workload; see struct ws_workload. */
#define WORKLOAD(name, about)                                                                                                      \
    enum ws_status ws_##name##_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error);            \
    enum ws_status ws_##name##_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error);
#include "workloads.def"
#undef WORKLOAD

/* Makes a launch of kernel with one work-group. Of each argument the bytes at data are copied; a buffer without data is zeroed.
 * kernel, source and the arguments' names must outlive the launch, which ws_launch_release frees. On failure nothing is left. */
enum ws_status ws_launch_make(struct ws_ndrange *launch, const char *kernel, const char *source,
                              const struct ws_argument *arguments, u32 count, struct ws_error *error);

/* Frees what ws_launch_make allocated and clears the launch. */
void ws_launch_release(struct ws_ndrange *launch);

/* Compares argument n of two launches byte for byte, as elements of element_bytes each. A difference is WS_STATUS_mismatch and
 * names the buffer and the first element. */
enum ws_status ws_launch_equal(const struct ws_ndrange *launch, const struct ws_ndrange *expected, u32 n, size_t element_bytes,
                               struct ws_error *error);

#endif
