#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "trace/write/writer.h"

/* Records of a block before its turn. Each time a recorder was full: thread number, counts of decisions and accesses, and their
 * words. */
struct ws_spool {
    struct ws_trace_writer *writer;
    struct ws_recorder *recorders;
    u64 *decisions, *accesses; /* buffers of all recorders */
    u64 *words, count, room;
};

enum { HEAD = 3 };

static u64 words_of(u64 bits)
{
    return (bits + 63) / 64;
}

struct ws_spool *ws_spool_make(struct ws_trace_writer *writer)
{
    const u32 threads = writer->block_threads;
    struct ws_spool *const spool = calloc(1, sizeof *spool);
    if (!spool)
        return NULL;
    spool->writer = writer;
    spool->recorders = calloc(threads, sizeof *spool->recorders);
    spool->decisions = calloc(threads * writer->decision_words, sizeof *spool->decisions);
    spool->accesses = calloc(threads * writer->access_room, sizeof *spool->accesses);
    if (!spool->recorders || !spool->decisions || !spool->accesses) {
        ws_spool_free(spool);
        return NULL;
    }
    for (u32 n = 0; n < threads; n++)
        spool->recorders[n] = (struct ws_recorder){.decisions = spool->decisions + n * writer->decision_words,
                                                   .decision_room = 64 * writer->decision_words,
                                                   .accesses = spool->accesses + n * writer->access_room,
                                                   .access_room = writer->access_room,
                                                   .writer = writer,
                                                   .spool = spool};
    return spool;
}

void ws_spool_free(struct ws_spool *spool)
{
    if (!spool)
        return;
    free(spool->recorders);
    free(spool->decisions);
    free(spool->accesses);
    free(spool->words);
    free(spool);
}

struct ws_recorder *ws_spool_recorders(struct ws_spool *spool)
{
    return spool->recorders;
}

bool wst_spool_more(struct ws_recorder *recorder)
{
    struct ws_spool *const spool = recorder->spool;
    const u64 decisions = words_of(recorder->decision_count), length = HEAD + decisions + recorder->access_count;
    if (spool->room - spool->count < length) {
        const u64 room = 2 * spool->room + length;
        u64 *const larger = realloc(spool->words, room * sizeof *larger);
        if (!larger)
            return false;
        spool->words = larger;
        spool->room = room;
    }
    u64 *const to = spool->words + spool->count;
    to[0] = (u64)(recorder - spool->recorders);
    to[1] = recorder->decision_count;
    to[2] = recorder->access_count;
    memcpy(to + HEAD, recorder->decisions, decisions * sizeof *to);
    memcpy(to + HEAD + decisions, recorder->accesses, recorder->access_count * sizeof *to);
    spool->count += length;
    recorder->decision_count = recorder->access_count = 0;
    return true;
}

/* Passes another recorder's contents to a recorder. */
static void fill(struct ws_recorder *recorder, const u64 *decisions, u64 decision_count, const u64 *accesses, u64 access_count)
{
    memcpy(recorder->decisions, decisions, words_of(decision_count) * sizeof *decisions);
    memcpy(recorder->accesses, accesses, access_count * sizeof *accesses);
    recorder->decision_count = decision_count;
    recorder->access_count = access_count;
}

enum ws_status ws_spool_play(struct ws_spool *spool, u64 index, const u64 *executed, struct ws_error *error)
{
    struct ws_recorder *const recorders = ws_recorders_begin(spool->writer, index);
    if (!recorders)
        return ws_fail(error, WS_STATUS_internal, "block %llu is not the one to be written", (unsigned long long)index);
    bool good = true;
    for (const u64 *at = spool->words, *const end = at + spool->count; good && at < end;) {
        const u64 *const decisions = at + HEAD, *const accesses = decisions + words_of(at[1]);
        struct ws_recorder *const recorder = &recorders[at[0]];
        fill(recorder, decisions, at[1], accesses, at[2]);
        at = accesses + at[2];
        good = ws_recorder_more(recorder);
    }
    for (u32 n = 0; good && n < spool->writer->block_threads; n++) {
        const struct ws_recorder *const rest = &spool->recorders[n];
        fill(&recorders[n], rest->decisions, rest->decision_count, rest->accesses, rest->access_count);
    }
    return ws_recorders_end(spool->writer, executed, error);
}
