#include "engine/opencl/selftest/cached.h"

#include <stdlib.h>

#include "engine/opencl/program.h"
#include "engine/opencl/selftest/selftest.h"
#include "engine/opencl/selftest/process.h"
#include "engine/variant.h"

/* Cached self-test results of all variants in one lane form. */
struct tally {
    u32 passed, failed;
    char *reason; /* of the first failure */
};

static void look_up(const struct ws_cl_device *device, const struct ws_lane_form *form, u32 variant, const char *digest,
                    struct tally *tally)
{
    char *reason;
    const enum ws_self_test_result result =
        ws_device_program_cached_result(ws_device_program_key(device, form, variant, "", digest), &reason);
    tally->passed += result == WS_SELF_TEST_passed;
    tally->failed += result == WS_SELF_TEST_failed;
    if (tally->reason)
        free(reason);
    else
        tally->reason = reason;
}

/* Describes what is known of a form; returns whether it would be used. */
static bool say(const struct ws_lane_form *form, const struct tally *tally, struct ws_text *text)
{
    if (tally->failed > 0)
        ws_text_add(text, "%s fails for %u of %u variants (%s); ", form->name, tally->failed, WS_VARIANTS, tally->reason);
    if (tally->failed > 0 && tally->passed == 0)
        return false;
    if (tally->passed > 0)
        ws_text_add(text, "lanes as %s (%s), tested for %u of %u variants", form->name, form->why, tally->passed, WS_VARIANTS);
    else
        ws_text_add(text, "lanes as %s (%s), not tested yet", form->name, form->why);
    return true;
}

void ws_cached_results_add_forms(const struct ws_cl_device *device, const struct ws_lane_form *const *forms, u32 count,
                                 struct ws_text *text)
{
    struct tally tallies[WS_LANE_FORMS] = {{0}};
    for (u32 variant = 0; variant < WS_VARIANTS; variant++) {
        struct ws_selftest test;
        char digest[17];
        if (ws_selftest_open(&test, variant, NULL, NULL) == WS_STATUS_ok) {
            ws_selftest_digest(&test, digest);
            for (u32 n = 0; n < count; n++)
                look_up(device, forms[n], variant, digest, &tallies[n]);
        }
        ws_selftest_close(&test);
    }
    u32 used = 0;
    while (used < count && !say(forms[used], &tallies[used], text))
        used++;
    if (used == count)
        ws_text_add(text, "no lane form passes");
    for (u32 n = 0; n < count; n++)
        free(tallies[n].reason);
}

void ws_cached_results_add(const struct ws_cl_device *device, struct ws_text *text)
{
    const struct ws_lane_form *forms[WS_LANE_FORMS];
    char *reason;
    if (ws_device_program_cached_result(ws_self_test_key(device, ws_lane_forms(), WS_SELF_TEST_open), &reason) ==
        WS_SELF_TEST_failed)
        ws_text_add(text, "%s; ", reason);
    free(reason);
    ws_cached_results_add_forms(device, forms, ws_lane_forms_pick(device, NULL, forms, NULL), text);
}
