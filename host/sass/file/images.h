/* Images of a file: PTX and cubins. */
#pragma once

#include "base/arena.h"
#include "warpsweep/sass.h"

struct ws_sass_binary {
    struct ws_arena arena;
    char *name; /* name of the file, for messages */
    char *data; /* contents of the file */
    size_t length;
    u32 count;
    size_t room;
    struct ws_sass_entry *entries;
};

/* An image as stored in the file. */
struct ws_sass_entry {
    struct ws_sass_image image;
    u32 kind; /* number of the kind in fat binaries */
    const u8 *stored;
};

/* Adds the images of consecutive fat binaries, possibly separated by zeros, in bytes at offset of the file. */
enum ws_status ws_sass_fatbin_read(struct ws_sass_binary *file, size_t offset, size_t length, struct ws_error *error);

/* Whether a section of a host ELF file holds fat binaries, by its name. */
bool ws_sass_holds_fatbins(const char *section);

/* Adds an image. */
enum ws_status ws_sass_entry_add(struct ws_sass_binary *file, struct ws_sass_entry entry, struct ws_error *error);

/* The decompressed bytes of an image, newly allocated, followed by a zero. */
enum ws_status ws_sass_entry_unpack(const struct ws_sass_binary *file, const struct ws_sass_entry *entry, char **bytes,
                                    struct ws_error *error);
