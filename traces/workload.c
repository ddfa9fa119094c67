#include "workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"

static enum ws_status copy_argument(struct ws_argument *copy, const struct ws_argument *argument, struct ws_error *error)
{
    *copy = *argument;
    if (argument->kind == WS_ARGUMENT_SHARED)
        return WS_STATUS_ok;
    copy->data = calloc(1, argument->bytes);
    if (!copy->data)
        return ws_fail(error, WS_STATUS_no_memory, "no memory for %s of %llu bytes", argument->name,
                       (unsigned long long)argument->bytes);
    if (argument->data)
        memcpy(copy->data, argument->data, argument->bytes);
    return WS_STATUS_ok;
}

enum ws_status ws_launch_arguments(struct ws_ndrange *launch, const struct ws_argument *arguments, u32 count,
                                   struct ws_error *error)
{
    launch->argument_count = 0;
    launch->arguments = calloc(count, sizeof *arguments);
    if (!launch->arguments)
        return ws_fail(error, WS_STATUS_no_memory, "no memory for the arguments of %s", launch->kernel);

    enum ws_status status = WS_STATUS_ok;
    for (u32 n = 0; n < count && status == WS_STATUS_ok; n++) {
        status = copy_argument(&launch->arguments[n], &arguments[n], error);
        launch->argument_count = n + 1;
    }
    if (status != WS_STATUS_ok)
        ws_launch_release(launch);
    return status;
}

/* The buffer is first: launches point to it. */
struct image {
    struct ws_buffer buffer;
    struct ws_image_desc desc;
};

enum ws_status ws_launch_image(struct ws_ndrange *launch, u32 n, u32 width, u32 height, struct ws_error *error)
{
    const struct ws_argument *const argument = &launch->arguments[n];
    struct image *const image = calloc(1, sizeof *image);
    if (!image) {
        const enum ws_status status = ws_fail(error, WS_STATUS_no_memory, "no memory for the image of %s", launch->kernel);
        ws_launch_release(launch);
        return status;
    }
    image->desc =
        (struct ws_image_desc){.shape = WS_IMAGE_2d, .order = WS_ORDER_r, .format = WS_FORMAT_f32, .size = {width, height, 1}};
    image->buffer =
        (struct ws_buffer){.name = argument->name, .data = argument->data, .bytes = argument->bytes, .image = &image->desc};
    launch->buffers = &image->buffer;
    launch->buffer_count = 1;
    return WS_STATUS_ok;
}

void ws_launch_release(struct ws_ndrange *launch)
{
    free(launch->buffers);
    for (u32 n = 0; n < launch->argument_count; n++)
        free(launch->arguments[n].data);
    free(launch->arguments);
    *launch = (struct ws_ndrange){0};
}

enum ws_status ws_launch_equal(const struct ws_ndrange *launch, const struct ws_ndrange *expected, u32 n, size_t element_bytes,
                               struct ws_error *error)
{
    const struct ws_argument *found = &launch->arguments[n];
    const unsigned char *a = found->data;
    const unsigned char *b = expected->arguments[n].data;
    for (u64 offset = 0; offset < found->bytes; offset += element_bytes)
        if (memcmp(a + offset, b + offset, element_bytes) != 0)
            return ws_fail(error, WS_STATUS_mismatch, "%s: element %llu of %s is wrong", launch->source,
                           (unsigned long long)(offset / element_bytes), found->name);
    return WS_STATUS_ok;
}

enum ws_status ws_launch_near(const struct ws_ndrange *launch, u32 n, const double *expected, double tolerance,
                              struct ws_error *error)
{
    const struct ws_argument *argument = &launch->arguments[n];
    const float *found = argument->data;
    for (u64 i = 0; i < argument->bytes / sizeof *found; i++)
        if (!(fabs((double)found[i] - expected[i]) <= tolerance))
            return ws_fail(error, WS_STATUS_mismatch, "%s: %s[%llu] is %.9g instead of %.9g", launch->source, argument->name,
                           (unsigned long long)i, (double)found[i], expected[i]);
    return WS_STATUS_ok;
}

enum ws_status ws_launch_near_double(const struct ws_ndrange *launch, u32 n, const double *expected, double tolerance,
                                     struct ws_error *error)
{
    const struct ws_argument *argument = &launch->arguments[n];
    const double *found = argument->data;
    for (u64 i = 0; i < argument->bytes / sizeof *found; i++)
        if (!(fabs(found[i] - expected[i]) <= tolerance))
            return ws_fail(error, WS_STATUS_mismatch, "%s: %s[%llu] is %.17g instead of %.17g", launch->source, argument->name,
                           (unsigned long long)i, found[i], expected[i]);
    return WS_STATUS_ok;
}

static enum ws_status near(const struct ws_ndrange *launch, const struct ws_ndrange *expected, u32 n, double tolerance,
                           struct ws_error *error)
{
    const struct ws_argument *found = &launch->arguments[n];
    const float *a = found->data;
    const float *b = expected->arguments[n].data;
    for (u64 element = 0; element < found->bytes / sizeof *a; element++) {
        const double wanted = (double)b[element];
        if (!(fabs((double)a[element] - wanted) <= tolerance * (1.0 + fabs(wanted))))
            return ws_fail(error, WS_STATUS_mismatch, "%s: element %llu of %s is %g instead of %g", launch->source,
                           (unsigned long long)element, found->name, (double)a[element], wanted);
    }
    return WS_STATUS_ok;
}

enum ws_status ws_launch_agrees(const struct ws_ndrange *launch, const struct ws_ndrange *expected, const double *tolerances,
                                struct ws_error *error)
{
    for (u32 n = 0; n < launch->argument_count; n++) {
        if (launch->arguments[n].kind != WS_ARGUMENT_BUFFER)
            continue;
        if (tolerances && tolerances[n] > 0.0)
            WS_TRY(near(launch, expected, n, tolerances[n], error));
        else
            WS_TRY(ws_launch_equal(launch, expected, n, sizeof(u32), error));
    }
    return WS_STATUS_ok;
}

void ws_launch_random(struct ws_ndrange *launch, u32 n, float least, float most, u64 *seed)
{
    float *values = launch->arguments[n].data;
    for (u64 element = 0; element < launch->arguments[n].bytes / sizeof *values; element++)
        values[element] = least + (most - least) * ((float)ws_random_range(seed, 0, 1 << 24) / (float)(1 << 24));
}
