/* Traces by name: those of bundled workloads are built once and cached. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/error.h"
#include "base/folder.h"
#include "base/text.h"
#include "frontend/recorded.h"
#include "warpsweep/frontend.h"

/* Everything besides the front end that a trace depends on. */
struct order {
    const struct ws_workload *workload;
    enum ws_size size;
    u64 seed;
    struct ws_frontend_options options;
    struct ws_ndrange launch;
    bool builds; /* what is not there */
};

/* Chains a part and its length into a digest: different sequences of parts differ. */
static void add(u64 *digest, const void *bytes, size_t length)
{
    const u64 size = length;
    *digest = XXH3_64bits_withSeed(&size, sizeof size, *digest);
    *digest = XXH3_64bits_withSeed(bytes, length, *digest);
}

static void add_launch(u64 *digest, const struct ws_ndrange *launch)
{
    add(digest, launch->kernel, strlen(launch->kernel));
    add(digest, launch->global, sizeof launch->global);
    add(digest, launch->local, sizeof launch->local);
    add(digest, launch->offset, sizeof launch->offset);
    add(digest, &launch->shared_bytes, sizeof launch->shared_bytes);
    if (launch->registers)
        add(digest, &launch->registers, sizeof launch->registers);
    for (u32 n = 0; n < launch->argument_count; n++) {
        const struct ws_argument *const argument = &launch->arguments[n];
        const u64 about[] = {argument->kind, argument->bytes};
        add(digest, about, sizeof about);
        if (argument->data)
            add(digest, argument->data, argument->bytes);
    }
}

static u64 order_digest(const struct order *order)
{
    const struct ws_frontend_options *const options = &order->options;
    const u64 numbers[] = {WS_FRONTEND_REVISION, options->if_convert, options->guarded_moves, options->registers,
                           options->lockstep};
    u64 digest = 0;
    add(&digest, numbers, sizeof numbers);
    add(&digest, order->workload->ptx, order->workload->ptx_length);
    add_launch(&digest, &order->launch);
    return digest;
}

/* Whether the trace exists and is intact. A damaged trace, or one of another version, must be rebuilt. */
static enum ws_status look_up(const struct order *order, const char *path, bool *there, struct ws_error *error)
{
    struct ws_error damage;
    *there = false;
    if (access(path, R_OK) != 0)
        return WS_STATUS_ok;
    const enum ws_status status = ws_trace_check(path, &damage);
    *there = status == WS_STATUS_ok;
    if (status != WS_STATUS_ok && status != WS_STATUS_bad_input)
        return ws_fail(error, status, "%s", damage.message);
    if (!*there && order->builds && order->options.note) {
        ws_fail_in(&damage, "the trace is built again: ");
        order->options.note(order->options.context, damage.message);
    }
    return WS_STATUS_ok;
}

/* If a damaged file occupies the place, writes beside it, because an output does not replace foreign files. */
static enum ws_status build(const struct order *order, const char *path, struct ws_error *error)
{
    struct ws_text made = {0};
    if (access(path, F_OK) != 0)
        return ws_workload_trace(order->workload, order->size, order->seed, &order->options, path, NULL, error);
    ws_text_add(&made, "%s.%ld-%" PRIxPTR, path, (long)getpid(), (uintptr_t)&made); /* a name of this thread's own */
    enum ws_status status =
        made.failed ? ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", path)
                    : ws_workload_trace(order->workload, order->size, order->seed, &order->options, made.data, NULL, error);
    if (status == WS_STATUS_ok && rename(made.data, path) != 0)
        status = ws_fail(error, WS_STATUS_no_file, "%s: cannot be written: %s", path, strerror(errno));
    ws_text_free(&made);
    return status;
}

static enum ws_status locate_cached(struct order *order, const char *folder, char **path, struct ws_error *error)
{
    struct ws_text name = {0};
    ws_text_add(&name, "%s/%s-%s-%016llx.wst", folder, order->workload->name, ws_size_name(order->size),
                (unsigned long long)order_digest(order));
    if (name.failed)
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", order->workload->name);
    bool there;
    enum ws_status status = look_up(order, name.data, &there, error);
    if (status == WS_STATUS_ok && !there && order->builds) {
        status = build(order, name.data, error);
        there = status == WS_STATUS_ok;
    }
    if (there)
        *path = name.data;
    else
        ws_text_free(&name);
    return status;
}

static enum ws_status locate_workload(struct order *order, char **path, struct ws_error *error)
{
    char *folder = NULL;
    WS_TRY(ws_cache_folder("traces", &folder, error));
    enum ws_status status = order->workload->prepare(order->size, order->seed, &order->launch, error);
    if (status == WS_STATUS_ok) {
        status = locate_cached(order, folder, path, error);
        order->workload->release(&order->launch);
    }
    free(folder);
    return status;
}

static enum ws_status find_size(const char *text, const char *size, enum ws_size *found, struct ws_error *error)
{
    for (*found = 0; *found < WS_SIZES; ++*found)
        if (strcmp(size, ws_size_name(*found)) == 0)
            return WS_STATUS_ok;
    struct ws_names names = {.nearest = {.word = size}};
    for (enum ws_size n = 0; n < WS_SIZES; n++)
        ws_names_offer(&names, ws_size_name(n));
    const enum ws_status status =
        ws_fail(error, WS_STATUS_bad_input, "%s: found size '%s', allowed are %s", text, size, ws_names_text(&names));
    ws_names_free(&names);
    return status;
}

enum ws_status ws_workload_unknown(const char *text, const char *others, struct ws_error *error)
{
    char *const name = strndup(text, strcspn(text, ":"));
    struct ws_names names = {.nearest = {.word = name ? name : text}, .listing = "warpsweep list workloads"};
    for (const struct ws_workload *row = ws_workloads(); row->name; row++)
        ws_names_offer(&names, row->name);
    const enum ws_status status =
        ws_fail(error, WS_STATUS_no_file, "found '%s', which is no %s and no bundled workload; workloads are %s", text, others,
                ws_names_text(&names));
    ws_names_free(&names);
    free(name);
    return status;
}

static enum ws_status no_such_trace(const char *text, struct ws_error *error)
{
    if (strchr(text, '/') || strstr(text, ".wst"))
        return ws_fail(error, WS_STATUS_no_file, "%s: no such trace file; build it first (trace build)", text);
    return ws_workload_unknown(text, "trace file", error);
}

enum ws_status ws_workload_parse(const char *text, const struct ws_workload **workload, enum ws_size *size, struct ws_error *error)
{
    char name[64];
    const size_t length = strcspn(text, ":");
    *workload = NULL;
    if (length >= sizeof name)
        return WS_STATUS_ok;
    memcpy(name, text, length);
    name[length] = 0;
    *workload = ws_workload_find(name);
    if (!*workload || !text[length])
        return WS_STATUS_ok;
    return find_size(text, text + length + 1, size, error);
}

static enum ws_status locate(const char *text, enum ws_size standard, const struct ws_frontend_options *options,
                             struct order *order, char **path, struct ws_error *error)
{
    *path = NULL;
    ws_frontend_defaults(&order->options);
    if (options)
        order->options = *options;
    order->size = standard;
    WS_TRY(ws_workload_parse(text, &order->workload, &order->size, error));
    if (order->workload)
        return locate_workload(order, path, error);
    WS_TRY(ws_recorded_locate(text, path, error));
    if (*path)
        return WS_STATUS_ok;
    struct stat about;
    if (stat(text, &about) != 0)
        return no_such_trace(text, error);
    if (S_ISDIR(about.st_mode))
        return ws_fail(error, WS_STATUS_no_file,
                       "%s: is a folder; a trace is one file of it (run, sweep and experiments take all of them as FOLDER/)", text);
    *path = strdup(text);
    return *path ? WS_STATUS_ok : ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", text);
}

enum ws_status ws_trace_locate(const char *text, enum ws_size standard, u64 seed, const struct ws_frontend_options *options,
                               char **path, struct ws_error *error)
{
    struct order order = {.seed = seed, .builds = true};
    return locate(text, standard, options, &order, path, error);
}

enum ws_status ws_trace_find(const char *text, enum ws_size standard, u64 seed, const struct ws_frontend_options *options,
                             char **path, struct ws_error *error)
{
    struct order order = {.seed = seed};
    return locate(text, standard, options, &order, path, error);
}
