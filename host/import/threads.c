#include "import/threads.h"

#include <inttypes.h>

#include "base/error.h"
#include "import/place.h"

static const struct sass_op *op_of(const struct sass_threads *threads, u32 place)
{
    return &threads->walk->code->ops[threads->program->places[place].op];
}

/* A failure of the recorder is reported at the end of the block, a failure of the replay at the next record. */
static void decide(struct sass_threads *threads, u32 lane, bool bit)
{
    ws_record_decision(&threads->recorders[threads->warp * SASS_LANES + lane], bit);
    threads->no_memory |= !sass_bits_add(&threads->replay.decisions[lane], bit);
}

/* ---- A thread at a place ---- */

/* The thread passes it with a false guard. */
static void pass(struct sass_threads *threads, u32 lane, u32 n)
{
    const struct sass_place *const place = &threads->program->places[n];
    const struct sass_op *const op = op_of(threads, n);
    const bool around = op->class_ == WS_CLASS_barrier || place->target_count > 1;
    const u32 parts = sass_accesses(op) && op->spaces ? ws_popcount(op->spaces) : 1;
    for (u32 part = 0; part < parts; part++)
        decide(threads, lane, around);
}

/* The thread takes one target of a transfer with several, or continues after an exit. */
static void choose(struct sass_threads *threads, u32 lane, u32 target)
{
    struct sass_thread *const thread = &threads->lanes[lane];
    const struct sass_place *const place = &threads->program->places[thread->waiting];
    u32 t = 0;
    if (op_of(threads, thread->waiting)->class_ == WS_CLASS_exit) {
        decide(threads, lane, false);
        *thread = (struct sass_thread){.at = thread->waiting + 1, .waiting = SASS_NONE};
        return;
    }
    while (t + 1 < place->target_count && place->targets[t] != target) {
        decide(threads, lane, false);
        t++;
    }
    if (t + 1 < place->target_count)
        decide(threads, lane, true);
    *thread = (struct sass_thread){.at = target, .waiting = SASS_NONE};
}

static void access_memory(struct sass_threads *threads, u32 lane, const struct sass_place *place, const struct sass_op *op,
                          u64 address)
{
    u64 offset;
    const u32 space = sass_place(threads->walk->header, op, address, &offset);
    const bool several = ws_popcount(op->spaces) > 1;
    for (u32 n = 0; n < WS_SPACES; n++)
        if (op->spaces >> n & 1 && (several || place->off))
            decide(threads, lane, n == space);
    ws_record_access(&threads->recorders[threads->warp * SASS_LANES + lane], offset);
}

static void execute(struct sass_threads *threads, u32 lane, u32 n, u64 address)
{
    const struct sass_place *const place = &threads->program->places[n];
    const struct sass_op *const op = op_of(threads, n);
    struct sass_thread *const thread = &threads->lanes[lane];
    thread->at = n + 1;
    if (sass_accesses(op)) {
        access_memory(threads, lane, place, op, address);
        return;
    }
    const bool open = op->class_ == WS_CLASS_exit && op->outlived;
    if (place->off && !open)
        decide(threads, lane, op->class_ != WS_CLASS_barrier && place->target_count <= 1);
    if (place->target_count > 1 || open)
        thread->waiting = n;
    else if (op->transfers)
        thread->at = place->targets[0];
}

/* ---- The walk ---- */

static enum ws_status begin_block(void *context, u64 index, struct ws_error *error)
{
    struct sass_threads *const threads = context;
    threads->block = index;
    threads->recorders = ws_recorders_begin(threads->writer, index);
    return threads->recorders ? WS_STATUS_ok : ws_fail(error, WS_STATUS_bad_trace, "block %" PRIu64 " comes out of turn", index);
}

static enum ws_status begin_warp(void *context, u32 warp, struct ws_error *error)
{
    struct sass_threads *const threads = context;
    (void)error;
    threads->warp = warp;
    threads->threads = sass_warp_mask(threads->walk->header, warp);
    for (u32 lane = 0; lane < SASS_LANES; lane++)
        threads->lanes[lane] = (struct sass_thread){.waiting = SASS_NONE};
    sass_replay_clear(&threads->replay);
    return WS_STATUS_ok;
}

static enum ws_status arrive(struct sass_threads *threads, u32 lane, u32 n, struct ws_error *error)
{
    struct sass_thread *const thread = &threads->lanes[lane];
    if (thread->waiting != SASS_NONE)
        choose(threads, lane, n);
    if (thread->at > n)
        return sass_input_changed(threads->walk->input, error);
    for (; thread->at < n; thread->at++)
        pass(threads, lane, thread->at);
    return WS_STATUS_ok;
}

static enum ws_status take_record(void *context, const struct sass_record *record, struct ws_error *error)
{
    struct sass_threads *const threads = context;
    const struct sass_op *const op = record->op;
    const u32 number = (u32)(op - threads->walk->code->ops), mask = record->mask;
    if (number >= threads->program->place_count)
        return sass_input_changed(threads->walk->input, error);
    const u32 n = threads->program->place_of[number];
    u32 accesses = 0;
    for (u32 lane = 0; lane < SASS_LANES; lane++) {
        if (!(mask >> lane & 1))
            continue;
        WS_TRY(arrive(threads, lane, n, error));
        execute(threads, lane, n, record->addresses ? record->address[accesses++] : 0);
    }
    threads->no_memory |= !sass_replay_record(&threads->replay, op, n, mask);
    return threads->no_memory ? ws_no_memory(error) : WS_STATUS_ok;
}

static enum ws_status end_warp(void *context, struct ws_error *error)
{
    struct sass_threads *const threads = context;
    for (u32 lane = 0; lane < SASS_LANES; lane++)
        if (threads->threads >> lane & 1 && threads->lanes[lane].waiting != SASS_NONE)
            decide(threads, lane, true); /* at an exit, without further records */
    const bool compared = sass_replay_compare(&threads->replay, threads->walk->code, threads->program, threads->threads,
                                              threads->block, threads->warp, threads->report);
    return compared && !threads->no_memory ? WS_STATUS_ok : ws_no_memory(error);
}

static enum ws_status end_block(void *context, struct ws_error *error)
{
    struct sass_threads *const threads = context;
    return ws_recorders_end(threads->writer, NULL, error);
}

enum ws_status sass_threads_write(struct sass_threads *threads, struct ws_error *error)
{
    const struct sass_visitor visitor = {begin_block, begin_warp, take_record, end_warp, end_block, threads};
    const enum ws_status status = sass_walk(threads->walk, &visitor, error);
    sass_replay_free(&threads->replay);
    return status;
}
