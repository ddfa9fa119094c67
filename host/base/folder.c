#include "base/folder.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/text.h"

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static enum ws_status make_one(const char *path, struct ws_error *error)
{
    if (mkdir(path, 0777) == 0)
        return WS_STATUS_ok;
    const int cause = errno;
    if (is_folder(path))
        return WS_STATUS_ok;
    return ws_fail(error, WS_STATUS_no_file, "%s: the folder cannot be made: %s", path, strerror(cause));
}

enum ws_status ws_folder_make(const char *path, struct ws_error *error)
{
    char *const copy = strdup(path);
    if (!copy)
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", path);
    enum ws_status status = WS_STATUS_ok;
    for (char *slash = strchr(copy + (*copy != 0), '/'); slash && status == WS_STATUS_ok; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        status = make_one(copy, error);
        *slash = '/';
    }
    if (status == WS_STATUS_ok)
        status = make_one(copy, error);
    free(copy);
    return status;
}

enum ws_status ws_cache_folder(const char *part, char **path, struct ws_error *error)
{
    const char *const cache = getenv("XDG_CACHE_HOME"), *const home = getenv("HOME");
    struct ws_text folder = {0};
    *path = NULL;
    if (cache && cache[0] == '/') /* the XDG specification says to ignore a relative one */
        ws_text_add(&folder, "%s/warpsweep/%s", cache, part);
    else if (home && home[0] == '/')
        ws_text_add(&folder, "%s/.cache/warpsweep/%s", home, part);
    else
        return ws_fail(error, WS_STATUS_no_file, "no folder for the cache: neither XDG_CACHE_HOME nor HOME is an absolute path");
    if (folder.failed)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory");
    const enum ws_status status = ws_folder_make(folder.data, error);
    if (status == WS_STATUS_ok)
        *path = folder.data;
    else
        ws_text_free(&folder);
    return status;
}
