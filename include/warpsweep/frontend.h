/* From kernels to traces: PTX programs, launches, execution, bundled workloads. */
#ifndef WARPSWEEP_FRONTEND_H
#define WARPSWEEP_FRONTEND_H

#include <stdbool.h>
#include <stddef.h>

#include "warpsweep/trace.h"

/* ---- PTX programs ---- */

/* Most threads that execute in lockstep: wavefronts of AMD's hardware have 64. */
#define WS_MOST_LOCKSTEP 64u

/* How two accesses race: WS_RACE_warp and so on. */
enum ws_race_kind {
#define RACE(name, text) WS_RACE_##name,
#include "warpsweep/races.def"
#undef RACE
    WS_RACES
};

/* What orders two accesses that race, in words. */
const char *ws_race_text(enum ws_race_kind kind);

/* Choices of the front end; ws_frontend_defaults gives the documented defaults. */
struct ws_frontend_options {
    u32 if_convert;     /* hammocks of up to this many instructions a side become guarded instructions; 0 converts none */
    bool guarded_moves; /* a selp whose destination is one of its sources is a guarded move (cmov, Narasiman 5.1) */
    u32 lockstep;       /* threads of a warp, up to WS_MOST_LOCKSTEP, that execute in lockstep; 1 (or 0): one after another
                           (docs/frontend.md) */
    u32 registers; /* registers a thread may use, 0 is no limit; a kernel that needs more is an error; beyond 240 it is spilled */
    u64 most_instructions;        /* thread instructions of all threads after which execution stops with an error; 0 is no limit */
    u64 most_thread_instructions; /* the same of one thread, which finds endless loops: the error says where it loops */
    /* The PTX was compiled from the source that name names, and is not at hand: messages give lines of the source, by .loc. */
    bool compiled;
    bool lenient; /* loads outside of all memory read zeros, stores and atomics there are dropped; note is told of them once */
    /* Asked now and then while a kernel is executed: false ends that with WS_STATUS_interrupted. NULL is never asked. */
    bool (*go_on)(void *context);
    /* Told, in one line that lasts until it returns, of what went wrong and is put right: a trace in the cache is damaged and built
     * again, a lenient launch accessed what it has no memory for. NULL is told nothing. */
    void (*note)(void *context, const char *text);
    /* Told, in one line that lasts until it returns, of every two instructions by which two threads access the same shared or
     * global memory with no barrier between them, so that values depend on which one comes first. NULL is told nothing, and
     * execution is faster. */
    void (*race)(void *context, enum ws_race_kind kind, const char *text);
    /* Given what a call of printf prints, until it returns. Blocks and warps execute one after another, lanes in their order. NULL:
     * it is not printed. */
    void (*print)(void *context, const char *text);
    void *context;
};
void ws_frontend_defaults(struct ws_frontend_options *options);

struct ws_program;

/* Loads PTX text (name is for messages: "name:line: ..."). Unsupported opcodes and unresolved symbols are named with their line: in
 * a kernel when that is launched or asked about, unless no kernel is without. To be freed by ws_program_free. */
enum ws_status ws_program_load(const char *name, const char *text, size_t length, const struct ws_frontend_options *options,
                               struct ws_program **program, struct ws_error *error);
void ws_program_free(struct ws_program *program);

/* Names of the kernels, NULL-terminated; they belong to the program. Those of C++ are as in the source ("space::axpy<2,float>")
 * where that names one kernel alone, else symbols. */
const char *const *ws_program_kernels(const struct ws_program *program);

/* What a kernel is like: for tests, reports and `trace build`. */
struct ws_kernel_info {
    const char *name; /* as the program has it; belongs to the program */
    u32 instructions, registers, most_live, shared_bytes, local_bytes, parameters;
    u32 block[3];                         /* sizes that a block must have; 0: any */
    const struct ws_instruction *program; /* belongs to the program */
};
enum ws_status ws_program_kernel(const struct ws_program *program, const char *kernel, struct ws_kernel_info *info,
                                 struct ws_error *error);

/* What a kernel takes as an argument. A WORD has the bits of an address, and PTX does not say whether it is a pointer. */
enum ws_takes {
    WS_TAKES_SCALAR,
    WS_TAKES_VECTOR,
    WS_TAKES_STRUCT,
    WS_TAKES_BUFFER,
    WS_TAKES_SHARED,
    WS_TAKES_WORD,
    WS_TAKES_IMAGE,
    WS_TAKES_SAMPLER
};

/* What a kernel's operations tell of an image. */
struct ws_image_info {
    const char *shape;   /* as launch files have it, "2d" */
    u32 sizes;           /* that such an image has, layers among them */
    const char *channel; /* "f32", "i32" or "u32": what reads give; NULL: not known, or only written or read as bits */
};

/* Texts belong to the program; NULL is unknown. */
struct ws_argument_info {
    enum ws_takes kind;
    const char *name;
    const char *type;    /* as the source, else PTX, has it: "float4*", ".u32" */
    const char *element; /* as launch files have it: of a scalar, a vector's components, what a pointer leads to */
    u32 components;      /* of a vector, or of those that a pointer leads to; else 1 */
    u32 bytes, align;
    struct ws_image_info image;
};

/* What a kernel takes as argument n, from 0. */
enum ws_status ws_program_argument(const struct ws_program *program, const char *kernel, u32 n, struct ws_argument_info *parameter,
                                   struct ws_error *error);

/* A member of a struct that a kernel takes by value, as the kernel reads it. */
struct ws_member_info {
    u32 bytes;
    const char *element; /* as launch files have it; NULL: bytes that it does not read */
    bool is_pointer;     /* or may be one */
};

/* Member n, behind those before it; false where there are no more, and where the kernel tells of none. */
bool ws_program_member(const struct ws_program *program, const char *kernel, u32 parameter, u32 n, struct ws_member_info *member);

/* A variable of the program (.texref, .surfref) that stands for an image. */
struct ws_image_variable {
    const char *name; /* belongs to the program */
    struct ws_image_info image;
};

/* The n-th, from 0, of those that a kernel names; false when there are no more, or no such kernel. */
bool ws_program_image_variable(const struct ws_program *program, const char *kernel, u32 n, struct ws_image_variable *variable);

/* ---- Images ---- */

/* WS_IMAGE_2d and so on: rows of images.def. */
enum ws_image_shape {
#define IMAGE_SHAPE(name, type, dimensions, layers) WS_IMAGE_##name,
#include "warpsweep/images.def"
#undef IMAGE_SHAPE
    WS_IMAGE_SHAPES
};
enum ws_image_order {
#define IMAGE_ORDER(name, number, red, green, blue, alpha) WS_ORDER_##name,
#include "warpsweep/images.def"
#undef IMAGE_ORDER
    WS_ORDERS
};
enum ws_image_format {
#define IMAGE_FORMAT(name, number, element, kind) WS_FORMAT_##name,
#include "warpsweep/images.def"
#undef IMAGE_FORMAT
    WS_FORMATS
};

/* A sampler: bits of these, one of each group, as OpenCL C has them (CLK_*). It is an argument of 8 bytes. */
enum {
    WS_SAMPLER_normalised = 1,
    WS_SAMPLER_any = 0, /* what lies outside is of no interest: the edge here */
    WS_SAMPLER_edge = 2,
    WS_SAMPLER_border = 4,
    WS_SAMPLER_repeat = 6,
    WS_SAMPLER_mirror = 8,
    WS_SAMPLER_nearest = 0x10,
    WS_SAMPLER_linear = 0x20
};

/* Memory as an image: texels one after another, row after row, layer after layer. */
struct ws_image_desc {
    u32 shape, order, format; /* enum ws_image_shape, ws_image_order, ws_image_format */
    u32 size[3];              /* texels of a row, rows, layers; an array's layers follow its dimensions, and the rest is 1 */
    u32 sampler;              /* for those who read without one */
};

/* Bytes of a texel, and of the whole image. */
u32 ws_image_texel_bytes(const struct ws_image_desc *image);
u64 ws_image_bytes(const struct ws_image_desc *image);

/* ---- Launches ---- */

enum ws_argument_kind { WS_ARGUMENT_SCALAR, WS_ARGUMENT_BUFFER, WS_ARGUMENT_SHARED };

/* Most shared memory of a block, in bytes: static, dynamic and that of arguments. */
#define WS_MOST_SHARED (1u << 20)

/* One kernel argument. A buffer's bytes are read and written by the kernel; data belongs to the caller. A buffer of 0 bytes is the
 * null pointer. Arguments with the same data and bytes are one buffer, and one that lies within a buffer of the launch (struct
 * ws_buffer) is a pointer into that. */
struct ws_argument {
    enum ws_argument_kind kind;
    const char *name; /* the kernel's where that has names; NULL: not checked */
    u64 bytes;        /* size of the scalar, the buffer, or the shared memory */
    void *data;       /* scalar's or buffer's bytes; NULL for shared */
    const char *type; /* of the value or the elements, as in launch files ("f32"; "f32x4" is a vector, "struct" has no type);
                         NULL: not checked */
    const char *file; /* that has it, and its line there, for messages; NULL: none */
    u32 line;
    const u64 *pointers; /* ascending offsets in a scalar's data of pointers into buffers of the launch, or NULL pointers. The
                            kernel gets its own addresses there; data is not changed */
    u32 pointer_count;
};

/* Memory of a launch that arguments, and pointers in memory, lead into. Launches with equal lists of buffers, by number and bytes,
 * have them at equal addresses. */
struct ws_buffer {
    const char *name;
    const char *type; /* of its elements, as in launch files */
    void *data;       /* belongs to the caller; the kernel reads and writes it */
    u64 bytes;
    const u64 *pointers; /* ascending offsets of pointers into buffers of the launch, or NULL pointers, as the host has them: the
                            first launch replaces them by addresses of the kernel's and sets linked */
    u32 pointer_count;
    const struct ws_image_desc *image; /* it is one, of so many bytes: an argument of its data is the image's handle; else NULL */
    bool linked;
    const char *file; /* that has it, and its line there, for messages; NULL: none */
    u32 line;
};

/* The variables of a module (.global) as launches leave them, from one launch to the next. Starts as {0}; data is freed by the
 * caller. */
struct ws_variables {
    u8 *data;
    u64 bytes;
};

/* A launch as in OpenCL. */
struct ws_ndrange {
    const char *kernel;
    const char *source; /* recorded in the trace */
    u32 global[3],
        local[3];  /* threads of the launch and of a block in x, y, z; local divides global, a block has 1 to 1024 threads */
    u32 registers; /* that a thread takes of the SM, as compiled for the machine simulated; 0: those allocated */
    u32 argument_count;
    struct ws_argument *arguments;
    u32 offset[3];    /* of the global numbers of threads (%envreg3 to 5); 0 unless the kernel reads one of them */
    u64 shared_bytes; /* dynamic shared memory of a block: what .extern .shared points to */
    u32 buffer_count;
    struct ws_buffer *buffers;
    u32 initial_count; /* variables of the module, by name, that begin with other contents than the module's; their pointers, those
                          of .texref and .surfref to images among them, are replaced in the module's copy */
    const struct ws_buffer *initial;
    struct ws_variables *variables; /* they go on in the next launch with the same ones; NULL: each launch begins anew */
};

/* Executes the launch block by block. When writer is not NULL every thread is recorded; its file must have been opened for this
 * launch, as ws_trace_build does. Errors name thread, block, pc, source line and address. thread_instructions may be NULL. */
enum ws_status ws_execute(const struct ws_program *program, const struct ws_frontend_options *options, struct ws_ndrange *launch,
                          struct ws_trace_writer *writer, u64 *thread_instructions, struct ws_error *error);

/* Executes the launch and writes its trace to path: describe, open, execute, close. The usual way. */
enum ws_status ws_trace_build(const struct ws_program *program, const struct ws_frontend_options *options,
                              struct ws_ndrange *launch, const char *path, u64 *thread_instructions, struct ws_error *error);

/* ---- Launch files (YAML): sizes, fills, scalars, NDRange ---- */

struct ws_launch_file;

/* Reads a launch file (docs/launch-files.md) with all its buffers; seed feeds random fills that give none. To be freed by
 * ws_launch_file_free. */
enum ws_status ws_launch_file_load(const char *path, u64 seed, struct ws_launch_file **file, struct ws_error *error);
void ws_launch_file_free(struct ws_launch_file *file);

/* The next launch, NULL behind the last one; what the file has the host do before it is done. The one before must have been
 * executed, since its buffers go on and may say whether a loop ends. *launch belongs to the file, until the next call. */
enum ws_status ws_launch_file_next(struct ws_launch_file *file, struct ws_ndrange **launch, struct ws_error *error);

/* Whether the file has a list of launches, and whether any of its launches has a global offset. */
bool ws_launch_file_is_sequence(const struct ws_launch_file *file);
bool ws_launch_file_has_offset(const struct ws_launch_file *file);

/* The kernel that launch n of the file, from 0, names, loops counted once; NULL behind the last one. */
const char *ws_launch_file_kernel(const struct ws_launch_file *file, u32 n);

/* Options for the compiler of the program, NULL-terminated; they belong to the file. */
const char *const *ws_launch_file_options(const struct ws_launch_file *file);

/* The buffer that a name, of `buffers` or of a single argument, stands for now; it belongs to the file. An error names those that
 * there are. */
enum ws_status ws_launch_file_buffer(const struct ws_launch_file *file, const char *name, const struct ws_buffer **buffer,
                                     struct ws_error *error);

/* Whether a buffer's contents may be written to path: nothing is there, or the same kind of file (bytes: of the same number, or no
 * text), and no input of the command. */
enum ws_status ws_buffer_check(const struct ws_buffer *buffer, const char *path, struct ws_error *error);

/* Writes a buffer's contents after that check: an array of numpy where path ends in .npy, else its bytes. */
enum ws_status ws_buffer_write(const struct ws_buffer *buffer, const char *path, struct ws_error *error);

/* ---- Bundled workloads ---- */

enum ws_size { WS_SIZE_TINY, WS_SIZE_SMALL, WS_SIZE_PAPER, WS_SIZES };

/* Names of the sizes, in their order: ROW(SIZE, name), with BETWEEN between two rows. */
#define WS_SIZE_TABLE(ROW, BETWEEN) ROW(TINY, "tiny") BETWEEN ROW(SMALL, "small") BETWEEN ROW(PAPER, "paper")

/* A workload makes its inputs and checks what the kernel leaves against plain C. Each is a folder of traces/workloads, its row in
 * NAME.c. */
struct ws_workload {
    const char *name;
    const char *about;  /* one line: what it is, from which table of which paper */
    const char *paper;  /* of which it reproduces a benchmark, as experiments name it ("narasiman2011"); NULL: of none */
    u32 place;          /* in the paper's table of benchmarks, from 1; 0 without a paper */
    const char *kernel; /* the workload whose kernel it is: its own name, or that of which it is another launch */
    const char *ptx;    /* PTX text, zero-terminated */
    size_t ptx_length;
    /* Fills in launch: an NDRange of any shape that ws_execute takes, which may depend on size, and newly allocated buffers of
     * deterministic content. Freed by release. */
    enum ws_status (*prepare)(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error);
    /* Compares the buffers after execution with a plain C computation; a difference is WS_STATUS_mismatch with its place. */
    enum ws_status (*check)(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error);
    void (*release)(struct ws_ndrange *launch);
};

/* All workloads by paper and place, those without a paper last; ended by a row whose name is NULL. */
const struct ws_workload *ws_workloads(void);
const struct ws_workload *ws_workload_find(const char *name);
const char *ws_size_name(enum ws_size size);

/* Reads NAME or NAME:SIZE of a bundled workload, as every command and experiment does; *size stays as it is for a bare NAME.
 * *workload is NULL where text names none. A SIZE that there is not is bad input. */
enum ws_status ws_workload_parse(const char *text, const struct ws_workload **workload, enum ws_size *size, struct ws_error *error);

/* Fails for a text that is neither a bundled workload nor one of others ("trace file"), with the nearest workload. */
enum ws_status ws_workload_unknown(const char *text, const char *others, struct ws_error *error);

/* Executes a workload, checks its results and writes its trace to path, where nothing appears unless the results are right.
 * thread_instructions may be NULL. */
enum ws_status ws_workload_trace(const struct ws_workload *workload, enum ws_size size, u64 seed,
                                 const struct ws_frontend_options *options, const char *path, u64 *thread_instructions,
                                 struct ws_error *error);

/* ---- Traces by name ---- */

/* Raised when the same kernel, options and inputs may give another trace than before: traces in caches are then built anew. */
#define WS_FRONTEND_REVISION 4

/* Finds the trace that text names: NAME or NAME:SIZE of a bundled workload (standard is the size of a bare NAME), else a file. A
 * workload is executed and its results are checked once; its trace is kept in the user's cache under a digest of program, options
 * and inputs, and built again when it is damaged there. Files are taken as they are. options may be NULL for the defaults. *path is
 * newly allocated; the caller frees it. Unknown names and sizes list those there are. */
enum ws_status ws_trace_locate(const char *text, enum ws_size standard, u64 seed, const struct ws_frontend_options *options,
                               char **path, struct ws_error *error);

/* The same, but builds nothing: *path is NULL for a trace of a workload that ws_trace_locate would build, and nothing is noted. */
enum ws_status ws_trace_find(const char *text, enum ws_size standard, u64 seed, const struct ws_frontend_options *options,
                             char **path, struct ws_error *error);

#endif
