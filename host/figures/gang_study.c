/* Sizes of gangs over time as a study of figures: one run per trace, for the blocks of the first SM. */
#include <stdlib.h>

#include "base/error.h"
#include "figures/studies.h"
#include "shared/results/events.h"

enum { WS_GANG_MEMBERS = 8, WS_GANG_BINS = 256 };

/* Warps by size of their gang (1: single) over a run, in bins of equal length. */
struct ws_gang_run {
    u64 cycles, bin_cycles;                             /* of the run, of a bin; 0: no run */
    u64 warp_cycles[WS_GANG_BINS][WS_GANG_MEMBERS + 1]; /* sum of warps times cycles in the bin; [0] stays 0 */
};

/* State of a run: warps by size of their gang, since a cycle. */
struct watch {
    struct ws_gang_run *run;
    const struct ws_study *study;
    u64 since;
    u32 warps[WS_GANG_MEMBERS + 1];
    u8 members[256]; /* gang size of each warp slot, 0 for a free one */
};

/* Doubles the bins until the cycle lies within the last one. */
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

/* Accumulates the state up to a cycle. */
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

static void add(struct ws_text *csv, size_t trace, const void *result)
{
    const struct ws_gang_run *const run = result;
    for (u64 bin = 0; bin * run->bin_cycles < run->cycles; bin++)
        for (u32 members = 1; members <= WS_GANG_MEMBERS; members++)
            ws_text_add(csv, "%zu,%llu,%llu,%llu,%u,%llu\n", trace, (unsigned long long)bin, (unsigned long long)run->bin_cycles,
                        (unsigned long long)run->cycles, members, (unsigned long long)run->warp_cycles[bin][members]);
}

static void free_result(void *result)
{
    (void)result;
}

const struct ws_study_kind ws_gang_study = {.name = "gang",
                                            .columns = "trace_position,bin,bin_cycles,cycles,members,warp_cycles",
                                            .size = sizeof(struct ws_gang_run),
                                            .run = study,
                                            .add = add,
                                            .free = free_result};
