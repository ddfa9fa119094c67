#define CL_TARGET_OPENCL_VERSION 120
#include "engine/opencl/opencl_api.h"

#include <CL/cl.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/utf8.h"

#define NO_PLATFORM (-1001) /* CL_PLATFORM_NOT_FOUND_KHR, from the ICD loader */

/* Of extensions: cl_nv_device_attribute_query, cl_intel_required_subgroup_size. */
#define COMPUTE_MAJOR   0x4000
#define COMPUTE_MINOR   0x4001
#define REGISTER_FILE   0x4002
#define SUB_GROUP_SIZES 0x4108

enum { MOST_PLATFORMS = 32, MOST_DEVICES = 64, LOG_ROOM = 600 };

struct ws_cl {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
};

struct ws_cl_program {
    cl_program program;
};

struct ws_cl_buffer {
    cl_mem memory;
    cl_command_queue queue; /* that unmaps it */
    void *mapped;           /* host memory; NULL for device memory */
};

/* ---- Errors ---- */

struct meaning {
    cl_int code;
    enum ws_status status;
    const char *name;
};

static struct meaning meaning_of(cl_int code)
{
    static const struct meaning meanings[] = {
#define CL_ERROR(name, status) {name, WS_STATUS_##status, #name},
#include "engine/opencl/opencl_errors.def"
#undef CL_ERROR
    };
    for (size_t n = 0; n < sizeof meanings / sizeof *meanings; n++)
        if (meanings[n].code == code)
            return meanings[n];
    return (struct meaning){code, WS_STATUS_lost_device, "an unknown error"};
}

static enum ws_status failed(const char *call, cl_int code, struct ws_error *error)
{
    const struct meaning meaning = meaning_of(code);
    return ws_fail(error, meaning.status, "%s: %s (%d)", call, meaning.name, code);
}

static enum ws_status no_memory(struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_no_memory, "out of memory for an OpenCL object");
}

/* ---- Devices ---- */

static u64 device_number(cl_device_id id, cl_device_info what, size_t bytes)
{
    u64 value = 0; /* the host is little-endian, like every accepted device */
    return clGetDeviceInfo(id, what, bytes, &value, NULL) == CL_SUCCESS ? value : 0;
}

static bool usable(cl_device_id id)
{
    return device_number(id, CL_DEVICE_AVAILABLE, sizeof(cl_bool)) &&
           device_number(id, CL_DEVICE_COMPILER_AVAILABLE, sizeof(cl_bool)) &&
           device_number(id, CL_DEVICE_ENDIAN_LITTLE, sizeof(cl_bool));
}

/* The device's answer, to be freed; NULL if there is none. */
static char *device_long_text(cl_device_id id, cl_device_info what)
{
    size_t length = 0;
    if (clGetDeviceInfo(id, what, 0, NULL, &length) != CL_SUCCESS)
        return NULL;
    char *const text = calloc(length + 1, 1);
    if (text && clGetDeviceInfo(id, what, length, text, NULL) == CL_SUCCESS)
        return text;
    free(text);
    return NULL;
}

static void device_text(cl_device_id id, cl_device_info what, char *text, size_t room)
{
    char *const whole = device_long_text(id, what);
    ws_utf8_copy(text, room, whole ? whole : "unknown");
    free(whole);
}

static void platform_text(cl_platform_id id, cl_platform_info what, char *text, size_t room)
{
    char whole[1024];
    const bool known = clGetPlatformInfo(id, what, sizeof whole, whole, NULL) == CL_SUCCESS;
    ws_utf8_copy(text, room, known ? whole : "unknown");
}

static bool has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = text; at && (at = strstr(at, word)); at += length)
        if ((at == text || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* Whether kernels may require sub-groups of 32 on the device. */
static bool may_require_32(cl_device_id id)
{
    size_t sizes[16], bytes = 0;
    if (clGetDeviceInfo(id, SUB_GROUP_SIZES, sizeof sizes, sizes, &bytes) != CL_SUCCESS)
        return false;
    for (size_t n = 0; n < bytes / sizeof *sizes; n++)
        if (sizes[n] == 32)
            return true;
    return false;
}

/* Device properties for the choice of a lane form. */
static void describe_lanes(cl_device_id id, struct ws_cl_device *device)
{
    char *const extensions = device_long_text(id, CL_DEVICE_EXTENSIONS);
    char version[128];
    int major = 1;
    device_text(id, CL_DEVICE_VERSION, version, sizeof version);
    sscanf(version, "OpenCL %d", &major);
    snprintf(device->language, sizeof device->language, "CL%s", major >= 3 ? "3.0" : major == 2 ? "2.0" : "1.2");
    device->nvidia = strstr(device->platform_name, "NVIDIA") != NULL;
    device->keeps_programs = strcmp(device->platform_name, "Portable Computing Language") == 0;
    if (has_word(extensions, "cl_nv_device_attribute_query")) {
        device->compute =
            (u32)(device_number(id, COMPUTE_MAJOR, sizeof(cl_uint)) * 10 + device_number(id, COMPUTE_MINOR, sizeof(cl_uint)));
        device->register_file = (u32)device_number(id, REGISTER_FILE, sizeof(cl_uint));
    }
    device->sub_groups = major >= 2 && has_word(extensions, "cl_khr_subgroups") &&
                         (!has_word(extensions, "cl_intel_required_subgroup_size") || may_require_32(id));
    free(extensions);
}

static void describe(cl_platform_id platform, cl_device_id id, struct ws_cl_device *device)
{
    const u64 type = device_number(id, CL_DEVICE_TYPE, sizeof(cl_device_type));
    *device = (struct ws_cl_device){.platform = platform, .id = id};
    device->gpu = (type & CL_DEVICE_TYPE_GPU) != 0;
    device->cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
    device->memory = device_number(id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(cl_ulong));
    device->most_allocation = device_number(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(cl_ulong));
    device->local_memory = device_number(id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof(cl_ulong));
    device->cores = (u32)device_number(id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(cl_uint));
    device_text(id, CL_DEVICE_NAME, device->name, sizeof device->name);
    platform_text(platform, CL_PLATFORM_NAME, device->platform_name, sizeof device->platform_name);
    device_text(id, CL_DRIVER_VERSION, device->driver, sizeof device->driver);
    describe_lanes(id, device);
}

/* Appends the usable devices of a platform. */
static enum ws_status list_platform(cl_platform_id platform, struct ws_cl_device **devices, size_t *count, struct ws_error *error)
{
    cl_device_id ids[MOST_DEVICES];
    cl_uint found = 0;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MOST_DEVICES, ids, &found) != CL_SUCCESS || found == 0)
        return WS_STATUS_ok;
    found = ws_min(found, MOST_DEVICES);
    struct ws_cl_device *const larger = realloc(*devices, (*count + found) * sizeof *larger);
    if (!larger)
        return no_memory(error);
    *devices = larger;
    for (cl_uint n = 0; n < found; n++)
        if (usable(ids[n]))
            describe(platform, ids[n], &larger[(*count)++]);
    return WS_STATUS_ok;
}

enum ws_status ws_cl_devices(struct ws_cl_device **devices, size_t *count, struct ws_error *error)
{
    cl_platform_id platforms[MOST_PLATFORMS];
    cl_uint found = 0;
    *devices = NULL;
    *count = 0;
    const cl_int code = clGetPlatformIDs(MOST_PLATFORMS, platforms, &found);
    if (code == NO_PLATFORM)
        return WS_STATUS_ok;
    if (code != CL_SUCCESS)
        return failed("clGetPlatformIDs", code, error);
    enum ws_status status = WS_STATUS_ok;
    for (cl_uint n = 0; n < ws_min(found, MOST_PLATFORMS) && status == WS_STATUS_ok; n++)
        status = list_platform(platforms[n], devices, count, error);
    for (size_t n = 0; n < *count; n++)
        (*devices)[n].place = (u32)n;
    if (status != WS_STATUS_ok) {
        free(*devices);
        *devices = NULL;
        *count = 0;
    }
    return status;
}

enum ws_status ws_cl_open(const struct ws_cl_device *device, struct ws_cl **cl, struct ws_error *error)
{
    struct ws_cl *const opened = calloc(1, sizeof *opened);
    *cl = NULL;
    if (!opened)
        return no_memory(error);
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)device->platform, 0};
    cl_int code;
    opened->device = device->id;
    opened->context = clCreateContext(properties, 1, &opened->device, NULL, NULL, &code);
    if (code != CL_SUCCESS) {
        opened->context = NULL;
        ws_cl_close(opened);
        return failed("clCreateContext", code, error);
    }
    opened->queue = clCreateCommandQueue(opened->context, opened->device, 0, &code);
    if (code != CL_SUCCESS) {
        opened->queue = NULL;
        ws_cl_close(opened);
        return failed("clCreateCommandQueue", code, error);
    }
    *cl = opened;
    return WS_STATUS_ok;
}

void ws_cl_close(struct ws_cl *cl)
{
    if (!cl)
        return;
    if (cl->queue)
        clReleaseCommandQueue(cl->queue);
    if (cl->context)
        clReleaseContext(cl->context);
    free(cl);
}

/* ---- Programs ---- */

/* The compiler's log, to be freed; NULL if it is not available. */
static char *build_log(const struct ws_cl *cl, cl_program program)
{
    size_t length = 0;
    char *log = NULL;
    if (clGetProgramBuildInfo(program, cl->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &length) == CL_SUCCESS)
        log = calloc(length + 1, 1);
    if (log && clGetProgramBuildInfo(program, cl->device, CL_PROGRAM_BUILD_LOG, length, log, NULL) != CL_SUCCESS)
        log[0] = '\0';
    return log;
}

static enum ws_status build_failed(struct ws_cl *cl, cl_program program, cl_int code, struct ws_error *error)
{
    char *const log = build_log(cl, program);
    const struct meaning meaning = meaning_of(code);
    if (log)
        ws_utf8_shorten(log, strlen(log), LOG_ROOM);
    ws_fail(error, meaning.status, "clBuildProgram: %s (%d): %s", meaning.name, code, log ? log : "no log");
    free(log);
    return meaning.status;
}

/* Builds a created program, or frees it. */
static enum ws_status finish_program(struct ws_cl *cl, cl_program made, const char *options, struct ws_cl_program **program,
                                     struct ws_error *error)
{
    enum ws_status status = WS_STATUS_ok;
    const cl_int code = clBuildProgram(made, 1, &cl->device, options, NULL, NULL);
    if (code != CL_SUCCESS)
        status = build_failed(cl, made, code, error);
    else if (!(*program = malloc(sizeof **program)))
        status = no_memory(error);
    if (status != WS_STATUS_ok) {
        clReleaseProgram(made);
        return status;
    }
    (*program)->program = made;
    return WS_STATUS_ok;
}

enum ws_status ws_cl_build(struct ws_cl *cl, const char *source, size_t length, const char *options, struct ws_cl_program **program,
                           struct ws_error *error)
{
    cl_int code;
    *program = NULL;
    cl_program made = clCreateProgramWithSource(cl->context, 1, &source, &length, &code);
    if (code != CL_SUCCESS)
        return failed("clCreateProgramWithSource", code, error);
    return finish_program(cl, made, options, program, error);
}

enum ws_status ws_cl_load(struct ws_cl *cl, const void *binary, size_t length, const char *options, struct ws_cl_program **program,
                          struct ws_error *error)
{
    cl_int code, good;
    const unsigned char *bytes = binary;
    *program = NULL;
    cl_program made = clCreateProgramWithBinary(cl->context, 1, &cl->device, &length, &bytes, &good, &code);
    if (code != CL_SUCCESS)
        return failed("clCreateProgramWithBinary", code, error);
    return finish_program(cl, made, options, program, error);
}

void ws_cl_program_free(struct ws_cl_program *program)
{
    if (!program)
        return;
    clReleaseProgram(program->program);
    free(program);
}

enum ws_status ws_cl_binary(const struct ws_cl_program *program, void **binary, size_t *length, struct ws_error *error)
{
    *binary = NULL;
    *length = 0;
    cl_int code = clGetProgramInfo(program->program, CL_PROGRAM_BINARY_SIZES, sizeof *length, length, NULL);
    if (code != CL_SUCCESS)
        return failed("clGetProgramInfo", code, error);
    unsigned char *bytes = malloc(*length + 1);
    if (!bytes)
        return no_memory(error);
    code = clGetProgramInfo(program->program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL);
    if (code != CL_SUCCESS) {
        free(bytes);
        return failed("clGetProgramInfo", code, error);
    }
    *binary = bytes;
    return WS_STATUS_ok;
}

u64 ws_cl_local_bytes(const struct ws_cl *cl, const struct ws_cl_program *program, const char *kernel)
{
    cl_int code;
    cl_ulong bytes = 0;
    cl_kernel made = clCreateKernel(program->program, kernel, &code);
    if (code != CL_SUCCESS)
        return 0;
    if (clGetKernelWorkGroupInfo(made, cl->device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL) != CL_SUCCESS)
        bytes = 0;
    clReleaseKernel(made);
    return bytes;
}

u32 ws_cl_registers(const struct ws_cl *cl, const struct ws_cl_program *program, const char *kernel)
{
    char entry[100];
    u32 registers = 0;
    char *const log = build_log(cl, program->program);
    snprintf(entry, sizeof entry, "entry function '%s'", kernel);
    const char *const at = log ? strstr(log, entry) : NULL, *const used = at ? strstr(at, "Used ") : NULL;
    if (used)
        sscanf(used, "Used %u registers", &registers);
    free(log);
    return registers;
}

/* ---- Memory ---- */

static enum ws_status new_buffer(struct ws_cl *cl, cl_mem_flags flags, u64 bytes, struct ws_cl_buffer **buffer,
                                 struct ws_error *error)
{
    cl_int code;
    *buffer = malloc(sizeof **buffer);
    if (!*buffer)
        return no_memory(error);
    **buffer = (struct ws_cl_buffer){.queue = cl->queue};
    (*buffer)->memory = clCreateBuffer(cl->context, flags, bytes, NULL, &code);
    if (code == CL_SUCCESS)
        return WS_STATUS_ok;
    free(*buffer);
    *buffer = NULL;
    return failed("clCreateBuffer", code, error);
}

enum ws_status ws_cl_buffer_new(struct ws_cl *cl, u64 bytes, struct ws_cl_buffer **buffer, struct ws_error *error)
{
    return new_buffer(cl, CL_MEM_READ_WRITE, bytes, buffer, error);
}

enum ws_status ws_cl_host_new(struct ws_cl *cl, u64 bytes, struct ws_cl_buffer **buffer, void **data, struct ws_error *error)
{
    cl_int code;
    WS_TRY(new_buffer(cl, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, buffer, error));
    *data = clEnqueueMapBuffer(cl->queue, (*buffer)->memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL, NULL, &code);
    if (code == CL_SUCCESS) {
        (*buffer)->mapped = memset(*data, 0, bytes);
        return WS_STATUS_ok;
    }
    ws_cl_buffer_free(*buffer);
    *buffer = NULL;
    return failed("clEnqueueMapBuffer", code, error);
}

void ws_cl_buffer_free(struct ws_cl_buffer *buffer)
{
    if (!buffer)
        return;
    if (buffer->mapped)
        clEnqueueUnmapMemObject(buffer->queue, buffer->memory, buffer->mapped, 0, NULL, NULL);
    clReleaseMemObject(buffer->memory);
    free(buffer);
}

enum ws_status ws_cl_write(struct ws_cl *cl, struct ws_cl_buffer *buffer, u64 offset, u64 bytes, const void *data,
                           struct ws_error *error)
{
    const cl_int code = clEnqueueWriteBuffer(cl->queue, buffer->memory, CL_TRUE, offset, bytes, data, 0, NULL, NULL);
    return code == CL_SUCCESS ? WS_STATUS_ok : failed("clEnqueueWriteBuffer", code, error);
}

enum ws_status ws_cl_read(struct ws_cl *cl, struct ws_cl_buffer *buffer, u64 offset, u64 bytes, void *data, struct ws_error *error)
{
    const cl_int code = clEnqueueReadBuffer(cl->queue, buffer->memory, CL_TRUE, offset, bytes, data, 0, NULL, NULL);
    return code == CL_SUCCESS ? WS_STATUS_ok : failed("clEnqueueReadBuffer", code, error);
}

enum ws_status ws_cl_zero(struct ws_cl *cl, struct ws_cl_buffer *buffer, u64 offset, u64 bytes, struct ws_error *error)
{
    const cl_uint zero = 0;
    const cl_int code = clEnqueueFillBuffer(cl->queue, buffer->memory, &zero, sizeof zero, offset, bytes, 0, NULL, NULL);
    return code == CL_SUCCESS ? WS_STATUS_ok : failed("clEnqueueFillBuffer", code, error);
}

enum ws_status ws_cl_probe(struct ws_cl *cl, struct ws_error *error)
{
    struct ws_cl_buffer *buffer = NULL;
    u32 word = 1;
    enum ws_status status = ws_cl_buffer_new(cl, sizeof word, &buffer, error);
    if (status == WS_STATUS_ok)
        status = ws_cl_zero(cl, buffer, 0, sizeof word, error);
    if (status == WS_STATUS_ok)
        status = ws_cl_read(cl, buffer, 0, sizeof word, &word, error);
    ws_cl_buffer_free(buffer);
    if (status == WS_STATUS_ok && word == 0)
        return WS_STATUS_ok;
    if (status == WS_STATUS_ok)
        return ws_fail(error, WS_STATUS_lost_device, "a word that was zeroed on the device reads as %u", word);
    if (error)
        error->status = WS_STATUS_lost_device;
    return WS_STATUS_lost_device;
}

/* ---- Launches ---- */

static cl_int set_arguments(cl_kernel kernel, const struct ws_cl_argument *arguments, u32 count)
{
    cl_int code = CL_SUCCESS;
    for (u32 n = 0; n < count && code == CL_SUCCESS; n++) {
        const struct ws_cl_argument *const argument = &arguments[n];
        if (argument->buffer)
            code = clSetKernelArg(kernel, n, sizeof argument->buffer->memory, &argument->buffer->memory);
        else
            code = clSetKernelArg(kernel, n, sizeof argument->number, &argument->number);
    }
    return code;
}

/* The error of an event's command. */
static cl_int command_failure(cl_event event, cl_int code)
{
    cl_int status;
    const cl_int asked = clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    return asked == CL_SUCCESS && status < 0 ? status : code;
}

static void add_command(struct ws_cl_commands *commands, cl_event event)
{
    assert(commands->count < sizeof commands->events / sizeof *commands->events);
    commands->events[commands->count++] = event;
}

enum ws_status ws_cl_begin_launch(struct ws_cl *cl, const struct ws_cl_program *program, const char *kernel,
                                  const struct ws_cl_argument *arguments, u32 argument_count, u64 groups, u64 group_size,
                                  struct ws_cl_commands *commands, struct ws_error *error)
{
    const size_t global = groups * group_size, local = group_size;
    cl_event done;
    cl_int code;
    cl_kernel made = clCreateKernel(program->program, kernel, &code);
    if (code != CL_SUCCESS)
        return failed("clCreateKernel", code, error);
    const char *call = "clSetKernelArg";
    code = set_arguments(made, arguments, argument_count);
    if (code == CL_SUCCESS) {
        call = "clEnqueueNDRangeKernel";
        code = clEnqueueNDRangeKernel(cl->queue, made, 1, NULL, &global, &local, 0, NULL, &done);
    }
    clReleaseKernel(made);
    if (code != CL_SUCCESS)
        return failed(call, code, error);
    add_command(commands, done);
    return WS_STATUS_ok;
}

enum ws_status ws_cl_begin_write(struct ws_cl *cl, struct ws_cl_buffer *buffer, u64 offset, u64 bytes, const void *data,
                                 struct ws_error *error)
{
    const cl_int code = clEnqueueWriteBuffer(cl->queue, buffer->memory, CL_FALSE, offset, bytes, data, 0, NULL, NULL);
    return code == CL_SUCCESS ? WS_STATUS_ok : failed("clEnqueueWriteBuffer", code, error);
}

enum ws_status ws_cl_begin_write_rows(struct ws_cl *cl, struct ws_cl_buffer *buffer, u64 pitch, u64 first, u64 rows, u64 bytes,
                                      const void *data, u64 apart, struct ws_error *error)
{
    const size_t from[] = {0, 0, 0}, to[] = {0, first, 0}, region[] = {bytes, rows, 1};
    const cl_int code =
        clEnqueueWriteBufferRect(cl->queue, buffer->memory, CL_FALSE, to, from, region, pitch, 0, apart, 0, data, 0, NULL, NULL);
    return code == CL_SUCCESS ? WS_STATUS_ok : failed("clEnqueueWriteBufferRect", code, error);
}

enum ws_status ws_cl_begin_read_rows(struct ws_cl *cl, struct ws_cl_buffer *buffer, u64 pitch, u64 first, u64 rows, u64 bytes,
                                     void *data, struct ws_cl_commands *commands, struct ws_error *error)
{
    const size_t from[] = {0, first, 0}, to[] = {0, 0, 0}, region[] = {bytes, rows, 1};
    cl_event done;
    cl_int code =
        clEnqueueReadBufferRect(cl->queue, buffer->memory, CL_FALSE, from, to, region, pitch, 0, bytes, 0, data, 0, NULL, &done);
    if (code != CL_SUCCESS)
        return failed("clEnqueueReadBufferRect", code, error);
    add_command(commands, done);
    code = clFlush(cl->queue);
    return code == CL_SUCCESS ? WS_STATUS_ok : failed("clFlush", code, error);
}

/* Waits for each event by itself, to separate failed commands from completed ones. */
enum ws_status ws_cl_wait(struct ws_cl_commands *commands, struct ws_error *error)
{
    cl_int worst = CL_SUCCESS;
    for (u32 n = 0; n < commands->count; n++) {
        cl_event event = commands->events[n];
        cl_int code = clWaitForEvents(1, &event);
        if (code == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
            code = command_failure(event, code);
        clReleaseEvent(event);
        worst = worst == CL_SUCCESS ? code : worst;
    }
    commands->count = 0;
    return worst == CL_SUCCESS ? WS_STATUS_ok : failed("clWaitForEvents", worst, error);
}

void ws_cl_drain(struct ws_cl *cl)
{
    clFinish(cl->queue);
}

enum ws_status ws_cl_launch(struct ws_cl *cl, const struct ws_cl_program *program, const char *kernel,
                            const struct ws_cl_argument *arguments, u32 argument_count, u64 groups, u64 group_size,
                            struct ws_error *error)
{
    struct ws_cl_commands commands = {.count = 0};
    WS_TRY(ws_cl_begin_launch(cl, program, kernel, arguments, argument_count, groups, group_size, &commands, error));
    return ws_cl_wait(&commands, error);
}
