/* The library in a program of one's own: IPC of a bundled workload under large warps of 64 to 512 threads, all simulated at once.
 *   cc embed.c $(pkg-config --cflags --libs warpsweep) */
#include <stdio.h>
#include <stdlib.h>

#include "warpsweep/engine.h"
#include "warpsweep/frontend.h"

enum { SIZES = 4 };

static void stop(const struct ws_error *error)
{
    fprintf(stderr, "%s\n", error->message);
    exit(ws_status_exit_code(error->status));
}

/* A bundled workload's trace, built on first use, as simulations read it. */
static struct ws_image *load(const char *workload)
{
    char *path;
    struct ws_trace *trace;
    struct ws_image *image;
    struct ws_error error;
    if (ws_trace_locate(workload, WS_SIZE_TINY, 0, NULL, &path, &error) != WS_STATUS_ok ||
        ws_trace_open(path, &trace, &error) != WS_STATUS_ok ||
        ws_image_load(trace, 0, 1, WS_REPLAYED_SPACES, &image, &error) != WS_STATUS_ok)
        stop(&error);
    ws_trace_close(trace);
    free(path);
    return image;
}

int main(int argc, char **argv)
{
    struct ws_machine machines[SIZES];
    struct ws_job_spec jobs[SIZES];
    struct ws_job_result results[SIZES] = {0};
    struct ws_engine *engine;
    struct ws_error error;
    struct ws_image *const image = load(argc > 1 ? argv[1] : "bfs");
    for (unsigned n = 0; n < SIZES; n++) {
        ws_machine_defaults(&machines[n]);
        machines[n].divergence_unit = WS_divergence_lwm;
        machines[n].core_warp_size = 64u << n;
        machines[n].core_warps = 1024 / machines[n].core_warp_size;
        jobs[n] = (struct ws_job_spec){&machines[n], image};
    }
    if (ws_engine_open(&(struct ws_engine_options){.engine = "native"}, &engine, &error) != WS_STATUS_ok ||
        ws_engine_run(engine, jobs, SIZES, results, NULL, &error) != WS_STATUS_ok)
        stop(&error);
    for (unsigned n = 0; n < SIZES; n++) {
        const u64 *const counters = results[n].counters;
        if (results[n].status == WS_STATUS_ok)
            printf("large warps of %3u threads: IPC %.2f\n", machines[n].core_warp_size,
                   (double)counters[WS_COUNT_thread_instructions] / (double)counters[WS_COUNT_cycles]);
        else
            printf("large warps of %3u threads: %s\n", machines[n].core_warp_size, results[n].reason);
        ws_job_result_free(&results[n]);
    }
    ws_engine_close(engine);
    ws_image_free(image);
    return 0;
}
