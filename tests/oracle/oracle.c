/* The run: the steps of a cycle in the order of docs/model.md, section 2. */
#include "oracle/sm.h"

#include <stdlib.h>
#include <string.h>

void *oracle_allocate(size_t elements, size_t size)
{
    void *memory = calloc(elements ? elements : 1, size);
    if (!memory)
        abort();
    return memory;
}

void *oracle_grow(void *array, size_t elements, size_t size)
{
    if (elements & (elements - 1)) /* grown at the powers of two */
        return array;
    array = realloc(array, (elements ? 2 * elements : 1) * size);
    if (!array)
        abort();
    return array;
}

void count(struct sm *sm, u32 counter, u64 by)
{
    sm->counters[counter] += by;
}

void count_most(struct sm *sm, u32 counter, u64 value)
{
    if (sm->counters[counter] < value)
        sm->counters[counter] = value;
}

const struct ws_instruction *instruction_of(const struct sm *sm, const struct warp *warp)
{
    return &sm->image->program[warp->pc];
}

static const struct ws_group *group_of(const struct sm *sm, const struct warp *warp, u32 thread, u32 *lane)
{
    const u32 in_block = warp->number * sm->machine->core_warp_size + thread;
    *lane = in_block % WS_LANES;
    return &sm->image->groups[warp->block * sm->image->groups_per_block + in_block / WS_LANES];
}

struct warp *keeper(const struct sm *sm, const struct warp *warp)
{
    const bool compacts = sm->machine->divergence_unit == WS_divergence_tbc;
    return compacts ? &sm->groups[warp->home] : &sm->warps[warp - sm->warps];
}

u32 lanes_of(const struct sm *sm)
{
    return sm->machine->core_warp_size < WS_LANES ? sm->machine->core_warp_size : WS_LANES;
}

bool next_decision(const struct sm *sm, const struct warp *warp, u32 thread)
{
    u32 lane;
    const u64 stream = group_of(sm, warp, thread, &lane)->decisions;
    const u64 n = keeper(sm, warp)->decision[thread];
    return sm->image->words[stream + n / 32 * 32 + lane] >> (n % 32) & 1u;
}

u32 next_access(const struct sm *sm, const struct warp *warp, u32 thread)
{
    u32 lane;
    const u64 stream = group_of(sm, warp, thread, &lane)->accesses;
    return sm->image->words[stream + keeper(sm, warp)->access[thread] * 32 + lane];
}

static void start(struct sm *sm, const struct ws_machine *machine, const struct ws_image *image, u64 *counters,
                  struct oracle_log *log)
{
    memset(sm, 0, sizeof *sm);
    memset(counters, 0, WS_COUNTERS * sizeof *counters);
    sm->machine = machine;
    sm->image = image;
    sm->counters = counters;
    sm->log = log;
    sm->status = WS_STATUS_running;
    sm->warps = oracle_allocate(MOST_WARPS, sizeof *sm->warps);
    sm->groups = oracle_allocate(MOST_WARPS, sizeof *sm->groups);
    cache_make(&sm->data, machine->l1_size, machine->l1_ways, machine->l1_line);
    if (machine->icache_size)
        cache_make(&sm->code, machine->icache_size, machine->icache_ways, machine->icache_line);
    for (u32 group = 0; machine->schedule_policy == WS_policy_two_level && group * machine->schedule_fetch_group < MOST_WARPS;
         group++)
        sm->pointer[group] = group * machine->schedule_fetch_group;
    if (log) {
        log->warps_per_block = (image->block_threads + machine->core_warp_size - 1) / machine->core_warp_size;
        log->times = oracle_allocate((size_t)image->blocks * (2 + log->warps_per_block), sizeof *log->times);
    }
}

static void finish(struct sm *sm)
{
    for (u32 slot = 0; slot < MOST_WARPS; slot++) {
        free(sm->warps[slot].stack);
        free(sm->groups[slot].stack);
    }
    free(sm->warps);
    free(sm->groups);
    free(sm->data.lines);
    free(sm->code.lines);
    while (sm->units) {
        struct unit *next = sm->units->next;
        free(sm->units);
        sm->units = next;
    }
    while (sm->requests) {
        struct request *next = sm->requests->next;
        free(sm->requests);
        sm->requests = next;
    }
}

static void cycle(struct sm *sm)
{
    if (sm->now == sm->last_issue + sm->machine->core_watchdog) {
        sm->status = WS_STATUS_deadlock;
        return;
    }
    memory_fill(sm);
    units_complete(sm);
    if (sm->status != WS_STATUS_running)
        return;
    if (sm->blocks_done == sm->image->blocks) {
        sm->status = WS_STATUS_ok;
        return;
    }
    barriers_release(sm);
    if (sm->now > 0)
        dispatch_blocks(sm);
    schedule_rotate(sm);
    select_and_issue(sm);
    sm->now++;
}

enum ws_status oracle_run(const struct ws_machine *machine, const struct ws_image *image, u64 counters[WS_COUNTERS],
                          struct oracle_log *log)
{
    struct sm sm;
    start(&sm, machine, image, counters, log);
    if (!dispatch_possible(&sm)) {
        finish(&sm);
        return WS_STATUS_bad_input;
    }
    dispatch_blocks(&sm); /* before cycle 0 */
    while (sm.status == WS_STATUS_running)
        cycle(&sm);
    count(&sm, WS_COUNT_cycles, sm.now);
    finish(&sm);
    return sm.status;
}
