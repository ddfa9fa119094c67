#include "cli/launches.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"

enum { MOST_NAME = 64 };

/* ---- Contents of buffers ---- */

/* The buffer and the file of a dump. */
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

/* Before anything is executed. */
static enum ws_status check_dumps(const struct cli_launches *launches, const struct ws_launch_file *file, struct ws_error *error)
{
    const struct ws_buffer *buffer;
    const char *path;
    for (size_t n = 0; n < launches->dump_count; n++)
        WS_TRY(find_dump(file, launches->dumps[n], &buffer, &path, error));
    return WS_STATUS_ok;
}

static enum ws_status write_dumps(const struct cli_launches *launches, const struct ws_launch_file *file, struct ws_error *error)
{
    for (size_t n = 0; n < launches->dump_count; n++) {
        const struct ws_buffer *buffer;
        const char *path;
        WS_TRY(find_dump(file, launches->dumps[n], &buffer, &path, error));
        WS_TRY(ws_buffer_write(buffer, path, error));
    }
    return WS_STATUS_ok;
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

/* "FOLDER/00003-bfs.wst". */
static void trace_name(const char *folder, u32 number, const char *kernel, struct ws_text *path)
{
    ws_text_add(path, "%s/%05u-", folder, number);
    for (size_t n = 0; kernel[n] && n < MOST_NAME; n++)
        ws_text_add(path, "%c", isalnum((unsigned char)kernel[n]) ? kernel[n] : '_');
    ws_text_add(path, ".wst");
}

static enum ws_status build_into(const struct cli_launches *launches, const struct ws_program *program, struct ws_launch_file *file,
                                 const char *folder, struct cli_launches_built *built, struct ws_error *error)
{
    struct ws_ndrange *launch;
    WS_TRY(ws_launch_file_next(file, &launch, error));
    while (launch) {
        struct ws_text path = {0};
        const u32 number = built->traces;
        trace_name(folder, number, launch->kernel, &path);
        enum ws_status status = path.failed ? ws_fail(error, WS_STATUS_no_memory, "out of memory")
                                            : build_one(launches, program, launch, path.data, built, error);
        ws_text_free(&path);
        if (status == WS_STATUS_bad_input)
            ws_fail_in(error, "launch %u (%s): ", number, launch->kernel);
        WS_TRY(status);
        WS_TRY(ws_launch_file_next(file, &launch, error));
    }
    return WS_STATUS_ok;
}

/* ---- Folders ---- */

/* Removes a folder of files. */
static void remove_folder(const char *folder)
{
    DIR *const list = opendir(folder);
    const struct dirent *entry;
    while (list && (entry = readdir(list))) {
        struct ws_text path = {0};
        ws_text_add(&path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && !path.failed)
            unlink(path.data);
        ws_text_free(&path);
    }
    if (list)
        closedir(list);
    rmdir(folder);
}

/* Traces of an earlier sequence would be taken for some of this one. */
static enum ws_status check_folder(const char *folder, struct ws_error *error)
{
    struct stat about;
    if (stat(folder, &about) != 0)
        return WS_STATUS_ok;
    if (!S_ISDIR(about.st_mode))
        return ws_fail(error, WS_STATUS_no_file,
                       "%s: is no folder; the launch file has a list of launches, each of which is a trace in it", folder);
    DIR *const list = opendir(folder);
    const struct dirent *entry;
    u32 entries = 0;
    while (list && (entry = readdir(list)))
        entries += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (list)
        closedir(list);
    return entries == 0 ? WS_STATUS_ok
                        : ws_fail(error, WS_STATUS_no_file, "%s: is not empty; remove it or name another folder", folder);
}

/* What a new folder may be, by the user's mask. */
static mode_t folder_mode(void)
{
    const mode_t mask = umask(0);
    umask(mask);
    return 0777 & ~mask;
}

/* Builds beside the folder, which appears when all of it is there. */
static enum ws_status build_folder(const struct cli_launches *launches, const struct ws_program *program,
                                   struct ws_launch_file *file, struct cli_launches_built *built, struct ws_error *error)
{
    struct ws_text name = {0};
    size_t length = strlen(launches->output);
    while (length > 1 && launches->output[length - 1] == '/')
        length--;
    WS_TRY(check_folder(launches->output, error));
    ws_text_add(&name, "%.*s.XXXXXX", (int)length, launches->output);
    enum ws_status status = name.failed ? ws_fail(error, WS_STATUS_no_memory, "out of memory") : WS_STATUS_ok;
    if (status == WS_STATUS_ok && !mkdtemp(name.data))
        status = ws_fail(error, WS_STATUS_no_file, "%s: cannot be written: %s", launches->output, strerror(errno));
    if (status == WS_STATUS_ok) {
        chmod(name.data, folder_mode());
        status = build_into(launches, program, file, name.data, built, error);
        if (status == WS_STATUS_ok)
            status = write_dumps(launches, file, error);
        if (status == WS_STATUS_ok && rename(name.data, launches->output) != 0)
            status = ws_fail(error, WS_STATUS_no_file, "%s: cannot be written: %s", launches->output, strerror(errno));
        if (status != WS_STATUS_ok)
            remove_folder(name.data);
    }
    ws_text_free(&name);
    return status;
}

static enum ws_status build_file(const struct cli_launches *launches, const struct ws_program *program, struct ws_launch_file *file,
                                 struct cli_launches_built *built, struct ws_error *error)
{
    struct ws_ndrange *launch;
    WS_TRY(ws_launch_file_next(file, &launch, error));
    WS_TRY(build_one(launches, program, launch, launches->output, built, error));
    return write_dumps(launches, file, error);
}

enum ws_status cli_launches_build(const struct cli_launches *launches, struct cli_launches_built *built, struct ws_error *error)
{
    struct ws_launch_file *file;
    struct ws_program *program = NULL;
    *built = (struct cli_launches_built){0};
    WS_TRY(ws_launch_file_load(launches->launch, launches->seed, &file, error));
    built->folder = ws_launch_file_is_sequence(file);
    enum ws_status status = check_dumps(launches, file, error);
    if (status == WS_STATUS_ok)
        status = cli_program_load(launches->program, file, launches->frontend, &program, error);
    if (status == WS_STATUS_ok)
        status = (built->folder ? build_folder : build_file)(launches, program, file, built, error);
    ws_program_free(program);
    ws_launch_file_free(file);
    return status;
}
