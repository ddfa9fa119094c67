/* The files that a command reads. No output may replace one of them. A program that uses the library may rewrite its inputs, so
 * files are noted only on request. Safe in several threads. */
#pragma once

#include <stdbool.h>
#include <sys/stat.h>

/* Notes files from now on; for programs that run one command. */
void ws_inputs_watch(void);

/* Call after opening a file for reading, or after writing one that later outputs must not replace. */
void ws_inputs_note(const char *path);

/* For a command that wrote a file and writes it again. */
void ws_inputs_forget(const char *path);

/* Whether the file of this device and inode has been noted. */
bool ws_inputs_have(const struct stat *file);
