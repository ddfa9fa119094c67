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

/* What orders two racing accesses, as text. */
const char *ws_race_text(enum ws_race_kind kind);

/* Options of the front end; ws_frontend_defaults sets the documented defaults. */
struct ws_frontend_options {
    u32 if_convert;     /* hammocks of up to this many instructions a side become guarded instructions; 0 converts none */
    bool guarded_moves; /* a selp whose destination is one of its sources is a guarded move (cmov, Narasiman 5.1) */
    u32 lockstep;       /* threads of a warp, up to WS_MOST_LOCKSTEP, that execute in lockstep; 1 (or 0): one after another
                           (docs/frontend.md) */
    u32 registers; /* most registers of a thread, 0 is no limit; a kernel that needs more is an error; beyond 240 it is spilled */
    u64 most_instructions;        /* thread instructions of all threads after which execution stops with an error; 0 is no limit */
    u64 most_thread_instructions; /* the same for one thread, to find endless loops: the error names the loop */
    /* The PTX was compiled from the source called name, which is not available: messages give source lines from .loc. */
    bool compiled;
    bool lenient; /* loads outside of all memory read zeros, stores and atomics there are dropped; note reports it once */
    /* Polled while a kernel is executed: false ends execution with WS_STATUS_interrupted. May be NULL. */
    bool (*go_on)(void *context);
    /* Reports, in one line valid during the call, an error that was repaired: a damaged trace in the cache is built again, a
     * lenient launch accessed memory that does not exist. May be NULL. */
    void (*note)(void *context, const char *text);
    /* Reports, in one line valid during the call, each pair of instructions by which two threads access the same shared or global
     * memory without a barrier between them: a data race. NULL disables the check; execution is faster. */
    void (*race)(void *context, enum ws_race_kind kind, const char *text);
    /* Without race: look in the first block for a race of two warps in shared memory, and report it by note. It costs little; it is
     * left out for kernels that wait in other ways than by barriers of blocks. */
    bool hint_races;
    /* Cores that execute blocks of a launch that is not recorded, where blocks do not depend on each other (docs/frontend.md,
     * "Several cores"); 0 is one. Results and messages do not depend on it. */
    u32 workers;
    /* Receives the output of printf, valid during the call. Blocks and warps execute one after another, lanes in their order. NULL
     * discards it. */
    void (*print)(void *context, const char *text);
    void *context;
};
void ws_frontend_defaults(struct ws_frontend_options *options);

struct ws_program;

/* Loads PTX text (name is for messages: "name:line: ..."). Errors name unsupported opcodes and unresolved symbols with their line:
 * those of a kernel when it is launched or queried, unless every kernel has some. To be freed by ws_program_free. */
enum ws_status ws_program_load(const char *name, const char *text, size_t length, const struct ws_frontend_options *options,
                               struct ws_program **program, struct ws_error *error);
void ws_program_free(struct ws_program *program);

/* Names of the kernels, sorted, NULL-terminated; they belong to the program. C++ names are as in the source
 * ("space::axpy<2,float>") if unique, else symbols. */
const char *const *ws_program_kernels(const struct ws_program *program);

/* Properties of a kernel: for tests, reports and `trace build`. */
struct ws_kernel_info {
    const char *name; /* its name in the program, to which it belongs */
    u32 instructions, registers, most_live, shared_bytes, local_bytes, parameters;
    u32 block[3];                         /* required sizes of a block; 0: any */
    u32 cluster[3];                       /* required sizes of a cluster; 0: any */
    u32 most_threads;                     /* of a block; 0: any number */
    const struct ws_instruction *program; /* belongs to the program */
};
enum ws_status ws_program_kernel(const struct ws_program *program, const char *kernel, struct ws_kernel_info *info,
                                 struct ws_error *error);

/* Kind of a kernel argument. A WORD has the bits of an address, but PTX does not say whether it is a pointer. */
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

/* What a kernel's operations reveal about an image. */
struct ws_image_info {
    const char *shape;   /* as launch files have it, "2d" */
    u32 sizes;           /* number of its sizes, layers included */
    const char *channel; /* "f32", "i32" or "u32": type of reads; NULL: unknown, or only written or read as bits */
};

/* Texts belong to the program; NULL is unknown. */
struct ws_argument_info {
    enum ws_takes kind;
    const char *name;
    const char *type;    /* as in the source, else in PTX: "float4*", ".u32" */
    const char *element; /* as in launch files: type of a scalar, of a vector's components, or of a pointer's target */
    u32 components;      /* of a vector, or of a pointer to vectors; else 1 */
    u32 bytes, align;
    struct ws_image_info image;
};

/* Argument n of a kernel, from 0. */
enum ws_status ws_program_argument(const struct ws_program *program, const char *kernel, u32 n, struct ws_argument_info *parameter,
                                   struct ws_error *error);

/* A member of a struct that a kernel takes by value, as far as the kernel reads it. */
struct ws_member_info {
    u32 bytes;
    const char *element; /* as in launch files; NULL: bytes that it does not read */
    bool is_pointer;     /* or may be a pointer */
};

/* Member n; false if there is none, or the kernel does not reveal any. */
bool ws_program_member(const struct ws_program *program, const char *kernel, u32 parameter, u32 n, struct ws_member_info *member);

/* A variable of the program (.texref, .surfref) for an image. */
struct ws_image_variable {
    const char *name; /* belongs to the program */
    struct ws_image_info image;
};

/* The n-th, from 0, of those that a kernel names; false if there is none, or no such kernel. */
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

/* A sampler: one bit of each of these groups, as in OpenCL C (CLK_*). It is an argument of 8 bytes. */
enum {
    WS_SAMPLER_normalised = 1,
    WS_SAMPLER_any = 0, /* accesses outside are undefined in OpenCL C; here the edge */
    WS_SAMPLER_edge = 2,
    WS_SAMPLER_border = 4,
    WS_SAMPLER_repeat = 6,
    WS_SAMPLER_mirror = 8,
    WS_SAMPLER_nearest = 0x10,
    WS_SAMPLER_linear = 0x20
};

/* An image in memory: texels in order, row by row, layer by layer. */
struct ws_image_desc {
    u32 shape, order, format; /* enum ws_image_shape, ws_image_order, ws_image_format */
    u32 size[3];              /* texels of a row, rows, layers; an array's layers follow its dimensions, the rest is 1 */
    u32 sampler;              /* for reads without one */
};

/* Bytes of a texel, and of the whole image. */
u32 ws_image_texel_bytes(const struct ws_image_desc *image);
u64 ws_image_bytes(const struct ws_image_desc *image);

/* ---- Launches ---- */

enum ws_argument_kind { WS_ARGUMENT_SCALAR, WS_ARGUMENT_BUFFER, WS_ARGUMENT_SHARED };

/* Most shared memory of a block, in bytes: static, dynamic and that of arguments. */
#define WS_MOST_SHARED (1u << 20)

/* One kernel argument. The kernel reads and writes a buffer's bytes; data belongs to the caller. A buffer of 0 bytes is the null
 * pointer. Arguments with the same data and bytes are one buffer; an argument inside a buffer of the launch (struct ws_buffer) is a
 * pointer into it. */
struct ws_argument {
    enum ws_argument_kind kind;
    const char *name; /* must be the kernel's, if that has names; NULL: not checked */
    u64 bytes;        /* size of the scalar, the buffer, or the shared memory */
    void *data;       /* scalar's or buffer's bytes; NULL for shared */
    const char *type; /* type of the value or the elements, as in launch files ("f32"; "f32x4" is a vector, "struct" has no type);
                         NULL: not checked */
    const char *file; /* source file and line, for messages; NULL: none */
    u32 line;
    const u64 *pointers; /* ascending offsets, in a scalar's data, of pointers into buffers of the launch, or NULL pointers. The
                            kernel sees its own addresses there; data is not changed */
    u32 pointer_count;
};

/* Memory of a launch, the target of arguments and of pointers in memory. Launches with equal lists of buffers, by number and bytes,
 * have them at equal addresses. */
struct ws_buffer {
    const char *name;
    const char *type; /* of its elements, as in launch files */
    void *data;       /* belongs to the caller; the kernel reads and writes it */
    u64 bytes;
    const u64 *pointers; /* ascending offsets of pointers into buffers of the launch, or NULL pointers, as host addresses: the first
                            launch replaces them by addresses of the kernel and sets linked */
    u32 pointer_count;
    const struct ws_image_desc *image; /* not NULL: an image of so many bytes; an argument with its data is the image's handle */
    u64 address; /* of the kernel's address space, where the buffer, or the variable that it fills, is to lie: pointers to it are
                    that number in arguments and in memory. 0: any. A variable with an address is data itself, not a copy */
    bool linked;
    const char *file; /* source file and line, for messages; NULL: none */
    u32 line;
};

/* Contents of a module's variables (.global) between launches. Initialize with {0}; the caller frees data. */
struct ws_variables {
    u8 *data;
    u64 bytes;
};

/* How an execution ended. refused: before its first thread. failed: by no thread's fault (out of memory, a barrier that others do
 * not reach). Then the faults of a thread. */
enum ws_execution_end {
    WS_END_refused,
    WS_END_ended,
    WS_END_failed,
#define FAULT(name, text) WS_END_##name,
#include "warpsweep/faults.def"
#undef FAULT
};

/* A launch as in OpenCL. */
struct ws_ndrange {
    const char *kernel;
    const char *source; /* recorded in the trace */
    u32 global[3],
        local[3];  /* threads of the launch and of a block in x, y, z; local divides global, a block has 1 to 1024 threads */
    u32 registers; /* registers of a thread as compiled for the simulated machine; 0: those allocated */
    u32 argument_count;
    struct ws_argument *arguments;
    u32 offset[3];    /* offsets of the global thread numbers (%envreg3 to 5); must be 0 unless the kernel reads one of them */
    u64 shared_bytes; /* dynamic shared memory of a block: the target of .extern .shared */
    u32 buffer_count;
    struct ws_buffer *buffers;
    u32 initial_count; /* variables of the module, by name, with initial contents other than the module's; their pointers, and those
                          of .texref and .surfref to images, are replaced in the module's copy */
    const struct ws_buffer *initial;
    struct ws_variables
        *variables; /* they persist to the next launch with the same pointer; NULL: each launch starts from the initial contents */
    /* Called before the kernel first accesses a buffer or a variable, perhaps several times, with its address. May be NULL.
     * Constant banks of machine code are not reported. */
    void (*touch)(void *context, u64 address);
    void *context;
    u32 cluster[3]; /* blocks of a cluster in x, y, z, at most 16, which divide those of the launch; 0: as the kernel demands
                       (.reqnctapercluster), else one */
    enum ws_execution_end end; /* set by ws_execute */
    bool serial; /* one block after another, whatever options->workers; set by ws_execute if it found that blocks depend on each
                    other, for the kernel's next launch: to try again costs time */
};

/* A variable of a program (.global, .const). */
struct ws_variable_info {
    const char *name; /* belongs to the program; NULL: bytes between variables */
    u64 bytes;
    bool constant;
};

/* The n-th, from 0; false if there is none. */
bool ws_program_variable(const struct ws_program *program, u32 n, struct ws_variable_info *variable);

/* Writes the initial contents of all variables to buffers, one for each in their order, with data and addresses; data NULL: that
 * one is left out. Variables that hold addresses of others receive those of the buffers. False if one holds an address that has no
 * fixed place: in a constant bank of machine code, or of a buffer whose address is 0. */
bool ws_program_initial(const struct ws_program *program, const struct ws_buffer *buffers);

/* Executes the launch block by block. If writer is not NULL, records every thread; its file must have been opened for this launch,
 * as ws_trace_build does. Errors name thread, block, pc, source line and address. thread_instructions may be NULL. */
enum ws_status ws_execute(const struct ws_program *program, const struct ws_frontend_options *options, struct ws_ndrange *launch,
                          struct ws_trace_writer *writer, u64 *thread_instructions, struct ws_error *error);

/* Executes the launch and writes its trace to path: describe, open, execute, close. */
enum ws_status ws_trace_build(const struct ws_program *program, const struct ws_frontend_options *options,
                              struct ws_ndrange *launch, const char *path, u64 *thread_instructions, struct ws_error *error);

/* ---- Launch files (YAML): sizes, fills, scalars, NDRange ---- */

struct ws_launch_file;

/* Reads a launch file (docs/launch-files.md) with all its buffers; seed is for random fills without one. To be freed by
 * ws_launch_file_free. */
enum ws_status ws_launch_file_load(const char *path, u64 seed, struct ws_launch_file **file, struct ws_error *error);
void ws_launch_file_free(struct ws_launch_file *file);

/* The next launch, NULL after the last one; first performs the host operations that the file has before it. The previous launch
 * must have been executed: its buffers persist and may end a loop. *launch belongs to the file, until the next call. */
enum ws_status ws_launch_file_next(struct ws_launch_file *file, struct ws_ndrange **launch, struct ws_error *error);

/* Whether the file has a list of launches, and whether any of its launches has a global offset. */
bool ws_launch_file_is_sequence(const struct ws_launch_file *file);
bool ws_launch_file_has_offset(const struct ws_launch_file *file);

/* The kernel of launch n of the file, from 0, loops counted once; NULL after the last one. */
const char *ws_launch_file_kernel(const struct ws_launch_file *file, u32 n);

/* Options for the compiler of the program, NULL-terminated; they belong to the file. */
const char *const *ws_launch_file_options(const struct ws_launch_file *file);

/* The name of the n-th buffer that has one, from 0; NULL after the last. It belongs to the file. */
const char *ws_launch_file_buffer_name(const struct ws_launch_file *file, u32 n);

/* The buffer with this name, of `buffers` or of a single argument; it belongs to the file. An error lists the names. */
enum ws_status ws_launch_file_buffer(const struct ws_launch_file *file, const char *name, const struct ws_buffer **buffer,
                                     struct ws_error *error);

/* Checks that a buffer's contents may be written to path: no file is there, or one of the same kind (raw bytes: of the same size,
 * or no text), and it is no input of the command. */
enum ws_status ws_buffer_check(const struct ws_buffer *buffer, const char *path, struct ws_error *error);

/* Whether ws_buffer_write can write it as a numpy array: its elements have a type. */
bool ws_buffer_is_array(const struct ws_buffer *buffer);

/* Writes a buffer's contents after that check: a NumPy array if path ends in .npy, else raw bytes. */
enum ws_status ws_buffer_write(const struct ws_buffer *buffer, const char *path, struct ws_error *error);

/* ---- Bundled workloads ---- */

enum ws_size { WS_SIZE_TINY, WS_SIZE_SMALL, WS_SIZE_PAPER, WS_SIZES };

/* Names of the sizes, in their order: ROW(SIZE, name), with BETWEEN between two rows. */
#define WS_SIZE_TABLE(ROW, BETWEEN) ROW(TINY, "tiny") BETWEEN ROW(SMALL, "small") BETWEEN ROW(PAPER, "paper")

/* A workload makes its inputs and checks the kernel's output against plain C. Each is a folder of traces/workloads, with its row in
 * NAME.c. */
struct ws_workload {
    const char *name;
    const char *about;  /* one line: what it computes, and from which table of which paper */
    const char *paper;  /* paper of the benchmark that it reproduces, as named by experiments ("narasiman2011"); NULL: none */
    u32 place;          /* row in the paper's table of benchmarks, from 1; 0 without a paper */
    const char *kernel; /* the workload that owns the kernel: itself, or another workload if this is a second launch of it */
    const char *ptx;    /* PTX text, zero-terminated */
    size_t ptx_length;
    /* Fills in launch: an NDRange of any shape allowed by ws_execute, which may depend on size, and newly allocated buffers with
     * deterministic contents. Freed by release. */
    enum ws_status (*prepare)(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error);
    /* Compares the buffers after execution with a plain C computation; a difference is WS_STATUS_mismatch with its position. */
    enum ws_status (*check)(const struct ws_ndrange *launch, enum ws_size size, u64 seed, struct ws_error *error);
    void (*release)(struct ws_ndrange *launch);
};

/* All workloads by paper and row, those without a paper last; ends with a row whose name is NULL. */
const struct ws_workload *ws_workloads(void);
const struct ws_workload *ws_workload_find(const char *name);
const char *ws_size_name(enum ws_size size);

/* Parses NAME or NAME:SIZE of a bundled workload; *size is unchanged for NAME alone. *workload is NULL if text names none. An
 * unknown SIZE is bad input. */
enum ws_status ws_workload_parse(const char *text, const struct ws_workload **workload, enum ws_size *size, struct ws_error *error);

/* Fails for a text that names no bundled workload and nothing else allowed here (others: "trace file"), with the nearest
 * workload. */
enum ws_status ws_workload_unknown(const char *text, const char *others, struct ws_error *error);

/* Executes a workload, checks its results and writes its trace to path; the file is created only if the results are right.
 * thread_instructions may be NULL. */
enum ws_status ws_workload_trace(const struct ws_workload *workload, enum ws_size size, u64 seed,
                                 const struct ws_frontend_options *options, const char *path, u64 *thread_instructions,
                                 struct ws_error *error);

/* ---- Traces by name ---- */

/* Raised whenever the same kernel, options and inputs may give another trace than before: cached traces are then rebuilt. */
#define WS_FRONTEND_REVISION 7

/* Finds the trace that text names: NAME or NAME:SIZE of a bundled workload (standard: size of NAME alone), PAPER.NAME of a recorded
 * trace of a paper, else a file. A workload is executed and checked once; its trace is cached under a digest of program, options
 * and inputs, and rebuilt if damaged. Recorded traces are cached too. Files are used as they are. options may be NULL for the
 * defaults. The caller frees *path. Errors for unknown names and sizes list the known ones. */
enum ws_status ws_trace_locate(const char *text, enum ws_size standard, u64 seed, const struct ws_frontend_options *options,
                               char **path, struct ws_error *error);

/* The same without building: *path is NULL for a workload whose trace ws_trace_locate would build, and nothing is reported. */
enum ws_status ws_trace_find(const char *text, enum ws_size standard, u64 seed, const struct ws_frontend_options *options,
                             char **path, struct ws_error *error);

#endif
