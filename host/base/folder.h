/* Creating and listing folders; the user's cache. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "warpsweep/status.h"

/* Creates the folder path and its missing parents. WS_STATUS_no_file names the one that cannot be created. */
enum ws_status ws_folder_make(const char *path, struct ws_error *error);

/* Fails for a path that exists and is not a folder. hint, possibly "", follows "allowed is a folder" in the message. */
enum ws_status ws_folder_refuse(const char *path, const char *hint, struct ws_error *error);

/* The folder for temporary files: $TMPDIR if it is an absolute path, else /tmp. */
const char *ws_temporary_folder(void);

/* The folder for files that can be rebuilt: $XDG_CACHE_HOME/warpsweep/PART, else $HOME/.cache/warpsweep/PART; if that is not
 * writable, $TMPDIR/warpsweep-UID/PART (or in /tmp), where no other user may write. Created if missing. *path is newly allocated;
 * the caller frees it. */
enum ws_status ws_cache_folder(const char *part, char **path, struct ws_error *error);

/* Paths of files. */
struct ws_paths {
    char **path;
    size_t count;
};

/* Whether path is a folder. */
bool ws_is_folder(const char *path);

/* The files of a folder whose names end in suffix, ordered by the numbers at their start, then by name: traces are in the order of
 * launches. WS_STATUS_no_file where there is none. To be freed by ws_paths_free, also after a failure. */
enum ws_status ws_folder_list(const char *path, const char *suffix, struct ws_paths *paths, struct ws_error *error);
void ws_paths_free(struct ws_paths *paths);
