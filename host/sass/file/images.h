/* Images in a file: fat binaries, and what is in them. */
#pragma once

#include "base/arena.h"
#include "warpsweep/sass.h"

struct ws_sass_binary {
    struct ws_arena arena;
    char *name; /* of the file, for messages */
    char *data; /* all of it */
    size_t length;
    u32 count;
    size_t room;
    struct ws_sass_entry *entries;
};

/* An image where it is stored. */
struct ws_sass_entry {
    struct ws_sass_image image;
    u32 kind; /* as fat binaries have it */
    const u8 *stored;
};

/* Adds the images of fat binaries in bytes that begin at offset of the file, one after another with zeros between them. */
enum ws_status ws_sass_fatbin_read(struct ws_sass_binary *file, size_t offset, size_t length, struct ws_error *error);

/* Adds an image. */
enum ws_status ws_sass_entry_add(struct ws_sass_binary *file, struct ws_sass_entry entry, struct ws_error *error);

/* The bytes of an image, newly allocated with a zero behind them. */
enum ws_status ws_sass_entry_unpack(const struct ws_sass_binary *file, const struct ws_sass_entry *entry, char **bytes,
                                    struct ws_error *error);
