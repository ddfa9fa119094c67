/* Kernels compiled while the program runs: shared objects in the user's cache, kept by a digest of all that they are made of. The
 * compiler is that of the build, or the program that WARPSWEEP_CC names. */
#ifndef WS_ENGINE_NATIVE_OBJECT_H
#define WS_ENGINE_NATIVE_OBJECT_H

#include "engine/native/rows.h"
#include "warpsweep/status.h"

struct ws_native_object {
    const struct ws_native_row *row;
    char *fixed; /* what is fixed (ws_fixed_text), or an empty text */
    bool quick;  /* compiled in a third of the time, and somewhat slower */
    char *path;
};

/* Names the object of a row. Takes over the text of what is fixed, also on failure; NULL is no memory. To be freed. False without
 * memory or a folder for a cache. */
bool ws_native_object_init(struct ws_native_object *object, const struct ws_native_row *row, char *fixed, bool quick);
void ws_native_object_free(struct ws_native_object *object);

/* Compiles it, and leaves no half of a file (WS_STATUS_compiler). */
enum ws_status ws_native_object_make(const struct ws_native_object *object, struct ws_error *error);

/* Loads what has been compiled: a handle for dlclose, and its kernel; NULL if there is none. */
void *ws_native_object_open(const struct ws_native_object *object, ws_native_slice **slice);

#endif
