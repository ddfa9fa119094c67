#include "cli/run/timeline.h"

#include <inttypes.h>

#include "base/documents/json.h"
#include "base/error.h"

/* Processes of the viewer. Tracks are its threads: track n of process p has the number 1000 p + n. */
enum process { SCHEDULER = 1, BLOCKS, WARPS };
enum { SORTS = CLI_TIMELINE_PORTS }; /* track of the scheduler, after its ports */

static const char *const kinds[] = {
#define EVENT(name, value, doc) #name,
#include "shared/results/events.def"
#undef EVENT
};

/* ---- Trace events ---- */

/* Begins an event with what all have; its writer adds the rest, from a comma on. */
static FILE *begin(struct cli_timeline *timeline, const char *phase, enum process process, u32 track)
{
    FILE *const out = timeline->output.stream;
    fprintf(out, "%s{\"ph\": \"%s\", \"pid\": %d, \"tid\": %" PRIu32, timeline->filled ? ",\n" : "\n", phase, (int)process,
            1000 * (u32)process + track);
    timeline->filled = true;
    return out;
}

static void name_process(struct cli_timeline *timeline, enum process process, const char *name)
{
    fprintf(begin(timeline, "M", process, 0), ", \"name\": \"process_name\", \"args\": {\"name\": \"%s\"}}", name);
    fprintf(begin(timeline, "M", process, 0), ", \"name\": \"process_sort_index\", \"args\": {\"sort_index\": %d}}", (int)process);
}

static void name_track(struct cli_timeline *timeline, enum process process, u32 track, const char *name, u32 number)
{
    fprintf(begin(timeline, "M", process, track), ", \"name\": \"thread_name\", \"args\": {\"name\": \"%s %" PRIu32 "\"}}", name,
            number);
    fprintf(begin(timeline, "M", process, track), ", \"name\": \"thread_sort_index\", \"args\": {\"sort_index\": %" PRIu32 "}}",
            track);
}

/* The next event of a track that takes time. */
static FILE *begin_span(struct cli_timeline *timeline, enum process process, u32 track, u64 from, u64 until)
{
    FILE *const out = begin(timeline, "X", process, track);
    fprintf(out, ", \"ts\": %" PRIu64 ", \"dur\": %" PRIu64, from, until - from);
    return out;
}

/* ---- Ports ---- */

static void end_port_run(struct cli_timeline *timeline, u32 port)
{
    const struct cli_port_run *const run = &timeline->port[port];
    if (run->until == 0)
        return;
    FILE *const out = begin_span(timeline, SCHEDULER, port, run->from, run->until);
    if (run->kind == WS_EVENT_issue)
        fprintf(out,
                ", \"cat\": \"issue\", \"name\": \"slot %" PRIu32 "\", \"args\": {\"slot\": %" PRIu32 ", \"block\": %" PRIu32
                ", \"warp\": %" PRIu32 "}}",
                run->warp, run->warp, run->block, run->rank);
    else
        fprintf(out, ", \"cat\": \"lost\", \"name\": \"%s\"}", kinds[run->kind]);
}

/* What has become of an issue slot. */
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
    fprintf(begin(timeline, "i", SCHEDULER, event->port),
            ", \"ts\": %" PRIu64 ", \"s\": \"t\", \"cat\": \"top\", \"name\": \"group %" PRIu32 "\", \"args\": {\"group\": %" PRIu32
            "}}",
            event->cycle, event->place, event->place);
}

/* ---- Blocks ---- */

/* Number in the grid. */
static u32 grid_block(const struct cli_timeline *timeline, const struct ws_timeline_event *event)
{
    return timeline->shard + event->block * timeline->shards;
}

/* The order of a sort comes as one event for each block. */
static void add_order(struct cli_timeline *timeline, const struct ws_timeline_event *event)
{
    if (event->place == 0)
        fprintf(begin(timeline, "i", SCHEDULER, SORTS),
                ", \"ts\": %" PRIu64 ", \"s\": \"p\", \"cat\": \"order\", \"name\": \"sort\", \"args\": {\"blocks\": [",
                event->cycle);
    fprintf(timeline->output.stream, event->place == 0 ? "%" PRIu32 : ", %" PRIu32, grid_block(timeline, event));
    timeline->sorting = true;
}

static void end_order(struct cli_timeline *timeline)
{
    if (timeline->sorting)
        fputs("]}}", timeline->output.stream);
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
    if (stay->stays)
        fprintf(begin_span(timeline, BLOCKS, slot, stay->entered, cycle),
                ", \"cat\": \"block\", \"name\": \"block %" PRIu32 "\", \"args\": {\"block\": %" PRIu32 "}}", stay->block,
                stay->block);
    stay->stays = false;
}

static void block_ends(struct cli_timeline *timeline, const struct ws_timeline_event *event)
{
    block_leaves(timeline, event->place, event->cycle);
}

/* ---- Warps: an event that begins and ends, so that it comes before the issues in it ---- */

/* Begins or ends the stay of the warp in a slot. */
static FILE *begin_stay(struct cli_timeline *timeline, const char *phase, u32 slot, u64 cycle)
{
    const struct cli_warp_run *const warp = &timeline->warp[slot];
    FILE *const out = begin(timeline, phase, WARPS, slot);
    fprintf(out, ", \"ts\": %" PRIu64 ", \"cat\": \"warp\", \"name\": \"block %" PRIu32 " warp %" PRIu32 "\", \"args\": {", cycle,
            warp->block, warp->rank);
    return out;
}

static void warp_enters(struct cli_timeline *timeline, const struct ws_timeline_event *event)
{
    struct cli_warp_run *const warp = &timeline->warp[event->warp];
    if (!warp->named)
        name_track(timeline, WARPS, event->warp, "warp slot", event->warp);
    *warp = (struct cli_warp_run){
        .block = grid_block(timeline, event), .rank = event->place, .members = warp->members, .stays = true, .named = true};
    fprintf(begin_stay(timeline, "B", event->warp, event->cycle), "\"block\": %" PRIu32 ", \"warp\": %" PRIu32 "}}", warp->block,
            warp->rank);
}

static void end_warp_run(struct cli_timeline *timeline, u32 slot)
{
    const struct cli_warp_run *const warp = &timeline->warp[slot];
    if (warp->issues == 0)
        return;
    fprintf(begin_span(timeline, WARPS, slot, warp->from, warp->until),
            ", \"cat\": \"issue\", \"name\": \"pc %" PRIu32 "\", \"args\": {\"pc\": %" PRIu32 ", \"instructions\": %" PRIu32
            ", \"lanes\": %.9g}}",
            warp->pc, warp->pc, warp->issues, (double)warp->lanes / warp->issues);
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

/* ---- Gangs: how many warps are in a gang of each size, a counter that is written once a cycle ---- */

static void end_gangs(struct cli_timeline *timeline)
{
    if (!timeline->gangs_changed)
        return;
    FILE *const out = begin(timeline, "C", SCHEDULER, SORTS);
    fprintf(out, ", \"ts\": %" PRIu64 ", \"cat\": \"gang\", \"name\": \"warps by members of their gang\", \"args\": {",
            timeline->gangs_at);
    for (u32 members = 1; members <= CLI_TIMELINE_MEMBERS; members++)
        fprintf(out, "%s\"%" PRIu32 "\": %" PRIu32, members == 1 ? "" : ", ", members, timeline->in_gangs[members]);
    fputs("}}", out);
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

/* A warp whose last instruction issues in the cycle in which the warp ends stays through it. */
static void warp_leaves(struct cli_timeline *timeline, u32 slot, u64 cycle)
{
    struct cli_warp_run *const warp = &timeline->warp[slot];
    if (!warp->stays)
        return;
    end_warp_run(timeline, slot);
    move_gang(timeline, slot, 0, cycle);
    fprintf(begin_stay(timeline, "E", slot, warp->until > cycle ? warp->until : cycle), "\"ended\": %" PRIu64 "}}", cycle);
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

/* What has not ended is there until the last cycle. */
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

/* What is not an event: the run and its counters. */
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
    const bool failed = text.failed;
    ws_text_free(&text);
    const enum ws_status status = ws_output_close(&timeline->output, run && !failed, error);
    return failed ? ws_fail(error, WS_STATUS_no_memory, "out of memory for a timeline") : status;
}
