/* Machine code of NVIDIA's GPUs (SASS): cubins, fat binaries and executables with them, as programs that ws_trace_build executes.
 */
#ifndef WARPSWEEP_SASS_H
#define WARPSWEEP_SASS_H

#include "warpsweep/code.h"
#include "warpsweep/frontend.h"

enum ws_sass_kind { WS_SASS_PTX, WS_SASS_CUBIN, WS_SASS_OTHER };

/* One of the images in a file. */
struct ws_sass_image {
    enum ws_sass_kind kind;
    u32 architecture;        /* compute capability times 10: 86 */
    const char *compression; /* "none", "lz4", "zstd" */
    u64 stored, bytes;       /* bytes in the file, and of the image */
};

struct ws_sass_binary;

/* Opens a cubin, a fat binary (.fatbin), or an ELF file of the host (executable, library, object) with fat binaries in it. To be
 * freed by ws_sass_binary_close. Damaged files, and files of other types, are WS_STATUS_bad_input. */
enum ws_status ws_sass_binary_open(const char *path, struct ws_sass_binary **file, struct ws_error *error);
void ws_sass_binary_close(struct ws_sass_binary *file);

/* The same for the bytes of such a file, which are freed in any case; name is for messages. */
enum ws_status ws_sass_binary_take(const char *name, char *bytes, size_t length, struct ws_sass_binary **file,
                                   struct ws_error *error);

/* Whether a file's first bytes are of a type that ws_sass_binary_open reads; false if it cannot be read. */
bool ws_sass_binary_is(const char *path);

/* Whether path is an ELF file. *has_code: it has fat binaries. needs is called with each shared library that it names. */
bool ws_sass_host_needs(const char *path, bool *has_code, void (*needs)(void *context, const char *library), void *context);

/* Image n, from 0, in the file's order; it belongs to the file. NULL after the last one. */
const struct ws_sass_image *ws_sass_binary_image(const struct ws_sass_binary *file, u32 n);

/* Loads image n: PTX with options, or a cubin, whose kernels execute their machine code. To be freed by ws_program_free. */
enum ws_status ws_sass_binary_load(const struct ws_sass_binary *file, u32 n, const struct ws_frontend_options *options,
                                   struct ws_program **program, struct ws_error *error);

/* The bytes of image n, uncompressed: newly allocated, with a zero after them (PTX ends at its first zero). The caller frees them.
 */
enum ws_status ws_sass_binary_bytes(const struct ws_sass_binary *file, u32 n, char **bytes, size_t *length, struct ws_error *error);

/* Loads the image of a kind (PTX or cubin) for an architecture (0: the only one in the file) that contains all these kernels,
 * NULL-terminated. To be freed by ws_program_free. */
enum ws_status ws_sass_binary_choose(const struct ws_sass_binary *file, enum ws_sass_kind kind, u32 architecture,
                                     const char *const *kernels, const struct ws_frontend_options *options,
                                     struct ws_program **program, struct ws_error *error);

/* The machine code of a kernel in a file for an architecture (0: the only one in the file), executable or not: every word from the
 * kernel's first instruction on, including padding. An unknown word has control bits and lines, but an empty text and no operands.
 * The code belongs to *program, which is to be freed by ws_program_free. */
enum ws_status ws_sass_binary_code(const struct ws_sass_binary *file, u32 architecture, const char *kernel,
                                   struct ws_program **program, const struct ws_machine_code **code, struct ws_error *error);

#endif
