/* The register limit, on a device that claims to be a GPU of NVIDIA's. It is PoCL's: the wrapped build drops the limit, and may
 * refuse it. */
#include <stdio.h>
#include <string.h>

#include "engine/engine_ops.h"
#include "engine/opencl/opencl.h"
#include "test.h"

enum {
    REFUSED = -43, /* CL_INVALID_BUILD_OPTIONS */
    PLATFORM_NAME = 0x0902,
    BUILD_LOG = 0x1183,
    DEVICE_TYPE = 0x1000,
    LOCAL_MEMORY = 0x1023,
    EXTENSIONS = 0x1030,
    REGISTER_FILE = 0x4002,
    GPU = 4
};

static struct {
    char options[400];   /* of the last build */
    uint32_t limit;      /* of the last build that had one */
    const char *refused; /* part of the options that the compiler refuses */
    const char *log;     /* what it says */
} driver;

int32_t __wrap_clGetPlatformInfo(void *platform, uint32_t what, size_t room, void *value, size_t *length);
int32_t __real_clGetPlatformInfo(void *platform, uint32_t what, size_t room, void *value, size_t *length);
int32_t __wrap_clGetDeviceInfo(void *device, uint32_t what, size_t room, void *value, size_t *length);
int32_t __real_clGetDeviceInfo(void *device, uint32_t what, size_t room, void *value, size_t *length);
int32_t __wrap_clBuildProgram(void *program, uint32_t devices, const void *list, const char *options, void *notify, void *data);
int32_t __real_clBuildProgram(void *program, uint32_t devices, const void *list, const char *options, void *notify, void *data);
int32_t __wrap_clGetProgramBuildInfo(void *program, void *device, uint32_t what, size_t room, void *value, size_t *length);
int32_t __real_clGetProgramBuildInfo(void *program, void *device, uint32_t what, size_t room, void *value, size_t *length);

int32_t __wrap_clGetPlatformInfo(void *platform, uint32_t what, size_t room, void *value, size_t *length)
{
    if (what != PLATFORM_NAME)
        return __real_clGetPlatformInfo(platform, what, room, value, length);
    snprintf(value, room, "NVIDIA, as it were");
    return 0;
}

int32_t __wrap_clGetDeviceInfo(void *device, uint32_t what, size_t room, void *value, size_t *length)
{
    static const char extensions[] = "cl_nv_device_attribute_query";
    const uint64_t number = what == DEVICE_TYPE ? GPU : what == LOCAL_MEMORY ? 1 << 30 : what == REGISTER_FILE ? 65536 : 0;
    if (what == EXTENSIONS && length)
        *length = sizeof extensions;
    if (number || (what == EXTENSIONS && value))
        memcpy(value, number ? (const void *)&number : extensions, room);
    return number || what == EXTENSIONS ? 0 : __real_clGetDeviceInfo(device, what, room, value, length);
}

int32_t __wrap_clBuildProgram(void *program, uint32_t devices, const void *list, const char *options, void *notify, void *data)
{
    char rest[sizeof driver.options];
    snprintf(driver.options, sizeof driver.options, "%s", options);
    snprintf(rest, sizeof rest, "%s", options);
    char *const limit = strstr(rest, " -cl-nv-");
    if (limit) {
        sscanf(limit, " -cl-nv-maxrregcount=%u", &driver.limit);
        *limit = '\0';
    }
    if (driver.refused && strstr(options, driver.refused))
        return REFUSED;
    return __real_clBuildProgram(program, devices, list, rest, notify, data);
}

int32_t __wrap_clGetProgramBuildInfo(void *program, void *device, uint32_t what, size_t room, void *value, size_t *length)
{
    if (what != BUILD_LOG || !driver.log)
        return __real_clGetProgramBuildInfo(program, device, what, room, value, length);
    if (length)
        *length = strlen(driver.log) + 1;
    if (value)
        snprintf(value, room, "%s", driver.log);
    return 0;
}

static int heal(void **state)
{
    (void)state;
    memset(&driver, 0, sizeof driver);
    return 0;
}

static struct ws_opencl *open_limited(u32 registers)
{
    const struct ws_engine_options options = {WS_STRUCT(engine_options), .engine = "opencl", .device = "gpu", .lane_form = "loop",
                                              .registers = registers};
    void *opened;
    EXPECT_OK(ws_engine_opencl.open(&options, &opened, &error));
    return opened;
}

/* For a requested limit (0: none), the compiler must have received it, and the engine must run the matching number of simulations
 * per compute unit. The message mentions a limit that applies to all its programs. */
static void expect(u32 wanted, u32 limit, u32 groups)
{
    struct ws_opencl *const opencl = open_limited(wanted);
    char option[60], said[60];
    snprintf(option, sizeof option, " -cl-nv-maxrregcount=%u -cl-nv-verbose", limit);
    snprintf(said, sizeof said, "lanes as loop, at most %u registers", limit);
    assert_int_equal(opencl->programs[0].registers, limit);
    assert_int_equal(strstr(driver.options, option) != NULL, limit != 0);
    assert_int_equal(strstr(driver.options, "-cl-nv-") != NULL, limit != 0);
    assert_int_equal(strstr(opencl->about, said) != NULL, wanted && limit);
    assert_int_equal(strstr(opencl->about, "registers") != NULL, wanted && limit);
    assert_int_equal(ws_engine_opencl.at_once(opencl), opencl->device.cores * groups);
    const struct ws_device_program crowded = {.groups = 2 * groups};
    assert_int_equal(ws_opencl_limits(opencl, &crowded).at_once, opencl->device.cores * 2 * groups);
    assert_int_equal(ws_opencl_limits(opencl, &crowded).slots, 2 * ws_opencl_limits(opencl, &opencl->programs[0]).slots);
    ws_engine_opencl.close(opencl);
}

TEST_WITH(the_compiler_is_told_the_standard_or_what_is_wanted, heal, NULL)
{
    expect(0, 80, 24);
    expect(64, 64, 32);
    expect(96, 96, 20);
    expect(128, 128, 16);
    expect(255, 255, 8);
}

/* The limit for programs of another pipeline; not whether it is used. */
static void expect_of_scoreboard(u32 wanted, u32 limit)
{
    struct ws_opencl *const opencl = open_limited(wanted);
    struct ws_error error;
    u32 variant = 0;
    while (ws_tuples()[variant].pipeline != WS_pipeline_scoreboard)
        variant++;
    driver.refused = "WS_PIPELINE_scoreboard";
    assert_int_equal(ws_opencl_compile(opencl, variant, &error), WS_STATUS_compiler);
    assert_int_equal(driver.limit, limit);
    driver.refused = NULL;
    ws_engine_opencl.close(opencl);
}

TEST_WITH(each_pipeline_has_its_standard, heal, NULL)
{
    expect_of_scoreboard(0, 128);
    expect_of_scoreboard(96, 96);
}

/* Another kernel of the program uses another number. */
TEST_WITH(registers_that_are_not_taken_make_room, heal, NULL)
{
    driver.log =
        "ptxas info    : Compiling entry function 'sm_layout' for 'sm_90'\nptxas info    : Used 8 registers\n"
        "ptxas info    : Compiling entry function 'sm_quantum' for 'sm_90'\nptxas info    : Function properties for sm_quantum\n"
        "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
        "ptxas info    : Used 110 registers, used 0 barriers, 1056 bytes smem\n";
    expect(255, 255, 16);
    driver.log = "ptxas info    : Compiling entry function 'sm_quantum' for 'sm_90'\n";
    expect(255, 255, 8);
}

/* With an empty cache and a full one. */
TEST_WITH(a_compiler_that_takes_no_limit_builds_without_one, heal, NULL)
{
    driver.refused = "-cl-nv-";
    for (int round = 0; round < 2; round++) {
        expect(0, 0, 32);
        expect(128, 0, 32);
    }
}

/* A result under one limit does not apply to another. */
TEST_WITH(each_limit_has_its_key, heal, NULL)
{
    struct ws_opencl *const one = open_limited(72), *const other = open_limited(80);
    assert_memory_not_equal(&one->programs[0].key, &other->programs[0].key, sizeof one->programs[0].key);
    ws_engine_opencl.close(one);
    ws_engine_opencl.close(other);
}
