/* DRAM with DDR timings below the barrel's caches (memory.md, ddr): a level with the requests of memory.md. */
#include "oracle/memory/levels.h"

static void start(struct sm *sm, struct level *level)
{
    timed_start(sm);
    level->own = sm->timed;
}

static void finish(struct level *level)
{
    timed_finish(level->own);
}

static bool fits(const struct sm *sm, const struct level *level, const struct request *requests, u32 requested)
{
    (void)level;
    (void)requests;
    return timed_unserved(sm) + requested <= sm->machine->dram_queue;
}

static u32 ask(struct sm *sm, struct level *level, const struct request *request)
{
    (void)level;
    return timed_ask(sm, request);
}

static u32 reads(const struct level *level)
{
    return timed_reads(level->own);
}

static void cycle(struct sm *sm, struct level *level)
{
    (void)level;
    timed_lines(sm);
    timed_cycle(sm);
}

const struct oracle_level oracle_level_ddr = {
    .start = start, .finish = finish, .fits = fits, .ask = ask, .reads = reads, .cycle = cycle};
