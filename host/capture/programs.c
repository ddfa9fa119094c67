#include "capture/programs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/file.h"
#include "base/text.h"
#include "capture/store.h"

enum { DEVICES = 64, MOST_SOURCE = 1 << 28 };

/* An answer of clGet... as a new text; NULL when out of memory. */
#define TEXT_OF(get, ...)                                                                                                          \
    do {                                                                                                                           \
        size_t length_ = 0;                                                                                                        \
        char *text_ = NULL;                                                                                                        \
        if (capture_driver.get(__VA_ARGS__, 0, NULL, &length_) != CL_SUCCESS)                                                      \
            length_ = 0;                                                                                                           \
        text_ = calloc(length_ + 1, 1);                                                                                            \
        if (text_ && length_ > 0 && capture_driver.get(__VA_ARGS__, length_, text_, NULL) != CL_SUCCESS)                           \
            text_[0] = 0;                                                                                                          \
        return text_;                                                                                                              \
    } while (0)

static char *driver_source(cl_program program)
{
    TEXT_OF(clGetProgramInfo, program, CL_PROGRAM_SOURCE);
}

static char *driver_options(cl_program program, cl_device_id device)
{
    TEXT_OF(clGetProgramBuildInfo, program, device, CL_PROGRAM_BUILD_OPTIONS);
}

struct capture_source capture_source_of(cl_program program, cl_device_id device)
{
    struct capture_source source = {.text = driver_source(program), .options = driver_options(program, device)};
    if (source.text && !source.text[0]) {
        struct capture_source known = capture_object_source(program);
        if (known.text) {
            capture_source_free(&source);
            return known;
        }
    }
    if (!source.text || !source.options)
        capture_source_free(&source);
    return source;
}

/* ---- Binaries ---- */

/* Format of the file of a binary: options, a zero, the source. */
static bool file_of(const unsigned char *binary, size_t length, struct ws_text *path)
{
    const struct capture_wanted *const wanted = capture_wanted();
    const XXH128_hash_t hash = XXH3_128bits(binary, length);
    if (!wanted || !wanted->binaries)
        return false;
    ws_text_add(path, "%s/%016" PRIx64 "%016" PRIx64, wanted->binaries, (u64)hash.high64, (u64)hash.low64);
    return !path->failed;
}

static void keep(const unsigned char *binary, size_t length, const struct capture_source *source)
{
    struct ws_text path = {0}, out = {0};
    struct ws_error ignored;
    ws_text_bytes(&out, source->options, strlen(source->options) + 1);
    ws_text_bytes(&out, source->text, strlen(source->text));
    if (file_of(binary, length, &path) && !out.failed)
        ws_file_write(path.data, out.data, out.length, &ignored); /* without it the binary stays unknown */
    ws_text_free(&path);
    ws_text_free(&out);
}

void capture_binaries_given(cl_program program)
{
    cl_device_id devices[DEVICES];
    size_t sizes[DEVICES], bytes = 0;
    unsigned char *binaries[DEVICES];
    if (capture_driver.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, &bytes) != CL_SUCCESS ||
        capture_driver.clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof devices, devices, NULL) != CL_SUCCESS)
        return;
    const size_t count = bytes / sizeof *sizes;
    bool room = true;
    for (size_t n = 0; n < count; n++) {
        binaries[n] = malloc(sizes[n] + 1);
        room = room && binaries[n];
    }
    if (room &&
        capture_driver.clGetProgramInfo(program, CL_PROGRAM_BINARIES, count * sizeof *binaries, binaries, NULL) == CL_SUCCESS)
        for (size_t n = 0; n < count; n++) {
            struct capture_source source = capture_source_of(program, devices[n]);
            if (sizes[n] > 0 && source.text && source.text[0])
                keep(binaries[n], sizes[n], &source);
            capture_source_free(&source);
        }
    for (size_t n = 0; n < count; n++)
        free(binaries[n]);
}

static bool known(const unsigned char *binary, size_t length, struct capture_source *source)
{
    struct ws_text path = {0};
    struct ws_error ignored;
    char *bytes = NULL;
    size_t size = 0;
    if (file_of(binary, length, &path) && ws_file_read(path.data, MOST_SOURCE, &bytes, &size, &ignored) == WS_STATUS_ok &&
        strlen(bytes) < size) {
        source->options = strdup(bytes);
        source->text = strdup(bytes + strlen(bytes) + 1);
    }
    ws_text_free(&path);
    free(bytes);
    return source->options && source->text;
}

bool capture_binaries_source(cl_uint count, const size_t *lengths, const unsigned char *const *binaries,
                             struct capture_source *source)
{
    *source = (struct capture_source){0};
    for (cl_uint n = 0; n < count; n++) {
        capture_source_free(source);
        if (!lengths || !binaries || !binaries[n] || !known(binaries[n], lengths[n], source)) {
            capture_source_free(source);
            return false;
        }
    }
    return count > 0;
}

/* ---- Linked programs ---- */

void capture_linked(cl_program made, cl_uint count, const cl_program *inputs, const char *options)
{
    cl_device_id device = NULL;
    struct capture_source source = {0};
    struct ws_text all = {0};
    capture_object(made, count == 1 && capture_object_kind(inputs[0]) == CAPTURE_HEADERS ? CAPTURE_HEADERS : CAPTURE_LINKED);
    if (count != 1 || capture_object_kind(inputs[0]) == CAPTURE_HEADERS)
        return;
    capture_driver.clGetProgramInfo(inputs[0], CL_PROGRAM_DEVICES, sizeof device, &device, NULL);
    source = capture_source_of(inputs[0], device);
    if (source.text && source.text[0]) {
        ws_text_add(&all, "%s%s%s", source.options, options ? " " : "", options ? options : "");
        if (!all.failed)
            capture_object_give(made, (struct capture_source){.text = source.text, .options = all.data});
    }
    ws_text_free(&all);
    capture_source_free(&source);
}
