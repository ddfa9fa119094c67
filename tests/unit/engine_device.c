/* Which device and which lane form a request gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "engine/device.h"

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

static void without_wish_a_gpu_is_taken(void **state)
{
    (void)state;
    assert_ptr_equal(pick(3, NULL), &devices[1]);
    assert_ptr_equal(pick(1, NULL), &devices[0]);
}

static void kinds_and_parts_of_names_choose(void **state)
{
    (void)state;
    assert_ptr_equal(pick(3, "gpu"), &devices[1]);
    assert_ptr_equal(pick(3, "cpu"), &devices[0]);
    assert_ptr_equal(pick(3, "new"), &devices[2]);
    assert_ptr_equal(pick(3, "vendor two"), &devices[2]);
}

static void an_error_names_the_devices_there_are(void **state)
{
    struct ws_error error;
    (void)state;
    assert_null(ws_device_pick(devices, 3, "H900", &error));
    assert_int_equal(error.status, WS_STATUS_no_device);
    assert_non_null(strstr(error.message, "'H900'"));
    for (size_t n = 0; n < 3; n++)
        assert_non_null(strstr(error.message, devices[n].name));
    assert_null(ws_device_pick(devices, 1, "gpu", &error));
    assert_null(ws_device_pick(devices, 0, NULL, &error));
    assert_int_equal(error.status, WS_STATUS_no_device);
}

static void lane_forms_suit_the_device_or_the_wish(void **state)
{
    struct ws_error error;
    (void)state;
    assert_string_equal(ws_lane_form_pick(&devices[0], NULL, &error)->name, "loop");
    assert_string_equal(ws_lane_form_pick(&devices[1], NULL, &error)->name, "group");
    assert_int_equal(ws_lane_form_pick(&devices[0], "group", &error)->work_items, 32);
    assert_null(ws_lane_form_pick(&devices[0], "warp", &error));
    assert_int_equal(error.status, WS_STATUS_usage);
    assert_non_null(strstr(error.message, "loop, group"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_wish_a_gpu_is_taken),
        cmocka_unit_test(kinds_and_parts_of_names_choose),
        cmocka_unit_test(an_error_names_the_devices_there_are),
        cmocka_unit_test(lane_forms_suit_the_device_or_the_wish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
