#include "unit/kit/ptx_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

enum { ROOM = 40000, ROW_BYTES = sizeof(run_row) };

static void write_kernel(char *text, const char *module, const char *body)
{
    size_t length = (size_t)snprintf(
        text, ROOM,
        ".version 7.0\n.target sm_80\n.address_size 64\n%s\n.visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
        ".reg .pred %%p<32>;\n.reg .b16 %%h<32>;\n.reg .b32 %%r<32>, %%w<4>;\n.reg .f32 %%f<32>;\n"
        ".reg .b64 %%d<32>, %%x<4>, %%y<4>, %%in, %%out, %%at;\n.reg .f64 %%e<32>;\n.reg .b32 %%thread;\n"
        "mov.u32 %%thread, %%tid.x;\nmul.wide.u32 %%at, %%thread, %d;\nld.param.u64 %%in, [in];\n"
        "ld.param.u64 %%out, [out];\nadd.u64 %%in, %%in, %%at;\nadd.u64 %%out, %%out, %%at;\n",
        module, (int)ROW_BYTES);
    for (int n = 0; n < RUN_WORDS; n++)
        length +=
            (size_t)snprintf(text + length, ROOM - length,
                             "ld.global.u64 %%x%d, [%%in+%d];\ncvt.u32.u64 %%w%d, %%x%d;\nmov.u64 %%y%d, 0;\n", n, 8 * n, n, n, n);
    length += (size_t)snprintf(text + length, ROOM - length, "%s\n", body);
    for (int n = 0; n < RUN_WORDS; n++)
        length += (size_t)snprintf(text + length, ROOM - length, "st.global.u64 [%%out+%d], %%y%d;\n", 8 * n, n);
    length += (size_t)snprintf(text + length, ROOM - length, "ret;\n}\n");
    assert_true(length < ROOM);
}

enum ws_status run_body(const char *module, const char *body, const struct ws_frontend_options *options, run_row *in, run_row *out,
                        u32 count, struct ws_error *error)
{
    static char text[ROOM];
    static run_row copy[RUN_THREADS];
    struct ws_program *program = NULL;
    assert_true(count <= RUN_THREADS);
    memcpy(copy, in, count * sizeof *in);
    memset(out, 0xAA, count * sizeof *out);
    write_kernel(text, module, body);
    struct ws_argument arguments[] = {{.kind = WS_ARGUMENT_BUFFER, .bytes = count * sizeof *in, .data = copy},
                                      {.kind = WS_ARGUMENT_BUFFER, .bytes = count * sizeof *out, .data = out}};
    struct ws_ndrange launch = {
        .kernel = "k", .global = {count, 1, 1}, .local = {count, 1, 1}, .argument_count = 2, .arguments = arguments};
    enum ws_status status = ws_program_load("k.ptx", text, strlen(text), options, &program, error);
    if (status == WS_STATUS_ok)
        status = ws_execute(program, options, &launch, NULL, NULL, error);
    ws_program_free(program);
    return status;
}

void run_map(const char *body, run_row *in, run_row *out, u32 count)
{
    struct ws_frontend_options options;
    struct ws_error error;
    ws_frontend_defaults(&options);
    if (run_body("", body, &options, in, out, count, &error) != WS_STATUS_ok)
        fail_msg("%s\nin: %s", error.message, body);
}

void run_refused(const char *module, const char *body, u32 lockstep, u32 count, const char *text)
{
    static run_row in[RUN_THREADS];
    static run_row out[RUN_THREADS];
    struct ws_frontend_options options;
    struct ws_error error;
    ws_frontend_defaults(&options);
    options.lockstep = lockstep;
    options.most_instructions = 10000000;
    if (run_body(module, body, &options, in, out, count, &error) == WS_STATUS_ok)
        fail_msg("accepted: %s", body);
    if (!strstr(error.message, text))
        fail_msg("\"%s\" does not contain \"%s\"", error.message, text);
}

void run_values(run_row *in, u32 count)
{
    static const u64 edges[] = {0,         1, 2, 31, 32, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000,
                                UINT64_MAX};
    enum { EDGES = sizeof edges / sizeof edges[0] };
    u64 state = 0x9E3779B97F4A7C15;
    for (u32 n = 0; n < count; n++)
        for (u32 word = 0; word < RUN_WORDS; word++) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            in[n][word] = state % 3 == 0 ? edges[(state >> 8) % EDGES] : state % 3 == 1 ? state >> 20 & 63 : state;
        }
}
