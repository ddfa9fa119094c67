/* Modules: the code of a fat binary, cubin or PTX text for the device, its functions and variables. */
#pragma once

#include "capture/cuda/core/memory.h"

/* Code as the program gave it. Loaded when a function or variable of it is first needed. */
struct gpu_module;
struct gpu_code;

/* A kernel. */
struct gpu_function {
    struct gpu_module *module;
    const char *name;                 /* symbol */
    const struct gpu_code *code;      /* image of the module that executes it; NULL until gpu_function_load */
    const struct ws_program *program; /* the same */
    char *ptx_reason;                 /* why the kernel's PTX does not load, of machine code; NULL: no PTX has the kernel */
    struct ws_kernel_info info;
    struct ws_argument_info *parameters;
    u32 dynamic_shared; /* most that the program asked for (attributes of the function) */
    bool wants_shared;  /* it did */
    int carveout;
    int large_clusters;        /* it may have clusters of more blocks than each GPU has */
    bool serial;               /* its blocks depend on each other: launches run on one core */
    struct gpu_function *next; /* of the module */
};

/* A module of a fat binary (struct with magic number 0x466243B1, or what it points to), of a cubin or host ELF file, or of PTX text
 * that ends with zero. Bytes are copied; *module is owned by the device until gpu_module_unload. */
int gpu_module_make(const void *code, const char *name, struct gpu_module **module);

/* The same of a file. */
int gpu_module_open(const char *path, struct gpu_module **module);

/* Loads its code now: parses it, gives variables their addresses and initial contents. */
int gpu_module_load(struct gpu_module *module);

void gpu_module_unload(struct gpu_module *module);

/* The kernel of that name, without looking whether there is one; the module owns it. NULL when out of memory. */
struct gpu_function *gpu_module_function(struct gpu_module *module, const char *name);

/* Finds its code and parameters. */
int gpu_function_load(struct gpu_function *function);

/* The message of a launch that failed: for what machine code lacks also why the PTX does not load. Written to a text of
 * GPU_REASON bytes. */
enum { GPU_REASON = 2 * WS_MESSAGE_ROOM + 64 };
const char *gpu_function_reason(const struct gpu_function *function, const char *message, char *text);

/* Names of the kernels of a loaded module, NULL-terminated. */
const char *const *gpu_module_kernels(const struct gpu_module *module);

/* The range of a variable of a loaded module, or NULL. */
struct gpu_range *gpu_module_variable(const struct gpu_module *module, const char *name);

/* Variables of the image that executes a loaded function, some of them NULL; *count receives their number. */
struct gpu_range *const *gpu_function_variables(const struct gpu_function *function, u32 *count);

/* That image, PTX or a cubin, with the suffix of such files. */
const char *gpu_function_text(const struct gpu_function *function, size_t *length, const char **suffix);
