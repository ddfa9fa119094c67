/* The native engine's specialized kernels (engine/compile/specialize.h): with constants for parameters a compiler leaves out what a
 * machine does not have (docs/performance.md). Every counter is the same; the first quantum that each simulates is compared with
 * that of the general kernel. */
#ifndef WS_ENGINE_NATIVE_SPECIALIZED_H
#define WS_ENGINE_NATIVE_SPECIALIZED_H

#include "engine/native/rows.h"
#include "warpsweep/engine.h"

struct ws_native_specialized;

/* NULL if kernels must not or cannot be compiled: this processor lacks what they would be compiled for, or memory is short. Close
 * it when no job runs; a running compilation continues, for the next time. worth: with WS_SPECIALIZE_AUTO, the seconds of threads
 * that the jobs of a row, those to come included, must take. */
struct ws_native_specialized *ws_native_specialized_open(enum ws_specialize_use use, double worth);
void ws_native_specialized_close(struct ws_native_specialized *kernels);

/* Announces the jobs of a call: whether their times are recorded, and their watch. No job may run. */
void ws_native_specialized_begin(struct ws_native_specialized *kernels, const struct ws_job_spec *jobs, size_t count, bool times,
                                 const struct ws_engine_watch *watch);

/* Call before the first quantum of a job of a row: looks up the kernel in the cache. With WS_SPECIALIZE_ALWAYS it waits for the
 * compiler, which may fail (WS_STATUS_compiler). From any thread, like the following. */
enum ws_status ws_native_specialized_prepare(struct ws_native_specialized *kernels, const struct ws_native_row *row,
                                             struct ws_error *error);

/* Advances a job of the row by up to quantum cycles with the fastest kernel there is. May start the compiler. */
void ws_native_specialized_advance(struct ws_native_specialized *kernels, const struct ws_native_row *row, const struct ws_job *job,
                                   const struct ws_native_parts *parts, u32 quantum);

/* Counts a job of the row as ended. */
void ws_native_specialized_ended(struct ws_native_specialized *kernels, const struct ws_native_row *row);

/* Number of rows with a verified specialized kernel. */
u32 ws_native_specialized_count(struct ws_native_specialized *kernels);

#endif
