/* Lines of a text file, plain, compressed by xz or zstd, or in a container of Accel-Sim. */
#pragma once

#include <lzma.h>
#include <stdbool.h>
#include <stdio.h>
#include <xxhash.h>
#include <zstd.h>

#include "shared/dialect.h"
#include "warpsweep/status.h"

/* The longest line: one of 32 addresses has about a thousand characters. */
#define SASS_LINE_MOST (1u << 20)

struct sass_tracez;

struct sass_input {
    const char *path;
    u64 line;        /* number of the line that was read last */
    u64 size, taken; /* bytes of the file, and how many of them are read */
    FILE *stream;
    enum { SASS_PLAIN, SASS_XZ, SASS_ZSTD, SASS_TRACEZ } packing;
    lzma_stream lzma;
    ZSTD_DStream *zstd;
    struct sass_tracez *tracez;
    ZSTD_inBuffer packed; /* read and not unpacked yet */
    u8 *buffer;           /* of packed */
    bool between;         /* no frame of zstd is open */
    char *text;           /* unpacked: text[from] to text[to - 1] are not read yet */
    size_t from, to;
    bool ended;           /* nothing is left to unpack */
    XXH3_state_t *digest; /* of the unpacked text */
};

/* Opens a file; its name says whether it is a container, its first bytes how it is packed. path must outlive input, which is to be
 * closed also after a failure. */
enum ws_status sass_input_open(const char *path, struct sass_input *input, struct ws_error *error);
void sass_input_close(struct sass_input *input);

/* The next line, without its end (LF or CR LF; the last line needs none) and with a zero behind it; valid until the next call.
 * *line is NULL at the end of the file. What cannot be unpacked is WS_STATUS_bad_input. */
enum ws_status sass_input_line(struct sass_input *input, char **line, size_t *length, struct ws_error *error);

/* XXH3 of all text read so far. */
u64 sass_input_digest(const struct sass_input *input);

/* Fails with WS_STATUS_bad_input: "FILE:LINE: reason". */
enum ws_status sass_input_fail(const struct sass_input *input, struct ws_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fails because the file is not what it was when it was read before. */
enum ws_status sass_input_changed(const struct sass_input *input, struct ws_error *error);

/* ---- tracez.c ---- */

/* Whether a file's name says so: nothing else does. */
bool sass_tracez_names(const char *path);

/* Maps the file of input. *tracez is to be closed, also after a failure. */
enum ws_status sass_tracez_open(const struct sass_input *input, struct sass_tracez **tracez, struct ws_error *error);
void sass_tracez_close(struct sass_tracez *tracez);

/* Adds text, *made bytes of at most room. It is what Accel-Sim's traceDsm writes: lines have the same numbers. */
enum ws_status sass_tracez_take(struct sass_input *input, char *out, size_t room, size_t *made, struct ws_error *error);
