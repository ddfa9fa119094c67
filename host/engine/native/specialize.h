/* Kernels compiled while the program runs, for what the machines of its jobs have in common (engine/fixed.h): with constants for
 * parameters a compiler leaves out what a machine does not have (docs/performance.md). Every counter is the same; the first
 * slice that each simulates is compared with what the kernel of its row does. */
#ifndef WS_ENGINE_NATIVE_SPECIALIZE_H
#define WS_ENGINE_NATIVE_SPECIALIZE_H

#include "engine/native/rows.h"
#include "warpsweep/engine.h"

struct ws_specials;

/* NULL where kernels are not to be compiled, or cannot be: this processor lacks what they would be compiled for, or memory is
 * short. To be closed when no job runs; a compiler that still runs goes on, for the next time. worth: with WS_SPECIALIZE_AUTO, how
 * many seconds of threads a row's jobs must take, those that come included, so that it is compiled for. */
struct ws_specials *ws_specials_open(enum ws_specialize_use use, double worth);
void ws_specials_close(struct ws_specials *specials);

/* The jobs that come now, whether their times are recorded, and who watches them. No job may run. */
void ws_specials_begin(struct ws_specials *specials, const struct ws_job_spec *jobs, size_t count, bool times,
                       const struct ws_engine_watch *watch);

/* Before the first slice of a job of a row: looks in the cache, and with WS_SPECIALIZE_ALWAYS waits for the compiler, which may
 * fail (WS_STATUS_compiler). From any thread, as the following. */
enum ws_status ws_specials_await(struct ws_specials *specials, const struct ws_native_row *row, struct ws_error *error);

/* Advances a job of the row by at most slice cycles, by the best kernel there is. May set the compiler going. */
void ws_specials_advance(struct ws_specials *specials, const struct ws_native_row *row, const struct ws_job *job,
                         const struct ws_native_parts *parts, u32 slice);

/* A job of the row has ended. */
void ws_specials_ended(struct ws_specials *specials, const struct ws_native_row *row);

/* Rows whose jobs run on kernels compiled for them. */
u32 ws_specials_count(struct ws_specials *specials);

#endif
