#include "cli/trace/trace_folder.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/folder.h"

enum { MOST_NAME = 64 };

void cli_trace_folder_name(const struct cli_trace_folder *folder, u32 number, const char *kernel, struct ws_text *path)
{
    ws_text_add(path, "%s/%05u-", folder->made.data, number);
    for (size_t n = 0; kernel[n] && n < MOST_NAME; n++)
        ws_text_add(path, "%c", isalnum((unsigned char)kernel[n]) ? kernel[n] : '_');
    ws_text_add(path, ".wst");
}

/* Removes a folder with its files. */
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

/* Traces of an earlier sequence could be mistaken for this one's. */
static enum ws_status check_folder(const char *folder, const char *hint, struct ws_error *error)
{
    struct stat about;
    if (stat(folder, &about) != 0)
        return WS_STATUS_ok;
    if (!S_ISDIR(about.st_mode))
        return ws_folder_refuse(folder, hint, error);
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

/* Mode of a new folder under the user's umask. */
static mode_t folder_mode(void)
{
    const mode_t mask = umask(0);
    umask(mask);
    return 0777 & ~mask;
}

enum ws_status cli_trace_folder_begin(const char *path, const char *hint, struct cli_trace_folder *folder, struct ws_error *error)
{
    size_t length = strlen(path);
    *folder = (struct cli_trace_folder){.path = path};
    while (length > 1 && path[length - 1] == '/')
        length--;
    WS_TRY(check_folder(path, hint, error));
    ws_text_add(&folder->made, "%.*s.XXXXXX", (int)length, path);
    enum ws_status status = folder->made.failed ? ws_no_memory(error) : WS_STATUS_ok;
    if (status == WS_STATUS_ok && !mkdtemp(folder->made.data))
        status = ws_fail(error, WS_STATUS_no_file, "%s: cannot be written: %s", path, strerror(errno));
    if (status == WS_STATUS_ok)
        chmod(folder->made.data, folder_mode());
    else
        ws_text_free(&folder->made);
    return status;
}

enum ws_status cli_trace_folder_end(struct cli_trace_folder *folder, enum ws_status status, struct ws_error *error)
{
    if (status == WS_STATUS_ok && rename(folder->made.data, folder->path) != 0)
        status = ws_fail(error, WS_STATUS_no_file, "%s: cannot be written: %s", folder->path, strerror(errno));
    if (status != WS_STATUS_ok)
        remove_folder(folder->made.data);
    ws_text_free(&folder->made);
    return status;
}
