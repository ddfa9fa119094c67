/* Selection of a device's lane form; no form is trusted because it compiles. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine_ops.h"
#include "engine/opencl/opencl.h"
#include "engine/opencl/selftest/synthetic.h"
#include "engine/opencl/selftest/cached.h"
#include "test.h"

static struct ws_opencl *open_with_forms(u32 best, u32 next)
{
    const struct ws_engine_options options = {WS_STRUCT(engine_options), .engine = "opencl", .device = "cpu"};
    void *opened;
    EXPECT_OK(ws_engine_opencl.open(&options, &opened, &error));
    struct ws_opencl *const opencl = opened;
    opencl->forms[0] = &ws_lane_forms()[best];
    opencl->forms[1] = &ws_lane_forms()[next];
    opencl->form_count = 2;
    return opencl;
}

/* This device's compiler ignores or misassembles PTX: only the self-test detects it. */
TEST(ptx_is_refused_where_it_is_not_understood)
{
    const struct ws_engine_options options = {WS_STRUCT(engine_options), .engine = "opencl", .device = "cpu", .lane_form = "ptx"};
    const struct ws_synthetic description = {.seed = 1, .blocks = 1, .block_threads = 32, .loops = 1};
    struct ws_image *const image = ws_synthetic_new(&description);
    struct ws_machine machine;
    const struct ws_job_spec job = {.machine = &machine, .image = image};
    struct ws_job_result result;
    struct ws_engine *engine;
    assert_non_null(image);
    ws_machine_defaults(&machine);
    EXPECT_OK(ws_engine_open(&options, &engine, &error));
    for (int round = 0; round < 2; round++) { /* a cached result does not count as trust */
        EXPECT_OK(ws_engine_run(engine, &job, 1, &result, NULL, &error));
        assert_int_equal(result.status, WS_STATUS_mismatch);
        assert_non_null(strstr(ws_job_reason(&result), "lanes as ptx: self-test of 'barrel pdom rr block': collective "));
        assert_non_null(strstr(ws_job_reason(&result), ", expected "));
        ws_job_result_free(&result);
    }
    ws_engine_close(engine);
    ws_synthetic_free(image);
}

/* A form that miscounts, or does not compile, is replaced by the next. */
TEST(the_next_form_is_taken_where_one_fails)
{
    static const u32 bad[] = {WS_LANE_FORM_ptx, WS_LANE_FORM_subgroup};
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        struct ws_opencl *const opencl = open_with_forms(bad[n], WS_LANE_FORM_loop);
        struct ws_error error = {.message = ""};
        assert_int_equal(ws_opencl_compile(opencl, 0, &error), WS_STATUS_ok);
        assert_string_equal(opencl->programs[0].form->name, "loop");
        assert_non_null(strstr(opencl->about, "lanes as loop"));
        ws_engine_opencl.close(opencl);
    }
}

TEST(the_message_has_what_was_wrong_with_every_form)
{
    struct ws_opencl *const opencl = open_with_forms(WS_LANE_FORM_subgroup, WS_LANE_FORM_ptx);
    struct ws_error error = {.message = ""};
    assert_int_equal(ws_opencl_compile(opencl, 0, &error), WS_STATUS_mismatch);
    assert_non_null(strstr(error.message, "lanes as subgroup: building "));
    assert_non_null(strstr(error.message, "; lanes as ptx: self-test "));
    ws_engine_opencl.close(opencl);
}

/* As `list devices` prints it: nothing for an unused device; the failure of a better form next to the one in use. */
TEST(verdicts_are_told)
{
    struct ws_opencl *const opencl = open_with_forms(WS_LANE_FORM_ptx, WS_LANE_FORM_loop);
    struct ws_text text = {0};
    struct ws_cl_device unseen = opencl->device;
    char expected[200];
    snprintf(unseen.driver, sizeof unseen.driver, "never seen");
    ws_cached_results_add(&unseen, &text);
    assert_string_equal(text.data, "lanes as loop (a CPU: one work-item loops over them), not tested yet");
    ws_text_free(&text);
    EXPECT_OK(ws_opencl_compile(opencl, 0, &error));
    ws_cached_results_add_forms(&opencl->device, opencl->forms, 2, &text);
    assert_ptr_equal(strstr(text.data, "ptx fails for "), text.data);
    snprintf(expected, sizeof expected, " of %u variants (self-test of '%s': collective ", WS_VARIANTS, ws_tuples()[0].name);
    assert_non_null(strstr(text.data, expected));
    assert_non_null(strstr(text.data, "); lanes as loop (a CPU"));
    assert_non_null(strstr(text.data, "), tested for "));
    ws_text_free(&text);
    ws_engine_opencl.close(opencl);
}

/* Its earlier failure stays recorded. */
TEST(a_trusted_device_is_not_tested)
{
    const struct ws_engine_options options = {WS_STRUCT(engine_options), .engine = "opencl", .device = "cpu", .lane_form = "ptx",
                                              .trust_device = true};
    void *opened;
    char *reason;
    EXPECT_OK(ws_engine_opencl.open(&options, &opened, &error));
    struct ws_opencl *const opencl = opened;
    EXPECT_OK(ws_opencl_compile(opencl, 0, &error));
    assert_false(opencl->programs[0].tested);
    assert_int_equal(ws_device_program_cached_result(opencl->programs[0].key, &reason), WS_SELF_TEST_failed);
    assert_non_null(strstr(reason, "collective "));
    free(reason);
    ws_engine_opencl.close(opencl);
}
