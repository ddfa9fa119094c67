/* A host program with launches of every kind: program CASE... */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "host.h"

#define COUNT 256

static const char source[] =
    "typedef struct { int a; float b; } pair;\n"
    "__kernel void axpy(float a, __global const float *x, __global float *y) {\n"
    "    const int i = get_global_id(0);\n"
    "    y[i] = a * x[i] + y[i];\n"
    "}\n"
    "__kernel void mixed(char c, ushort s, long l, double d, float4 v, int3 w, pair p, __local float *tile,\n"
    "                    __global int *none, __constant float *table, __global float *out) {\n"
    "    const int i = get_global_id(0), j = get_local_id(0);\n"
    "    tile[j] = table[j & 3] * v.y + (float)d + w.z + p.a * p.b;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[i] = tile[get_local_size(0) - 1 - j] + c + s + (float)(l / 1000000000) + (none ? 1000 : 0) + ADDED;\n"
    "}\n"
    "__kernel void advance(__global int *to, __global const int *from) {\n"
    "    to[get_global_id(0)] = 3 * from[get_global_id(0)] + 1;\n"
    "}\n"
    "__kernel void place(__global int *out) {\n"
    "    out[get_global_id(0)] = (int)(ulong)out;\n"
    "}\n"
    "__kernel void shade(__read_only image2d_t image, __global int *out) {\n"
    "    out[get_global_id(0)] = get_image_width(image);\n"
    "}\n"
    /* Programs whose results depend on addresses: they differ from the driver's. */
    "#ifdef __NVPTX__\n"
    "enum { HERE = 1 };\n"
    "#else\n"
    "enum { HERE = 0 };\n"
    "#endif\n"
    "__kernel void nearly(__global pair *p) {\n"
    "    p[get_global_id(0)].b *= 1 + 1e-5f * HERE;\n"
    "}\n"
    "__kernel void apart(__global pair *p) {\n"
    "    p[get_global_id(0)].a += HERE;\n"
    "}\n"
    "__kernel void padded(__global int3 *p) {\n"
    "    if (get_global_id(0) < 128) ((__global int4 *)p)[get_global_id(0)].w += HERE;\n"
    "}\n"
    "__kernel void thirds(__global int3 *p) {\n"
    "    if (get_global_id(0) < 128) ((__global int4 *)p)[get_global_id(0)].z += HERE;\n"
    "}\n"
    "__kernel void tinted(__write_only image2d_t to) {\n"
    "    const int2 at = (int2)(get_global_id(0) % 8, get_global_id(0) / 8);\n"
    "    if (at.y < 8) write_imagef(to, at, (float4)(at.x * at.y + HERE) / 255.0f);\n"
    "}\n"
    "__kernel void dyed(__write_only image2d_t to) {\n"
    "    const int2 at = (int2)(get_global_id(0) % 8, get_global_id(0) / 8);\n"
    "    if (at.y < 8) write_imagef(to, at, (float4)(at.x * at.y + 2 * HERE) / 255.0f);\n"
    "}\n"
    "__kernel void doubles(__global double *p) {\n"
    "    p[get_global_id(0)] = (get_global_id(0) + 1) * (1 + 1e-9 * HERE);\n"
    "}\n";

static struct host open_program(cl_command_queue_properties properties)
{
    return open_host(source, "-D ADDED=5 -cl-kernel-arg-info", properties);
}

static void close_host(struct host *host)
{
    TRY(clReleaseProgram(host->program));
    TRY(clReleaseCommandQueue(host->queue));
    TRY(clReleaseContext(host->context));
}

static cl_mem buffer(const struct host *host, cl_mem_flags flags, size_t bytes, void *data)
{
    cl_int code;
    const cl_mem made = clCreateBuffer(host->context, flags | (data ? CL_MEM_COPY_HOST_PTR : 0), bytes, data, &code);
    TRY(code);
    return made;
}

static void give(cl_kernel to, cl_uint n, size_t bytes, const void *value)
{
    TRY(clSetKernelArg(to, n, bytes, value));
}

static void launch(const struct host *host, cl_kernel what, size_t global, size_t local, cl_uint count, const cl_event *events,
                   cl_event *event)
{
    TRY(clEnqueueNDRangeKernel(host->queue, what, 1, NULL, &global, local ? &local : NULL, count, events, event));
}

static float numbers[COUNT];
static int integers[COUNT];
static struct {
    int a;
    float b;
} pairs[COUNT];

/* Prints a buffer's contents as one sum. */
static void print_ints(const struct host *host, const char *name, cl_mem from)
{
    int read[COUNT];
    long sum = 0;
    TRY(clEnqueueReadBuffer(host->queue, from, CL_TRUE, 0, sizeof read, read, 0, NULL, NULL));
    for (int n = 0; n < COUNT; n++)
        sum += (long)read[n] * (n % 7 + 1);
    printf("%s %ld\n", name, sum);
}

static void print_floats(const struct host *host, const char *name, cl_mem from)
{
    float read[COUNT];
    double sum = 0;
    TRY(clEnqueueReadBuffer(host->queue, from, CL_TRUE, 0, sizeof read, read, 0, NULL, NULL));
    for (int n = 0; n < COUNT; n++)
        sum += (double)read[n] * (n % 7 + 1);
    printf("%s %.3f\n", name, sum);
}

/* ---- Cases ---- */

static void axpy(cl_mem_flags flags, const char *name)
{
    struct host host = open_program(0);
    cl_mem x = buffer(&host, flags, sizeof numbers, numbers), y = buffer(&host, CL_MEM_READ_WRITE, sizeof numbers, numbers);
    const cl_kernel axpy_kernel = kernel(&host, "axpy");
    const float a = 0.1f;
    give(axpy_kernel, 0, sizeof a, &a);
    give(axpy_kernel, 1, sizeof x, &x);
    give(axpy_kernel, 2, sizeof y, &y);
    launch(&host, axpy_kernel, COUNT, 64, 0, NULL, NULL);
    launch(&host, axpy_kernel, COUNT, 0, 0, NULL, NULL); /* the same arguments again, with sizes left to the driver */
    print_floats(&host, name, y);
    TRY(clReleaseKernel(axpy_kernel));
    TRY(clReleaseMemObject(x));
    TRY(clReleaseMemObject(y));
    close_host(&host);
}

static void simple(void)
{
    axpy(CL_MEM_READ_ONLY, "simple");
}

static void hidden(void)
{
    axpy(CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS, "hidden");
}

static void mixed(void)
{
    struct host host = open_program(0);
    const cl_kernel mixed_kernel = kernel(&host, "mixed");
    const cl_char c = -3;
    const cl_ushort s = 65535;
    const cl_long l = -5000000000;
    const cl_double d = 0.1;
    const cl_float4 v = {{1.0f, 0.3f, -0.0f, 4.0f}};
    const cl_int3 w = {{1, -2, 3}};
    const struct {
        cl_int a;
        cl_float b;
    } p = {-7, 1.5f};
    cl_mem table = buffer(&host, CL_MEM_READ_ONLY, 4 * sizeof *numbers, numbers), out = buffer(&host, 0, sizeof numbers, NULL);
    give(mixed_kernel, 0, sizeof c, &c);
    give(mixed_kernel, 1, sizeof s, &s);
    give(mixed_kernel, 2, sizeof l, &l);
    give(mixed_kernel, 3, sizeof d, &d);
    give(mixed_kernel, 4, sizeof v, &v);
    give(mixed_kernel, 5, sizeof w, &w);
    give(mixed_kernel, 6, sizeof p, &p);
    give(mixed_kernel, 7, 32 * sizeof(float), NULL);
    give(mixed_kernel, 8, sizeof(cl_mem), NULL);
    give(mixed_kernel, 9, sizeof table, &table);
    give(mixed_kernel, 10, sizeof out, &out);
    launch(&host, mixed_kernel, COUNT, 32, 0, NULL, NULL);
    print_floats(&host, "mixed", out);
    close_host(&host);
}

static void set_step(cl_kernel step, cl_mem to, cl_mem from)
{
    give(step, 0, sizeof to, &to);
    give(step, 1, sizeof from, &from);
}

/* Halves of one buffer, at an offset of the global numbers. */
static void parts(void)
{
    struct host host = open_program(0);
    const cl_kernel step = kernel(&host, "advance");
    const size_t half = sizeof integers / 2, offset = 32, global = 64, local = 32;
    cl_int code;
    cl_mem whole = buffer(&host, 0, sizeof integers, integers), parts[2];
    for (size_t n = 0; n < 2; n++) {
        const cl_buffer_region region = {n * half, half};
        parts[n] = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
        TRY(code);
    }
    set_step(step, parts[1], parts[0]);
    TRY(clEnqueueNDRangeKernel(host.queue, step, 1, &offset, &global, &local, 0, NULL, NULL));
    print_ints(&host, "parts", whole);
    close_host(&host);
}

/* The host writes through a pointer between two launches. */
static void mapped(void)
{
    struct host host = open_program(0);
    const cl_kernel step = kernel(&host, "advance");
    cl_int code;
    cl_mem from = buffer(&host, CL_MEM_ALLOC_HOST_PTR, sizeof integers, NULL), to = buffer(&host, 0, sizeof integers, integers);
    set_step(step, to, from);
    for (int round = 0; round < 2; round++) {
        int *const bytes = clEnqueueMapBuffer(host.queue, from, CL_TRUE, CL_MAP_WRITE, 0, sizeof integers, 0, NULL, NULL, &code);
        TRY(code);
        for (int n = 0; n < COUNT; n++)
            bytes[n] = n + round;
        TRY(clEnqueueUnmapMemObject(host.queue, from, bytes, 0, NULL, NULL));
        launch(&host, step, COUNT, 64, 0, NULL, NULL);
    }
    print_ints(&host, "mapped", to);
    close_host(&host);
}

/* Launches in a chain of events, from one that the host sets when all are enqueued. */
static void unordered(void)
{
    struct host host = open_program(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const cl_kernel step = kernel(&host, "advance");
    cl_int code;
    cl_mem a = buffer(&host, 0, sizeof integers, integers), b = buffer(&host, 0, sizeof integers, NULL);
    cl_event events[5];
    events[0] = clCreateUserEvent(host.context, &code);
    TRY(code);
    for (int n = 0; n < 4; n++) {
        set_step(step, n % 2 ? a : b, n % 2 ? b : a);
        launch(&host, step, COUNT, 64, 1, &events[n], &events[n + 1]);
    }
    TRY(clSetUserEventStatus(events[0], CL_COMPLETE));
    TRY(clWaitForEvents(1, &events[4]));
    print_ints(&host, "unordered", a);
    close_host(&host);
}

static void step_once(struct host *host, const char *name)
{
    const cl_kernel step = kernel(host, "advance");
    cl_mem a = buffer(host, 0, sizeof integers, integers), b = buffer(host, 0, sizeof integers, NULL);
    set_step(step, b, a);
    launch(host, step, COUNT, 64, 0, NULL, NULL);
    print_ints(host, name, b);
}

static void contexts(void)
{
    struct host one = open_program(0), other = open_program(0);
    step_once(&one, "contexts");
    step_once(&other, "contexts");
    close_host(&one);
    close_host(&other);
}

/* Replaces the program by one from a caller's binary; false if the driver refuses it. */
static bool take_binary(struct host *host, const unsigned char *text, size_t bytes)
{
    const unsigned char *const texts[] = {text};
    const unsigned char **const all = (const unsigned char **)(uintptr_t)texts;
    cl_int code, state;
    const cl_program made = clCreateProgramWithBinary(host->context, 1, &host->device, &bytes, all, &state, &code);
    if (code == CL_INVALID_BINARY && state == CL_INVALID_BINARY && !made)
        return false;
    TRY(code);
    host->program = made;
    TRY(clBuildProgram(host->program, 1, &host->device, "", NULL, NULL));
    return true;
}

static unsigned char *own_binary(const struct host *host, size_t *bytes)
{
    TRY(clGetProgramInfo(host->program, CL_PROGRAM_BINARY_SIZES, sizeof *bytes, bytes, NULL));
    unsigned char *text = malloc(*bytes);
    TRY(clGetProgramInfo(host->program, CL_PROGRAM_BINARIES, sizeof text, &text, NULL));
    return text;
}

/* Like hashcat: rebuilds a compiled program from its binary. */
static void binary(void)
{
    struct host host = open_program(0);
    size_t bytes;
    unsigned char *const text = own_binary(&host, &bytes);
    if (!take_binary(&host, text, bytes))
        exit(1);
    free(text);
    step_once(&host, "binary");
    close_host(&host);
}

/* Like PyOpenCL: uses a binary of an earlier run, and the source if the driver refuses it. */
static void saved(void)
{
    static unsigned char text[1 << 24];
    static const char path[] = "saved.bin";
    struct host host = open_program(0);
    FILE *file = fopen(path, "rb");
    const size_t bytes = file ? fread(text, 1, sizeof text, file) : 0;
    if (file)
        fclose(file);
    const bool taken = bytes > 0 && take_binary(&host, text, bytes);
    step_once(&host, "saved");
    if (!taken) {
        size_t own;
        unsigned char *const made = own_binary(&host, &own);
        file = fopen(path, "wb");
        if (!file || fwrite(made, 1, own, file) != own || fclose(file) != 0)
            exit(1);
        free(made);
    }
    printf("saved from %s\n", taken ? "a binary" : "source");
    close_host(&host);
}

static cl_program compile(const struct host *host, const char *text, const char *name, cl_program header)
{
    cl_int code;
    const cl_program made = clCreateProgramWithSource(host->context, 1, &text, NULL, &code);
    TRY(code);
    TRY(clCompileProgram(made, 1, &host->device, "-D ADDED=5", name ? 1 : 0, name ? &header : NULL, name ? &name : NULL, NULL,
                         NULL));
    return made;
}

static void link(struct host *host, cl_uint count, const cl_program *parts)
{
    cl_int code;
    host->program = clLinkProgram(host->context, 1, &host->device, "", count, parts, NULL, NULL, &code);
    TRY(code);
}

/* Compiled and linked: from one part, from two, from one with a program as header. */
static void linked(void)
{
    static const char header[] = "#define UNUSED 1\n", other[] = "__kernel void other(__global int *p) { p[0] = 1; }\n";
    static char with_header[sizeof source + 32];
    struct host host = open_program(0);
    cl_int code;
    const char *text = header;
    cl_program parts[] = {compile(&host, source, NULL, NULL), compile(&host, other, NULL, NULL)};
    link(&host, 1, parts);
    step_once(&host, "linked");
    link(&host, 2, parts);
    step_once(&host, "linked of two");
    snprintf(with_header, sizeof with_header, "#include \"own.h\"\n%s", source);
    const cl_program own = clCreateProgramWithSource(host.context, 1, &text, NULL, &code);
    TRY(code);
    parts[0] = compile(&host, with_header, "own.h", own);
    link(&host, 1, parts);
    step_once(&host, "linked with a header");
    close_host(&host);
}

static void image(void)
{
    struct host host = open_program(0);
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const cl_image_desc about = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};
    const cl_kernel shade = kernel(&host, "shade");
    cl_int code;
    cl_mem picture = clCreateImage(host.context, CL_MEM_READ_ONLY, &format, &about, NULL, &code);
    TRY(code);
    cl_mem out = buffer(&host, 0, sizeof integers, NULL);
    give(shade, 0, sizeof picture, &picture);
    give(shade, 1, sizeof out, &out);
    launch(&host, shade, COUNT, 64, 0, NULL, NULL);
    print_ints(&host, "image", out);
    close_host(&host);
}

/* The kernel stores its buffer's address, which differs elsewhere. */
static void place(void)
{
    struct host host = open_program(0);
    const cl_kernel place_kernel = kernel(&host, "place");
    cl_mem out = buffer(&host, 0, sizeof integers, NULL);
    give(place_kernel, 0, sizeof out, &out);
    launch(&host, place_kernel, COUNT, 0, 0, NULL, NULL);
    print_ints(&host, "place", out);
    close_host(&host);
}

/* A kernel whose only argument is a buffer. */
static void alone(const char *name)
{
    struct host host = open_program(0);
    const cl_kernel only = kernel(&host, name);
    cl_mem out = buffer(&host, 0, sizeof pairs, pairs);
    give(only, 0, sizeof out, &out);
    launch(&host, only, COUNT, 64, 0, NULL, NULL);
    print_ints(&host, name, out);
    close_host(&host);
}

static void nearly(void)
{
    alone("nearly");
}

static void apart(void)
{
    alone("apart");
}

static void padded(void)
{
    alone("padded");
}

static void thirds(void)
{
    alone("thirds");
}

static void doubles(void)
{
    alone("doubles");
}

/* A kernel that writes an image of normalized bytes. */
static void paint(const char *name)
{
    struct host host = open_program(0);
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc about = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};
    const size_t start[3] = {0}, region[] = {8, 8, 1};
    const cl_kernel only = kernel(&host, name);
    unsigned char read[8 * 8 * 4];
    cl_int code;
    cl_mem picture = clCreateImage(host.context, CL_MEM_WRITE_ONLY, &format, &about, NULL, &code);
    TRY(code);
    give(only, 0, sizeof picture, &picture);
    launch(&host, only, COUNT, 64, 0, NULL, NULL);
    TRY(clEnqueueReadImage(host.queue, picture, CL_TRUE, start, region, 0, 0, read, 0, NULL, NULL));
    printf("%s %d\n", name, read[255]);
    close_host(&host);
}

static void tinted(void)
{
    paint("tinted");
}

static void dyed(void)
{
    paint("dyed");
}

/* A launch that waits for ever when the program ends. */
static void unfinished(void)
{
    struct host host = open_program(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const cl_kernel step = kernel(&host, "advance");
    cl_int code;
    cl_mem a = buffer(&host, 0, sizeof integers, integers), b = buffer(&host, 0, sizeof integers, NULL);
    cl_event never = clCreateUserEvent(host.context, &code);
    TRY(code);
    set_step(step, b, a);
    launch(&host, step, COUNT, 64, 1, &never, NULL);
    printf("unfinished\n");
    fflush(stdout);
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {{"simple", simple},         {"hidden", hidden},     {"mixed", mixed},   {"parts", parts},     {"mapped", mapped},
             {"unordered", unordered},   {"contexts", contexts}, {"binary", binary}, {"image", image},     {"place", place},
             {"unfinished", unfinished}, {"nearly", nearly},     {"apart", apart},   {"doubles", doubles}, {"padded", padded},
             {"thirds", thirds},         {"saved", saved},       {"linked", linked}, {"tinted", tinted},   {"dyed", dyed}};

int main(int argc, char **argv)
{
    for (int n = 0; n < COUNT; n++) {
        numbers[n] = 0.7f * (float)(n - 100);
        integers[n] = n * n - 50;
        pairs[n].a = n;
        pairs[n].b = (float)n;
    }
    for (int n = 1; n < argc; n++)
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
            if (strcmp(argv[n], cases[c].name) == 0)
                cases[c].run();
    return 0;
}
