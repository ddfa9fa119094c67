/* A host program of OpenCL whose kernels read and write images of every shape through samplers of every kind. */
#include <string.h>

#include "host.h"

enum { POINTS = 256, WIDTH = 7, HEIGHT = 5, DEPTH = 3, BYTES = WIDTH * HEIGHT * DEPTH * 16 };

/* Each reads at points around the image, given by four numbers per dimension. */
#define SAMPLE(name, image_t, place)                                                                                               \
    "__kernel void " name "(__read_only " image_t " image, sampler_t sampler, __global const float4 *points,\n"                    \
    "                       __global float4 *out) {\n"                                                                             \
    "    const int i = get_global_id(0);\n"                                                                                        \
    "    const float4 p = points[i];\n"                                                                                            \
    "    out[i] = read_imagef(image, sampler, " place ") + (float)get_image_width(image);\n"                                       \
    "}\n"

static const char source[] = SAMPLE("sample_1d", "image1d_t", "p.x") SAMPLE("sample_1d_array", "image1d_array_t", "p.xy")
    SAMPLE("sample_2d", "image2d_t", "p.xy") SAMPLE("sample_2d_array", "image2d_array_t", "p")
        SAMPLE("sample_3d", "image3d_t",
               "p") "__kernel void copy_float(__read_only image2d_t from, __write_only image2d_t to) {\n"
                    "    const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
                    "    const int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
                    "    write_imagef(to, at, fmax(read_imagef(from, s, at + (int2)(1, -1)), read_imagef(from, s, at)));\n"
                    "}\n"
                    "__kernel void copy_integer(__read_only image2d_t from, __write_only image2d_t to) {\n"
                    "    const int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
                    "    write_imageui(to, at, read_imageui(from, at) + (uint)(get_image_height(from) == get_image_dim(to).y));\n"
                    "}\n";

static unsigned char texels[BYTES];
static float points[4 * POINTS], results[4 * POINTS];

static cl_mem image(const struct host *host, cl_image_format format, cl_mem_object_type type, cl_mem_flags flags)
{
    const cl_image_desc about = {.image_type = type,
                                 .image_width = WIDTH,
                                 .image_height = type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 0 : HEIGHT,
                                 .image_depth = DEPTH,
                                 .image_array_size = DEPTH};
    cl_int code;
    const cl_mem made = clCreateImage(host->context, flags | CL_MEM_COPY_HOST_PTR, &format, &about, texels, &code);
    TRY(code);
    return made;
}

static void run(const struct host *host, cl_kernel what, cl_uint dimensions, const size_t *global)
{
    TRY(clEnqueueNDRangeKernel(host->queue, what, dimensions, NULL, global, NULL, 0, NULL, NULL));
}

/* ---- Reads of every shape through every sampler ---- */

static void sample(const struct host *host, const char *name, cl_mem_object_type type, cl_image_format format, cl_bool normalised,
                   cl_addressing_mode address, cl_filter_mode filter)
{
    const size_t global = POINTS;
    const cl_kernel what = kernel(host, name);
    cl_int code;
    cl_sampler sampler = clCreateSampler(host->context, normalised, address, filter, &code);
    TRY(code);
    for (int n = 0; n < 4 * POINTS; n++) { /* no point depends on rounding */
        const float size = n % 4 == 0 ? WIDTH : n % 4 == 1 ? HEIGHT : DEPTH;
        const float at = (float)((n * 7919) % 4096) / 4096.0f * 3.0f - 1.0f + 1.0f / 16384.0f;
        points[n] = normalised ? at : at * size;
    }
    cl_mem from = image(host, format, type, CL_MEM_READ_ONLY);
    cl_mem in = clCreateBuffer(host->context, CL_MEM_COPY_HOST_PTR, sizeof points, points, &code);
    TRY(code);
    cl_mem out = clCreateBuffer(host->context, 0, sizeof results, NULL, &code);
    TRY(code);
    TRY(clSetKernelArg(what, 0, sizeof from, &from));
    TRY(clSetKernelArg(what, 1, sizeof sampler, &sampler));
    TRY(clSetKernelArg(what, 2, sizeof in, &in));
    TRY(clSetKernelArg(what, 3, sizeof out, &out));
    run(host, what, 1, &global);
    TRY(clEnqueueReadBuffer(host->queue, out, CL_TRUE, 0, sizeof results, results, 0, NULL, NULL));
}

static void sample_all(const struct host *host)
{
    static const struct {
        const char *name;
        cl_mem_object_type type;
        int layers; /* PoCL 3.1 scales layers with normalised coordinates, which OpenCL does not (8.4) */
    } shapes[] = {{"sample_1d", CL_MEM_OBJECT_IMAGE1D, 0},
                  {"sample_1d_array", CL_MEM_OBJECT_IMAGE1D_ARRAY, 1},
                  {"sample_2d", CL_MEM_OBJECT_IMAGE2D, 0},
                  {"sample_2d_array", CL_MEM_OBJECT_IMAGE2D_ARRAY, 1},
                  {"sample_3d", CL_MEM_OBJECT_IMAGE3D, 0}};
    static const cl_addressing_mode addresses[] = {CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT,
                                                   CL_ADDRESS_MIRRORED_REPEAT};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (size_t a = 0; a < sizeof addresses / sizeof *addresses; a++)
            for (int normalised = a >= 2; normalised < (shapes[s].layers ? 1 : 2); normalised++)
                for (int linear = 0; linear < 2; linear++) {
                    const cl_image_format format = {CL_RGBA, linear ? CL_UNORM_INT8 : CL_UNORM_INT16};
                    sample(host, shapes[s].name, shapes[s].type, format, normalised ? CL_TRUE : CL_FALSE, addresses[a],
                           linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST);
                }
}

/* ---- Copies in every format ---- */

static void copy(const struct host *host, const char *name, cl_image_format format)
{
    const size_t global[] = {WIDTH, HEIGHT}, start[] = {0, 0, 0}, region[] = {WIDTH, HEIGHT, 1};
    const cl_kernel what = kernel(host, name);
    cl_mem from = image(host, format, CL_MEM_OBJECT_IMAGE2D, CL_MEM_READ_ONLY);
    cl_mem to = image(host, format, CL_MEM_OBJECT_IMAGE2D, CL_MEM_WRITE_ONLY);
    TRY(clSetKernelArg(what, 0, sizeof from, &from));
    TRY(clSetKernelArg(what, 1, sizeof to, &to));
    run(host, what, 2, global);
    unsigned char left[BYTES];
    TRY(clEnqueueReadImage(host->queue, to, CL_TRUE, start, region, 0, 0, left, 0, NULL, NULL));
}

int main(void)
{
    static const cl_channel_type reals[] = {CL_UNORM_INT8, CL_SNORM_INT8, CL_UNORM_INT16, CL_SNORM_INT16, CL_FLOAT};
    static const cl_channel_type integers[] = {CL_UNSIGNED_INT8, CL_UNSIGNED_INT16, CL_UNSIGNED_INT32};
    const struct host host = open_host(source, "-cl-kernel-arg-info", 0);
    for (int n = 0; n < BYTES; n++)
        texels[n] = (unsigned char)(n * 37 % 61);
    sample_all(&host);
    for (size_t n = 0; n < sizeof reals / sizeof *reals; n++)
        copy(&host, "copy_float", (cl_image_format){CL_RGBA, reals[n]});
    copy(&host, "copy_float", (cl_image_format){CL_R, CL_FLOAT});
    copy(&host, "copy_float", (cl_image_format){CL_BGRA, CL_UNORM_INT8});
    for (size_t n = 0; n < sizeof integers / sizeof *integers; n++)
        copy(&host, "copy_integer", (cl_image_format){CL_RGBA, integers[n]});
    return 0;
}
