#include "capture/launch.h"
#include "capture/programs.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool capture_refuse(struct capture_launch *launch, const char *format, ...)
{
    va_list arguments;
    if (launch->reason[0])
        return false;
    va_start(arguments, format);
    vsnprintf(launch->reason, sizeof launch->reason, format, arguments);
    va_end(arguments);
    return false;
}

void capture_launch_free(struct capture_launch *launch)
{
    for (u32 n = 0; n < launch->memory_count; n++) {
        free(launch->memories[n].before);
        free(launch->memories[n].after);
    }
    ws_text_free(&launch->arguments);
    free(launch->kernel);
    free(launch->source);
    free(launch->options);
    free(launch);
}

/* ---- The program ---- */

static char *kernel_name(cl_kernel kernel)
{
    size_t length = 0;
    if (capture_driver.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, 0, NULL, &length) != CL_SUCCESS)
        return NULL;
    char *const name = calloc(length + 1, 1);
    if (name && capture_driver.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, length, name, NULL) != CL_SUCCESS)
        name[0] = 0;
    return name;
}

static cl_device_id device_of(cl_command_queue queue)
{
    cl_device_id device = NULL;
    capture_driver.clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
    return device;
}

static const char *why_without_source(enum capture_kind kind)
{
    switch (kind) {
    case CAPTURE_BINARY:
        return "is from a binary whose source was never seen";
    case CAPTURE_IL:
        return "is from IL";
    case CAPTURE_BUILT_IN:
        return "is built in";
    case CAPTURE_LINKED:
        return "is linked of several, or of one without a source";
    case CAPTURE_HEADERS:
        return "is compiled with headers that are programs of their own";
    default:
        return "has no source";
    }
}

bool capture_program(struct capture_launch *launch, cl_command_queue queue, cl_kernel kernel)
{
    cl_program program = NULL;
    launch->kernel = kernel_name(kernel);
    capture_driver.clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, NULL);
    if (!launch->kernel || !program)
        return capture_refuse(launch, "the driver does not say of which program the kernel is");
    const struct capture_source source = capture_source_of(program, device_of(queue));
    launch->source = source.text;
    launch->options = source.options;
    if (!launch->source)
        return capture_refuse(launch, "out of memory");
    const enum capture_kind kind = capture_object_kind(program);
    if (kind == CAPTURE_HEADERS || !launch->source[0])
        return capture_refuse(launch, "its program %s", why_without_source(kind));
    return true;
}

/* ---- Sizes ---- */

/* Local size if the program leaves it to the driver: the largest power of two that divides, up to 256 in all. */
static void choose_local(struct capture_launch *launch)
{
    size_t left = 256;
    launch->local_chosen = true;
    for (u32 n = 0; n < CAPTURE_DIMENSIONS; n++) {
        launch->local[n] = 1;
        while (2 * launch->local[n] <= left && launch->global[n] % (2 * launch->local[n]) == 0)
            launch->local[n] *= 2;
        left /= launch->local[n];
    }
}

/* The kernel's own requirement. */
static bool required_local(struct capture_launch *launch, cl_command_queue queue, cl_kernel kernel)
{
    size_t required[CAPTURE_DIMENSIONS] = {0};
    capture_driver.clGetKernelWorkGroupInfo(kernel, device_of(queue), CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required, required,
                                            NULL);
    if (required[0] > 0)
        memcpy(launch->local, required, sizeof required);
    return required[0] > 0;
}

bool capture_sizes(struct capture_launch *launch, cl_command_queue queue, cl_kernel kernel, const struct capture_sizes *sizes)
{
    if (sizes->dimensions < 1 || sizes->dimensions > CAPTURE_DIMENSIONS || !sizes->global)
        return capture_refuse(launch, "its sizes are not valid");
    for (u32 n = 0; n < CAPTURE_DIMENSIONS; n++) {
        const bool there = n < sizes->dimensions;
        launch->global[n] = there ? sizes->global[n] : 1;
        launch->offset[n] = there && sizes->offset ? sizes->offset[n] : 0;
        launch->local[n] = there && sizes->local ? sizes->local[n] : 1;
    }
    if (!sizes->local && !required_local(launch, queue, kernel))
        choose_local(launch);
    for (u32 n = 0; n < CAPTURE_DIMENSIONS; n++) {
        if (launch->global[n] == 0 || launch->global[n] > UINT32_MAX || launch->offset[n] > UINT32_MAX)
            return capture_refuse(launch, "global size %zu, offset %zu: found in dimension %u, allowed are 1 to 2^32 - 1",
                                  launch->global[n], launch->offset[n], n);
        if (launch->local[n] == 0 || launch->global[n] % launch->local[n] != 0)
            return capture_refuse(launch, "local size %zu does not divide global size %zu", launch->local[n], launch->global[n]);
    }
    return true;
}

/* ---- Contents of buffers ---- */

/* Runs in a driver thread, so it only counts. */
static void CL_CALLBACK read_done(cl_event event, cl_int state, void *data)
{
    struct capture_launch *const launch = data;
    (void)event;
    if (state < 0)
        atomic_store(&launch->failed, true);
    atomic_fetch_sub(&launch->left, 1);
}

/* Buffers without host access are copied on the device first. */
static cl_mem readable(cl_command_queue queue, const struct capture_memory *memory, cl_uint *count, const cl_event **events,
                       cl_event *copied)
{
    cl_mem_flags flags = 0;
    cl_context context = NULL;
    cl_int code;
    capture_driver.clGetMemObjectInfo(memory->buffer, CL_MEM_FLAGS, sizeof flags, &flags, NULL);
    if (!(flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)))
        return memory->buffer;
    capture_driver.clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
    const cl_mem copy = capture_driver.clCreateBuffer(context, CL_MEM_READ_WRITE, memory->bytes, NULL, &code);
    if (!copy)
        return NULL;
    if (capture_driver.clEnqueueCopyBuffer(queue, memory->buffer, copy, 0, 0, memory->bytes, *count, *events, copied) !=
        CL_SUCCESS) {
        capture_driver.clReleaseMemObject(copy);
        return NULL;
    }
    *count = 1;
    *events = copied;
    return copy;
}

static bool read_one(struct capture_launch *launch, cl_command_queue queue, struct capture_memory *memory, cl_uint count,
                     const cl_event *events, bool after)
{
    static const size_t start[CAPTURE_DIMENSIONS];
    void **const bytes = after ? &memory->after : &memory->before;
    cl_event copied = NULL, *const read = &launch->reads[launch->read_count];
    *bytes = malloc(memory->bytes);
    if (!*bytes)
        return capture_refuse(launch, "no memory for %zu bytes of a buffer", memory->bytes);
    const cl_mem source = memory->is_image ? memory->buffer : readable(queue, memory, &count, &events, &copied);
    const cl_event *const behind = count ? events : NULL;
    const cl_int code =
        !source ? CL_MEM_OBJECT_ALLOCATION_FAILURE
        : memory->is_image
            ? capture_driver.clEnqueueReadImage(queue, source, CL_FALSE, start, memory->region, 0, 0, *bytes, count, behind, read)
            : capture_driver.clEnqueueReadBuffer(queue, source, CL_FALSE, 0, memory->bytes, *bytes, count, behind, read);
    if (copied)
        capture_driver.clReleaseEvent(copied);
    if (source && source != memory->buffer)
        capture_driver.clReleaseMemObject(source);
    if (code != CL_SUCCESS)
        return capture_refuse(launch, "the driver does not let a buffer be read: error %d", code);
    launch->read_count++;
    atomic_fetch_add(&launch->left, 1);
    /* Without the callback the end of the launch is unknown. Its memory is kept, because the driver may still write there. */
    return capture_driver.clSetEventCallback(*read, CL_COMPLETE, read_done, launch) == CL_SUCCESS ||
           capture_refuse(launch, "the driver does not tell when a buffer has been read");
}

bool capture_read(struct capture_launch *launch, cl_command_queue queue, cl_uint count, const cl_event *events, bool after)
{
    launch->read_count = 0;
    for (u32 n = 0; n < launch->memory_count; n++)
        if (!read_one(launch, queue, &launch->memories[n], count, events, after))
            return false;
    launch->has_after = after;
    return true;
}
