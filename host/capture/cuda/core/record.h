/* Records a launch as a launch file with the contents that its memory had before. */
#pragma once

#include "capture/cuda/core/module.h"

struct gpu_record;

/* Counts a launch, and begins to record it if that is wanted; else NULL. The launch must stay until gpu_record_end. */
struct gpu_record *gpu_record_begin(const struct gpu_function *function, const struct ws_ndrange *launch);

/* Stores the contents of the buffer or variable at an address, before the launch first accesses it. */
void gpu_record_touch(struct gpu_record *record, u64 address);

/* Writes the launch file; failure: why the launch did not end, or NULL; is_refused: no thread of it has run. record may be NULL. */
void gpu_record_end(struct gpu_record *record, const char *failure, bool is_refused);

/* Lists a launch that is refused before it runs for want of something here: it has a number, and no file. symbol: the kernel, or
 * the function of a library. Launches that a GPU refuses, too, are not listed. */
void gpu_record_refused(const char *symbol, int error);

/* The name of a kernel in files and lists: as in the source, without namespaces and template arguments. Written to a text of
 * GPU_SHORT bytes. */
enum { GPU_SHORT = 64 };
void gpu_short_name(const char *symbol, char *text);
