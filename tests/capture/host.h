/* A host program with OpenCL: its device and objects. Any failure ends the program. */
#ifndef TESTS_CAPTURE_HOST_H
#define TESTS_CAPTURE_HOST_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#define TRY(call)                                                                                                                  \
    do {                                                                                                                           \
        const cl_int try_ = (call);                                                                                                \
        if (try_ != CL_SUCCESS) {                                                                                                  \
            fprintf(stderr, "%s:%d: error %d\n", __FILE__, __LINE__, try_);                                                        \
            exit(1);                                                                                                               \
        }                                                                                                                          \
    } while (0)

/* A context with a queue and the program. */
struct host {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
};

static inline struct host open_host(const char *source, const char *options, cl_command_queue_properties properties)
{
    struct host host;
    cl_platform_id platform;
    cl_int code;
    TRY(clGetPlatformIDs(1, &platform, NULL));
    TRY(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &host.device, NULL));
    host.context = clCreateContext(NULL, 1, &host.device, NULL, NULL, &code);
    TRY(code);
    host.queue = clCreateCommandQueue(host.context, host.device, properties, &code);
    TRY(code);
    host.program = clCreateProgramWithSource(host.context, 1, &source, NULL, &code);
    TRY(code);
    TRY(clBuildProgram(host.program, 1, &host.device, options, NULL, NULL));
    return host;
}

static inline cl_kernel kernel(const struct host *host, const char *name)
{
    cl_int code;
    const cl_kernel made = clCreateKernel(host->program, name, &code);
    TRY(code);
    return made;
}

#endif
