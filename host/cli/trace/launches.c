#include "cli/trace/launches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/folder.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/trace/trace_folder.h"

/* ---- Contents of buffers ---- */

/* Buffer and file of a dump. */
static enum ws_status find_dump(const struct ws_launch_file *file, const char *dump, const struct ws_buffer **buffer,
                                const char **path, struct ws_error *error)
{
    char name[256];
    const char *const equals = strchr(dump, '=');
    snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - dump) : 0, dump);
    *path = equals ? equals + 1 : "";
    const enum ws_status status = ws_launch_file_buffer(file, name, buffer, error);
    return status == WS_STATUS_ok ? status : ws_fail_in(error, "--dump: ");
}

/* Calls action with each buffer to dump and its file. */
static enum ws_status each_dump(const struct cli_launches *launches, const struct ws_launch_file *file,
                                enum ws_status (*action)(const struct ws_buffer *, const char *, struct ws_error *),
                                struct ws_error *error)
{
    const struct ws_buffer *buffer;
    const char *path, *name;
    for (size_t n = 0; n < launches->dump_count; n++) {
        WS_TRY(find_dump(file, launches->dumps[n], &buffer, &path, error));
        WS_TRY(action(buffer, path, error));
    }
    for (u32 n = 0; launches->dump_all && (name = ws_launch_file_buffer_name(file, n)); n++) {
        struct ws_text text = {0};
        enum ws_status status = ws_launch_file_buffer(file, name, &buffer, error);
        if (status == WS_STATUS_ok)
            ws_text_add(&text, "%s/%s.%s", launches->dump_all, name, ws_buffer_is_array(buffer) ? "npy" : "bin");
        if (text.failed)
            status = ws_no_memory(error);
        WS_THEN(status, action(buffer, text.data, error));
        ws_text_free(&text);
        WS_TRY(status);
    }
    return WS_STATUS_ok;
}

/* Before execution: checks that buffers exist, and that outputs replace no foreign files. */
static enum ws_status check_outputs(const struct cli_launches *launches, const struct ws_launch_file *file, struct ws_error *error)
{
    if (launches->dump_all)
        WS_TRY(ws_folder_make(launches->dump_all, error));
    WS_TRY(each_dump(launches, file, ws_buffer_check, error));
    return ws_launch_file_is_sequence(file) ? WS_STATUS_ok : ws_output_check(launches->output, WS_OUTPUT_trace, 0, error);
}

static enum ws_status write_dumps(const struct cli_launches *launches, const struct ws_launch_file *file, struct ws_error *error)
{
    return each_dump(launches, file, ws_buffer_write, error);
}

/* ---- Launches ---- */

static enum ws_status build_one(const struct cli_launches *launches, const struct ws_program *program, struct ws_ndrange *launch,
                                const char *path, struct cli_launches_built *built, struct ws_error *error)
{
    u64 count = 0;
    launch->source = launches->program->files[0];
    const enum ws_status status = ws_trace_build(program, launches->frontend, launch, path, &count, error);
    built->thread_instructions += count;
    built->traces++;
    return cli_program_quoted(launches->program, status, error);
}

static enum ws_status build_into(const struct cli_launches *launches, const struct ws_program *program, struct ws_launch_file *file,
                                 const struct cli_trace_folder *folder, struct cli_launches_built *built, struct ws_error *error)
{
    struct ws_ndrange *launch;
    WS_TRY(ws_launch_file_next(file, &launch, error));
    while (launch) {
        struct ws_text path = {0};
        const u32 number = built->traces;
        cli_trace_folder_name(folder, number, launch->kernel, &path);
        enum ws_status status = path.failed ? ws_no_memory(error) : build_one(launches, program, launch, path.data, built, error);
        ws_text_free(&path);
        if (status == WS_STATUS_bad_input)
            ws_fail_in(error, "launch %u (%s): ", number, launch->kernel);
        WS_TRY(status);
        WS_TRY(ws_launch_file_next(file, &launch, error));
    }
    return WS_STATUS_ok;
}

static enum ws_status build_folder(const struct cli_launches *launches, const struct ws_program *program,
                                   struct ws_launch_file *file, struct cli_launches_built *built, struct ws_error *error)
{
    struct cli_trace_folder folder;
    WS_TRY(cli_trace_folder_begin(launches->output, " for the traces of a list of launches", &folder, error));
    enum ws_status status = build_into(launches, program, file, &folder, built, error);
    WS_THEN(status, write_dumps(launches, file, error));
    return cli_trace_folder_end(&folder, status, error);
}

static enum ws_status tell(const struct cli_launches *launches, const struct ws_launch_file *file, const struct ws_ndrange *launch,
                           struct ws_error *error)
{
    return launches->after ? launches->after(launches->context, file, launch, error) : WS_STATUS_ok;
}

static enum ws_status build_file(const struct cli_launches *launches, const struct ws_program *program, struct ws_launch_file *file,
                                 struct cli_launches_built *built, struct ws_error *error)
{
    struct ws_ndrange *launch;
    WS_TRY(ws_launch_file_next(file, &launch, error));
    WS_TRY(build_one(launches, program, launch, launches->output, built, error));
    WS_TRY(write_dumps(launches, file, error));
    return tell(launches, file, launch, error);
}

/* ---- The program ---- */

void cli_kept_forget(struct cli_kept *kept)
{
    free(kept->key);
    ws_program_free(kept->program);
    *kept = (struct cli_kept){0};
}

/* Key of the loaded program: its file, compiler options, and whether there is an offset; newly allocated. */
static char *key_of(const struct cli_launches *launches, const struct ws_launch_file *file)
{
    struct ws_text key = {0};
    ws_text_add(&key, "%d\n%s", ws_launch_file_has_offset(file), launches->program->files[0]);
    for (const char *const *option = ws_launch_file_options(file); *option; option++)
        ws_text_add(&key, "\n%s", *option);
    if (!key.failed)
        return key.data;
    ws_text_free(&key);
    return NULL;
}

static enum ws_status load(const struct cli_launches *launches, const struct ws_launch_file *file, struct cli_kept *kept,
                           struct ws_error *error)
{
    char *const key = key_of(launches, file);
    if (!key)
        return ws_no_memory(error);
    if (kept->key && strcmp(kept->key, key) == 0) {
        free(key);
        return WS_STATUS_ok;
    }
    cli_kept_forget(kept);
    const enum ws_status status = cli_program_load(launches->program, file, launches->frontend, &kept->program, error);
    if (status == WS_STATUS_ok)
        kept->key = key;
    else
        free(key);
    return status;
}

enum ws_status cli_launches_build(const struct cli_launches *launches, struct cli_launches_built *built, struct ws_error *error)
{
    struct ws_launch_file *file;
    struct cli_kept own = {0}, *const kept = launches->kept ? launches->kept : &own;
    *built = (struct cli_launches_built){0};
    WS_TRY(ws_launch_file_load(launches->launch, launches->seed, &file, error));
    built->folder = ws_launch_file_is_sequence(file);
    enum ws_status status = check_outputs(launches, file, error);
    WS_THEN(status, load(launches, file, kept, error));
    if (status == WS_STATUS_ok)
        status = (built->folder ? build_folder : build_file)(launches, kept->program, file, built, error);
    if (status == WS_STATUS_ok && built->folder)
        status = tell(launches, file, NULL, error);
    cli_kept_forget(&own);
    ws_launch_file_free(file);
    return status;
}
