/* The files that a command reads, so that no output replaces one of them. A library may well write what it has read before: files
 * are noted only where the program has asked for it. Safe in several threads. */
#pragma once

#include <stdbool.h>
#include <sys/stat.h>

/* From now on files are noted: for programs that run one command. */
void ws_inputs_watch(void);

/* Called by whatever opens a file to read it, or has written one that a later output must not replace. */
void ws_inputs_note(const char *path);

/* For a command that has written a file and is to write it again. */
void ws_inputs_forget(const char *path);

/* Whether the file of this device and inode has been noted. */
bool ws_inputs_have(const struct stat *file);
