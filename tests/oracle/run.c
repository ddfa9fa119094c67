/* The run: cycle by cycle, under the rules that the machine selects. */
#include <stdlib.h>
#include <string.h>

#include "oracle/invariants.h"
#include "oracle/sm.h"

static void start_threads(struct sm *sm)
{
    const struct ws_image *image = sm->image;
    sm->threads = oracle_allocate((size_t)image->blocks * image->block_threads, sizeof *sm->threads);
    for (u32 block = 0; block < image->blocks; block++)
        for (u32 number = 0; number < image->block_threads; number++)
            *thread_of(sm, block, number) = (struct thread){.block = block, .number = number};
}

static void start(struct sm *sm)
{
    memset(sm->counters, 0, WS_COUNTERS * sizeof *sm->counters);
    sm->warps = oracle_allocate(sm->machine->core_warps, sizeof *sm->warps);
    sm->named = oracle_allocate(sm->image->blocks, sizeof *sm->named);
    sm->lives = oracle_allocate((size_t)sm->image->blocks * warps_per_block(sm), sizeof *sm->lives);
    start_threads(sm);
    sm->rules.path->start(sm);
    sm->rules.policy->start(sm);
    sm->rules.pipeline->start(sm);
    sm->rules.dispatch->start(sm);
    if (sm->log) {
        sm->log->warps = sm->lives;
        sm->log->warps_per_block = warps_per_block(sm);
        sm->log->times = oracle_allocate(sm->image->blocks, sizeof *sm->log->times);
    }
    invariants_start(sm);
}

static void finish(struct sm *sm)
{
    invariants_finish(sm);
    sm->rules.path->finish(sm);
    sm->rules.policy->finish(sm);
    sm->rules.pipeline->finish(sm);
    sm->rules.dispatch->finish(sm);
    free(sm->events);
    for (u32 slot = 0; slot < sm->machine->core_warps; slot++)
        free(sm->warps[slot].path.thread);
    free(sm->warps);
    free(sm->named);
    if (!sm->log)
        free(sm->lives);
    free(sm->threads);
}

static void note_window(struct sm *sm)
{
    struct oracle_log *log = sm->log;
    if (!log || sm->now % sm->machine->dispatch_window != 0)
        return;
    log->windows = oracle_grow(log->windows, log->window_count, sizeof *log->windows);
    log->windows[log->window_count++] = sm->counters[WS_COUNT_thread_instructions];
}

static void run(struct sm *sm)
{
    sm->rules.dispatch->enter(sm); /* before cycle 0 */
    events_deliver(sm);
    while (sm->status == WS_STATUS_running) {
        note_window(sm);
        log_moment(sm);
        invariants_cycle(sm);
        if (sm->now == sm->last_issue + sm->machine->core_watchdog)
            sm->status = WS_STATUS_deadlock;
        else
            sm->rules.pipeline->cycle(sm);
        if (sm->status == WS_STATUS_running)
            sm->now++;
    }
    if (sm->log && sm->log->interval != 0 && sm->now % sm->log->interval == 0)
        log_moment_after(sm);
    count(sm, WS_COUNT_cycles, sm->now);
    invariants_end(sm);
}

static void run_sm(struct sm *sm)
{
    start(sm);
    if (sm->rules.dispatch->possible(sm))
        run(sm);
    else
        sm->status = WS_STATUS_bad_input;
    finish(sm);
    if (!sm->log || !sm->log->want_pending)
        pending_clear(sm->counters);
}

enum ws_status oracle_run_rules(const struct oracle_rules *rules, const struct ws_machine *machine, const struct ws_image *image,
                                u64 counters[WS_COUNTERS], struct oracle_log *log)
{
    struct sm sm = {
        .rules = *rules, .machine = machine, .image = image, .counters = counters, .log = log, .status = WS_STATUS_running};
    run_sm(&sm);
    return sm.status;
}

enum ws_status oracle_run_following(const struct dueling *dueling, const struct ws_machine *machine, const struct ws_image *image,
                                    u64 counters[WS_COUNTERS], struct oracle_log *log)
{
    struct sm sm = {.rules = rules_of(machine),
                    .dueling = dueling,
                    .machine = machine,
                    .image = image,
                    .counters = counters,
                    .log = log,
                    .status = WS_STATUS_running};
    run_sm(&sm);
    return sm.status;
}

enum ws_status oracle_run(const struct ws_machine *machine, const struct ws_image *image, u64 counters[WS_COUNTERS],
                          struct oracle_log *log)
{
    const struct oracle_rules rules = rules_of(machine);
    return oracle_run_rules(&rules, machine, image, counters, log);
}
