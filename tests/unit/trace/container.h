/* Trace files disassembled and reassembled from docs/trace-format.md alone, without the library: places arbitrary contents behind
 * valid digests. */
#pragma once

#include <stddef.h>

#include "shared/dialect.h"

enum { CONTAINER_FRAMES = 64, CONTAINER_SECTIONS = 32, CONTAINER_CODE = CONTAINER_FRAMES };

/* Frame 0 is the launch; the sections' frames follow in order. Frame CONTAINER_CODE is the code of version 6. */
struct container {
    struct {
        u8 *data;
        u32 length;
    } frame[CONTAINER_FRAMES + 1];
    u32 frames;
    struct {
        u32 blocks, frames;
    } section[CONTAINER_SECTIONS];
    u32 sections;
    u32 version; /* of the format */
};

/* Both fail the running test if a file cannot be read or written, or violates the format. */
void container_read(const char *file, struct container *container);
void container_write(const char *file, const struct container *container);
void container_free(struct container *container);

/* Replaces the contents of a frame by a copy of data. */
void container_set(struct container *container, u32 frame, const void *data, u32 length);

/* Whole files, for tests that damage bytes. */
u8 *bytes_read(const char *file, size_t *length);
void bytes_write(const char *file, const u8 *bytes, size_t length);
