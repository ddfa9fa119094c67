/* Creating folders; the user's cache. */
#ifndef WS_BASE_FOLDER_H
#define WS_BASE_FOLDER_H

#include "warpsweep/status.h"

/* Creates the folder path and its missing parents. WS_STATUS_no_file names the one that cannot be created. */
enum ws_status ws_folder_make(const char *path, struct ws_error *error);

/* The folder for files that can be rebuilt: $XDG_CACHE_HOME/warpsweep/PART, else $HOME/.cache/warpsweep/PART. Created if missing.
 * *path is newly allocated; the caller frees it. */
enum ws_status ws_cache_folder(const char *part, char **path, struct ws_error *error);

#endif
