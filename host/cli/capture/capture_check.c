/* Compares final buffers of launches with those of the driver. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "cli/capture/capture.h"

enum { PATH_ROOM = 4096, NAME_ROOM = 16 };

/* Differing elements of a buffer. */
struct difference {
    u64 count, differing, first;
    double relative; /* the largest, of floats */
    bool real;
    u32 steps; /* the largest, for image channels that round; 0: others */
};

/* Image channels that round values: normalized integers, and 16-bit floats. */
static const struct channel {
    const char *format;
    u32 bytes;
    bool sign; /* numbers of two's complement */
} channels[] = {{"unorm8", 1, false}, {"unorm16", 2, false}, {"snorm8", 1, true}, {"snorm16", 2, true}, {"f16", 2, false}};

/* A buffer of structs is compared in 32-bit words. A word counts as a float if it and its counterpart look like floats. */
static const char *const words_of_structs = "words";

static double real_at(const char *bytes, u64 n, size_t size)
{
    float value;
    double wide;
    if (size == sizeof wide) {
        memcpy(&wide, bytes + n * size, size);
        return wide;
    }
    memcpy(&value, bytes + n * size, size);
    return (double)value;
}

/* Relative to the larger magnitude, at least a millionth of the largest in the buffer. */
static double relative(double ours, double theirs, double least)
{
    if (isnan(ours) && isnan(theirs))
        return 0.0;
    const double scale = fmax(fmax(fabs(ours), fabs(theirs)), least);
    const double distance = fabs(ours - theirs);
    return isfinite(distance) && scale > 0.0 ? distance / scale : (double)INFINITY;
}

static double largest(const char *bytes, u64 count, size_t size)
{
    double most = 0.0;
    for (u64 n = 0; n < count; n++) {
        const double value = fabs(real_at(bytes, n, size));
        most = isfinite(value) && value > most ? value : most;
    }
    return most;
}

/* Counts, indices and pairs of small ones do not have such an exponent. */
static bool moderate(double value)
{
    return value == 0.0 || (fabs(value) > 0x1p-64 && fabs(value) < 0x1p64);
}

static struct difference difference_of_words(const char *ours, const char *theirs, u64 bytes)
{
    const size_t size = sizeof(float);
    struct difference difference = {.count = bytes / size, .real = true};
    for (u64 n = 0; n < difference.count; n++) {
        const double our = real_at(ours, n, size), their = real_at(theirs, n, size);
        if (memcmp(ours + n * size, theirs + n * size, size) == 0)
            continue;
        difference.first = difference.differing++ == 0 ? n : difference.first;
        if (moderate(our) && moderate(their))
            difference.relative = fmax(difference.relative, our == their ? 0.0 : relative(our, their, 0.0));
        else
            difference.real = false;
    }
    return difference;
}

/* Size of elements "f32", "u8"; of words. */
static size_t size_of(const char *element)
{
    const size_t bits = (size_t)strtoul(element + 1, NULL, 10);
    return element == words_of_structs ? sizeof(float) : bits < 8 ? 1 : bits / 8;
}

/* In padded vectors of three, the fourth element is undefined. */
static struct difference difference_of_elements(const char *ours, const char *theirs, u64 bytes, const char *element, bool padded)
{
    const size_t size = size_of(element);
    struct difference difference = {.count = bytes / size, .real = element[0] == 'f'};
    const double least = difference.real ? 1e-6 * largest(theirs, difference.count, size) : 0.0;
    for (u64 n = 0; n < difference.count; n++) {
        if ((padded && n % 4 == 3) || memcmp(ours + n * size, theirs + n * size, size) == 0)
            continue;
        if (difference.real && real_at(ours, n, size) == real_at(theirs, n, size))
            continue; /* zeros of either sign */
        const double of_this = difference.real ? relative(real_at(ours, n, size), real_at(theirs, n, size), least) : 0.0;
        if (difference.real && of_this == 0.0)
            continue;
        difference.first = difference.differing++ == 0 ? n : difference.first;
        difference.relative = fmax(difference.relative, of_this);
    }
    return difference;
}

static const struct channel *channel_of(const char *format)
{
    for (size_t n = 0; n < sizeof channels / sizeof *channels; n++)
        if (strcmp(format, channels[n].format) == 0)
            return &channels[n];
    return NULL;
}

/* Maps a channel value to a number that grows by one per representable value. */
static i32 step_of(const char *bytes, const struct channel *channel)
{
    u16 bits = 0;
    memcpy(&bits, bytes, channel->bytes);
    if (channel->format[0] == 'f')
        return bits & 0x8000 ? -(i32)(bits & 0x7FFF) : bits;
    const u32 shift = channel->sign ? 32 - 8 * channel->bytes : 0;
    return channel->sign ? (i32)((u32)bits << shift) >> shift : bits;
}

static struct difference difference_of_channels(const char *ours, const char *theirs, u64 bytes, const struct channel *channel)
{
    struct difference difference = {.count = bytes / channel->bytes};
    for (u64 n = 0; n < difference.count; n++) {
        const i32 our = step_of(ours + n * channel->bytes, channel), their = step_of(theirs + n * channel->bytes, channel);
        if (our == their)
            continue;
        difference.first = difference.differing++ == 0 ? n : difference.first;
        difference.steps = ws_max(difference.steps, (u32)abs(our - their));
    }
    return difference;
}

/* Bytes behind the last whole element count as one element. */
static struct difference difference_of(const char *ours, const char *theirs, u64 bytes, const char *element, bool padded)
{
    if (channel_of(element))
        return difference_of_channels(ours, theirs, bytes, channel_of(element));
    const u64 whole = bytes / size_of(element) * size_of(element);
    struct difference difference = element == words_of_structs ? difference_of_words(ours, theirs, whole)
                                                               : difference_of_elements(ours, theirs, whole, element, padded);
    if (memcmp(ours + whole, theirs + whole, bytes - whole) != 0) {
        difference.first = difference.differing++ == 0 ? difference.count : difference.first;
        difference.real = false;
    }
    return difference;
}

/* ---- Buffers ---- */

static const char bytes_only[] = "u8";

/* What a buffer holds. */
struct content {
    const char *element;
    bool padded; /* vectors of three, each in the space of four */
};

/* Common type of the kernel's pointers into a buffer, to replace the bytes of a driver without types. */
static struct content content_of(const struct cli_executed *executed, const struct ws_buffer *buffer)
{
    static const struct content unknown = {.element = bytes_only};
    const struct ws_ndrange *const launch = executed->launch;
    struct content found = {.padded = true};
    for (u32 n = 0; launch && n < launch->argument_count; n++) {
        const struct ws_argument *const argument = &launch->arguments[n];
        const u64 offset = (u64)((const char *)argument->data - (const char *)buffer->data);
        struct ws_argument_info info;
        struct ws_error ignored;
        if (argument->kind != WS_ARGUMENT_BUFFER || argument->bytes == 0 || offset >= buffer->bytes)
            continue;
        if (ws_program_argument(executed->program, launch->kernel, n, &info, &ignored) != WS_STATUS_ok || !info.type)
            return unknown;
        const char *const element = info.element                         ? info.element
                                    : strncmp(info.type, "half", 4) == 0 ? bytes_only
                                                                         : words_of_structs;
        if (found.element && strcmp(found.element, element) != 0)
            return unknown;
        found.element = element;
        found.padded = found.padded && info.element && info.components == 3 && offset % (4 * size_of(element)) == 0;
    }
    return found.element ? found : unknown;
}

/* "m0:f32=data/HASH.bin". */
static enum ws_status compare_one(const struct cli_capture *capture, const struct cli_executed *executed, const char *word,
                                  size_t *differing, bool *wrong, struct ws_text *out, struct ws_error *error)
{
    char name[NAME_ROOM] = "", recorded[NAME_ROOM] = "", place[PATH_ROOM / 2] = "", path[PATH_ROOM];
    const struct ws_buffer *buffer;
    char *bytes;
    size_t length;
    if (sscanf(word, "%15[^:]:%15[^=]=%2000[^ ]", name, recorded, place) != 3)
        return ws_fail(error, WS_STATUS_bad_input, "launches.txt: found '%s', allowed is NAME:TYPE=FILE; capture again", word);
    WS_TRY(ws_launch_file_buffer(executed->file, name, &buffer, error));
    snprintf(path, sizeof path, "%s/%s", capture->folder, place);
    WS_TRY(ws_file_read(path, SIZE_MAX, &bytes, &length, error));
    if (length != buffer->bytes) {
        free(bytes);
        return ws_fail(error, WS_STATUS_bad_input, "%s: found %zu bytes, the buffer has %" PRIu64 "; capture again", path, length,
                       buffer->bytes);
    }
    const struct content content = content_of(executed, buffer);
    const bool bytes_of_buffer = strcmp(recorded, bytes_only) == 0 && !buffer->image;
    const char *const element = bytes_of_buffer ? content.element : recorded;
    const struct difference difference = difference_of(buffer->data, bytes, length, element, content.padded);
    free(bytes);
    if (difference.differing == 0)
        return WS_STATUS_ok;
    ++*differing;
    *wrong = *wrong || (difference.real ? difference.relative > capture->tolerance : difference.steps != 1);
    ws_text_add(out, ", %s: %" PRIu64 " of %" PRIu64 " %s differ, first %" PRIu64, name, difference.differing, difference.count,
                element, difference.first);
    if (difference.real)
        ws_text_add(out, ", by %.2g at most", difference.relative);
    else if (difference.steps == 1)
        ws_text_add(out, ", by one step at most, as OpenCL lets drivers round");
    else if (difference.steps > 1)
        ws_text_add(out, ", by %u steps at most", difference.steps);
    return WS_STATUS_ok;
}

enum ws_status cli_capture_compare(const struct cli_capture *capture, const struct cli_executed *executed, const char *words,
                                   bool *differs, struct ws_text *out, struct ws_error *error)
{
    size_t differing = 0;
    for (words += strspn(words, " "); *words; words += strspn(words, " ")) {
        WS_TRY(compare_one(capture, executed, words, &differing, differs, out, error));
        words += strcspn(words, " ");
    }
    if (differing == 0)
        ws_text_add(out, ", equal");
    return WS_STATUS_ok;
}
