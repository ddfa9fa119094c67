/* Folders: made with those above them; the user's cache. */
#ifndef WS_BASE_FOLDER_H
#define WS_BASE_FOLDER_H

#include "warpsweep/status.h"

/* Makes the folder path and those above it, unless they are there. WS_STATUS_no_file names the one that cannot be made. */
enum ws_status ws_folder_make(const char *path, struct ws_error *error);

/* The folder for files that can be made again: $XDG_CACHE_HOME/warpsweep/PART, else $HOME/.cache/warpsweep/PART. It is made when
 * it is not there. *path is newly allocated; the caller frees it. */
enum ws_status ws_cache_folder(const char *part, char **path, struct ws_error *error);

#endif
