#define CL_TARGET_OPENCL_VERSION 120
#include "unit/kit/cl_runner.h"

#include <CL/cl.h>
#include <stdlib.h>

#include "base/error.h"

enum { MOST_PLATFORMS = 16 };

/* State of one run; NULL for missing parts. */
struct run {
    struct ws_ndrange *launch;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem *buffers; /* by argument; NULL for arguments that are no buffers */
    struct ws_error *error;
};

static enum ws_status check(const struct run *run, cl_int code, const char *call)
{
    return code == CL_SUCCESS ? WS_STATUS_ok : ws_fail(run->error, WS_STATUS_device, "%s: OpenCL error %d", call, (int)code);
}

static enum ws_status find_device(struct run *run)
{
    cl_platform_id platforms[MOST_PLATFORMS];
    cl_uint count = 0;
    if (clGetPlatformIDs(MOST_PLATFORMS, platforms, &count) == CL_SUCCESS)
        for (cl_uint n = 0; n < count && n < MOST_PLATFORMS; n++)
            if (clGetDeviceIDs(platforms[n], CL_DEVICE_TYPE_CPU, 1, &run->device, NULL) == CL_SUCCESS)
                return WS_STATUS_ok;
    return ws_fail(run->error, WS_STATUS_no_device, "no OpenCL platform has a CPU device");
}

static enum ws_status open_device(struct run *run)
{
    cl_int code;
    WS_TRY(find_device(run));
    run->context = clCreateContext(NULL, 1, &run->device, NULL, NULL, &code);
    WS_TRY(check(run, code, "clCreateContext"));
    run->queue = clCreateCommandQueue(run->context, run->device, 0, &code);
    return check(run, code, "clCreateCommandQueue");
}

static enum ws_status build(struct run *run, const char *source)
{
    cl_int code;
    run->program = clCreateProgramWithSource(run->context, 1, &source, NULL, &code);
    WS_TRY(check(run, code, "clCreateProgramWithSource"));
    WS_TRY(
        check(run, clBuildProgram(run->program, 1, &run->device, "-cl-std=CL1.2 -cl-opt-disable", NULL, NULL), "clBuildProgram"));
    run->kernel = clCreateKernel(run->program, run->launch->kernel, &code);
    return check(run, code, "clCreateKernel");
}

/* The image whose handle an argument is; NULL: none. Those of workloads are two-dimensional, a float a texel. */
static const struct ws_image_desc *image_of(const struct ws_ndrange *launch, cl_uint n)
{
    for (u32 buffer = 0; buffer < launch->buffer_count; buffer++)
        if (launch->buffers[buffer].data == launch->arguments[n].data)
            return launch->buffers[buffer].image;
    return NULL;
}

static enum ws_status set_buffer(struct run *run, cl_uint n)
{
    const struct ws_argument *argument = &run->launch->arguments[n];
    const struct ws_image_desc *const image = image_of(run->launch, n);
    cl_int code;
    if (image) {
        const cl_image_format format = {CL_R, CL_FLOAT};
        const cl_image_desc desc = {
            .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = image->size[0], .image_height = image->size[1]};
        run->buffers[n] =
            clCreateImage(run->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &desc, argument->data, &code);
    } else
        run->buffers[n] =
            clCreateBuffer(run->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, argument->bytes, argument->data, &code);
    WS_TRY(check(run, code, image ? "clCreateImage" : "clCreateBuffer"));
    return check(run, clSetKernelArg(run->kernel, n, sizeof *run->buffers, &run->buffers[n]), "clSetKernelArg of a buffer");
}

static enum ws_status set_arguments(struct run *run)
{
    const struct ws_ndrange *launch = run->launch;
    run->buffers = calloc(launch->argument_count, sizeof(cl_mem));
    if (!run->buffers)
        return ws_fail(run->error, WS_STATUS_no_memory, "no memory for %u arguments", launch->argument_count);
    for (cl_uint n = 0; n < launch->argument_count; n++) {
        const struct ws_argument *argument = &launch->arguments[n];
        if (argument->kind == WS_ARGUMENT_BUFFER)
            WS_TRY(set_buffer(run, n));
        else /* NULL for shared memory, as in OpenCL */
            WS_TRY(check(run, clSetKernelArg(run->kernel, n, argument->bytes, argument->data), "clSetKernelArg"));
    }
    return WS_STATUS_ok;
}

static enum ws_status execute(struct run *run)
{
    const struct ws_ndrange *launch = run->launch;
    size_t global[3], local[3];
    for (int d = 0; d < 3; d++) {
        global[d] = launch->global[d];
        local[d] = launch->local[d];
    }
    WS_TRY(check(run, clEnqueueNDRangeKernel(run->queue, run->kernel, 3, NULL, global, local, 0, NULL, NULL),
                 "clEnqueueNDRangeKernel"));
    for (cl_uint n = 0; n < launch->argument_count; n++) {
        const struct ws_argument *argument = &launch->arguments[n];
        if (run->buffers[n] && !image_of(launch, n)) /* images are read only */
            WS_TRY(check(
                run, clEnqueueReadBuffer(run->queue, run->buffers[n], CL_TRUE, 0, argument->bytes, argument->data, 0, NULL, NULL),
                "clEnqueueReadBuffer"));
    }
    return check(run, clFinish(run->queue), "clFinish");
}

static void release(struct run *run)
{
    for (u32 n = 0; run->buffers && n < run->launch->argument_count; n++)
        if (run->buffers[n])
            clReleaseMemObject(run->buffers[n]);
    free(run->buffers);
    if (run->kernel)
        clReleaseKernel(run->kernel);
    if (run->program)
        clReleaseProgram(run->program);
    if (run->queue)
        clReleaseCommandQueue(run->queue);
    if (run->context)
        clReleaseContext(run->context);
}

enum ws_status cl_run(const char *source, struct ws_ndrange *launch, struct ws_error *error)
{
    struct run run = {.launch = launch, .error = error};
    enum ws_status status = open_device(&run);
    if (status == WS_STATUS_ok)
        status = build(&run, source);
    if (status == WS_STATUS_ok)
        status = set_arguments(&run);
    if (status == WS_STATUS_ok)
        status = execute(&run);
    release(&run);
    return status;
}
