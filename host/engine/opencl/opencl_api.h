/* Every call of OpenCL, in the project's terms: an error message names the failing call. The only part of the library that includes
 * <CL/cl.h>. opencl_errors.def maps codes to statuses: WS_STATUS_lost_device means that the device is unusable. An object is freed
 * by the function of its kind; NULL is allowed there. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "shared/dialect.h"
#include "warpsweep/status.h"

/* Properties of a device; platform and id are OpenCL handles. */
struct ws_cl_device {
    void *platform, *id;
    u32 place;                                       /* in the list of ws_cl_devices */
    char name[256], platform_name[128], driver[256]; /* truncated between characters if longer */
    char language[8];                                /* latest OpenCL C version for -cl-std: "CL1.2", "CL2.0", "CL3.0" */
    u64 memory, most_allocation;                     /* bytes: of the device; of one buffer */
    u64 local_memory;                                /* bytes: of a compute unit */
    u32 cores;                                       /* compute units */
    u32 compute;                                     /* NVIDIA's compute capability, 90 for 9.0; 0 for others */
    u32 register_file;                               /* registers of a compute unit, 0 if unknown */
    u32 registers;                                   /* requested register limit of a work-item; 0: ws_device_registers chooses */
    bool gpu, cpu;
    bool nvidia;         /* NVIDIA's OpenCL, whose compiler accepts PTX */
    bool keeps_programs; /* the driver caches what it compiles, and recompiles binaries: PoCL */
    bool sub_groups;     /* has sub-groups, and no known restriction against 32 */
};

/* All little-endian devices with a compiler, in the order of their platforms. *devices is to be freed. Having no platform is not an
 * error. */
enum ws_status ws_cl_devices(struct ws_cl_device **devices, size_t *count, struct ws_error *error);

/* An opened device: a context and one in-order queue. */
struct ws_cl;
enum ws_status ws_cl_open(const struct ws_cl_device *device, struct ws_cl **cl, struct ws_error *error);
void ws_cl_close(struct ws_cl *cl);

/* A program for the device. A failed build is WS_STATUS_compiler with the first lines of the compiler's log. */
struct ws_cl_program;
enum ws_status ws_cl_build(struct ws_cl *cl, const char *source, size_t length, const char *options, struct ws_cl_program **program,
                           struct ws_error *error);
enum ws_status ws_cl_load(struct ws_cl *cl, const void *binary, size_t length, const char *options, struct ws_cl_program **program,
                          struct ws_error *error);
void ws_cl_program_free(struct ws_cl_program *program);

/* The program's binary, to be freed. */
enum ws_status ws_cl_binary(const struct ws_cl_program *program, void **binary, size_t *length, struct ws_error *error);

/* Local memory of a work-group of the kernel in bytes; 0 if unknown. */
u64 ws_cl_local_bytes(const struct ws_cl *cl, const struct ws_cl_program *program, const char *kernel);

/* Registers of a work-item of the kernel; 0 if unknown. NVIDIA's does with -cl-nv-verbose. */
u32 ws_cl_registers(const struct ws_cl *cl, const struct ws_cl_program *program, const char *kernel);

/* Memory of the device. Lack of memory is WS_STATUS_no_memory, possibly only at the first write. */
struct ws_cl_buffer;
enum ws_status ws_cl_buffer_new(struct ws_cl *cl, u64 bytes, struct ws_cl_buffer **buffer, struct ws_error *error);
void ws_cl_buffer_free(struct ws_cl_buffer *buffer);

/* Zeroed host memory that the device accesses directly: faster than row copies to and from other memory. Freed with its buffer. */
enum ws_status ws_cl_host_new(struct ws_cl *cl, u64 bytes, struct ws_cl_buffer **buffer, void **data, struct ws_error *error);

/* Copies to and from a buffer, at byte offsets. They return when the host memory may be reused. */
enum ws_status ws_cl_write(struct ws_cl *cl, struct ws_cl_buffer *buffer, u64 offset, u64 bytes, const void *data,
                           struct ws_error *error);
enum ws_status ws_cl_read(struct ws_cl *cl, struct ws_cl_buffer *buffer, u64 offset, u64 bytes, void *data, struct ws_error *error);

/* Zeroes part of a buffer; offset and bytes are multiples of 4. */
enum ws_status ws_cl_zero(struct ws_cl *cl, struct ws_cl_buffer *buffer, u64 offset, u64 bytes, struct ws_error *error);

/* Whether even one word of memory works: WS_STATUS_lost_device if not. separates a full device from a lost one. */
enum ws_status ws_cl_probe(struct ws_cl *cl, struct ws_error *error);

/* A kernel argument: a buffer or, if NULL, a number. */
struct ws_cl_argument {
    struct ws_cl_buffer *buffer;
    u32 number;
};

/* Runs a kernel over groups x group_size work-items and waits for it. */
enum ws_status ws_cl_launch(struct ws_cl *cl, const struct ws_cl_program *program, const char *kernel,
                            const struct ws_cl_argument *arguments, u32 argument_count, u64 groups, u64 group_size,
                            struct ws_error *error);

/* ---- Asynchronous commands, executed in order by the queue ---- */

/* Commands in flight, to be waited for; OpenCL's handles. Zero for none. */
struct ws_cl_commands {
    void *events[2];
    u32 count;
};

/* Asynchronous ws_cl_launch and ws_cl_write. data must stay unchanged until the command has executed. */
enum ws_status ws_cl_begin_launch(struct ws_cl *cl, const struct ws_cl_program *program, const char *kernel,
                                  const struct ws_cl_argument *arguments, u32 argument_count, u64 groups, u64 group_size,
                                  struct ws_cl_commands *commands, struct ws_error *error);
enum ws_status ws_cl_begin_write(struct ws_cl *cl, struct ws_cl_buffer *buffer, u64 offset, u64 bytes, const void *data,
                                 struct ws_error *error);

/* Starts to write `bytes` bytes at the start of each of some rows of the buffer, which are pitch bytes apart, from rows of data
 * that are apart bytes apart. */
enum ws_status ws_cl_begin_write_rows(struct ws_cl *cl, struct ws_cl_buffer *buffer, u64 pitch, u64 first, u64 rows, u64 bytes,
                                      const void *data, u64 apart, struct ws_error *error);

/* Starts to read such rows into consecutive rows of data. */
enum ws_status ws_cl_begin_read_rows(struct ws_cl *cl, struct ws_cl_buffer *buffer, u64 pitch, u64 first, u64 rows, u64 bytes,
                                     void *data, struct ws_cl_commands *commands, struct ws_error *error);

/* Waits for the commands and clears them; returns the status of the first that failed. */
enum ws_status ws_cl_wait(struct ws_cl_commands *commands, struct ws_error *error);

/* Waits until the device has executed, or given up, all commands. */
void ws_cl_drain(struct ws_cl *cl);
