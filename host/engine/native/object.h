/* Kernels compiled while the program runs: shared objects in the user's cache, kept by a digest of all that they are made of. The
 * compiler is that of the build, or the program that WARPSWEEP_CC names. */
#ifndef WS_ENGINE_NATIVE_OBJECT_H
#define WS_ENGINE_NATIVE_OBJECT_H

#include "engine/native/rows.h"
#include "warpsweep/status.h"

struct ws_native_object {
    const struct ws_native_row *row;
    char *fixed; /* the specialized parameters (ws_fixed_text), or an empty text */
    bool quick;  /* compile in a third of the time, for code half as fast */
    char *path;
    void *handle; /* once loaded, else NULL; set it to NULL to keep the kernel after ws_native_object_free */
    ws_native_quantum *quantum;
};

/* Names the object of a row. Takes ownership of fixed, also on failure; NULL stands for no memory. WS_STATUS_compiler without
 * memory or a cache folder. Free it in every case. */
enum ws_status ws_native_object_init(struct ws_native_object *object, const struct ws_native_row *row, char *fixed, bool quick,
                                     struct ws_error *error);
void ws_native_object_free(struct ws_native_object *object);

/* Loads the kernel if the cache has it. */
bool ws_native_object_look_up(struct ws_native_object *object);

/* Loads the kernel; compiles it if the cache lacks it, and waits if another process compiles it. WS_STATUS_compiler, or
 * WS_STATUS_interrupted by a signal. */
enum ws_status ws_native_object_load(struct ws_native_object *object, struct ws_error *error);

#endif
