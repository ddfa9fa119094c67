#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "capture/contents.h"
#include "capture/launch.h"
#include "capture/store.h"

static bool store_bytes(struct capture_launch *launch, const char *folder, const char *suffix, const void *bytes, size_t length,
                        struct ws_text *name)
{
    struct ws_error error;
    return capture_contents(folder, suffix, bytes, length, name, &error) == WS_STATUS_ok ||
           capture_refuse(launch, "%s", error.message);
}

/* ---- The launch file ---- */

static void add_sizes(struct ws_text *out, const char *key, const size_t *sizes)
{
    ws_text_add(out, "%s: [%zu, %zu, %zu]\n", key, sizes[0], sizes[1], sizes[2]);
}

static void add_head(const struct capture_launch *launch, const char *program, struct ws_text *out)
{
    struct ws_text options = {0}, dropped = {0};
    capture_options(launch->options, &options, &dropped);
    ws_text_add(out,
                "# Launch %" PRIu32 " of the program. In this folder: warpsweep trace build %s --launch %05" PRIu32
                "-%s.yaml -o OUT.wst\n",
                launch->number, program, launch->number, launch->kernel);
    if (dropped.length > 0)
        ws_text_add(out, "# Options of the driver's compiler that are left out:%s\n", dropped.data);
    ws_text_add(out, "kernel: %s\n", launch->kernel);
    add_sizes(out, "global", launch->global);
    if (launch->local_chosen)
        ws_text_add(out, "# The program leaves it to the driver.\n");
    add_sizes(out, "local", launch->local);
    if (launch->offset[0] || launch->offset[1] || launch->offset[2])
        add_sizes(out, "offset", launch->offset);
    if (options.length > 0)
        ws_text_add(out, "options: '%s'\n", options.data);
    out->failed = out->failed || options.failed || dropped.failed;
    ws_text_free(&options);
    ws_text_free(&dropped);
}

static bool add_buffers(struct capture_launch *launch, struct ws_text *out)
{
    if (launch->memory_count > 0)
        ws_text_add(out, "buffers:\n");
    for (u32 n = 0; n < launch->memory_count; n++) {
        const struct capture_memory *const memory = &launch->memories[n];
        if (memory->is_image)
            ws_text_add(out, "  m%" PRIu32 ": {%s, fill: {file: ", n, memory->words);
        else
            ws_text_add(out, "  m%" PRIu32 ": {type: %s, fill: {file: ", n, memory->diverged ? "u8" : memory->element);
        if (!store_bytes(launch, "data", ".bin", memory->before, memory->bytes, out))
            return false;
        ws_text_add(out, "}}\n");
    }
    return true;
}

static bool add_after(struct capture_launch *launch, struct ws_text *rest)
{
    for (u32 n = 0; launch->has_after && n < launch->memory_count; n++) {
        ws_text_add(rest, " m%" PRIu32 ":%s=", n,
                    launch->memories[n].is_image ? launch->memories[n].format : launch->memories[n].element);
        if (!store_bytes(launch, "data", ".bin", launch->memories[n].after, launch->memories[n].bytes, rest))
            return false;
    }
    return true;
}

static bool write_file(struct capture_launch *launch, const struct ws_text *text)
{
    struct ws_text path = {0};
    struct ws_error error;
    ws_text_add(&path, "%s/%05" PRIu32 "-%s.yaml", capture_wanted()->folder, launch->number, launch->kernel);
    const bool failed = path.failed || text->failed;
    const enum ws_status status = failed ? WS_STATUS_no_memory : ws_file_write(path.data, text->data, text->length, &error);
    ws_text_free(&path);
    return status == WS_STATUS_ok || capture_refuse(launch, "%s", failed ? "out of memory" : error.message);
}

bool capture_store(struct capture_launch *launch)
{
    struct ws_text rest = {0}, out = {0};
    bool good = store_bytes(launch, "programs", ".cl", launch->source, strlen(launch->source), &rest);
    if (good) {
        add_head(launch, rest.data, &out);
        good = add_buffers(launch, &out) && add_after(launch, &rest);
    }
    if (good) {
        ws_text_add(&out, launch->arguments.length > 0 ? "arguments:\n" : "arguments: []\n");
        ws_text_bytes(&out, launch->arguments.data ? launch->arguments.data : "", launch->arguments.length);
        good = write_file(launch, &out) && (!rest.failed || capture_refuse(launch, "out of memory"));
    }
    if (good)
        capture_log(launch->number, "captured", launch->kernel, rest.data);
    ws_text_free(&rest);
    ws_text_free(&out);
    return good;
}
