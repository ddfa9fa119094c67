/* Registers that remove their readers from the active set (score.awaits). */
#include "oracle/memory/memory.h"
#include "oracle/pipeline/scoreboard.h"

/* A load from global, local or texture memory. */
static bool is_long(const struct ws_instruction *ins)
{
    return ins->class_ == WS_CLASS_load &&
           (ins->space == WS_SPACE_global || ins->space == WS_SPACE_local || ins->space == WS_SPACE_texture);
}

static void set_marks(struct sm *sm, const struct flight *flight, bool marked)
{
    struct scoreboard *own = sm->pipeline;
    for (u32 i = 0; i < flight->ins->writes; i++)
        own->feeds[flight->slot].marked[flight->ins->dst[i]] = marked;
}

void mark_long(struct sm *sm, const struct flight *flight)
{
    if (is_long(flight->ins))
        set_marks(sm, flight, true);
}

void unmark_found(struct sm *sm, const struct flight *flight)
{
    if (is_long(flight->ins) && flight->all_found)
        set_marks(sm, flight, false);
}

static void note_loaded(struct sm *sm, const struct flight *flight)
{
    for (u32 i = 0; i < flight->ins->writes; i++)
        feed_of(sm, flight->slot)->loaded[flight->ins->dst[i]] = sm->now;
}

void unmark_written(struct sm *sm, const struct flight *flight)
{
    if (is_long(flight->ins) && has_results(flight))
        note_loaded(sm, flight);
    if (!is_long(flight->ins) && has_results(flight))
        set_marks(sm, flight, false);
}

static bool written_by_long_load(const struct sm *sm, u32 slot, u32 reg)
{
    const struct scoreboard *own = sm->pipeline;
    for (const struct flight *flight = own->flights; flight; flight = flight->next)
        for (u32 i = 0; flight->slot == slot && !flight->written && is_long(flight->ins) && i < flight->ins->writes; i++)
            if (flight->ins->dst[i] == reg)
                return true;
    return false;
}

bool register_is_long(const struct sm *sm, u32 slot, u32 reg)
{
    const struct scoreboard *own = sm->pipeline;
    if (sm->machine->schedule_long == WS_long_exact)
        return written_by_long_load(sm, slot, reg);
    return own->feeds[slot].marked[reg];
}

bool register_was_far(const struct sm *sm, u32 slot, u32 reg)
{
    return written_by_long_load(sm, slot, reg) || feed_of(sm, slot)->loaded[reg] > feed_of(sm, slot)->last_issue;
}
