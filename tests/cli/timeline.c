/* timeline T.json R.json PORTS [PROGRESS]: compares a timeline (run --timeline T.json) with the run's results (--format json,
 * R.json). PROGRESS: the run sorts its blocks by their issue counts alone, and the order is recomputed. With one argument it only
 * checks that the file is JSON. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_reader.h"

enum { SCHEDULER = 1, BLOCKS, WARPS, MOST_TRACKS = 600 };

/* An interval, and its event. */
struct span {
    double from, until;
    const struct json *event;
};

struct spans {
    struct span *span;
    size_t count;
};

/* Spans are complete events; stays have a begin and an end event. */
struct track {
    int process, thread;
    const char *name;
    struct spans spans, stays;
    const struct json *open; /* the stay that has not ended */
};

struct timeline {
    const char *path;
    struct track track[MOST_TRACKS];
    size_t tracks, processes;
    const struct json **instant;
    size_t instants;
    const struct json **gangs; /* counters of warps by size of their gang */
    size_t gang_count;
    const struct json *run; /* what R.json says */
    double cycles;
    size_t ports;
    size_t decided[2]; /* pairs of blocks that a sort had to distinguish, in the fast and the slow phase */
};

static void fail(const struct timeline *timeline, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", timeline->path);
    vfprintf(stderr, format, arguments);
    fputs("\n", stderr);
    va_end(arguments);
    exit(1);
}

static const struct json *need(const struct timeline *timeline, const struct json *object, const char *key, enum json_type type)
{
    const struct json *const member = json_find(object, key);
    if (!member || member->type != type)
        fail(timeline, "'%s' is missing, or of another type", key);
    return member;
}

static double need_number(const struct timeline *timeline, const struct json *object, const char *key)
{
    return need(timeline, object, key, JSON_NUMBER)->number;
}

static const char *need_text(const struct timeline *timeline, const struct json *object, const char *key)
{
    return need(timeline, object, key, JSON_TEXT)->text;
}

static double argument(const struct timeline *timeline, const struct json *event, const char *key)
{
    return need_number(timeline, need(timeline, event, "args", JSON_OBJECT), key);
}

static double counter(const struct timeline *timeline, const char *name)
{
    return need_number(timeline, need(timeline, timeline->run, "counters", JSON_OBJECT), name);
}

static void *larger(const struct timeline *timeline, void *array, size_t count, size_t size)
{
    if ((count & (count - 1)) != 0)
        return array;
    void *const room = realloc(array, (count ? 2 * count : 1) * size);
    if (!room)
        fail(timeline, "out of memory");
    return room;
}

/* ---- Events ---- */

static struct track *track_of(struct timeline *timeline, const struct json *event)
{
    const int process = (int)need_number(timeline, event, "pid"), thread = (int)need_number(timeline, event, "tid");
    for (size_t n = 0; n < timeline->tracks; n++)
        if (timeline->track[n].process == process && timeline->track[n].thread == thread)
            return &timeline->track[n];
    if (timeline->tracks == MOST_TRACKS)
        fail(timeline, "more than %d tracks", MOST_TRACKS);
    struct track *const track = &timeline->track[timeline->tracks++];
    *track = (struct track){.process = process, .thread = thread};
    return track;
}

static double time_of(const struct timeline *timeline, const struct json *event)
{
    const double ts = need_number(timeline, event, "ts");
    if (ts < 0 || ts > timeline->cycles || ts != floor(ts))
        fail(timeline, "%s: ts %g is no cycle of %g", need_text(timeline, event, "name"), ts, timeline->cycles);
    return ts;
}

static void add_span(const struct timeline *timeline, struct spans *spans, double from, double until, const struct json *event)
{
    if (until <= from || until > timeline->cycles || until != floor(until))
        fail(timeline, "%s at %g ends at %g", need_text(timeline, event, "name"), from, until);
    spans->span = larger(timeline, spans->span, spans->count, sizeof *spans->span);
    spans->span[spans->count++] = (struct span){from, until, event};
}

static void read_metadata(struct timeline *timeline, const struct json *event)
{
    const struct json *const args = need(timeline, event, "args", JSON_OBJECT);
    const char *const name = need_text(timeline, event, "name");
    struct track *const track = track_of(timeline, event);
    if (strcmp(name, "thread_name") == 0) {
        if (track->name)
            fail(timeline, "track %d has two names", track->thread);
        track->name = need_text(timeline, args, "name");
    } else if (strcmp(name, "process_name") == 0) {
        need_text(timeline, args, "name");
        timeline->processes++;
    } else {
        need_number(timeline, args, "sort_index");
    }
}

static void read_stay(struct timeline *timeline, const struct json *event, int begins)
{
    struct track *const track = track_of(timeline, event);
    const double ts = time_of(timeline, event);
    if (begins != !track->open)
        fail(timeline, "%s: begins and ends do not alternate", need_text(timeline, event, "name"));
    if (!begins) {
        if (strcmp(need_text(timeline, event, "name"), need_text(timeline, track->open, "name")) != 0)
            fail(timeline, "%s ends where another began", need_text(timeline, event, "name"));
        add_span(timeline, &track->stays, time_of(timeline, track->open), ts, event);
    }
    track->open = begins ? event : NULL;
}

static void read_event(struct timeline *timeline, const struct json *event)
{
    const char *const phase = need_text(timeline, event, "ph");
    need_text(timeline, event, "name");
    if (strcmp(phase, "M") == 0) {
        read_metadata(timeline, event);
        return;
    }
    need_text(timeline, event, "cat");
    if (strcmp(phase, "X") == 0) {
        const double ts = time_of(timeline, event);
        add_span(timeline, &track_of(timeline, event)->spans, ts, ts + need_number(timeline, event, "dur"), event);
    } else if (strcmp(phase, "B") == 0 || strcmp(phase, "E") == 0) {
        read_stay(timeline, event, *phase == 'B');
    } else if (strcmp(phase, "i") == 0) {
        const char *const scope = need_text(timeline, event, "s");
        if (strcmp(scope, "t") != 0 && strcmp(scope, "p") != 0)
            fail(timeline, "scope '%s' of an instant", scope);
        time_of(timeline, event);
        track_of(timeline, event);
        timeline->instant = larger(timeline, timeline->instant, timeline->instants, sizeof(struct json *));
        timeline->instant[timeline->instants++] = event;
    } else if (strcmp(phase, "C") == 0) {
        time_of(timeline, event);
        track_of(timeline, event);
        timeline->gangs = larger(timeline, timeline->gangs, timeline->gang_count, sizeof(struct json *));
        timeline->gangs[timeline->gang_count++] = event;
    } else {
        fail(timeline, "phase '%s'", phase);
    }
}

/* ---- Tracks ---- */

static int by_time(const void *one, const void *other)
{
    const struct span *const a = one, *const b = other;
    return (a->from > b->from) - (a->from < b->from);
}

static void check_apart(const struct timeline *timeline, const struct track *track, struct spans *spans)
{
    if (spans->count == 0)
        return;
    qsort(spans->span, spans->count, sizeof *spans->span, by_time);
    for (size_t n = 1; n < spans->count; n++)
        if (spans->span[n].from < spans->span[n - 1].until)
            fail(timeline, "%s: two events overlap at %g", track->name, spans->span[n].from);
}

/* Events on a track with stays lie within them. */
static void check_inside(const struct timeline *timeline, const struct track *track)
{
    size_t stay = 0;
    for (size_t n = 0; n < track->spans.count; n++) {
        while (stay < track->stays.count && track->stays.span[stay].until <= track->spans.span[n].from)
            stay++;
        if (stay == track->stays.count || track->spans.span[n].from < track->stays.span[stay].from ||
            track->spans.span[n].until > track->stays.span[stay].until)
            fail(timeline, "%s: a warp issues at %g and is not there", track->name, track->spans.span[n].from);
    }
}

static void check_tracks(struct timeline *timeline)
{
    for (size_t n = 0; n < timeline->tracks; n++) {
        struct track *const track = &timeline->track[n];
        const int used = track->spans.count || track->stays.count;
        if (track->open)
            fail(timeline, "track %d: a warp does not end", track->thread);
        if (used && !track->name)
            fail(timeline, "track %d has no name", track->thread);
        check_apart(timeline, track, &track->spans);
        check_apart(timeline, track, &track->stays);
        if (track->process == WARPS)
            check_inside(timeline, track);
    }
    if (timeline->processes != 3)
        fail(timeline, "%zu processes have names", timeline->processes);
}

/* ---- Ports ---- */

static void expect_equal(const struct timeline *timeline, const char *what, double found, double expected)
{
    if (fabs(found - expected) > 1e-6 * expected)
        fail(timeline, "%s: %g in the timeline, %g counted", what, found, expected);
}

/* Cycles of a port's track under a name, or of all with NULL. */
static double port_cycles(const struct track *track, const char *category, const char *name)
{
    double sum = 0;
    for (size_t n = 0; n < track->spans.count; n++) {
        const struct span *const span = &track->spans.span[n];
        if ((!category || strcmp(json_find(span->event, "cat")->text, category) == 0) &&
            (!name || strcmp(json_find(span->event, "name")->text, name) == 0))
            sum += span->until - span->from;
    }
    return sum;
}

/* Whether a warp is in one of the port's slots. */
static int has_warp(const struct timeline *timeline, size_t port, double cycle)
{
    for (size_t n = 0; n < timeline->tracks; n++) {
        const struct track *const track = &timeline->track[n];
        const size_t slot = (size_t)track->thread - 1000 * WARPS;
        for (size_t k = 0; track->process == WARPS && slot % timeline->ports == port && k < track->stays.count; k++)
            if (track->stays.span[k].from <= cycle && cycle < track->stays.span[k].until)
                return 1;
    }
    return 0;
}

/* Without a runnable warp a port is idle; it issues only from its own slots. */
static void check_port(const struct timeline *timeline, const struct track *track)
{
    const size_t port = (size_t)track->thread - 1000 * SCHEDULER;
    for (size_t n = 0; n < track->spans.count; n++) {
        const struct span *const span = &track->spans.span[n];
        const int issue = strcmp(json_find(span->event, "cat")->text, "issue") == 0;
        if (strcmp(json_find(span->event, "name")->text, "idle") != 0 && !has_warp(timeline, port, span->from))
            fail(timeline, "%s is not idle at %g and has no warp", track->name, span->from);
        if (issue && (size_t)argument(timeline, span->event, "slot") % timeline->ports != port)
            fail(timeline, "%s issues from another's slot at %g", track->name, span->from);
    }
}

static void check_ports(const struct timeline *timeline)
{
    double issued = 0, idle = 0, scoreboard = 0, pipeline = 0;
    size_t found = 0;
    for (size_t n = 0; n < timeline->tracks; n++) {
        const struct track *const track = &timeline->track[n];
        if (track->process != SCHEDULER || track->spans.count == 0)
            continue;
        found++;
        check_port(timeline, track);
        expect_equal(timeline, track->name, port_cycles(track, NULL, NULL), timeline->cycles);
        issued += port_cycles(track, "issue", NULL);
        idle += port_cycles(track, "lost", "idle");
        scoreboard += port_cycles(track, "lost", "scoreboard");
        pipeline += port_cycles(track, "lost", "pipeline");
    }
    expect_equal(timeline, "ports", (double)found, (double)timeline->ports);
    expect_equal(timeline, "warp_instructions", issued, counter(timeline, "warp_instructions"));
    expect_equal(timeline, "stall_idle", idle, counter(timeline, "stall_idle"));
    expect_equal(timeline, "stall_scoreboard", scoreboard, counter(timeline, "stall_scoreboard"));
    expect_equal(timeline, "stall_pipeline", pipeline, counter(timeline, "stall_pipeline"));
}

/* ---- Blocks and warps ---- */

/* Spans of a block, or of one of its warps if warp is not negative; the last of them in *found. */
static size_t count_of(const struct timeline *timeline, int process, double block, const char *name, const struct span **found)
{
    size_t count = 0;
    char full[64];
    snprintf(full, sizeof full, "block %.0f%s", block, name);
    for (size_t n = 0; n < timeline->tracks; n++) {
        const struct track *const track = &timeline->track[n];
        const struct spans *const spans = process == WARPS ? &track->stays : &track->spans;
        for (size_t k = 0; track->process == process && k < spans->count; k++)
            if (strcmp(json_find(spans->span[k].event, "name")->text, full) == 0) {
                *found = &spans->span[k];
                count++;
            }
    }
    return count;
}

static void check_block(const struct timeline *timeline, const struct json *block)
{
    const double number = need_number(timeline, block, "block"), entry = need_number(timeline, block, "entry");
    const struct json *const warps = need(timeline, block, "warps", JSON_ARRAY);
    const struct span *span = NULL;
    if (count_of(timeline, BLOCKS, number, "", &span) != 1)
        fail(timeline, "block %g is not there once", number);
    if (argument(timeline, span->event, "block") != number || span->from != entry ||
        span->until != need_number(timeline, block, "end"))
        fail(timeline, "block %g is there from %g to %g", number, span->from, span->until);
    for (size_t warp = 0; warp < warps->count; warp++) {
        const double entry_of_warp = need_number(timeline, &warps->member[warp], "entry");
        const double end = need_number(timeline, &warps->member[warp], "end");
        char name[32];
        snprintf(name, sizeof name, " warp %zu", warp);
        if (count_of(timeline, WARPS, number, name, &span) != 1)
            fail(timeline, "block %g warp %zu is not there once", number, warp);
        if (span->from != entry_of_warp || argument(timeline, span->event, "ended") != end ||
            (span->until != end && span->until != end + 1))
            fail(timeline, "block %g warp %zu is there from %g to %g, not from %g to %g", number, warp, span->from, span->until,
                 entry_of_warp, end);
    }
}

/* Every block and warp is present at its times, once, with the issues of its slot. */
static void check_blocks(const struct timeline *timeline)
{
    const struct json *const blocks = need(timeline, timeline->run, "blocks", JSON_ARRAY);
    const struct json *const bins =
        need(timeline, need(timeline, timeline->run, "counters", JSON_OBJECT), "active_lanes", JSON_ARRAY);
    double instructions = 0, lanes = 0, active = 0, warps = 0;
    for (size_t n = 0; n < blocks->count; n++)
        check_block(timeline, &blocks->member[n]);
    for (size_t n = 0; n < timeline->tracks; n++) {
        const struct track *const track = &timeline->track[n];
        warps += (double)track->stays.count;
        for (size_t k = 0; track->process == WARPS && k < track->spans.count; k++) {
            const struct span *const span = &track->spans.span[k];
            const double issues = argument(timeline, span->event, "instructions");
            if (issues != span->until - span->from)
                fail(timeline, "%s issues %g instructions in %g cycles", track->name, issues, span->until - span->from);
            argument(timeline, span->event, "pc");
            instructions += issues;
            lanes += issues * argument(timeline, span->event, "lanes");
        }
    }
    for (size_t n = 0; n < bins->count; n++)
        active += (double)n * bins->member[n].number;
    expect_equal(timeline, "warps_done", warps, counter(timeline, "warps_done"));
    expect_equal(timeline, "instructions", instructions, counter(timeline, "warp_instructions"));
    /* The mask of a large warp's jump has one bit per column, which may stand for several threads. */
    const struct json *const unit = json_find(need(timeline, timeline->run, "overrides", JSON_OBJECT), "divergence.unit");
    if (!unit || strcmp(unit->text, "lwm") != 0 || lanes > active)
        expect_equal(timeline, "lanes", lanes, active);
}

/* Whenever a port issues from a slot, the slot's warp issues, under its name. */
static void check_issues(const struct timeline *timeline)
{
    for (size_t n = 0; n < timeline->tracks; n++) {
        const struct track *const warp = &timeline->track[n];
        double sum = 0, own = 0;
        for (size_t k = 0; warp->process == WARPS && k < warp->spans.count; k++)
            own += warp->spans.span[k].until - warp->spans.span[k].from;
        for (size_t p = 0; warp->process == WARPS && p < timeline->tracks; p++) {
            const struct track *const port = &timeline->track[p];
            for (size_t k = 0, at = 0; port->process == SCHEDULER && k < port->spans.count; k++) {
                const struct span *const span = &port->spans.span[k];
                if (strcmp(json_find(span->event, "cat")->text, "issue") != 0 ||
                    argument(timeline, span->event, "slot") != warp->thread - 1000 * WARPS)
                    continue;
                sum += span->until - span->from;
                while (at < warp->spans.count && warp->spans.span[at].until <= span->from)
                    at++;
                if (at == warp->spans.count || warp->spans.span[at].from > span->from || warp->spans.span[at].until < span->until)
                    fail(timeline, "%s issues at %g in its port's track alone", warp->name, span->from);
            }
        }
        if (sum != own)
            fail(timeline, "%s: issues in %g cycles, its port says %g", warp->name, own, sum);
    }
}

/* ---- The scheduler ---- */

/* Instructions issued by the block's warps before a cycle. */
static double progress(const struct timeline *timeline, double block, double cycle)
{
    double sum = 0;
    for (size_t n = 0; n < timeline->tracks; n++) {
        const struct track *const track = &timeline->track[n];
        for (size_t k = 0; track->process == SCHEDULER && k < track->spans.count; k++) {
            const struct span *const span = &track->spans.span[k];
            if (span->from < cycle && strcmp(json_find(span->event, "cat")->text, "issue") == 0 &&
                argument(timeline, span->event, "block") == block)
                sum += fmin(span->until, cycle) - span->from;
        }
    }
    return sum;
}

/* A sort lists the resident blocks, each once. By progress: descending while blocks are still to enter, ascending afterwards. */
static void check_sort(struct timeline *timeline, const struct json *event, int by_progress)
{
    const struct json *const order = need(timeline, need(timeline, event, "args", JSON_OBJECT), "blocks", JSON_ARRAY);
    const struct json *const blocks = need(timeline, timeline->run, "blocks", JSON_ARRAY);
    const double cycle = time_of(timeline, event);
    size_t there = 0;
    int fast = 0;
    for (size_t n = 0; n < blocks->count; n++) {
        const double entry = need_number(timeline, &blocks->member[n], "entry");
        fast |= entry > cycle;
        there += entry <= cycle && cycle < need_number(timeline, &blocks->member[n], "end");
    }
    if (order->count != there)
        fail(timeline, "a sort at %g of %zu blocks where %zu are", cycle, order->count, there);
    for (size_t n = 0; n < order->count; n++) {
        const double block = order->member[n].number;
        for (size_t k = 0; k < n; k++)
            if (order->member[k].number == block)
                fail(timeline, "a sort at %g has block %g twice", cycle, block);
        if (!by_progress || n == 0)
            continue;
        const double before = order->member[n - 1].number;
        const double more = progress(timeline, before, cycle) - progress(timeline, block, cycle);
        timeline->decided[!fast] += more != 0;
        if ((fast ? more < 0 : more > 0) || (more == 0 && before > block))
            fail(timeline, "a sort at %g puts block %g before %g", cycle, before, block);
    }
}

static void check_scheduler(struct timeline *timeline, int by_progress)
{
    double tops = 0;
    for (size_t n = 0; n < timeline->instants; n++) {
        const char *const category = need_text(timeline, timeline->instant[n], "cat");
        if (strcmp(category, "top") == 0) {
            argument(timeline, timeline->instant[n], "group");
            tops++;
        } else {
            check_sort(timeline, timeline->instant[n], by_progress);
        }
    }
    expect_equal(timeline, "group_switches", tops, counter(timeline, "group_switches"));
    if (by_progress && (timeline->decided[0] == 0 || timeline->decided[1] == 0))
        fail(timeline, "no sort tells two blocks apart in the fast or in the slow phase");
}

/* ---- Gangs ---- */

static double warps_there(const struct timeline *timeline, double cycle)
{
    double there = 0;
    for (size_t n = 0; n < timeline->tracks; n++) {
        const struct spans *const stays = &timeline->track[n].stays;
        for (size_t k = 0; timeline->track[n].process == WARPS && k < stays->count; k++)
            there += stays->span[k].from <= cycle && argument(timeline, stays->span[k].event, "ended") > cycle;
    }
    return there;
}

/* All resident warps are counted, those in gangs of a size as whole gangs. */
static void check_gangs(const struct timeline *timeline)
{
    for (size_t n = 0; n < timeline->gang_count; n++) {
        const struct json *const args = need(timeline, timeline->gangs[n], "args", JSON_OBJECT);
        const double cycle = time_of(timeline, timeline->gangs[n]);
        double warps = 0;
        for (size_t k = 0; k < args->count; k++) {
            warps += args->member[k].number;
            if (fmod(args->member[k].number, atof(args->member[k].key)) != 0)
                fail(timeline, "%g warps in gangs of %s at %g", args->member[k].number, args->member[k].key, cycle);
        }
        if (warps != warps_there(timeline, cycle))
            fail(timeline, "%g warps in gangs where %g are, at %g", warps, warps_there(timeline, cycle), cycle);
    }
}

/* ---- All ---- */

static int alike(const struct json *a, const struct json *b)
{
    if (a->type != b->type || a->count != b->count || (a->text && strcmp(a->text, b->text) != 0))
        return 0;
    for (size_t n = 0; n < a->count; n++)
        if (!alike(&a->member[n], &b->member[n]) || (a->member[n].key && strcmp(a->member[n].key, b->member[n].key) != 0))
            return 0;
    return 1;
}

static void check_run(const struct timeline *timeline, const struct json *file)
{
    static const char *const same[] = {"machine", "overrides", "trace", "shard", "counters"};
    const struct json *const other = need(timeline, file, "otherData", JSON_OBJECT);
    for (size_t n = 0; n < sizeof same / sizeof *same; n++) {
        const struct json *const here = json_find(other, same[n]), *const there = json_find(timeline->run, same[n]);
        if (!here || !there || !alike(here, there))
            fail(timeline, "otherData: %s is not that of the run", same[n]);
    }
    need_text(timeline, file, "displayTimeUnit");
}

int main(int argc, char **argv)
{
    static struct timeline timeline;
    if (argc == 2)
        return !json_read(argv[1]);
    if (argc < 4)
        return 2;
    timeline.path = argv[1];
    const struct json *const file = json_read(argv[1]);
    const int by_progress = argc > 4;
    timeline.ports = strtoul(argv[3], NULL, 10);
    timeline.run = json_read(argv[2]);
    timeline.cycles = counter(&timeline, "cycles");
    check_run(&timeline, file);
    const struct json *const events = need(&timeline, file, "traceEvents", JSON_ARRAY);
    for (size_t n = 0; n < events->count; n++)
        read_event(&timeline, &events->member[n]);
    check_tracks(&timeline);
    check_ports(&timeline);
    check_blocks(&timeline);
    check_issues(&timeline);
    check_scheduler(&timeline, by_progress);
    check_gangs(&timeline);
    return 0;
}
