/* Every call of OpenCL, in the project's terms: a failing call becomes a message that names it. The only part of the library that
 * sees <CL/cl.h>. An object is freed by the function of its kind; NULL is allowed there. */
#ifndef WS_ENGINE_OPENCL_API_H
#define WS_ENGINE_OPENCL_API_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/dialect.h"
#include "warpsweep/status.h"

/* What is known of a device; platform and id are OpenCL's handles. */
struct ws_cl_device {
    void *platform, *id;
    char name[128], platform_name[128], driver[256];
    u64 memory, most_allocation; /* bytes: of the device; of one buffer */
    u32 cores;                   /* compute units */
    bool gpu, cpu;
};

/* All devices that can compile and are little-endian, in the order of their platforms. *devices is to be freed. No platform at all
 * is no error. */
enum ws_status ws_cl_devices(struct ws_cl_device **devices, size_t *count, struct ws_error *error);

/* An opened device: a context and one queue that works in order. */
struct ws_cl;
enum ws_status ws_cl_open(const struct ws_cl_device *device, struct ws_cl **cl, struct ws_error *error);
void ws_cl_close(struct ws_cl *cl);

/* A program for the device. A build that fails gives the first lines of the compiler's log. */
struct ws_cl_program;
enum ws_status ws_cl_build(struct ws_cl *cl, const char *source, size_t length, const char *options, struct ws_cl_program **program,
                           struct ws_error *error);
enum ws_status ws_cl_load(struct ws_cl *cl, const void *binary, size_t length, const char *options, struct ws_cl_program **program,
                          struct ws_error *error);
void ws_cl_program_free(struct ws_cl_program *program);

/* The program's binary, to be freed. */
enum ws_status ws_cl_binary(const struct ws_cl_program *program, void **binary, size_t *length, struct ws_error *error);

/* Memory of the device. Too little of it is WS_STATUS_no_memory, maybe only when it is first written. */
struct ws_cl_buffer;
enum ws_status ws_cl_buffer_new(struct ws_cl *cl, u64 bytes, struct ws_cl_buffer **buffer, struct ws_error *error);
void ws_cl_buffer_free(struct ws_cl_buffer *buffer);

/* Copies to and from a buffer, at byte offsets; they return when the host's memory may be reused. */
enum ws_status ws_cl_write(struct ws_cl *cl, struct ws_cl_buffer *buffer, u64 offset, u64 bytes, const void *data,
                           struct ws_error *error);
enum ws_status ws_cl_read(struct ws_cl *cl, struct ws_cl_buffer *buffer, u64 offset, u64 bytes, void *data, struct ws_error *error);

/* Reads `bytes` bytes at offsets 0, pitch, 2 x pitch ... (rows of them) next to each other into data. */
enum ws_status ws_cl_read_rows(struct ws_cl *cl, struct ws_cl_buffer *buffer, u64 pitch, u64 bytes, u64 rows, void *data,
                               struct ws_error *error);

/* Zeroes part of a buffer; offset and bytes are multiples of 4. */
enum ws_status ws_cl_zero(struct ws_cl *cl, struct ws_cl_buffer *buffer, u64 offset, u64 bytes, struct ws_error *error);

/* A kernel argument: a buffer or, where that is NULL, a number. */
struct ws_cl_argument {
    struct ws_cl_buffer *buffer;
    u32 number;
};

/* Enqueues a kernel of the program over groups x group_size work-items and waits until it is done. */
enum ws_status ws_cl_launch(struct ws_cl *cl, const struct ws_cl_program *program, const char *kernel,
                            const struct ws_cl_argument *arguments, u32 argument_count, u64 groups, u64 group_size,
                            struct ws_error *error);

#endif
