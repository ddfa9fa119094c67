#include "report/gangs.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "report/studies.h"
#include "shared/results/events.h"

/* A run on its way: warps by members of their gang since a cycle. */
struct watch {
    struct ws_gang_run *run;
    const struct ws_study *study;
    u64 since;
    u32 warps[WS_GANG_MEMBERS + 1];
    u8 members[256]; /* of the gang of each warp slot, 0 for a free one */
};

/* Bins of twice the length, so that the cycle is within the last one. */
static void widen(struct ws_gang_run *run, u64 cycle)
{
    while (cycle > WS_GANG_BINS * run->bin_cycles) {
        for (u32 bin = 0; bin < WS_GANG_BINS; bin++)
            for (u32 members = 0; members <= WS_GANG_MEMBERS; members++)
                run->warp_cycles[bin][members] =
                    2 * bin < WS_GANG_BINS ? run->warp_cycles[2 * bin][members] + run->warp_cycles[2 * bin + 1][members] : 0;
        run->bin_cycles *= 2;
    }
}

/* What the warps have been since then is added up to a cycle. */
static void add_up(struct watch *watch, u64 until)
{
    struct ws_gang_run *const run = watch->run;
    widen(run, until);
    while (watch->since < until) {
        const u64 bin = watch->since / run->bin_cycles;
        const u64 end = (bin + 1) * run->bin_cycles < until ? (bin + 1) * run->bin_cycles : until;
        for (u32 members = 1; members <= WS_GANG_MEMBERS; members++)
            run->warp_cycles[bin][members] += (end - watch->since) * watch->warps[members];
        watch->since = end;
    }
}

static void move(struct watch *watch, u32 warp, u32 members)
{
    watch->warps[watch->members[warp]]--;
    watch->warps[members]++;
    watch->members[warp] = (u8)members;
}

static void note(void *context, size_t job, const struct ws_timeline_event *event)
{
    struct watch *const watch = context;
    (void)job;
    if (event->kind != WS_EVENT_gang && event->kind != WS_EVENT_warp_ends)
        return;
    add_up(watch, event->cycle);
    move(watch, event->warp, event->kind == WS_EVENT_gang ? event->place : 0);
}

static bool go_on(void *context, size_t done, size_t jobs, u64 warp_instructions)
{
    const struct ws_study *const study = ((const struct watch *)context)->study;
    (void)done, (void)jobs, (void)warp_instructions;
    return study->go_on(study->watch);
}

static enum ws_status run_image(struct watch *watch, const struct ws_image *image, struct ws_error *error)
{
    const struct ws_job_spec job = {.machine = watch->study->machine, .image = image};
    const struct ws_engine_watch events = {WS_STRUCT(engine_watch), .context = watch, .progress = go_on, .event = note};
    struct ws_job_result result;
    enum ws_status status = ws_engine_run(watch->study->engine, &job, 1, &result, &events, error);
    if (status == WS_STATUS_ok && result.status != WS_STATUS_ok)
        status = ws_fail(error, result.status, "%s", ws_job_reason(&result));
    if (status == WS_STATUS_ok) {
        watch->run->cycles = result.counters[WS_COUNT_cycles];
        add_up(watch, watch->run->cycles);
    }
    ws_job_result_free(&result);
    return status;
}

static enum ws_status study(const struct ws_study *of, struct ws_error *error)
{
    struct ws_gang_run *const run = of->result;
    struct watch watch = {.run = run, .study = of};
    struct ws_image *image;
    *run = (struct ws_gang_run){.bin_cycles = 1};
    WS_TRY(ws_image_load(of->trace, 0, of->shards, ws_machine_spaces(of->machine), &image, error));
    const enum ws_status status = run_image(&watch, image, error);
    ws_image_free(image);
    return status;
}

enum ws_status ws_gangs_run(const struct ws_figure *figure, const struct ws_reproduce_options *options, struct ws_gangs *gangs,
                            struct ws_error *trouble, struct ws_error *error)
{
    static const struct ws_study_kind kind = {"gang", sizeof *gangs->run, study};
    void *results;
    const enum ws_status status = ws_studies_run(figure, options, &kind, &results, &gangs->count, trouble, error);
    gangs->run = results;
    if (status != WS_STATUS_ok)
        ws_gangs_free(gangs);
    return status;
}

void ws_gangs_free(struct ws_gangs *gangs)
{
    free(gangs->run);
    *gangs = (struct ws_gangs){0};
}

double ws_gang_warps(const struct ws_gang_run *run, u32 from, u32 until, u32 members)
{
    const u64 begin = from * run->bin_cycles, end = until * run->bin_cycles;
    u64 sum = 0;
    if (begin >= run->cycles)
        return (double)NAN;
    for (u32 bin = from; bin < until && bin < WS_GANG_BINS; bin++)
        sum += run->warp_cycles[bin][members];
    return (double)sum / (double)((end < run->cycles ? end : run->cycles) - begin);
}
