/* Device and lane form selected by a request. */
#include <stdlib.h>
#include <string.h>

#include "test.h"

#include "engine/opencl/device.h"

static const struct ws_cl_device devices[] = {
    {.name = "pthread-Xeon", .platform_name = "Portable Computing Language", .cpu = true},
    {.name = "Old Card", .platform_name = "Vendor One", .gpu = true},
    {.name = "New Card", .platform_name = "Vendor Two", .gpu = true},
};

static const struct ws_cl_device *pick(size_t count, const char *wanted)
{
    struct ws_error error;
    return ws_device_pick(devices, count, wanted, &error);
}

TEST(without_wish_a_gpu_is_taken)
{
    assert_ptr_equal(pick(3, NULL), &devices[1]);
    assert_ptr_equal(pick(1, NULL), &devices[0]);
}

TEST(kinds_and_parts_of_names_choose)
{
    assert_ptr_equal(pick(3, "gpu"), &devices[1]);
    assert_ptr_equal(pick(3, "cpu"), &devices[0]);
    assert_ptr_equal(pick(3, "new"), &devices[2]);
    assert_ptr_equal(pick(3, "vendor two"), &devices[2]);
}

TEST(an_error_names_the_devices_there_are)
{
    struct ws_error error;
    assert_null(ws_device_pick(devices, 3, "H900", &error));
    assert_int_equal(error.status, WS_STATUS_no_device);
    assert_non_null(strstr(error.message, "'H900'"));
    for (size_t n = 0; n < 3; n++)
        assert_non_null(strstr(error.message, devices[n].name));
    assert_null(ws_device_pick(devices, 1, "gpu", &error));
    assert_null(ws_device_pick(devices, 0, NULL, &error));
    assert_int_equal(error.status, WS_STATUS_no_device);
}

/* /proc cannot be written by root either. */
TEST(without_a_device_the_cure_is_named)
{
    static const struct {
        const char *own, *cache, *home, *words;
    } cases[] = {{NULL, NULL, "/proc", "its cache /proc/.cache/pocl cannot be written. Set POCL_CACHE_DIR or HOME"},
                 {NULL, "/proc/x", "/tmp", "its cache /proc/x/pocl cannot be written"},
                 {"/proc/own", "/tmp", "/tmp", "its cache /proc/own cannot be written"},
                 {"/tmp", "/proc", "/proc", "Install a driver"},
                 {NULL, NULL, NULL, "Install a driver"}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const char *const values[] = {cases[n].own, cases[n].cache, cases[n].home};
        static const char *const names[] = {"POCL_CACHE_DIR", "XDG_CACHE_HOME", "HOME"};
        struct ws_error error;
        for (size_t name = 0; name < sizeof names / sizeof *names; name++)
            if (values[name])
                setenv(names[name], values[name], 1);
            else
                unsetenv(names[name]);
        assert_null(ws_device_pick(devices, 0, "gpu", &error));
        if (!strstr(error.message, cases[n].words))
            fail_msg("%s lacks '%s'", error.message, cases[n].words);
    }
}

static void expect_forms(const struct ws_cl_device *device, const char *wanted, const char *expected)
{
    const struct ws_lane_form *forms[WS_LANE_FORMS];
    struct ws_error error;
    char found[100] = "";
    const u32 count = ws_lane_forms_pick(device, wanted, forms, &error);
    for (u32 n = 0; n < count; n++) {
        strcat(found, n ? " " : "");
        strcat(found, forms[n]->name);
    }
    assert_string_equal(found, expected);
}

TEST(lane_forms_suit_the_device_best_first)
{
    const struct ws_cl_device nvidia = {.gpu = true, .nvidia = true, .language = "CL3.0"},
                              grouping = {.gpu = true, .sub_groups = true, .language = "CL3.0"},
                              processor = {.cpu = true, .sub_groups = true, .nvidia = true, .language = "CL1.2"};
    expect_forms(&nvidia, NULL, "ptx group");
    expect_forms(&grouping, NULL, "subgroup group");
    expect_forms(&devices[1], NULL, "group");
    expect_forms(&processor, NULL, "loop");
}

TEST(a_wish_is_the_only_lane_form)
{
    const struct ws_lane_form *forms[WS_LANE_FORMS];
    struct ws_error error;
    expect_forms(&devices[0], "group", "group");
    expect_forms(&devices[0], "ptx", "ptx");
    assert_int_equal(ws_lane_forms_pick(&devices[0], "warp", forms, &error), 0);
    assert_int_equal(error.status, WS_STATUS_usage);
    for (u32 n = 0; n < WS_LANE_FORMS; n++)
        assert_non_null(strstr(error.message, ws_lane_forms()[n].name));
}

/* Only sub-groups are beyond OpenCL C 1.2. */
TEST(each_form_has_its_language)
{
    const struct ws_cl_device device = {.language = "CL3.0"};
    for (u32 n = 0; n < WS_LANE_FORMS; n++)
        assert_string_equal(ws_lane_forms()[n].language(&device), n == WS_LANE_FORM_subgroup ? "CL3.0" : "CL1.2");
}

/* Of 65,536 registers and 100 KB, as on an SM of NVIDIA's. */
TEST(a_compute_unit_has_room_for_so_many_groups)
{
    const struct ws_cl_device known = {.register_file = 65536, .local_memory = 102400}, unknown = {.local_memory = 102400};
    assert_int_equal(ws_device_groups(&known, 64, 1056), 32);
    assert_int_equal(ws_device_groups(&known, 65, 1056), 28);
    assert_int_equal(ws_device_groups(&known, 96, 1056), 20);
    assert_int_equal(ws_device_groups(&known, 255, 1056), 8);
    assert_int_equal(ws_device_groups(&known, 64, 10240), 10);
    assert_int_equal(ws_device_groups(&known, 255, 102401), 1);
    assert_int_equal(ws_device_groups(&known, 0, 0), 32);
    assert_int_equal(ws_device_groups(&unknown, 255, 1056), 32);
}
