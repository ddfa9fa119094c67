/* The library in a program of one's own: a sweep of large warps of 64 to 512 threads over a bundled workload, read back as IPC and
 * gain over 32 warps of 32 threads. Ctrl-C stops it; the same command continues, and runs no job twice. cc embed.c
 * $(pkg-config --cflags --libs warpsweep) && ./a.out bfs large-warps.db */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "warpsweep/results.h"
#include "warpsweep/sweep.h"

static volatile sig_atomic_t cancelled;

static void cancel(int signal_number)
{
    (void)signal_number;
    cancelled = 1;
}

static void stop(const struct ws_error *error)
{
    fprintf(stderr, "%s\n", error->message);
    exit(ws_status_exit_code(error->status));
}

static void try(enum ws_status status, const struct ws_error *error)
{
    if (status != WS_STATUS_ok)
        stop(error);
}

/* Called now and then, from one thread at a time; false stops the sweep. */
static bool show(void *context, const struct ws_sweep_progress *progress)
{
    (void)context;
    if (progress->jobs > 0)
        fprintf(stderr, "%zu of %zu done\n", progress->done, progress->jobs);
    return !cancelled;
}

static struct ws_experiment *describe(const char *workload)
{
    struct ws_experiment *experiment;
    struct ws_machine machine;
    struct ws_error error;
    ws_machine_defaults(&machine);
    try(ws_experiment_new("large warps", "defaults", &experiment, &error), &error);
    try(ws_experiment_add_trace(experiment, workload, &error), &error);
    try(ws_experiment_add_point(experiment, "32 warps of 32", &machine, NULL, &error), &error);
    machine.divergence_unit = WS_divergence_lwm;
    for (u32 size = 64; size <= 512; size *= 2) {
        char label[40];
        machine.core_warp_size = size;
        machine.core_warps = 1024 / size;
        snprintf(label, sizeof label, "%u large warps of %u", machine.core_warps, size);
        try(ws_experiment_add_point(experiment, label, &machine, "32 warps of 32", &error), &error);
    }
    return experiment;
}

static enum ws_status print_row(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    (void)context;
    (void)error;
    printf("%-21s IPC %s, %s %% over the baseline\n", row->values[0], row->values[1], row->values[2]);
    return WS_STATUS_ok;
}

int main(int argc, char **argv)
{
    const struct ws_sweep_options options = {WS_STRUCT(sweep_options), .results = argc > 2 ? argv[2] : "large-warps.db",
                                             .size = WS_SIZE_TINY, .watch = {.progress = show}};
    struct ws_experiment *const experiment = describe(argc > 1 ? argv[1] : "bfs");
    struct ws_sweep_summary summary;
    struct ws_results *results;
    struct ws_error error;
    signal(SIGINT, cancel);
    try(ws_sweep(experiment, &options, &summary, &error), &error);
    ws_experiment_free(experiment);
    try(ws_results_open(options.results, WS_RESULTS_READ, &results, &error), &error);
    try(ws_results_query(results,
                         "SELECT point, printf('%.2f', ipc), printf('%+.1f', 100 * (speedup - 1)) FROM speedup "
                         "WHERE experiment = 'large warps' ORDER BY point_position",
                         NULL, print_row, NULL, &error),
        &error);
    try(ws_results_close(results, &error), &error);
    return 0;
}
