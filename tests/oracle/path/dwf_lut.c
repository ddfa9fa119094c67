/* The PC-warp LUT (Fung 4.2, Figure 11). */
#include <string.h>

#include "oracle/path/dwf.h"

void lut_start(struct sm *sm, struct dwf *own)
{
    own->entries = sm->machine->dwf_lut;
    own->lut = own->entries > 0 ? oracle_allocate(own->entries, sizeof *own->lut) : NULL;
}

struct lut_entry *lut_find(const struct dwf *own, u32 pc)
{
    for (u32 i = 0; i < own->entries; i++)
        if (own->lut[i].valid && own->lut[i].pc == pc)
            return &own->lut[i];
    return NULL;
}

void lut_touch(struct dwf *own, struct lut_entry *entry)
{
    entry->touched = ++own->touches;
}

/* The first invalid entry of these, else the one touched longest ago. */
static struct lut_entry *find_room(struct lut_entry *set, u32 ways)
{
    struct lut_entry *room = &set[0];
    for (u32 way = 1; way < ways && room->valid; way++)
        if (!set[way].valid || set[way].touched < room->touched)
            room = &set[way];
    return room;
}

static struct lut_entry *unlimited_room(struct dwf *own)
{
    for (u32 i = 0; i < own->entries; i++)
        if (!own->lut[i].valid)
            return &own->lut[i];
    own->lut = oracle_grow(own->lut, own->entries, sizeof *own->lut);
    memset(&own->lut[own->entries], 0, sizeof *own->lut);
    return &own->lut[own->entries++];
}

void lut_take(struct sm *sm, struct dwf *own, struct forming *forming)
{
    const u32 ways = sm->machine->dwf_lut_ways;
    struct lut_entry *entry =
        sm->machine->dwf_lut == 0 ? unlimited_room(own) : find_room(&own->lut[forming->pc % (own->entries / ways) * ways], ways);
    count(sm, WS_COUNT_lut_evictions, entry->valid);
    *entry = (struct lut_entry){.valid = true, .pc = forming->pc, .forming = forming};
    lut_touch(own, entry);
}

void lut_invalidate(struct dwf *own, const struct forming *forming)
{
    for (u32 i = 0; i < own->entries; i++)
        if (own->lut[i].valid && own->lut[i].forming == forming)
            own->lut[i].valid = false;
}
