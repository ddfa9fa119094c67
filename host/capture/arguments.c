/* Arguments of a launch, in the form of launch files. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/contents.h"
#include "capture/launch.h"

enum { NAME_ROOM = 256 };

/* An argument, with the driver's description of its parameter; "" if it gives none. */
struct given {
    u32 number;
    struct capture_argument value;
    char name[NAME_ROOM], type[NAME_ROOM];
    bool local, pointer; /* address space of the parameter, if the driver gives it */
    bool known;
};

/* Names in OpenCL C and in launch files. */
static const struct {
    const char *name, *element;
    u32 bytes;
} types[] = {{"char", "i8", 1},  {"uchar", "u8", 1}, {"short", "i16", 2}, {"ushort", "u16", 2}, {"int", "i32", 4},
             {"uint", "u32", 4}, {"long", "i64", 8}, {"ulong", "u64", 8}, {"float", "f32", 4},  {"double", "f64", 8}};

static void ask(cl_kernel kernel, struct given *given)
{
    cl_kernel_arg_address_qualifier space = 0;
    if (!capture_driver.clGetKernelArgInfo)
        return;
    if (capture_driver.clGetKernelArgInfo(kernel, given->number, CL_KERNEL_ARG_NAME, NAME_ROOM, given->name, NULL) != CL_SUCCESS)
        given->name[0] = 0;
    if (capture_driver.clGetKernelArgInfo(kernel, given->number, CL_KERNEL_ARG_TYPE_NAME, NAME_ROOM, given->type, NULL) !=
        CL_SUCCESS)
        given->type[0] = 0;
    if (capture_driver.clGetKernelArgInfo(kernel, given->number, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL) !=
        CL_SUCCESS)
        return;
    given->known = true;
    given->local = space == CL_KERNEL_ARG_ADDRESS_LOCAL;
    given->pointer = space != CL_KERNEL_ARG_ADDRESS_PRIVATE;
}

/* ---- Values ---- */

/* A value of a type that launch files support; false for other types. */
static bool add_typed(struct ws_text *out, const struct given *given)
{
    const unsigned char *const bytes = given->value.value;
    for (size_t n = 0; n < sizeof types / sizeof *types; n++) {
        const size_t length = strlen(types[n].name);
        if (strncmp(given->type, types[n].name, length) != 0)
            continue;
        char *end;
        const unsigned long suffix = strtoul(given->type + length, &end, 10);
        const u32 components = given->type[length] ? (u32)suffix : 1, room = components == 3 ? 4 : components;
        if (*end || components == 0 || components > 16 || given->value.bytes != (size_t)room * types[n].bytes)
            continue;
        for (u32 c = 0; c < components; c++)
            if (!capture_is_finite(types[n].element, bytes + c * types[n].bytes, types[n].bytes))
                return false;
        ws_text_add(out, components > 1 ? "vector: %s, value: [" : "scalar: %s, value: ", types[n].element);
        for (u32 c = 0; c < components; c++) {
            ws_text_add(out, c ? ", " : "");
            capture_number(out, types[n].element, bytes + c * types[n].bytes, types[n].bytes);
        }
        ws_text_add(out, components > 1 ? "]" : "");
        return true;
    }
    return false;
}

static void add_value(struct ws_text *out, const struct given *given)
{
    const unsigned char *const bytes = given->value.value;
    if (add_typed(out, given))
        return;
    ws_text_add(out, "array: u8, value: [");
    for (size_t n = 0; n < given->value.bytes; n++)
        ws_text_add(out, "%s%u", n ? ", " : "", bytes[n]);
    ws_text_add(out, "]");
}

/* ---- Buffers ---- */

/* The pointee of "float4*"; bytes if launch files have no name for it. */
static const char *element_of(const struct given *given, size_t bytes)
{
    for (size_t n = 0; n < sizeof types / sizeof *types; n++) {
        const size_t length = strlen(types[n].name);
        if (strncmp(given->type, types[n].name, length) == 0 && bytes % types[n].bytes == 0 &&
            given->type[length + strspn(given->type + length, "0123456789")] == '*')
            return types[n].element;
    }
    return "u8";
}

static bool memory_of(struct capture_launch *launch, cl_mem buffer, u32 *memory)
{
    size_t bytes;
    for (*memory = 0; *memory < launch->memory_count; ++*memory)
        if (launch->memories[*memory].buffer == buffer)
            return true;
    if (launch->memory_count == CAPTURE_BUFFERS)
        return capture_refuse(launch, "more than %d buffers", CAPTURE_BUFFERS);
    if (capture_object_kind(buffer) == CAPTURE_IMAGE) {
        struct capture_memory *const image = &launch->memories[launch->memory_count++];
        *image = (struct capture_memory){.buffer = buffer};
        return capture_image(launch, buffer, image);
    }
    if (capture_driver.clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof bytes, &bytes, NULL) != CL_SUCCESS)
        return capture_refuse(launch, "the driver does not say how large a buffer is");
    launch->memories[launch->memory_count++] = (struct capture_memory){.buffer = buffer, .bytes = bytes};
    return true;
}

static bool add_buffer(struct capture_launch *launch, const struct given *given, cl_mem buffer)
{
    cl_mem whole = NULL;
    size_t offset = 0;
    u32 memory;
    capture_driver.clGetMemObjectInfo(buffer, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof whole, &whole, NULL);
    if (whole)
        capture_driver.clGetMemObjectInfo(buffer, CL_MEM_OFFSET, sizeof offset, &offset, NULL);
    if (!memory_of(launch, whole ? whole : buffer, &memory))
        return false;
    struct capture_memory *const found = &launch->memories[memory];
    const char *const element = element_of(given, found->bytes);
    found->element = !found->element || strcmp(found->element, element) == 0 ? element : "u8";
    found->diverged = found->diverged || offset > 0;
    ws_text_add(&launch->arguments, "buffer: m%" PRIu32, memory);
    if (offset > 0)
        ws_text_add(&launch->arguments, ", offset: %zu", offset);
    return true;
}

static bool add_image(struct capture_launch *launch, cl_mem image)
{
    u32 memory;
    if (!memory_of(launch, image, &memory))
        return false;
    ws_text_add(&launch->arguments, "image: m%" PRIu32, memory);
    return true;
}

/* ---- Arguments ---- */

/* A value that is a handle of the program, or a number. */
static bool add_handle_or_value(struct capture_launch *launch, const struct given *given)
{
    void *handle = NULL;
    if (given->value.bytes == sizeof handle)
        memcpy(&handle, given->value.value, sizeof handle);
    if (given->known && given->pointer && given->value.bytes == sizeof handle && !handle) {
        ws_text_add(&launch->arguments, "buffer: null");
        return true;
    }
    const enum capture_kind kind = handle ? capture_object_kind(handle) : CAPTURE_UNKNOWN;
    /* A number may equal a handle by chance; samplers are passed by value, too. */
    switch (given->known && !given->pointer && kind != CAPTURE_SAMPLER ? CAPTURE_UNKNOWN : kind) {
    case CAPTURE_BUFFER:
        return add_buffer(launch, given, handle);
    case CAPTURE_IMAGE:
        return add_image(launch, handle);
    case CAPTURE_PIPE:
        return capture_refuse(launch, "argument %" PRIu32 " is a pipe", given->number);
    case CAPTURE_SAMPLER:
        return capture_sampler(launch, handle);
    default:
        break;
    }
    if (given->known && given->pointer)
        return capture_refuse(launch, "argument %" PRIu32 " is a memory object that was made by other means", given->number);
    add_value(&launch->arguments, given);
    return true;
}

static bool add_argument(struct capture_launch *launch, const struct given *given)
{
    if (!given->value.given)
        return capture_refuse(launch, "argument %" PRIu32 " was set before capture began", given->number);
    if (given->value.svm)
        return capture_refuse(launch, "argument %" PRIu32 " is a pointer of shared virtual memory", given->number);
    ws_text_add(&launch->arguments, "  - {");
    if (given->name[0])
        ws_text_add(&launch->arguments, "name: %s, ", given->name);
    if (given->value.value) {
        if (!add_handle_or_value(launch, given))
            return false;
    } else if (given->known ? given->local : given->value.bytes != sizeof(cl_mem)) {
        ws_text_add(&launch->arguments, "shared: %zu", given->value.bytes);
    } else if (given->known) {
        ws_text_add(&launch->arguments, "buffer: null");
    } else {
        return capture_refuse(launch, "argument %" PRIu32 " is 8 bytes of local memory or no buffer, the driver does not say which",
                              given->number);
    }
    ws_text_add(&launch->arguments, "}\n");
    return true;
}

bool capture_arguments(struct capture_launch *launch, cl_kernel kernel)
{
    cl_uint count = 0;
    bool good = true;
    if (capture_driver.clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL) != CL_SUCCESS)
        return capture_refuse(launch, "the driver does not say how many arguments there are");
    for (u32 n = 0; good && n < count; n++) {
        struct given given = {.number = n, .value = capture_kernel_get(kernel, n)};
        ask(kernel, &given);
        good = add_argument(launch, &given);
        free(given.value.value);
    }
    return good && (!launch->arguments.failed || capture_refuse(launch, "out of memory"));
}
