#include "capture/objects.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A handle. Kernels have arguments; some programs have a source that the driver does not know. */
struct object {
    const void *handle;
    enum capture_kind kind;
    struct capture_argument *arguments;
    u32 count;
    struct capture_source source;
};

/* Open addressing; room is a power of two. */
static struct {
    struct object *objects;
    size_t count, room;
} table;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct object *place(struct object *objects, size_t room, const void *handle)
{
    size_t n = (size_t)((uintptr_t)handle / 16 * 0x9e3779b97f4a7c15u >> 20) & (room - 1);
    while (objects[n].handle && objects[n].handle != handle)
        n = (n + 1) & (room - 1);
    return &objects[n];
}

static bool grow(void)
{
    const size_t room = table.room ? 2 * table.room : 1024;
    struct object *const objects = calloc(room, sizeof *objects);
    if (!objects)
        return false;
    for (size_t n = 0; n < table.room; n++)
        if (table.objects[n].handle)
            *place(objects, room, table.objects[n].handle) = table.objects[n];
    free(table.objects);
    table.objects = objects;
    table.room = room;
    return true;
}

static struct object *find(const void *handle)
{
    struct object *const object = table.room ? place(table.objects, table.room, handle) : NULL;
    return object && object->handle ? object : NULL;
}

static void forget_arguments(struct object *object)
{
    for (u32 n = 0; n < object->count; n++)
        free(object->arguments[n].value);
    free(object->arguments);
    object->arguments = NULL;
    object->count = 0;
}

/* Replaces the object of that handle by an empty one. */
static struct object *renew(const void *handle)
{
    if (!handle || (2 * table.count >= table.room && !grow()))
        return NULL;
    struct object *const object = place(table.objects, table.room, handle);
    table.count += !object->handle;
    object->handle = handle;
    object->kind = CAPTURE_UNKNOWN;
    forget_arguments(object);
    capture_source_free(&object->source);
    return object;
}

void capture_object(const void *handle, enum capture_kind kind)
{
    pthread_mutex_lock(&lock);
    struct object *const object = renew(handle);
    if (object)
        object->kind = kind;
    pthread_mutex_unlock(&lock);
}

enum capture_kind capture_object_kind(const void *handle)
{
    pthread_mutex_lock(&lock);
    const struct object *const object = find(handle);
    const enum capture_kind kind = object ? object->kind : CAPTURE_UNKNOWN;
    pthread_mutex_unlock(&lock);
    return kind;
}

/* ---- Programs ---- */

void capture_source_free(struct capture_source *source)
{
    free(source->text);
    free(source->options);
    *source = (struct capture_source){0};
}

static struct capture_source copy_of(const struct capture_source *source)
{
    struct capture_source copy = {0};
    if (source->text && source->options)
        copy = (struct capture_source){.text = strdup(source->text), .options = strdup(source->options)};
    if (!copy.text || !copy.options)
        capture_source_free(&copy);
    return copy;
}

void capture_object_give(const void *program, struct capture_source source)
{
    pthread_mutex_lock(&lock);
    struct object *const object = find(program);
    if (object) {
        capture_source_free(&object->source);
        object->source = copy_of(&source);
    }
    pthread_mutex_unlock(&lock);
}

struct capture_source capture_object_source(const void *program)
{
    struct capture_source source = {0};
    pthread_mutex_lock(&lock);
    const struct object *const object = find(program);
    if (object)
        source = copy_of(&object->source);
    pthread_mutex_unlock(&lock);
    return source;
}

/* ---- Kernels ---- */

void capture_kernel(const void *kernel)
{
    capture_object(kernel, CAPTURE_UNKNOWN);
}

static bool give(struct object *object, u32 n, struct capture_argument argument)
{
    if (n >= object->count) {
        struct capture_argument *const grown = realloc(object->arguments, (n + 1) * sizeof *grown);
        if (!grown)
            return false;
        memset(grown + object->count, 0, (n + 1 - object->count) * sizeof *grown);
        object->arguments = grown;
        object->count = n + 1;
    }
    free(object->arguments[n].value);
    object->arguments[n] = argument;
    return true;
}

/* A private copy; not set without memory for it. */
static struct capture_argument copied(struct capture_argument argument)
{
    void *const value = argument.value ? malloc(argument.bytes ? argument.bytes : 1) : NULL;
    argument.given = argument.given && !value == !argument.value;
    if (value)
        memcpy(value, argument.value, argument.bytes);
    argument.value = value;
    return argument;
}

void capture_kernel_argument(const void *kernel, u32 n, size_t bytes, const void *value, bool svm)
{
    const struct capture_argument argument = {
        .given = true, .svm = svm, .bytes = bytes, .value = svm ? NULL : (void *)(uintptr_t)value};
    pthread_mutex_lock(&lock);
    struct object *object = find(kernel);
    if (!object)
        object = renew(kernel);
    const struct capture_argument copy = copied(argument);
    if (!object || !give(object, n, copy))
        free(copy.value);
    pthread_mutex_unlock(&lock);
}

struct capture_argument capture_kernel_get(const void *kernel, u32 n)
{
    struct capture_argument argument = {0};
    pthread_mutex_lock(&lock);
    const struct object *const object = find(kernel);
    if (object && n < object->count)
        argument = copied(object->arguments[n]);
    pthread_mutex_unlock(&lock);
    return argument;
}

void capture_kernel_copy(const void *kernel, const void *from)
{
    capture_kernel(kernel);
    pthread_mutex_lock(&lock);
    const struct object *const source = find(from);
    struct object *const object = find(kernel);
    for (u32 n = 0; source && object && n < source->count; n++) {
        const struct capture_argument copy = copied(source->arguments[n]);
        if (!give(object, n, copy))
            free(copy.value);
    }
    pthread_mutex_unlock(&lock);
}
