#include "unit/launch/kit.h"

#include <stdio.h>
#include <string.h>

#include "test.h"
#include "unit/kit/config_files.h"

static const char head[] = ".version 6.0\n.target sm_70\n.address_size 64\n";

void launch_kit_begin(struct launch_kit *kit, const char *ptx, const char *yaml)
{
    char text[8000];
    struct ws_frontend_options options;
    const size_t length = (size_t)snprintf(text, sizeof text, "%s%s", head, ptx);
    *kit = (struct launch_kit){0};
    assert_true(length < sizeof text);
    ws_frontend_defaults(&options);
    files_write("kit.yaml", yaml);
    if (ws_program_load("kit.ptx", text, length, &options, &kit->program, &kit->error) != WS_STATUS_ok ||
        ws_launch_file_load("kit.yaml", LAUNCH_SEED, &kit->file, &kit->error) != WS_STATUS_ok)
        fail_msg("%s", kit->error.message);
}

void launch_kit_end(struct launch_kit *kit)
{
    ws_program_free(kit->program);
    ws_launch_file_free(kit->file);
}

enum ws_status launch_kit_run(struct launch_kit *kit)
{
    struct ws_frontend_options options;
    struct ws_ndrange *launch;
    ws_frontend_defaults(&options);
    enum ws_status status = ws_launch_file_next(kit->file, &launch, &kit->error);
    while (status == WS_STATUS_ok && launch) {
        status = ws_execute(kit->program, &options, launch, NULL, NULL, &kit->error);
        if (status == WS_STATUS_ok)
            status = ws_launch_file_next(kit->file, &launch, &kit->error);
        kit->launches++;
    }
    return status;
}

const void *launch_kit_buffer(struct launch_kit *kit, const char *name)
{
    const struct ws_buffer *buffer = NULL;
    if (ws_launch_file_buffer(kit->file, name, &buffer, &kit->error) != WS_STATUS_ok)
        fail_msg("%s", kit->error.message);
    return buffer->data;
}

void launch_kit_refused(const char *yaml, const char *message)
{
    struct ws_launch_file *file = NULL;
    struct ws_error error;
    files_write("bad.yaml", yaml);
    assert_int_equal(ws_launch_file_load("bad.yaml", LAUNCH_SEED, &file, &error), WS_STATUS_bad_input);
    assert_null(file);
    assert_string_equal(error.message, message);
}
