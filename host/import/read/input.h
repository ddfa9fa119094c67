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
    u64 line;        /* number of the last line read */
    u64 size, taken; /* bytes of the file; bytes read */
    FILE *stream;
    enum { SASS_PLAIN, SASS_XZ, SASS_ZSTD, SASS_TRACEZ } packing;
    lzma_stream lzma;
    ZSTD_DStream *zstd;
    struct sass_tracez *tracez;
    ZSTD_inBuffer packed; /* read, but not unpacked */
    u8 *buffer;           /* of packed */
    bool between;         /* no zstd frame is open */
    char *text;           /* unpacked text: text[from] to text[to - 1] is not consumed */
    size_t from, to;
    bool ended;           /* everything is unpacked */
    XXH3_state_t *digest; /* of the unpacked text */
};

/* Opens a file. Its name tells whether it is a container, its first bytes the compression. path must outlive input, which is to be
 * closed even after a failure. */
enum ws_status sass_input_open(const char *path, struct sass_input *input, struct ws_error *error);
void sass_input_close(struct sass_input *input);

/* The next line, zero-terminated and without its end (LF or CR LF; optional in the last line); valid until the next call. *line is
 * NULL at the end of the file. Corrupt compressed data is WS_STATUS_bad_input. */
enum ws_status sass_input_line(struct sass_input *input, char **line, size_t *length, struct ws_error *error);

/* XXH3 of the text read so far. */
u64 sass_input_digest(const struct sass_input *input);

/* Fails with WS_STATUS_bad_input: "FILE:LINE: reason". */
enum ws_status sass_input_fail(const struct sass_input *input, struct ws_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fails because the file has changed since an earlier walk. */
enum ws_status sass_input_changed(const struct sass_input *input, struct ws_error *error);

/* ---- tracez.c ---- */

/* Whether a file's name says so; contents do not. */
bool sass_tracez_names(const char *path);

/* Maps the file of input. *tracez is to be closed, even after a failure. */
enum ws_status sass_tracez_open(const struct sass_input *input, struct sass_tracez **tracez, struct ws_error *error);
void sass_tracez_close(struct sass_tracez *tracez);

/* Adds *made bytes of text, at most room. The text equals that of Accel-Sim's traceDsm, with the same line numbers. */
enum ws_status sass_tracez_take(struct sass_input *input, char *out, size_t room, size_t *made, struct ws_error *error);
