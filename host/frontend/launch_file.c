#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "frontend/fill.h"
#include "frontend/ptx/ir.h"
#include "warpsweep/frontend.h"

/* Bounds of a launch file; ws_execute checks the launch against its kernel. */
#define MOST_ITEMS     UINT64_C(0x7FFFFFFF)
#define MOST_BYTES     (UINT64_C(1) << 34)
#define MOST_ARGUMENTS 1024u
#define MOST_REGISTERS 1024u /* of a thread: four times as many as any machine has had */

/* A launch and the tree that its strings belong to. The launch comes first, so that its address is the file's. */
struct launch_file {
    struct ws_ndrange launch;
    struct ws_yaml *root;
};

static enum ws_status read_sizes(const struct ws_yaml *root, const char *key, u32 sizes[3], const struct ws_yaml **node,
                                 struct ws_error *error)
{
    WS_TRY(ws_yaml_need(root, key, node, error));
    WS_TRY(ws_yaml_expect(*node, WS_YAML_SEQUENCE, error));
    if ((*node)->count < 1 || (*node)->count > 3)
        return ws_yaml_fail(*node, error, "found %zu sizes, allowed are 1 to 3 (x, y, z)", (*node)->count);
    u32 n = 0;
    for (const struct ws_yaml *item = (*node)->first; item; item = item->next) {
        u64 size = 0;
        WS_TRY(ws_yaml_unsigned(item, 1, MOST_ITEMS, &size, error));
        sizes[n++] = (u32)size;
    }
    while (n < 3)
        sizes[n++] = 1;
    return WS_STATUS_ok;
}

static enum ws_status read_range(const struct ws_yaml *root, struct ws_ndrange *launch, struct ws_error *error)
{
    const struct ws_yaml *global = NULL, *local = NULL;
    WS_TRY(read_sizes(root, "global", launch->global, &global, error));
    WS_TRY(read_sizes(root, "local", launch->local, &local, error));
    for (u32 n = 0; n < 3; n++) {
        const u32 size = launch->global[n], multiple = launch->local[n];
        if (size % multiple != 0)
            return ws_yaml_fail(global, error, "found %u in %c, allowed is a multiple of the local size %u", size, "xyz"[n],
                                multiple);
    }
    return WS_STATUS_ok;
}

static enum ws_status allocate(struct ws_argument *argument, u64 bytes, const struct ws_yaml *node, struct ws_error *error)
{
    argument->bytes = bytes;
    argument->data = malloc(bytes);
    if (!argument->data)
        return ws_fail(error, WS_STATUS_no_memory, "%s:%u: out of memory for %llu bytes", node->file, node->line,
                       (unsigned long long)bytes);
    return WS_STATUS_ok;
}

static enum ws_status read_scalar(const struct ws_yaml *node, u64 seed, struct ws_argument *argument, struct ws_error *error)
{
    static const char *const known[] = {"name", "scalar", "value", NULL};
    const struct ws_element *element = NULL;
    const struct ws_yaml *value = NULL;
    u64 bits = 0;
    (void)seed;
    WS_TRY(ws_yaml_expect_keys(node, known, error));
    WS_TRY(ws_element_type(ws_yaml_get(node, "scalar"), &element, error));
    WS_TRY(ws_yaml_need(node, "value", &value, error));
    WS_TRY(ws_element_value(value, element, &bits, error));
    argument->kind = WS_ARGUMENT_SCALAR;
    argument->type = element->name;
    WS_TRY(allocate(argument, element->bits / 8, node, error));
    memcpy(argument->data, &bits, argument->bytes);
    return WS_STATUS_ok;
}

static enum ws_status read_buffer(const struct ws_yaml *node, u64 seed, struct ws_argument *argument, struct ws_error *error)
{
    static const char *const known[] = {"name", "buffer", "count", "fill", NULL};
    const struct ws_element *element = NULL;
    const struct ws_yaml *count_node = NULL;
    u64 count = 0;
    WS_TRY(ws_yaml_expect_keys(node, known, error));
    WS_TRY(ws_element_type(ws_yaml_get(node, "buffer"), &element, error));
    WS_TRY(ws_yaml_need(node, "count", &count_node, error));
    WS_TRY(ws_yaml_unsigned(count_node, 1, MOST_BYTES / (element->bits / 8), &count, error));
    argument->kind = WS_ARGUMENT_BUFFER;
    argument->type = element->name;
    WS_TRY(allocate(argument, count * (element->bits / 8), node, error));
    return ws_fill(ws_yaml_get(node, "fill"), element, count, seed, argument->data, error);
}

static enum ws_status read_shared(const struct ws_yaml *node, u64 seed, struct ws_argument *argument, struct ws_error *error)
{
    static const char *const known[] = {"name", "shared", NULL};
    (void)seed;
    WS_TRY(ws_yaml_expect_keys(node, known, error));
    argument->kind = WS_ARGUMENT_SHARED;
    return ws_yaml_unsigned(ws_yaml_get(node, "shared"), 1, WS_MOST_SHARED, &argument->bytes, error);
}

static const struct {
    const char *key;
    enum ws_status (*read)(const struct ws_yaml *node, u64 seed, struct ws_argument *argument, struct ws_error *error);
} kinds[] = {{"scalar", read_scalar}, {"buffer", read_buffer}, {"shared", read_shared}};

static enum ws_status read_argument(const struct ws_yaml *node, u64 seed, struct ws_argument *argument, struct ws_error *error)
{
    WS_TRY(ws_yaml_expect(node, WS_YAML_MAPPING, error));
    const struct ws_yaml *const name = ws_yaml_get(node, "name");
    argument->file = node->file;
    argument->line = node->line;
    if (name)
        WS_TRY(ws_yaml_text(name, &argument->name, error));
    for (size_t n = 0; n < sizeof kinds / sizeof kinds[0]; n++)
        if (ws_yaml_get(node, kinds[n].key))
            return kinds[n].read(node, seed, argument, error);
    return ws_yaml_fail(node, error, "one of the keys scalar, buffer, shared is missing");
}

static enum ws_status read_arguments(const struct ws_yaml *root, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    const struct ws_yaml *const list = ws_yaml_get(root, "arguments");
    if (!list)
        return WS_STATUS_ok;
    WS_TRY(ws_yaml_expect(list, WS_YAML_SEQUENCE, error));
    if (list->count > MOST_ARGUMENTS)
        return ws_yaml_fail(list, error, "found %zu arguments, allowed are at most %u", list->count, MOST_ARGUMENTS);
    launch->arguments = calloc(list->count + 1, sizeof *launch->arguments);
    if (!launch->arguments)
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", root->file);
    for (const struct ws_yaml *item = list->first; item; item = item->next) {
        const u32 n = launch->argument_count++;
        WS_TRY(read_argument(item, seed + n, &launch->arguments[n], error));
    }
    return WS_STATUS_ok;
}

/* Registers that a thread takes, where the file says so. */
static enum ws_status read_registers(const struct ws_yaml *root, u32 *registers, struct ws_error *error)
{
    const struct ws_yaml *const node = ws_yaml_get(root, "registers");
    u64 number = 0;
    if (node)
        WS_TRY(ws_yaml_unsigned(node, 1, MOST_REGISTERS, &number, error));
    *registers = (u32)number;
    return WS_STATUS_ok;
}

static enum ws_status read_launch(const struct ws_yaml *root, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    static const char *const known[] = {"kernel", "global", "local", "registers", "arguments", NULL};
    const struct ws_yaml *kernel = NULL;
    WS_TRY(ws_yaml_expect_keys(root, known, error));
    WS_TRY(ws_yaml_need(root, "kernel", &kernel, error));
    WS_TRY(ws_yaml_text(kernel, &launch->kernel, error));
    launch->source = root->file;
    WS_TRY(read_range(root, launch, error));
    WS_TRY(read_registers(root, &launch->registers, error));
    return read_arguments(root, seed, launch, error);
}

enum ws_status ws_launch_file_load(const char *path, u64 seed, struct ws_ndrange **launch, struct ws_error *error)
{
    *launch = NULL;
    struct launch_file *const file = calloc(1, sizeof *file);
    if (!file)
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", path);
    enum ws_status status = ws_yaml_load(path, &file->root, error);
    if (status == WS_STATUS_ok)
        status = read_launch(file->root, seed, &file->launch, error);
    if (status == WS_STATUS_ok)
        *launch = &file->launch;
    else
        ws_launch_file_free(&file->launch);
    return status;
}

void ws_launch_file_free(struct ws_ndrange *launch)
{
    if (!launch)
        return;
    struct launch_file *const file = (struct launch_file *)launch;
    for (u32 n = 0; n < launch->argument_count; n++)
        free(launch->arguments[n].data);
    free(launch->arguments);
    ws_yaml_free(file->root);
    free(file);
}
