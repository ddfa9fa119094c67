/* Traces of others: what NVBit's tracer for Accel-Sim wrote, as traces of this project (docs/nvbit.md). */
#ifndef WARPSWEEP_IMPORT_H
#define WARPSWEEP_IMPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/machine.h"
#include "warpsweep/trace.h"

/* Choices of an import. Starts as {0}. */
struct ws_nvbit_options {
    size_t struct_size; /* WS_STRUCT(nvbit_options) */
    /* Used in place of a header's values: registers and binary_version unless they are 0, shared_bytes if replaces_shared. */
    u32 registers, shared_bytes, binary_version;
    bool replaces_shared;
    bool strict; /* an unknown opcode is an error; else it is an int instruction */
    /* Asked now and then: false ends the import with WS_STATUS_interrupted. NULL is never asked. */
    bool (*go_on)(void *context);
    /* Told now and then which share of the work on a file is done, 0 to 1. NULL is told nothing. */
    void (*progress)(void *context, const char *file, double share);
    /* Told, in one line that lasts until it returns, of what the import had to assume. NULL is told nothing. */
    void (*note)(void *context, const char *text);
    void *context;
};

/* Orders of the paths of a divergent branch: the values of divergence.first_path. */
enum { WS_FIRST_PATHS = WS_first_path_lane + 1 };

/* Warp instructions in which the recorded warps and warps of 32 with a stack that reconverges at post-dominators differ, in pc or
 * mask: those of the file that the replay lacks, and those that it has besides. */
struct ws_nvbit_replay {
    u64 missing, added;
    char first[160]; /* where they begin to differ; empty when they do not */
};

/* What an import of one launch found. Warp instructions are lines of the file; thread instructions are set bits of their masks. */
struct ws_nvbit_report {
    u64 warp_instructions, thread_instructions;
    struct ws_nvbit_replay replays[WS_FIRST_PATHS]; /* by divergence.first_path */
};

/* Whether a file's name says that it has one launch: ".trace", ".traceg" and so on, packed or not. */
bool ws_nvbit_names(const char *path);

/* Files with one launch each, in the order of launches. */
struct ws_nvbit_list {
    char **files;
    size_t count;
};

/* The launches that a kernelslist names; of any other file that file itself. Lines of a list that no tracer writes are skipped,
 * with a note. WS_STATUS_bad_input names the line of a list that is wrong, or whose file
 * cannot be read. To be freed by ws_nvbit_list_free, also after a failure.
 */
enum ws_status ws_nvbit_list_read(const char *path, const struct ws_nvbit_options *options, struct ws_nvbit_list *list,
                                  struct ws_error *error);
void ws_nvbit_list_free(struct ws_nvbit_list *list);

/* One launch: a .traceg or .trace, plain or compressed by xz or zstd, or a .tracez. */
struct ws_nvbit;

/* Reads the header. Options and what they name must outlive *nvbit, which is to be closed. A file that is damaged or not supported
 * is WS_STATUS_bad_input: file, line and reason. */
enum ws_status ws_nvbit_open(const char *path, const struct ws_nvbit_options *options, struct ws_nvbit **nvbit,
                             struct ws_error *error);
void ws_nvbit_close(struct ws_nvbit *nvbit);

/* The kernel's name, as the header has it; belongs to nvbit. */
const char *ws_nvbit_kernel(const struct ws_nvbit *nvbit);

/* Takes the warps apart into threads and writes them as a trace. Reads the file twice; memory holds the records of one warp. The
 * replay that the report speaks of is part of it. */
enum ws_status ws_nvbit_write(struct ws_nvbit *nvbit, const char *trace, struct ws_nvbit_report *report, struct ws_error *error);

/* Replays the warps of a trace that was imported from the file, and compares what they issue with it: the replays of the report
 * are those of the trace as it is. A file that is not what the trace was made of is WS_STATUS_bad_input. Reads the file twice, and
 * holds all decisions of the trace. */
enum ws_status ws_nvbit_check(struct ws_nvbit *nvbit, struct ws_trace *trace, struct ws_nvbit_report *report,
                              struct ws_error *error);

/* The order of paths in which the replay differs least, the first of several: a value of divergence.first_path. */
u32 ws_nvbit_nearest(const struct ws_nvbit_report *report);

#endif
