#include "cli/run/timeline.h"

#include <inttypes.h>
#include <math.h>

#include "base/documents/json.h"
#include "base/error.h"

/* Processes of the viewer. Tracks are threads of the viewer: track n of process p has the number 1000 p + n. */
enum process { SCHEDULER = 1, BLOCKS, WARPS, COUNTERS };
enum { SORTS = CLI_TIMELINE_PORTS }; /* track of the scheduler, after its ports */

static const char *const kinds[] = {
#define EVENT(name, value, doc) #name,
#include "shared/results/events.def"
#undef EVENT
};

/* ---- Trace events ---- */

/* Begins an event with the common members. */
static struct ws_json *begin(struct cli_timeline *timeline, const char *phase, enum process process, u32 track)
{
    struct ws_json *const json = &timeline->json;
    timeline->text.length = 0;
    *json = (struct ws_json){.text = &timeline->text, .flat = true};
    ws_text_add(&timeline->text, timeline->filled ? ",\n" : "\n");
    ws_json_object(json, NULL);
    ws_json_text(json, "ph", phase);
    ws_json_unsigned(json, "pid", process);
    ws_json_unsigned(json, "tid", 1000 * (u32)process + track);
    timeline->filled = true;
    return json;
}

/* Ends it, with the objects in it. */
static void end(struct cli_timeline *timeline)
{
    while (timeline->json.depth > 0)
        ws_json_end_object(&timeline->json);
    fwrite(timeline->text.data ? timeline->text.data : "", 1, timeline->text.length, timeline->output.stream);
}

/* A category, and a name that ends in a number. */
static void call(struct ws_json *json, const char *category, const char *name, u32 number)
{
    char text[64];
    snprintf(text, sizeof text, "%s %" PRIu32, name, number);
    if (category)
        ws_json_text(json, "cat", category);
    ws_json_text(json, "name", text);
}

static void argue(struct ws_json *json, const char *key, u64 value)
{
    if (json->depth == 1)
        ws_json_object(json, "args");
    ws_json_unsigned(json, key, value);
}

static void order_track(struct cli_timeline *timeline, enum process process, u32 track, const char *what, u32 place)
{
    struct ws_json *const json = begin(timeline, "M", process, track);
    ws_json_text(json, "name", what);
    argue(json, "sort_index", place);
    end(timeline);
}

static void name_process(struct cli_timeline *timeline, enum process process, const char *name)
{
    struct ws_json *const json = begin(timeline, "M", process, 0);
    ws_json_text(json, "name", "process_name");
    ws_json_object(json, "args");
    ws_json_text(json, "name", name);
    end(timeline);
    order_track(timeline, process, 0, "process_sort_index", process);
}

static void name_track(struct cli_timeline *timeline, enum process process, u32 track, const char *name, u32 number)
{
    struct ws_json *const json = begin(timeline, "M", process, track);
    ws_json_text(json, "name", "thread_name");
    ws_json_object(json, "args");
    call(json, NULL, name, number);
    end(timeline);
    order_track(timeline, process, track, "thread_sort_index", track);
}

/* The next event with a duration on a track. */
static struct ws_json *begin_span(struct cli_timeline *timeline, enum process process, u32 track, u64 from, u64 until)
{
    struct ws_json *const json = begin(timeline, "X", process, track);
    ws_json_unsigned(json, "ts", from);
    ws_json_unsigned(json, "dur", until - from);
    return json;
}

/* One without; scope: as the viewer defines it. */
static struct ws_json *begin_instant(struct cli_timeline *timeline, u32 track, u64 cycle, const char *scope)
{
    struct ws_json *const json = begin(timeline, "i", SCHEDULER, track);
    ws_json_unsigned(json, "ts", cycle);
    ws_json_text(json, "s", scope);
    return json;
}

/* ---- Ports ---- */

static void end_port_run(struct cli_timeline *timeline, u32 port)
{
    const struct cli_port_run *const run = &timeline->port[port];
    if (run->until == 0)
        return;
    struct ws_json *const json = begin_span(timeline, SCHEDULER, port, run->from, run->until);
    if (run->kind == WS_EVENT_issue) {
        call(json, "issue", "slot", run->warp);
        argue(json, "slot", run->warp);
        argue(json, "block", run->block);
        argue(json, "warp", run->rank);
    } else {
        ws_json_text(json, "cat", "lost");
        ws_json_text(json, "name", kinds[run->kind]);
    }
    end(timeline);
}

/* Outcome of an issue slot. */
static void add_slot(struct cli_timeline *timeline, const struct ws_timeline_event *event)
{
    struct cli_port_run *const run = &timeline->port[event->port];
    const struct cli_warp_run *const warp = &timeline->warp[event->warp];
    if (run->until == 0)
        name_track(timeline, SCHEDULER, event->port, "port", event->port);
    if (run->until != event->cycle || run->kind != event->kind || run->warp != event->warp) {
        end_port_run(timeline, event->port);
        *run = (struct cli_port_run){event->cycle, event->cycle, event->kind, event->warp, warp->block, warp->rank};
    }
    run->until = event->cycle + event->cycles;
}

static void add_top(struct cli_timeline *timeline, const struct ws_timeline_event *event)
{
    struct ws_json *const json = begin_instant(timeline, event->port, event->cycle, "t");
    call(json, "top", "group", event->place);
    argue(json, "group", event->place);
    end(timeline);
}

/* ---- Blocks ---- */

/* Number in the grid. */
static u32 grid_block(const struct cli_timeline *timeline, const struct ws_timeline_event *event)
{
    return timeline->shard + event->block * timeline->shards;
}

/* A sort gives one event per block. */
static void add_order(struct cli_timeline *timeline, const struct ws_timeline_event *event)
{
    if (event->place == 0) {
        struct ws_json *const json = begin_instant(timeline, SORTS, event->cycle, "p");
        ws_json_text(json, "cat", "order");
        ws_json_text(json, "name", "sort");
        ws_json_object(json, "args");
        ws_json_array(json, "blocks");
    }
    ws_json_unsigned(&timeline->json, NULL, grid_block(timeline, event));
    timeline->sorting = true;
}

static void end_order(struct cli_timeline *timeline)
{
    if (!timeline->sorting)
        return;
    ws_json_end_array(&timeline->json);
    end(timeline);
    timeline->sorting = false;
}

static void block_enters(struct cli_timeline *timeline, const struct ws_timeline_event *event)
{
    struct cli_block_stay *const stay = &timeline->block[event->place];
    if (!stay->named)
        name_track(timeline, BLOCKS, event->place, "block slot", event->place);
    *stay = (struct cli_block_stay){event->cycle, grid_block(timeline, event), true, true};
}

static void block_leaves(struct cli_timeline *timeline, u32 slot, u64 cycle)
{
    struct cli_block_stay *const stay = &timeline->block[slot];
    if (!stay->stays)
        return;
    struct ws_json *const json = begin_span(timeline, BLOCKS, slot, stay->entered, cycle);
    call(json, "block", "block", stay->block);
    argue(json, "block", stay->block);
    end(timeline);
    stay->stays = false;
}

static void block_ends(struct cli_timeline *timeline, const struct ws_timeline_event *event)
{
    block_leaves(timeline, event->place, event->cycle);
}

/* ---- Warps: a begin and an end event, so that the viewer puts it below the issues in it ---- */

/* Begins or ends a warp's stay in a slot. */
static struct ws_json *begin_stay(struct cli_timeline *timeline, const char *phase, u32 slot, u64 cycle)
{
    const struct cli_warp_run *const warp = &timeline->warp[slot];
    struct ws_json *const json = begin(timeline, phase, WARPS, slot);
    char block[32];
    snprintf(block, sizeof block, "block %" PRIu32 " warp", warp->block);
    ws_json_unsigned(json, "ts", cycle);
    call(json, "warp", block, warp->rank);
    return json;
}

static void warp_enters(struct cli_timeline *timeline, const struct ws_timeline_event *event)
{
    struct cli_warp_run *const warp = &timeline->warp[event->warp];
    if (!warp->named)
        name_track(timeline, WARPS, event->warp, "warp slot", event->warp);
    *warp = (struct cli_warp_run){
        .block = grid_block(timeline, event), .rank = event->place, .members = warp->members, .stays = true, .named = true};
    struct ws_json *const json = begin_stay(timeline, "B", event->warp, event->cycle);
    argue(json, "block", warp->block);
    argue(json, "warp", warp->rank);
    end(timeline);
}

static void end_warp_run(struct cli_timeline *timeline, u32 slot)
{
    const struct cli_warp_run *const warp = &timeline->warp[slot];
    if (warp->issues == 0)
        return;
    struct ws_json *const json = begin_span(timeline, WARPS, slot, warp->from, warp->until);
    char lanes[32];
    snprintf(lanes, sizeof lanes, "%.9g", (double)warp->lanes / warp->issues);
    call(json, "issue", "pc", warp->pc);
    argue(json, "pc", warp->pc);
    argue(json, "instructions", warp->issues);
    ws_json_raw(json, "lanes", lanes);
    end(timeline);
}

static void add_issue(struct cli_timeline *timeline, const struct ws_timeline_event *event)
{
    struct cli_warp_run *const warp = &timeline->warp[event->warp];
    if (warp->until != event->cycle || warp->issues == 0) {
        end_warp_run(timeline, event->warp);
        warp->from = event->cycle;
        warp->pc = event->pc;
        warp->issues = 0;
        warp->lanes = 0;
    }
    warp->until = event->cycle + 1;
    warp->issues++;
    warp->lanes += ws_popcount(event->lanes);
    add_slot(timeline, event);
}

/* ---- Gangs: number of warps in gangs of each size, a counter written once per cycle ---- */

static void end_gangs(struct cli_timeline *timeline)
{
    if (!timeline->gangs_changed)
        return;
    struct ws_json *const json = begin(timeline, "C", SCHEDULER, SORTS);
    ws_json_unsigned(json, "ts", timeline->gangs_at);
    ws_json_text(json, "cat", "gang");
    ws_json_text(json, "name", "warps by members of their gang");
    for (u32 members = 1; members <= CLI_TIMELINE_MEMBERS; members++)
        argue(json, (const char[]){(char)('0' + members), '\0'}, timeline->in_gangs[members]);
    end(timeline);
    timeline->gangs_changed = false;
}

/* 0 members: the warp ends. */
static void move_gang(struct cli_timeline *timeline, u32 slot, u32 members, u64 cycle)
{
    struct cli_warp_run *const warp = &timeline->warp[slot];
    if (warp->members == members)
        return;
    if (timeline->gangs_at != cycle)
        end_gangs(timeline);
    timeline->in_gangs[warp->members]--;
    timeline->in_gangs[members]++;
    warp->members = members;
    timeline->gangs_at = cycle;
    timeline->gangs_changed = true;
}

static void gang_changes(struct cli_timeline *timeline, const struct ws_timeline_event *event)
{
    move_gang(timeline, event->warp, event->place, event->cycle);
}

/* A warp whose last instruction issues in its final cycle stays to the end of that cycle. */
static void warp_leaves(struct cli_timeline *timeline, u32 slot, u64 cycle)
{
    struct cli_warp_run *const warp = &timeline->warp[slot];
    if (!warp->stays)
        return;
    end_warp_run(timeline, slot);
    move_gang(timeline, slot, 0, cycle);
    argue(begin_stay(timeline, "E", slot, warp->until > cycle ? warp->until : cycle), "ended", cycle);
    end(timeline);
    warp->stays = false;
}

static void warp_ends(struct cli_timeline *timeline, const struct ws_timeline_event *event)
{
    warp_leaves(timeline, event->warp, event->cycle);
}

/* ---- The file ---- */

enum ws_status cli_timeline_open(struct cli_timeline *timeline, const char *path, u32 shard, u32 shards, struct ws_error *error)
{
    *timeline = (struct cli_timeline){.shard = shard, .shards = shards};
    WS_TRY(ws_output_open(&timeline->output, path, WS_OUTPUT_timeline, error));
    fputs("{\"displayTimeUnit\": \"ms\", \"traceEvents\": [", timeline->output.stream);
    name_process(timeline, SCHEDULER, "scheduler");
    name_process(timeline, BLOCKS, "thread blocks");
    name_process(timeline, WARPS, "warps");
    return WS_STATUS_ok;
}

static void (*const adds[])(struct cli_timeline *timeline, const struct ws_timeline_event *event) = {
    [WS_EVENT_issue] = add_issue,           [WS_EVENT_idle] = add_slot,         [WS_EVENT_scoreboard] = add_slot,
    [WS_EVENT_pipeline] = add_slot,         [WS_EVENT_top] = add_top,           [WS_EVENT_order] = add_order,
    [WS_EVENT_block_enters] = block_enters, [WS_EVENT_block_ends] = block_ends, [WS_EVENT_warp_enters] = warp_enters,
    [WS_EVENT_warp_ends] = warp_ends,       [WS_EVENT_gang] = gang_changes,
};

void cli_timeline_add(struct cli_timeline *timeline, const struct ws_timeline_event *event)
{
    if (event->kind != WS_EVENT_order || event->place == 0)
        end_order(timeline);
    if (event->kind < WS_EVENTS)
        adds[event->kind](timeline, event);
}

void cli_timeline_count(struct cli_timeline *timeline, const char *name, u64 cycle, double value)
{
    if (!isfinite(value))
        return;
    end_order(timeline);
    if (!timeline->counting)
        name_process(timeline, COUNTERS, "counters");
    timeline->counting = true;
    struct ws_json *const json = begin(timeline, "C", COUNTERS, 0);
    ws_json_unsigned(json, "ts", cycle);
    ws_json_text(json, "cat", "counter");
    ws_json_text(json, "name", name);
    ws_json_object(json, "args");
    ws_json_real(json, "value", value);
    end(timeline);
}

/* Unfinished stays end with the last cycle. */
static void end_all(struct cli_timeline *timeline, u64 cycles)
{
    end_order(timeline);
    for (u32 port = 0; port < CLI_TIMELINE_PORTS; port++)
        end_port_run(timeline, port);
    for (u32 slot = 0; slot < CLI_TIMELINE_SLOTS; slot++) {
        warp_leaves(timeline, slot, cycles);
        block_leaves(timeline, slot, cycles);
    }
    end_gangs(timeline);
}

/* Data other than events: the run and its counters. */
static void add_run(struct cli_timeline *timeline, const struct cli_run *run, struct ws_text *text)
{
    struct ws_json json = {.text = text};
    ws_json_object(&json, NULL);
    cli_run_json(run, &json);
    ws_json_end_object(&json);
    fprintf(timeline->output.stream, "\n],\n\"otherData\": %s}\n", text->data ? text->data : "");
}

enum ws_status cli_timeline_close(struct cli_timeline *timeline, const struct cli_run *run, struct ws_error *error)
{
    struct ws_text text = {0};
    if (run) {
        end_all(timeline, run->result->counters[WS_COUNT_cycles]);
        add_run(timeline, run, &text);
    }
    const bool failed = text.failed || timeline->text.failed;
    ws_text_free(&text);
    ws_text_free(&timeline->text);
    const enum ws_status status = ws_output_close(&timeline->output, run && !failed, error);
    return failed ? ws_fail(error, WS_STATUS_no_memory, "out of memory for a timeline") : status;
}
