/* Import of NVBit traces written by Accel-Sim's tracer (docs/nvbit.md). */
#ifndef WARPSWEEP_IMPORT_H
#define WARPSWEEP_IMPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/machine.h"
#include "warpsweep/trace.h"

/* Options of an import. Initialize with {0}. */
struct ws_nvbit_options {
    size_t struct_size; /* WS_STRUCT(nvbit_options) */
    /* Replace the values of a header: registers and binary_version unless 0, shared_bytes if replaces_shared. */
    u32 registers, shared_bytes, binary_version;
    bool replaces_shared;
    bool strict; /* an unknown opcode is an error; otherwise it becomes an int instruction */
    /* Polled during the import: false ends it with WS_STATUS_interrupted. May be NULL. */
    bool (*go_on)(void *context);
    /* Reports the fraction of the work on a file that is done, 0 to 1. May be NULL. */
    void (*progress)(void *context, const char *file, double share);
    /* Reports an assumption of the import, in one line that is valid during the call. May be NULL. */
    void (*note)(void *context, const char *text);
    void *context;
};

/* Orders of the paths of a divergent branch: the values of divergence.first_path. */
enum { WS_FIRST_PATHS = WS_first_path_lane + 1 };

/* Differences in warp instructions (pc or mask) between the recorded warps and warps of 32 threads that reconverge at
 * post-dominators: instructions only in the file, and instructions only in the replay. */
struct ws_nvbit_replay {
    u64 missing, added;
    char first[160]; /* the first difference; empty for none */
};

/* Statistics of the import of one launch. Warp instructions are lines of the file; thread instructions are set bits of their
 * masks. */
struct ws_nvbit_report {
    u64 warp_instructions, thread_instructions;
    struct ws_nvbit_replay replays[WS_FIRST_PATHS]; /* by divergence.first_path */
};

/* Whether the file name is that of a single launch: ".trace", ".traceg" and so on, compressed or not. */
bool ws_nvbit_names(const char *path);

/* Files with one launch each, in the order of launches. */
struct ws_nvbit_list {
    char **files;
    size_t count;
};

/* The launches that a kernelslist names; for any other file, the file itself. Lines that no tracer writes are skipped, with a note.
 * WS_STATUS_bad_input names the line of a list that is wrong, or whose file cannot be read. To be freed by ws_nvbit_list_free, also
 * after a failure. */
enum ws_status ws_nvbit_list_read(const char *path, const struct ws_nvbit_options *options, struct ws_nvbit_list *list,
                                  struct ws_error *error);
void ws_nvbit_list_free(struct ws_nvbit_list *list);

/* One launch: a .traceg or .trace, plain or compressed by xz or zstd, or a .tracez. */
struct ws_nvbit;

/* Reads the header. Options and what they point to must outlive *nvbit, which must be closed. A damaged or unsupported file is
 * WS_STATUS_bad_input with file, line and reason. */
enum ws_status ws_nvbit_open(const char *path, const struct ws_nvbit_options *options, struct ws_nvbit **nvbit,
                             struct ws_error *error);
void ws_nvbit_close(struct ws_nvbit *nvbit);

/* The kernel's name in the header; belongs to nvbit. */
const char *ws_nvbit_kernel(const struct ws_nvbit *nvbit);

/* The architecture in the header or in the options: 86; 0: it is not known. */
u32 ws_nvbit_architecture(const struct ws_nvbit *nvbit);

/* Gives the launch its kernel's machine code (ws_sass_code) from the binary of that name; both must outlive nvbit. The trace then
 * has control bits, operands, SASS text and code lines, and the code's registers instead of the recorded ones. ws_nvbit_write fails
 * with WS_STATUS_bad_input if this is not the traced code: it names the first pc with a different opcode, and both opcodes. */
void ws_nvbit_attach(struct ws_nvbit *nvbit, const struct ws_machine_code *code, const char *file);

/* Splits the warps into threads and writes them as a trace. Reads the file twice; memory holds the records of one warp. Includes
 * the replay of the report. */
enum ws_status ws_nvbit_write(struct ws_nvbit *nvbit, const char *trace, struct ws_nvbit_report *report, struct ws_error *error);

/* Replays the warps of a trace imported from the file and compares their instructions with the file; the report's replays are those
 * of the trace as it is. A file that is not the source of the trace is WS_STATUS_bad_input. Reads the file twice, and holds all
 * decisions of the trace. */
enum ws_status ws_nvbit_check(struct ws_nvbit *nvbit, struct ws_trace *trace, struct ws_nvbit_report *report,
                              struct ws_error *error);

/* The order of paths with the smallest difference, the first of several: a value of divergence.first_path. */
u32 ws_nvbit_nearest(const struct ws_nvbit_report *report);

#endif
