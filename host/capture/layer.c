/* The layer: intercepts OpenCL calls of the program on their way to the driver. */
#include <stdlib.h>
#include <string.h>

#include "capture/objects.h"
#include "capture/programs.h"
#include "capture/record.h"
#include "capture/store.h"

struct _cl_icd_dispatch capture_driver;
static struct _cl_icd_dispatch layer;

#define EXPORTED __attribute__((visibility("default")))

/* ---- Objects ---- */

/* clCreateNAME, for calls that return a handle of that kind. */
#define CREATE(type, kind, name, parameters, ...)                                                                                  \
    static type CL_API_CALL layer_##name parameters                                                                                \
    {                                                                                                                              \
        const type made = capture_driver.name(__VA_ARGS__);                                                                        \
        capture_object(made, kind);                                                                                                \
        return made;                                                                                                               \
    }
#include "capture/creates.def"
#undef CREATE

/* ---- Programs ---- */

/* Binaries of unknown source are refused: programs that cache binaries then compile from source. */
static cl_program CL_API_CALL layer_clCreateProgramWithBinary(cl_context context, cl_uint count, const cl_device_id *devices,
                                                              const size_t *lengths, const unsigned char **binaries, cl_int *states,
                                                              cl_int *code)
{
    const struct capture_wanted *const wanted = capture_wanted();
    struct capture_source source = {0};
    const bool known = capture_binaries_source(count, lengths, (const unsigned char *const *)binaries, &source);
    if (wanted && !known && !wanted->keep_binaries) {
        capture_binary_refused();
        for (cl_uint n = 0; states && n < count; n++)
            states[n] = CL_INVALID_BINARY;
        if (code)
            *code = CL_INVALID_BINARY;
        return NULL;
    }
    const cl_program program = capture_driver.clCreateProgramWithBinary(context, count, devices, lengths, binaries, states, code);
    capture_object(program, CAPTURE_BINARY);
    capture_object_give(program, source);
    capture_source_free(&source);
    return program;
}

static cl_int CL_API_CALL layer_clGetProgramInfo(cl_program program, cl_program_info what, size_t room, void *value, size_t *size)
{
    const cl_int code = capture_driver.clGetProgramInfo(program, what, room, value, size);
    if (code == CL_SUCCESS && what == CL_PROGRAM_BINARIES && value)
        capture_binaries_given(program);
    return code;
}

static cl_int CL_API_CALL layer_clCompileProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                                                 const char *options, cl_uint headers, const cl_program *header, const char **names,
                                                 void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
    if (headers > 0)
        capture_object(program, CAPTURE_HEADERS);
    return capture_driver.clCompileProgram(program, count, devices, options, headers, header, names, notify, data);
}

static cl_program CL_API_CALL layer_clLinkProgram(cl_context context, cl_uint count, const cl_device_id *devices,
                                                  const char *options, cl_uint inputs, const cl_program *input,
                                                  void(CL_CALLBACK *notify)(cl_program, void *), void *data, cl_int *code)
{
    const cl_program program = capture_driver.clLinkProgram(context, count, devices, options, inputs, input, notify, data, code);
    if (program)
        capture_linked(program, inputs, input, options);
    return program;
}

/* ---- Kernels ---- */

static cl_kernel CL_API_CALL layer_clCreateKernel(cl_program program, const char *name, cl_int *code)
{
    const cl_kernel kernel = capture_driver.clCreateKernel(program, name, code);
    capture_kernel(kernel);
    return kernel;
}

static cl_int CL_API_CALL layer_clCreateKernelsInProgram(cl_program program, cl_uint room, cl_kernel *kernels, cl_uint *count)
{
    cl_uint made = 0;
    const cl_int code = capture_driver.clCreateKernelsInProgram(program, room, kernels, &made);
    for (cl_uint n = 0; code == CL_SUCCESS && kernels && n < made && n < room; n++)
        capture_kernel(kernels[n]);
    if (count)
        *count = made;
    return code;
}

static cl_kernel CL_API_CALL layer_clCloneKernel(cl_kernel from, cl_int *code)
{
    const cl_kernel kernel = capture_driver.clCloneKernel(from, code);
    capture_kernel_copy(kernel, from);
    return kernel;
}

/* The driver and the program may release what value points to when the call returns. */
static cl_int CL_API_CALL layer_clSetKernelArg(cl_kernel kernel, cl_uint n, size_t bytes, const void *value)
{
    const cl_int code = capture_driver.clSetKernelArg(kernel, n, bytes, value);
    if (code == CL_SUCCESS)
        capture_kernel_argument(kernel, n, bytes, value, false);
    return code;
}

static cl_int CL_API_CALL layer_clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint n, const void *value)
{
    const cl_int code = capture_driver.clSetKernelArgSVMPointer(kernel, n, value);
    if (code == CL_SUCCESS)
        capture_kernel_argument(kernel, n, sizeof value, NULL, true);
    return code;
}

/* ---- Launches ---- */

/* Enqueues a launch after the reads of its buffers; own receives its event. */
static cl_int enqueue_behind(struct capture_launch *launch, cl_command_queue queue, cl_kernel kernel,
                             const struct capture_sizes *sizes, cl_uint count, const cl_event *events, cl_event *own)
{
    cl_event *const all = malloc((count + launch->read_count + 1) * sizeof *all);
    if (!all)
        return CL_OUT_OF_HOST_MEMORY;
    if (count > 0)
        memcpy(all, events, count * sizeof *all);
    memcpy(all + count, launch->reads, launch->read_count * sizeof *all);
    const cl_uint sum = count + launch->read_count;
    const cl_int code = capture_driver.clEnqueueNDRangeKernel(queue, kernel, sizes->dimensions, sizes->offset, sizes->global,
                                                              sizes->local, sum, sum ? all : NULL, own);
    free(all);
    return code;
}

static cl_int CL_API_CALL layer_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                                       const size_t *offset, const size_t *global, const size_t *local,
                                                       cl_uint count, const cl_event *events, cl_event *event)
{
    const struct capture_sizes sizes = {dimensions, offset, global, local};
    struct capture_launch *const launch = capture_begin(queue, kernel, &sizes, count, events);
    if (launch) {
        cl_event own;
        const cl_int code = enqueue_behind(launch, queue, kernel, &sizes, count, events, &own);
        if (code == CL_SUCCESS) {
            capture_enqueued(launch, queue, own);
            if (event)
                *event = own;
            else
                capture_driver.clReleaseEvent(own);
            return code;
        }
        capture_refused(launch, code);
    }
    return capture_driver.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, count, events, event);
}

static cl_int CL_API_CALL layer_clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint count, const cl_event *events,
                                              cl_event *event)
{
    const size_t one = 1;
    return layer_clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, count, events, event);
}

/* ---- Calls after which launches may have completed ---- */

#define COLLECT(name, parameters, ...)                                                                                             \
    static cl_int CL_API_CALL layer_##name parameters                                                                              \
    {                                                                                                                              \
        const cl_int code = capture_driver.name(__VA_ARGS__);                                                                      \
        capture_collect();                                                                                                         \
        return code;                                                                                                               \
    }
#include "capture/collects.def"
#undef COLLECT

/* ---- Entry points for the loader ---- */

EXPORTED cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t room, void *value, size_t *size)
{
    static const char text[] = "warpsweep capture";
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    const void *const from = name == CL_LAYER_NAME ? (const void *)text : (const void *)&version;
    const size_t length = name == CL_LAYER_NAME ? sizeof text : sizeof version;
    if (name != CL_LAYER_NAME && name != CL_LAYER_API_VERSION)
        return CL_INVALID_VALUE;
    if (value && room < length)
        return CL_INVALID_VALUE;
    if (value)
        memcpy(value, from, length);
    if (size)
        *size = length;
    return CL_SUCCESS;
}

/* Fills in the calls of a table that the driver has. */
static void take_calls(void)
{
#define TAKE(name)                                                                                                                 \
    if (capture_driver.name)                                                                                                       \
        layer.name = layer_##name;
#define CREATE(type, kind, name, ...) TAKE(name)
#define COLLECT(name, ...)            TAKE(name)
#include "capture/collects.def"
#include "capture/creates.def"
    TAKE(clCreateProgramWithBinary)
    TAKE(clGetProgramInfo)
    TAKE(clCompileProgram)
    TAKE(clLinkProgram)
    TAKE(clCreateKernel)
    TAKE(clCreateKernelsInProgram)
    TAKE(clCloneKernel)
    TAKE(clSetKernelArg)
    TAKE(clSetKernelArgSVMPointer)
    TAKE(clEnqueueNDRangeKernel)
    TAKE(clEnqueueTask)
}

/* A loader may know fewer calls than the layer, or more. */
EXPORTED cl_int CL_API_CALL clInitLayer(cl_uint entries, const struct _cl_icd_dispatch *target, cl_uint *layer_entries,
                                        const struct _cl_icd_dispatch **dispatch)
{
    const cl_uint ours = sizeof layer / sizeof(void *), common = entries < ours ? entries : ours;
    if (!target || !layer_entries || !dispatch)
        return CL_INVALID_VALUE;
    memcpy(&capture_driver, target, common * sizeof(void *));
    layer = capture_driver;
    take_calls();
    *layer_entries = common;
    *dispatch = &layer;
    return CL_SUCCESS;
}
