/* Containers of Accel-Sim 2.0 (.tracez) as the text that they hold. Of the file: the header's text and a zero; bytes of a zstd
 * dictionary (4 bytes), instructions of a chunk (4), the dictionary; for each warp its instructions (4), its chunks (4) and of each
 * chunk its bytes (4) and a zstd frame; the index: blocks (4), of each its place in grid and cluster (40), its warps (4), and of
 * each warp instructions (4), chunks (4), place in the file (8), instructions of each chunk (4); last where the index begins (8).
 * Numbers have their lowest byte first. Source: Accel-Sim's util/tracer_nvbit/tracer_tool/tracez_format.h and its
 * post-traces-processing. */
#ifndef WS_IMPORT_TRACEZ_H
#define WS_IMPORT_TRACEZ_H

#include "import/input.h"

/* Whether a file's name says so: nothing else does. */
bool sass_tracez_names(const char *path);

/* Maps the file of input. *tracez is to be closed, also after a failure. */
enum ws_status sass_tracez_open(const struct sass_input *input, struct sass_tracez **tracez, struct ws_error *error);
void sass_tracez_close(struct sass_tracez *tracez);

/* Adds text, *made bytes of at most room. It is what Accel-Sim's traceDsm writes: lines have the same numbers. */
enum ws_status sass_tracez_take(struct sass_input *input, char *out, size_t room, size_t *made, struct ws_error *error);

#endif
