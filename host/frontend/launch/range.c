/* Settings of a launch besides its arguments: kernel, sizes, offset, registers, dynamic shared memory. */
#include "base/error.h"
#include "frontend/launch/file.h"

#define MOST_ITEMS     UINT64_C(0x7FFFFFFF)
#define MOST_REGISTERS 1024u /* registers of a thread: four times the maximum of any GPU */

/* series is for sizes that may change with the round; NULL: these may not. */
static enum ws_status read_sizes(const struct ws_yaml *node, u64 least, u32 sizes[3], struct launch_series series[3], u32 loop,
                                 struct ws_error *error)
{
    WS_TRY(ws_yaml_expect(node, WS_YAML_SEQUENCE, error));
    if (node->count < 1 || node->count > 3)
        return ws_yaml_fail(node, error, "found %zu sizes, allowed are 1 to 3 (x, y, z)", node->count);
    u32 n = 0;
    for (const struct ws_yaml *item = node->first; item; item = item->next) {
        u64 size = 0;
        if (series && item->kind == WS_YAML_MAPPING)
            WS_TRY(launch_series_read(item, loop, 1, (i64)MOST_ITEMS, &series[n], error));
        else
            WS_TRY(ws_yaml_unsigned(item, least, MOST_ITEMS, &size, error));
        sizes[n++] = (u32)size;
    }
    while (n < 3)
        sizes[n++] = (u32)least;
    return WS_STATUS_ok;
}

static enum ws_status check_multiple(const struct ws_yaml *node, const struct ws_ndrange *range, u32 n, struct ws_error *error)
{
    const u32 size = range->global[n], multiple = range->local[n];
    return size % multiple == 0
               ? WS_STATUS_ok
               : ws_yaml_fail(node, error, "found %u in %c, allowed is a multiple of the local size %u", size, "xyz"[n], multiple);
}

static enum ws_status read_range(const struct ws_yaml *launch, struct launch_step *step, u32 loop, struct ws_error *error)
{
    struct ws_ndrange *const range = &step->launch;
    const struct ws_yaml *global = NULL, *local = NULL, *const offset = ws_yaml_get(launch, "offset"),
                         *const cluster = ws_yaml_get(launch, "cluster");
    WS_TRY(ws_yaml_need(launch, "global", &global, error));
    WS_TRY(read_sizes(global, 1, range->global, step->global, loop, error));
    WS_TRY(ws_yaml_need(launch, "local", &local, error));
    WS_TRY(read_sizes(local, 1, range->local, NULL, loop, error));
    if (offset)
        WS_TRY(read_sizes(offset, 0, range->offset, NULL, loop, error));
    if (cluster)
        WS_TRY(read_sizes(cluster, 1, range->cluster, NULL, loop, error));
    for (u32 n = 0; n < 3; n++)
        WS_TRY(check_multiple(global, range, n, error));
    return WS_STATUS_ok;
}

enum ws_status launch_range_settle(const struct ws_launch_file *file, struct launch_step *step, struct ws_error *error)
{
    for (u32 n = 0; n < 3; n++) {
        i64 size = 0;
        if (!step->global[n].node)
            continue;
        WS_TRY(launch_series_value(file, &step->global[n], &size, error));
        step->launch.global[n] = (u32)size;
        WS_TRY(check_multiple(step->global[n].node, &step->launch, n, error));
    }
    return WS_STATUS_ok;
}

/* Registers per thread, if the file gives them. */
static enum ws_status read_registers(const struct ws_yaml *launch, u32 *registers, struct ws_error *error)
{
    const struct ws_yaml *const node = ws_yaml_get(launch, "registers");
    u64 number = 0;
    if (node)
        WS_TRY(ws_yaml_unsigned(node, 1, MOST_REGISTERS, &number, error));
    *registers = (u32)number;
    return WS_STATUS_ok;
}

enum ws_status launch_read(struct ws_launch_file *file, const struct ws_yaml *node, struct launch_step *step, u32 loop,
                           struct ws_error *error)
{
    const struct ws_yaml *kernel = NULL, *const shared = ws_yaml_get(node, "shared");
    WS_TRY(ws_yaml_need(node, "kernel", &kernel, error));
    WS_TRY(ws_yaml_text(kernel, &step->launch.kernel, error));
    step->kind = STEP_launch;
    step->node = node;
    step->launch.source = node->file;
    WS_TRY(read_range(node, step, loop, error));
    WS_TRY(read_registers(node, &step->launch.registers, error));
    if (shared)
        WS_TRY(ws_yaml_unsigned(shared, 0, WS_MOST_SHARED, &step->launch.shared_bytes, error));
    return launch_arguments_read(file, node, step, loop, error);
}
