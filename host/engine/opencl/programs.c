/* Programs of variants: general ones, in the first lane form that works, and specialized ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "engine/opencl/opencl.h"
#include "engine/opencl/selftest/selftest.h"
#include "engine/opencl/selftest/process.h"

#define POLL_SECONDS 0.05

static bool refused_before(struct ws_binary_key key)
{
    char *reason;
    const bool refused = ws_device_program_cached_result(key, &reason) == WS_SELF_TEST_failed;
    free(reason);
    return refused;
}

/* A program is used after it has reproduced known counters; the result is cached. */
static enum ws_status prove(struct ws_opencl *opencl, struct ws_selftest *test, struct ws_device_program *program,
                            struct ws_error *error)
{
    if (!program->tested && !opencl->trust) {
        WS_TRY(ws_selftest_expect(test, error));
        const enum ws_status status = ws_selftest_run(test, opencl->cl, program, &opencl->limits, error);
        if (status == WS_STATUS_mismatch)
            ws_device_program_refuse(program->key, error->message);
        if (status != WS_STATUS_ok)
            return status;
        program->tested = true;
        program->cached = false;
    }
    if (!program->cached &&
        (program->tested || !refused_before(program->key))) /* a trusted device does not undo a failed self-test */
        ws_device_program_keep(program);
    return WS_STATUS_ok;
}

static u32 groups_of(const struct ws_opencl *opencl, const struct ws_device_program *program)
{
    const u64 bytes = ws_cl_local_bytes(opencl->cl, program->program, "sm_quantum");
    const u32 used = ws_cl_registers(opencl->cl, program->program, "sm_quantum");
    return ws_device_groups(&opencl->device, used ? used : program->registers, bytes);
}

/* Builds a program of a variant and runs its self-test. fixed: see opencl/program.h. */
static enum ws_status make_program(struct ws_opencl *opencl, u32 variant, const struct ws_lane_form *form, const char *fixed,
                                   struct ws_selftest *test, struct ws_device_program *program, struct ws_error *error)
{
    char digest[17];
    ws_selftest_digest(test, digest);
    WS_TRY(ws_device_program_open(opencl->cl, &opencl->device, form, variant, fixed, digest, program, error));
    const enum ws_status status = prove(opencl, test, program, error);
    if (status != WS_STATUS_ok)
        ws_device_program_free(program);
    else if (!opencl->device.cpu)
        program->groups = groups_of(opencl, program);
    return status;
}

static enum ws_status make(struct ws_opencl *opencl, u32 variant, const struct ws_lane_form *form, struct ws_selftest *test,
                           struct ws_error *error)
{
    char digest[17];
    ws_selftest_digest(test, digest);
    WS_TRY(ws_self_test_process(opencl, form, variant, ws_device_program_key(&opencl->device, form, variant, "", digest), error));
    return make_program(opencl, variant, form, "", test, &opencl->programs[variant], error);
}

/* Whether the form has failed before and need not be tried; the error then says how. */
static bool known_to_fail(const struct ws_opencl *opencl, u32 variant, const struct ws_lane_form *form,
                          const struct ws_selftest *test, struct ws_error *error)
{
    char digest[17], *reason;
    ws_selftest_digest(test, digest);
    const struct ws_binary_key key = ws_device_program_key(&opencl->device, form, variant, "", digest);
    const bool fails = ws_device_program_cached_result(key, &reason) == WS_SELF_TEST_failed;
    if (fails)
        ws_fail(error, WS_STATUS_mismatch, "%s", reason);
    free(reason);
    return fails && !opencl->trust;
}

/* Tries the forms in order. The last one is tried even if it failed before: failures of a device may be temporary. */
static enum ws_status make_first_good(struct ws_opencl *opencl, u32 variant, struct ws_selftest *test, struct ws_error *error)
{
    struct ws_text reasons = {0};
    enum ws_status status = WS_STATUS_mismatch, worst = WS_STATUS_compiler;
    for (u32 n = 0; n < opencl->form_count; n++) {
        const bool last = n + 1 == opencl->form_count;
        struct ws_error why = {.message = ""};
        if (last || !known_to_fail(opencl, variant, opencl->forms[n], test, &why))
            status = make(opencl, variant, opencl->forms[n], test, &why);
        else
            status = WS_STATUS_mismatch;
        ws_text_add(&reasons, "%slanes as %s: %s", n ? "; " : "", opencl->forms[n]->name, why.message);
        if (status != WS_STATUS_mismatch && status != WS_STATUS_compiler)
            break;
        worst = status == WS_STATUS_mismatch ? status : worst;
    }
    if (status == WS_STATUS_mismatch || status == WS_STATUS_compiler)
        status = worst;
    if (status == WS_STATUS_interrupted)
        ws_fail(error, status, "interrupted");
    else if (status != WS_STATUS_ok)
        ws_fail(error, status, "%s (%s): %s", opencl->device.name, opencl->device.platform_name,
                reasons.failed ? "" : reasons.data);
    ws_text_free(&reasons);
    return status;
}

enum ws_status ws_opencl_compile(struct ws_opencl *opencl, u32 variant, struct ws_error *error)
{
    struct ws_selftest test;
    if (opencl->programs[variant].program)
        return WS_STATUS_ok;
    enum ws_status status = ws_selftest_open(&test, variant, NULL, error);
    if (status == WS_STATUS_ok)
        status = make_first_good(opencl, variant, &test, error);
    ws_selftest_close(&test);
    return status;
}

/* The cached self-test result of a variant's specialized program. */
static enum ws_self_test_result specialized_result(const struct ws_opencl *opencl, u32 variant, const char *fixed,
                                                   const struct ws_selftest *test)
{
    char digest[17], *reason;
    ws_selftest_digest(test, digest);
    const struct ws_lane_form *const form = opencl->programs[variant].form;
    const enum ws_self_test_result result =
        ws_device_program_cached_result(ws_device_program_key(&opencl->device, form, variant, fixed, digest), &reason);
    free(reason);
    return result;
}

bool ws_opencl_specialized_cached(struct ws_opencl *opencl, u32 variant, const struct ws_machine *machine)
{
    struct ws_selftest test;
    char *const fixed = ws_fixed_text(&opencl->specialized[variant].common.fixed);
    const bool cached = fixed && ws_selftest_open(&test, variant, machine, NULL) == WS_STATUS_ok &&
                        specialized_result(opencl, variant, fixed, &test) == WS_SELF_TEST_passed;
    if (fixed)
        ws_selftest_close(&test);
    free(fixed);
    return cached;
}

static enum ws_status compile_specialized(struct ws_opencl *opencl, u32 variant, const struct ws_machine *machine,
                                          struct ws_error *error)
{
    struct ws_specialized_program *const specialized = &opencl->specialized[variant];
    struct ws_selftest test;
    char *const fixed = ws_fixed_text(&specialized->common.fixed);
    if (!fixed)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory for a program of the machines");
    enum ws_status status = ws_selftest_open(&test, variant, machine, error);
    if (status == WS_STATUS_ok)
        status = make_program(opencl, variant, opencl->programs[variant].form, fixed, &test, &specialized->program, error);
    ws_selftest_close(&test);
    free(fixed);
    return status == WS_STATUS_ok ? status : ws_fail_in(error, "compiling kernels for the machines: ");
}

/* ---- Requests ---- */

struct request {
    struct ws_compile_request common;
    struct ws_opencl *opencl;
    u32 variant;
    bool specialized; /* tested on this machine */
    struct ws_machine machine;
};

static enum ws_status compile(struct ws_compile_request *common, struct ws_error *error)
{
    const struct request *const request = (struct request *)common;
    return request->specialized ? compile_specialized(request->opencl, request->variant, &request->machine, error)
                                : ws_opencl_compile(request->opencl, request->variant, error);
}

static void request_free(struct ws_compile_request *common)
{
    ws_opencl_release(((struct request *)common)->opencl);
    free(common);
}

/* Adds a lane form that is not in the description yet. */
static void mention_form(struct ws_opencl *opencl, u32 variant)
{
    const struct ws_lane_form *const form = opencl->programs[variant].form;
    const size_t length = strlen(opencl->about);
    if (opencl->form && form != opencl->form)
        snprintf(opencl->about + length, sizeof opencl->about - length, ", %s for '%s'", form->name, ws_tuples()[variant].name);
}

void ws_opencl_mention_specialized(struct ws_opencl *opencl)
{
    static const char mention[] = ", specialized kernels";
    const size_t length = strlen(opencl->about);
    if (!strstr(opencl->about, mention))
        snprintf(opencl->about + length, sizeof opencl->about - length, "%s", mention);
}

/* Waits for the running request, if any. *status receives its status, and error its message. */
static enum ws_status await(struct ws_opencl *opencl, const struct ws_run *run, enum ws_status *status, struct ws_error *error)
{
    const struct request *const request = (struct request *)opencl->running;
    if (!request)
        return WS_STATUS_ok;
    while (!ws_compile_wait(opencl->running, POLL_SECONDS))
        WS_TRY(ws_run_progress(run, error));
    *status = request->common.status;
    if (*status != WS_STATUS_ok)
        ws_fail(error, *status, "%s", request->common.error.message);
    else if (!request->specialized)
        mention_form(opencl, request->variant);
    ws_compile_close(opencl->running);
    opencl->running = NULL;
    return WS_STATUS_ok;
}

/* Starts a request and waits for it; machine: NULL for the general program. */
static enum ws_status serve(struct ws_opencl *opencl, const struct ws_run *run, u32 variant, const struct ws_machine *machine,
                            struct ws_error *error)
{
    struct request *const request = calloc(1, sizeof *request);
    enum ws_status status = WS_STATUS_ok;
    if (!request)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory compiling '%s'", ws_tuples()[variant].name);
    *request = (struct request){
        .common = {.compile = compile, .free = request_free}, .opencl = opencl, .variant = variant, .specialized = machine != NULL};
    if (machine)
        request->machine = *machine;
    atomic_fetch_add(&opencl->users, 1);
    WS_TRY(ws_compile_start(&request->common, error));
    opencl->running = &request->common;
    WS_TRY(await(opencl, run, &status, error));
    return status;
}

enum ws_status ws_opencl_load(struct ws_opencl *opencl, const struct ws_run *run, u32 variant, struct ws_error *error)
{
    enum ws_status earlier;
    WS_TRY(await(opencl, run, &earlier, error));
    return opencl->programs[variant].program ? WS_STATUS_ok : serve(opencl, run, variant, NULL, error);
}

enum ws_status ws_opencl_load_specialized(struct ws_opencl *opencl, const struct ws_run *run, u32 variant,
                                          const struct ws_machine *machine, struct ws_error *error)
{
    return serve(opencl, run, variant, machine, error);
}
