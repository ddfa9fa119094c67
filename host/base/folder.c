#include "base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"

bool ws_is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

enum ws_status ws_folder_refuse(const char *path, const char *hint, struct ws_error *error)
{
    struct stat about;
    const bool link = stat(path, &about) != 0;
    return ws_fail(error, WS_STATUS_no_file, "%s: is a %s, allowed is a folder%s. Name another folder, or remove it", path,
                   link ? "link to nothing" : "file", hint);
}

static enum ws_status make_one(const char *path, struct ws_error *error)
{
    if (mkdir(path, 0777) == 0)
        return WS_STATUS_ok;
    const int cause = errno;
    if (ws_is_folder(path))
        return WS_STATUS_ok;
    return cause == EEXIST ? ws_folder_refuse(path, "", error)
                           : ws_fail(error, WS_STATUS_no_file, "%s: the folder cannot be made: %s", path, strerror(cause));
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
    WS_THEN(status, make_one(copy, error));
    free(copy);
    return status;
}

const char *ws_temporary_folder(void)
{
    const char *const named = getenv("TMPDIR");
    return named && named[0] == '/' ? named : "/tmp";
}

/* Only for this user: others may write to the parent folder. */
static enum ws_status temporary_cache(struct ws_text *folder, struct ws_error *error)
{
    struct stat there;
    ws_text_add(folder, "%s/warpsweep-%lu", ws_temporary_folder(), (unsigned long)geteuid());
    if (folder->failed)
        return ws_no_memory(error);
    if (mkdir(folder->data, 0700) != 0 && errno != EEXIST)
        return ws_fail(error, WS_STATUS_no_file, "%s: the folder cannot be made: %s", folder->data, strerror(errno));
    if (lstat(folder->data, &there) != 0 || !S_ISDIR(there.st_mode) || there.st_uid != geteuid() || (there.st_mode & 022) != 0)
        return ws_fail(error, WS_STATUS_no_file,
                       "%s: is not a folder that only this user writes to; remove it, or set XDG_CACHE_HOME", folder->data);
    return WS_STATUS_ok;
}

/* Whether the folder can be made, and written to. */
static bool is_usable(const char *folder)
{
    return ws_folder_make(folder, NULL) == WS_STATUS_ok && access(folder, W_OK) == 0;
}

enum ws_status ws_cache_folder(const char *part, char **path, struct ws_error *error)
{
    const char *const cache = getenv("XDG_CACHE_HOME"), *const home = getenv("HOME");
    const bool told = cache && cache[0] == '/'; /* the XDG specification says to ignore a relative one */
    struct ws_text folder = {0};
    enum ws_status status = WS_STATUS_ok;
    *path = NULL;
    if (told)
        ws_text_add(&folder, "%s/warpsweep/%s", cache, part);
    else if (home && home[0] == '/')
        ws_text_add(&folder, "%s/.cache/warpsweep/%s", home, part);
    if (!told && (!folder.data || !is_usable(folder.data))) {
        ws_text_free(&folder);
        status = temporary_cache(&folder, error);
        ws_text_add(&folder, "/%s", part);
    }
    if (status == WS_STATUS_ok)
        status = folder.failed ? ws_no_memory(error) : ws_folder_make(folder.data, error);
    if (status == WS_STATUS_ok)
        *path = folder.data;
    else
        ws_text_free(&folder);
    return status;
}

/* ---- Contents of a folder ---- */

void ws_paths_free(struct ws_paths *paths)
{
    for (size_t n = 0; n < paths->count; n++)
        free(paths->path[n]);
    free(paths->path);
    *paths = (struct ws_paths){0};
}

static bool add(struct ws_paths *paths, const char *folder, const char *name)
{
    char **const grown = realloc(paths->path, (paths->count + 1) * sizeof *grown);
    struct ws_text text = {0};
    if (!grown)
        return false;
    paths->path = grown;
    const char *const slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
    ws_text_add(&text, "%s%s%s", folder, slash, name);
    if (text.failed) {
        ws_text_free(&text);
        return false;
    }
    paths->path[paths->count++] = text.data;
    return true;
}

/* Paths in one folder, which differ in their last part. */
static int by_number(const void *a, const void *b)
{
    const char *const one = *(char *const *)a, *const other = *(char *const *)b;
    const unsigned long first = strtoul(strrchr(one, '/') + 1, NULL, 10), second = strtoul(strrchr(other, '/') + 1, NULL, 10);
    return first == second ? strcmp(one, other) : (first > second) - (first < second);
}

enum ws_status ws_folder_list(const char *path, const char *suffix, struct ws_paths *paths, struct ws_error *error)
{
    DIR *const list = opendir(path);
    const struct dirent *entry;
    bool enough = true;
    *paths = (struct ws_paths){0};
    if (!list)
        return ws_fail(error, WS_STATUS_no_file, "%s: cannot be read: %s", path, strerror(errno));
    while (enough && (entry = readdir(list)))
        if (*entry->d_name != '.' && ws_stem(entry->d_name, suffix) > 0)
            enough = add(paths, path, entry->d_name);
    closedir(list);
    if (!enough)
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", path);
    if (paths->count == 0)
        return ws_fail(error, WS_STATUS_no_file, "%s: has no file *%s", path, suffix);
    qsort(paths->path, paths->count, sizeof *paths->path, by_number);
    return WS_STATUS_ok;
}
