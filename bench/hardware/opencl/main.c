/* Measures kernels of one work-group by the clock of the SM on an NVIDIA GPU and prints a CSV. See --help. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdbool.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "kernels.h"

enum { RUNS = 7, NVIDIA = 0x10de, MAJOR = 0x4000, MINOR = 0x4001, MOST_THREADS = 1024, MOST_DEVICES = 16 };

struct machine {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_mem clocks, sink;
    char name[256], driver[128];
    unsigned capability; /* 90 for sm_90; 0 for a device without a clock */
};

/* What a kernel took. cycles < 0: it did not build or run. */
struct measurement {
    double cycles, spread;
    char ptx[20], cubin[20]; /* digests */
};

static int fail(const char *what, const char *detail)
{
    fprintf(stderr, "bench_hardware: %s%s%s\n", what, *detail ? ": " : "", detail);
    return 1;
}

/* ---- The device ---- */

static bool is_nvidia(cl_device_id device)
{
    cl_uint vendor = 0;
    return clGetDeviceInfo(device, CL_DEVICE_VENDOR_ID, sizeof vendor, &vendor, NULL) == CL_SUCCESS && vendor == NVIDIA;
}

/* The first NVIDIA device of any platform; with any the first device if there is none. */
static cl_device_id find_device(bool any)
{
    cl_platform_id platforms[MOST_DEVICES];
    cl_uint platform_count = 0;
    cl_device_id first = NULL;
    if (clGetPlatformIDs(MOST_DEVICES, platforms, &platform_count) != CL_SUCCESS)
        return NULL;
    for (cl_uint p = 0; p < platform_count && p < MOST_DEVICES; p++) {
        cl_device_id devices[MOST_DEVICES];
        cl_uint count = 0;
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MOST_DEVICES, devices, &count) != CL_SUCCESS)
            continue;
        for (cl_uint n = 0; n < count && n < MOST_DEVICES; n++) {
            if (is_nvidia(devices[n]))
                return devices[n];
            first = first ? first : devices[n];
        }
    }
    return any ? first : NULL;
}

static bool open_machine(struct machine *machine)
{
    cl_uint major = 0, minor = 0;
    cl_int code = CL_SUCCESS;
    clGetDeviceInfo(machine->device, CL_DEVICE_NAME, sizeof machine->name, machine->name, NULL);
    clGetDeviceInfo(machine->device, CL_DRIVER_VERSION, sizeof machine->driver, machine->driver, NULL);
    if (is_nvidia(machine->device)) {
        clGetDeviceInfo(machine->device, MAJOR, sizeof major, &major, NULL);
        clGetDeviceInfo(machine->device, MINOR, sizeof minor, &minor, NULL);
        machine->capability = 10 * major + minor;
    }
    machine->context = clCreateContext(NULL, 1, &machine->device, NULL, NULL, &code);
    if (code != CL_SUCCESS)
        return false;
    machine->queue = clCreateCommandQueue(machine->context, machine->device, 0, &code);
    if (code == CL_SUCCESS)
        machine->clocks = clCreateBuffer(machine->context, CL_MEM_READ_WRITE, 2 * MOST_THREADS * sizeof(cl_ulong), NULL, &code);
    if (code == CL_SUCCESS)
        machine->sink = clCreateBuffer(machine->context, CL_MEM_READ_WRITE, MOST_THREADS * sizeof(cl_uint), NULL, &code);
    return code == CL_SUCCESS;
}

/* ---- Digests ---- */

static void digest(char *text, const void *bytes, size_t length)
{
    snprintf(text, 20, "%016llx", (unsigned long long)XXH3_64bits(bytes, length));
}

/* Digest of what the ptxas in PATH makes of the PTX; none without ptxas. */
static void digest_cubin(const struct machine *machine, const char *ptx, size_t length, char *text)
{
    char in[] = "/tmp/bench_hardware-XXXXXX", out[sizeof in + 8], command[200];
    static char bytes[1 << 20];
    const int descriptor = mkstemp(in);
    FILE *const stream = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (!stream)
        return;
    length = strnlen(ptx, length); /* a driver may count the zero at the end */
    const bool written = fwrite(ptx, 1, length, stream) == length;
    snprintf(out, sizeof out, "%s.cubin", in);
    snprintf(command, sizeof command, "ptxas -arch=sm_%u %s -o %s >/dev/null 2>&1", machine->capability, in, out);
    if (fclose(stream) == 0 && written && system(command) == 0) {
        FILE *const cubin = fopen(out, "rb");
        if (cubin) {
            digest(text, bytes, fread(bytes, 1, sizeof bytes, cubin));
            fclose(cubin);
        }
    }
    unlink(in);
    unlink(out);
}

/* NVIDIA's driver gives the PTX as the binary of a program. */
static void digest_program(const struct machine *machine, cl_program program, struct measurement *found)
{
    size_t length = 0;
    if (machine->capability == 0 || clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof length, &length, NULL) != CL_SUCCESS)
        return;
    char *ptx = calloc(1, length + 1);
    if (ptx && clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof ptx, &ptx, NULL) == CL_SUCCESS) {
        digest(found->ptx, ptx, strnlen(ptx, length));
        digest_cubin(machine, ptx, length, found->cubin);
    }
    free(ptx);
}

/* ---- Measuring ---- */

static int by_size(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

/* One launch: cycles from the first start to the last stop of the work-group. */
static bool launch(const struct machine *machine, cl_kernel kernel, const struct kernel_row *row, double *cycles)
{
    static cl_ulong clocks[2 * MOST_THREADS];
    const size_t threads = row->threads;
    if (clEnqueueNDRangeKernel(machine->queue, kernel, 1, NULL, &threads, &threads, 0, NULL, NULL) != CL_SUCCESS ||
        clEnqueueReadBuffer(machine->queue, machine->clocks, CL_TRUE, 0, 2 * threads * sizeof *clocks, clocks, 0, NULL, NULL) !=
            CL_SUCCESS)
        return false;
    cl_ulong first = clocks[0], last = clocks[1];
    for (size_t n = 1; n < threads; n++) {
        first = clocks[2 * n] < first ? clocks[2 * n] : first;
        last = clocks[2 * n + 1] > last ? clocks[2 * n + 1] : last;
    }
    *cycles = (double)(last - first);
    return true;
}

static bool set_arguments(const struct machine *machine, cl_kernel kernel, cl_mem data)
{
    const cl_uint turns = KERNEL_TURNS, one = 1, zero = 0;
    return clSetKernelArg(kernel, 0, sizeof machine->clocks, &machine->clocks) == CL_SUCCESS &&
           clSetKernelArg(kernel, 1, sizeof machine->sink, &machine->sink) == CL_SUCCESS &&
           clSetKernelArg(kernel, 2, sizeof data, &data) == CL_SUCCESS &&
           clSetKernelArg(kernel, 3, sizeof turns, &turns) == CL_SUCCESS &&
           clSetKernelArg(kernel, 4, sizeof one, &one) == CL_SUCCESS && clSetKernelArg(kernel, 5, sizeof zero, &zero) == CL_SUCCESS;
}

/* The median of several launches after one that warms up, and the difference of the largest and the least. */
static void measure(const struct machine *machine, cl_program program, const struct kernel_row *row, struct measurement *found)
{
    double cycles[RUNS + 1];
    cl_int code = CL_SUCCESS, no_data = CL_SUCCESS;
    const cl_kernel kernel = clCreateKernel(program, "kernel_under_test", &code);
    const cl_mem data = clCreateBuffer(machine->context, CL_MEM_READ_WRITE, row->bytes, NULL, &no_data);
    bool done = code == CL_SUCCESS && no_data == CL_SUCCESS && set_arguments(machine, kernel, data);
    for (size_t n = 0; done && n < RUNS + 1; n++)
        done = launch(machine, kernel, row, &cycles[n]);
    if (done) {
        qsort(cycles + 1, RUNS, sizeof *cycles, by_size);
        found->cycles = cycles[1 + RUNS / 2];
        found->spread = cycles[RUNS] - cycles[1];
    }
    if (no_data == CL_SUCCESS)
        clReleaseMemObject(data);
    if (code == CL_SUCCESS)
        clReleaseKernel(kernel);
}

static struct measurement build_and_measure(const struct machine *machine, const struct kernel_row *row)
{
    struct measurement found = {.cycles = -1};
    const char *source = row->source;
    cl_int code = CL_SUCCESS;
    const cl_program program = clCreateProgramWithSource(machine->context, 1, &source, NULL, &code);
    if (code != CL_SUCCESS)
        return found;
    if (clBuildProgram(program, 1, &machine->device, machine->capability ? "-DCLOCK" : "", NULL, NULL) == CL_SUCCESS) {
        digest_program(machine, program, &found);
        measure(machine, program, row, &found);
    } else {
        static char log[4096];
        clGetProgramBuildInfo(program, machine->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        fprintf(stderr, "bench_hardware: %s does not build: %s\n", row->name, log);
    }
    clReleaseProgram(program);
    return found;
}

/* ---- The program ---- */

static void print_row(const struct machine *machine, const struct kernel_row *row, const struct measurement *found)
{
    printf("\"%s\",\"%s\",%u,%s,%u,%u,%u,%s,%s,", machine->name, machine->driver, machine->capability, row->name, row->threads,
           row->operations, KERNEL_TURNS, found->ptx, found->cubin);
    if (found->cycles >= 0 && machine->capability)
        printf("%.0f,%.0f\n", found->cycles, found->spread);
    else
        printf(",\n");
    fflush(stdout);
}

static int usage(const char *program)
{
    printf("Usage: %s [--any] [--list] [PATTERN]\n"
           "Measures kernels of one work-group by the clock of the SM on the first NVIDIA GPU of OpenCL, and prints a CSV: the "
           "median of %d\n"
           "launches and the difference of the largest and the least. PATTERN selects kernels, as file names in a shell.\n"
           "  --any   without such a GPU, execute the kernels on another device; cycles stay empty\n"
           "  --list  print the names of the kernels and exit\n"
           "With ptxas in PATH, cubin is the digest of what it makes of the driver's PTX.\n",
           program, RUNS);
    return 0;
}

static int measure_all(struct machine *machine, const struct kernel_row *rows, size_t count, const char *pattern)
{
    size_t failures = 0, done = 0;
    if (machine->capability == 0)
        fprintf(stderr, "bench_hardware: %s is no NVIDIA GPU and has no clock that a kernel can read: cycles stay empty\n",
                machine->name);
    printf("device,driver,capability,kernel,threads,operations,turns,ptx,cubin,cycles,spread\n");
    for (size_t n = 0; n < count; n++) {
        if (fnmatch(pattern, rows[n].name, 0) != 0)
            continue;
        const struct measurement found = build_and_measure(machine, &rows[n]);
        done++;
        failures += found.cycles < 0;
        print_row(machine, &rows[n], &found);
    }
    fprintf(stderr, "bench_hardware: %zu kernels, %zu of them did not build or run\n", done, failures);
    return done == 0 ? fail("no kernel has such a name; --list shows all", pattern) : failures == done;
}

int main(int argc, char **argv)
{
    bool any = false, list = false;
    const char *pattern = "*";
    size_t count;
    for (int n = 1; n < argc; n++) {
        if (strcmp(argv[n], "--help") == 0)
            return usage(argv[0]);
        any = any || strcmp(argv[n], "--any") == 0;
        list = list || strcmp(argv[n], "--list") == 0;
        if (argv[n][0] != '-')
            pattern = argv[n];
        else if (strcmp(argv[n], "--any") != 0 && strcmp(argv[n], "--list") != 0)
            return fail("found an unknown option; --help shows those that are known", argv[n]);
    }
    struct kernel_row *const rows = kernels_make(&count);
    struct machine machine = {.device = list ? NULL : find_device(any)};
    int code = 0;
    if (!rows)
        return fail("out of memory", "");
    for (size_t n = 0; list && n < count; n++)
        puts(rows[n].name);
    if (!list && !machine.device)
        code = fail("no NVIDIA GPU is visible to OpenCL, so there is no clock to read; --any executes the kernels without one", "");
    else if (!list)
        code =
            open_machine(&machine) ? measure_all(&machine, rows, count, pattern) : fail("the device cannot be used", machine.name);
    kernels_free(rows, count);
    return code;
}
