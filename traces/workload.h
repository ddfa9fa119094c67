/* What the bundled workloads share: their rows, and the arguments of their launches. */
#pragma once

#include "warpsweep/frontend.h"

/* The row of a workload, in its NAME.c: the fields of struct ws_workload; paper NULL and place 0 where it belongs to none. The
 * build collects the rows (cmake/Workloads.cmake); here they declare the two functions that NAME.c defines. */
#define WORKLOAD(name, paper, place, about)                                                                                        \
    enum ws_status ws_##name##_prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error);            \
    enum ws_status ws_##name##_check(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error)

/* In the NAME.c of a workload that has no kernel of its own: whose it shares. Declares that workload's functions. */
#define SHARES(name) WORKLOAD(name, NULL, 0, "")

/* Gives a launch its arguments; its other fields are set by the caller. Data is copied, a scalar's or buffer's without data is
 * zeroed, shared memory has none. Strings are not copied and must outlive the launch. Freed by ws_launch_release; on failure
 * (WS_STATUS_no_memory) already released. */
enum ws_status ws_launch_arguments(struct ws_ndrange *launch, const struct ws_argument *arguments, u32 count,
                                   struct ws_error *error);

/* Makes buffer argument n of a launch a two-dimensional image, a float a texel, row by row; the only one of the launch. Freed by
 * ws_launch_release; on failure (WS_STATUS_no_memory) already released. */
enum ws_status ws_launch_image(struct ws_ndrange *launch, u32 n, u32 width, u32 height, struct ws_error *error);

/* Frees what ws_launch_arguments and ws_launch_image allocated and clears the launch. */
void ws_launch_release(struct ws_ndrange *launch);

/* Compares argument n of two launches byte for byte, as elements of element_bytes each. A difference is WS_STATUS_mismatch and
 * names the buffer and the first element. */
enum ws_status ws_launch_equal(const struct ws_ndrange *launch, const struct ws_ndrange *expected, u32 n, size_t element_bytes,
                               struct ws_error *error);

/* Compares argument n, numbers of single precision, with what they should be. One that is off by more than tolerance, or no number,
 * is WS_STATUS_mismatch and named with its value. */
enum ws_status ws_launch_near(const struct ws_ndrange *launch, u32 n, const double *expected, double tolerance,
                              struct ws_error *error);

/* The same for numbers of double precision. */
enum ws_status ws_launch_near_double(const struct ws_ndrange *launch, u32 n, const double *expected, double tolerance,
                                     struct ws_error *error);

/* Compares every buffer with what it should hold: byte for byte, or as floats where tolerances[n] is above 0: these may be off by
 * tolerances[n] * (1 + the value). NULL compares all byte for byte. A difference is WS_STATUS_mismatch and names the buffer and the
 * first element, of four bytes. */
enum ws_status ws_launch_agrees(const struct ws_ndrange *launch, const struct ws_ndrange *expected, const double *tolerances,
                                struct ws_error *error);

/* Fills argument n with floats between least and most, in steps of a 2^24th of the range. */
void ws_launch_random(struct ws_ndrange *launch, u32 n, float least, float most, u64 *seed);
