#include "oracle/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/allocate.h"
#include "test.h"

static void add_event(struct trial *trial, const struct ws_timeline_event *event)
{
    trial->events = oracle_grow(trial->events, trial->event_count, sizeof *trial->events);
    trial->events[trial->event_count++] = *event;
}

/* Features without a kernel have no second judge: the oracle runs twice, and shows counters that no kernel counts. */
static bool has_kernel(const struct ws_machine *machine)
{
    switch (machine->core_dispatch) {
#define DISPATCH(name, value, doc) case value:
#include "shared/dispatches.def"
        return true;
    default:
        return false;
    }
}

static void run_oracle(const struct ws_machine *machine, const struct ws_image *image, struct trial *trial)
{
    struct oracle_log log = {.want_events = true, .want_invariants = true, .want_pending = !has_kernel(machine)};
    trial->who = "oracle";
    trial->status = oracle_run(machine, image, trial->counters, &log);
    if (log.violation[0])
        fail_msg("oracle: %s", log.violation);
    for (size_t i = 0; i < log.event_count; i++) {
        const struct oracle_event *event = &log.events[i];
        add_event(trial, &(struct ws_timeline_event){.cycle = event->cycle,
                                                     .cycles = 1,
                                                     .kind = event->kind,
                                                     .warp = event->warp,
                                                     .pc = event->pc,
                                                     .lanes = event->lanes});
    }
    trial->times = log.times;
    trial->warps = log.warps;
    trial->warps_per_block = log.warps_per_block;
    log.times = NULL;
    log.warps = NULL;
    oracle_log_free(&log);
}

static void on_event(void *context, size_t job, const struct ws_timeline_event *event)
{
    (void)job;
    add_event(context, event);
}

static void run_engine(const struct ws_machine *machine, const struct ws_image *image, enum ws_predecode_use lowering,
                       struct trial *trial)
{
    const struct ws_engine_options options = {WS_STRUCT(engine_options), .engine = "native", .threads = 1, .predecoding = lowering,
                                              .times = true};
    const struct ws_job_spec job = {.machine = machine, .image = image};
    const struct ws_engine_watch watch = {WS_STRUCT(engine_watch), .context = trial, .event = on_event};
    struct ws_engine *engine;
    struct ws_job_result result;
    trial->who = lowering == WS_PREDECODE_ALWAYS ? "native engine with a pre-decoded trace" : "native engine";
    EXPECT_OK(ws_engine_open(&options, &engine, &error));
    EXPECT_OK(ws_engine_run(engine, &job, 1, &result, &watch, &error));
    ws_engine_close(engine);
    trial->status = result.status;
    memcpy(trial->counters, result.counters, sizeof trial->counters);
    trial->times = oracle_copy(result.times, result.times ? image->blocks * sizeof *result.times : 0);
    trial->warps =
        oracle_copy(result.warps, result.warps ? (size_t)image->blocks * result.warps_per_block * sizeof *result.warps : 0);
    trial->warps_per_block = result.warps_per_block;
    ws_job_result_free(&result);
}

void trials_run_image(const struct ws_machine *machine, const struct ws_image *image, struct trial trials[TRIALS])
{
    memset(trials, 0, TRIALS * sizeof *trials);
    for (u32 i = 0; i < TRIALS; i++)
        if (i == 0 || !has_kernel(machine))
            run_oracle(machine, image, &trials[i]);
        else
            run_engine(machine, image, i == 1 ? WS_PREDECODE_NEVER : WS_PREDECODE_ALWAYS, &trials[i]);
    for (u32 i = 1; i < TRIALS; i++)
        for (u32 counter = 0; counter < WS_COUNTERS; counter++)
            if (trials[0].counters[counter] != trials[i].counters[counter])
                fail_msg("%s: %llu by the oracle, %llu by the %s", counter_name(counter),
                         (unsigned long long)trials[0].counters[counter], (unsigned long long)trials[i].counters[counter],
                         trials[i].who);
}

void trials_run(const struct ws_machine *machine, const struct image_build *build, struct trial trials[TRIALS])
{
    struct ws_image *image = image_build_finish(build);
    trials_run_image(machine, image, trials);
    image_free(image);
}

void trials_free(struct trial trials[TRIALS])
{
    for (u32 i = 0; i < TRIALS; i++) {
        free(trials[i].events);
        free(trials[i].times);
        free(trials[i].warps);
    }
}

static const struct ws_timeline_event *find_issue(const struct trial *trial, u32 slot, u32 pc, u32 nth)
{
    u32 seen = 0;
    for (size_t i = 0; i < trial->event_count; i++) {
        const struct ws_timeline_event *event = &trial->events[i];
        if (event->kind == ORACLE_ISSUE && event->warp == slot && event->pc == pc && seen++ == nth)
            return event;
    }
    fail_msg("%s: warp %u issued pc %u only %u times", trial->who, slot, pc, seen);
    return NULL;
}

u64 issue_cycle(const struct trial *trial, u32 slot, u32 pc, u32 nth)
{
    return find_issue(trial, slot, pc, nth)->cycle;
}

void expect_lanes(const struct trial trials[TRIALS], u32 slot, u32 pc, u32 nth, u32 lanes)
{
    for (u32 i = 0; i < TRIALS; i++) {
        const u32 found = find_issue(&trials[i], slot, pc, nth)->lanes;
        if (found != lanes)
            fail_msg("%s: warp %u issued pc %u (time %u) in lanes %08x, not %08x", trials[i].who, slot, pc, nth, found, lanes);
    }
}

void expect_issue(const struct trial trials[TRIALS], u32 slot, u32 pc, u32 nth, u64 cycle)
{
    for (u32 i = 0; i < TRIALS; i++) {
        const u64 found = issue_cycle(&trials[i], slot, pc, nth);
        if (found != cycle)
            fail_msg("%s: warp %u issued pc %u (time %u) at cycle %llu, not %llu", trials[i].who, slot, pc, nth,
                     (unsigned long long)found, (unsigned long long)cycle);
    }
}

void expect_count(const struct trial trials[TRIALS], u32 counter, u64 value)
{
    for (u32 i = 0; i < TRIALS; i++)
        if (trials[i].counters[counter] != value)
            fail_msg("%s: %s is %llu, not %llu", trials[i].who, counter_name(counter),
                     (unsigned long long)trials[i].counters[counter], (unsigned long long)value);
}

void expect_counts(const struct trial trials[TRIALS], const struct expected_count *expected, size_t count)
{
    for (size_t n = 0; n < count; n++)
        expect_count(trials, expected[n].counter, expected[n].value);
}

void expect_issued(const struct trial trials[TRIALS], const struct expected_issue *expected, size_t count)
{
    for (size_t n = 0; n < count; n++)
        expect_issue(trials, expected[n].slot, expected[n].pc, expected[n].nth, expected[n].cycle);
}
