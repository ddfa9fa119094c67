/* Every call of OpenCL, in the project's terms: a failing call becomes a message that names it. The only part of the library that
 * sees <CL/cl.h>. opencl_errors.def says which status a code becomes: WS_STATUS_lost_device when nothing more is to be expected of
 * the device. An object is freed by the function of its kind; NULL is allowed there. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "shared/dialect.h"
#include "warpsweep/status.h"

/* What is known of a device; platform and id are OpenCL's handles. */
struct ws_cl_device {
    void *platform, *id;
    u32 place;                                       /* in the list of ws_cl_devices */
    char name[256], platform_name[128], driver[256]; /* shortened between characters, where they are longer */
    char language[8];                                /* the latest OpenCL C that -cl-std may name: "CL1.2", "CL2.0", "CL3.0" */
    u64 memory, most_allocation;                     /* bytes: of the device; of one buffer */
    u64 local_memory;                                /* bytes: of a compute unit */
    u32 cores;                                       /* compute units */
    u32 compute;                                     /* NVIDIA's compute capability, 90 for 9.0; 0 for others */
    u32 register_file;                               /* registers of a compute unit, 0 where that is not known */
    u32 registers; /* the most that a work-item may use, as was asked for; 0: ws_device_registers chooses */
    bool gpu, cpu;
    bool nvidia;         /* NVIDIA's own OpenCL, whose compiler takes PTX */
    bool keeps_programs; /* the driver keeps what it has compiled by itself, and compiles it again for a binary: PoCL */
    bool sub_groups;     /* there are sub-groups, and nothing says that they cannot be of 32 */
};

/* All devices that can compile and are little-endian, in the order of their platforms. *devices is to be freed. No platform at all
 * is no error. */
enum ws_status ws_cl_devices(struct ws_cl_device **devices, size_t *count, struct ws_error *error);

/* An opened device: a context and one queue that works in order. */
struct ws_cl;
enum ws_status ws_cl_open(const struct ws_cl_device *device, struct ws_cl **cl, struct ws_error *error);
void ws_cl_close(struct ws_cl *cl);

/* A program for the device. A build that fails is WS_STATUS_compiler with the first lines of the compiler's log. */
struct ws_cl_program;
enum ws_status ws_cl_build(struct ws_cl *cl, const char *source, size_t length, const char *options, struct ws_cl_program **program,
                           struct ws_error *error);
enum ws_status ws_cl_load(struct ws_cl *cl, const void *binary, size_t length, const char *options, struct ws_cl_program **program,
                          struct ws_error *error);
void ws_cl_program_free(struct ws_cl_program *program);

/* The program's binary, to be freed. */
enum ws_status ws_cl_binary(const struct ws_cl_program *program, void **binary, size_t *length, struct ws_error *error);

/* Bytes of local memory that a work-group of the kernel takes; 0 when the driver does not say. */
u64 ws_cl_local_bytes(const struct ws_cl *cl, const struct ws_cl_program *program, const char *kernel);

/* Registers that a work-item of the kernel takes; 0 when the compiler does not say. NVIDIA's does with -cl-nv-verbose. */
u32 ws_cl_registers(const struct ws_cl *cl, const struct ws_cl_program *program, const char *kernel);

/* Memory of the device. Too little of it is WS_STATUS_no_memory, maybe only when it is first written. */
struct ws_cl_buffer;
enum ws_status ws_cl_buffer_new(struct ws_cl *cl, u64 bytes, struct ws_cl_buffer **buffer, struct ws_error *error);
void ws_cl_buffer_free(struct ws_cl_buffer *buffer);

/* Memory of the host, zero and to be used as such, where the device reads and writes by itself: what goes there in rows takes long
 * from and to any other. It is gone with its buffer. */
enum ws_status ws_cl_host_new(struct ws_cl *cl, u64 bytes, struct ws_cl_buffer **buffer, void **data, struct ws_error *error);

/* Copies to and from a buffer, at byte offsets; they return when the host's memory may be reused. */
enum ws_status ws_cl_write(struct ws_cl *cl, struct ws_cl_buffer *buffer, u64 offset, u64 bytes, const void *data,
                           struct ws_error *error);
enum ws_status ws_cl_read(struct ws_cl *cl, struct ws_cl_buffer *buffer, u64 offset, u64 bytes, void *data, struct ws_error *error);

/* Zeroes part of a buffer; offset and bytes are multiples of 4. */
enum ws_status ws_cl_zero(struct ws_cl *cl, struct ws_cl_buffer *buffer, u64 offset, u64 bytes, struct ws_error *error);

/* Whether so little as a word of memory still works: WS_STATUS_lost_device if not. Tells a device without room from one that is
 * gone. */
enum ws_status ws_cl_probe(struct ws_cl *cl, struct ws_error *error);

/* A kernel argument: a buffer or, where that is NULL, a number. */
struct ws_cl_argument {
    struct ws_cl_buffer *buffer;
    u32 number;
};

/* Runs a kernel of the program over groups x group_size work-items and waits until it is done. */
enum ws_status ws_cl_launch(struct ws_cl *cl, const struct ws_cl_program *program, const char *kernel,
                            const struct ws_cl_argument *arguments, u32 argument_count, u64 groups, u64 group_size,
                            struct ws_error *error);

/* ---- What the host does not wait for: the queue does one after the other ---- */

/* Commands that have begun, to be waited for; OpenCL's handles. Zero for none. */
struct ws_cl_commands {
    void *events[2];
    u32 count;
};

/* As ws_cl_launch and ws_cl_write, which do not wait. data stays as it is until the device has come that far. */
enum ws_status ws_cl_begin_launch(struct ws_cl *cl, const struct ws_cl_program *program, const char *kernel,
                                  const struct ws_cl_argument *arguments, u32 argument_count, u64 groups, u64 group_size,
                                  struct ws_cl_commands *commands, struct ws_error *error);
enum ws_status ws_cl_begin_write(struct ws_cl *cl, struct ws_cl_buffer *buffer, u64 offset, u64 bytes, const void *data,
                                 struct ws_error *error);

/* Begins to write `bytes` bytes at the start of each of some rows, which are pitch bytes apart, from data, where they are apart
 * bytes apart. */
enum ws_status ws_cl_begin_write_rows(struct ws_cl *cl, struct ws_cl_buffer *buffer, u64 pitch, u64 first, u64 rows, u64 bytes,
                                      const void *data, u64 apart, struct ws_error *error);

/* Begins to read such rows, next to each other into data. */
enum ws_status ws_cl_begin_read_rows(struct ws_cl *cl, struct ws_cl_buffer *buffer, u64 pitch, u64 first, u64 rows, u64 bytes,
                                     void *data, struct ws_cl_commands *commands, struct ws_error *error);

/* Waits for the commands, of which there are none then, and says how the first that failed did. */
enum ws_status ws_cl_wait(struct ws_cl_commands *commands, struct ws_error *error);

/* Waits until the device has done, or given up, all that has begun. */
void ws_cl_drain(struct ws_cl *cl);
