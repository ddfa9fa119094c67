/* Calendar: slots by the cycle in which they have an event, for the next 64 cycles, so that a cycle touches only slots with events.
 * For form loop; with one lane for each slot all slots are compared at once. */
#ifndef WS_STATE_CALENDAR_H
#define WS_STATE_CALENDAR_H

#include "state/slots.h"

#define WS_CALENDAR 64u

struct calendar {
    u32 slots[WS_CALENDAR][WS_SLOT_WORDS]; /* of each cycle, by its low bits */
    u64 days;                              /* mask of those that are not empty */
    u32 next;                              /* the first that is not empty; WS_NEVER */
};

/* All slots are due in a cycle. */
static inline void calendar_open(PRIVATE struct calendar *calendar, u32 cycle)
{
    for (u32 day = 0; day < WS_CALENDAR; ++day)
        FOR_WORDS (n)
            calendar->slots[day][n] = day == cycle % WS_CALENDAR ? 0xFFFFFFFFu : 0;
    calendar->days = (u64)1 << cycle % WS_CALENDAR;
    calendar->next = cycle;
}

/* Schedules an event of a slot in a cycle that has not been taken, or never. Beyond the calendar's range the event is taken early
 * and put back. */
static inline void calendar_put(PRIVATE struct calendar *calendar, u32 slot, u32 cycle)
{
    const u32 ever = cycle != WS_NEVER, day = cycle % WS_CALENDAR;
    calendar->slots[day][slot / WS_LANES] |= ever << slot % WS_LANES;
    calendar->days |= (u64)ever << day;
    calendar->next = ws_min(calendar->next, cycle);
}

/* Rotates bits left by less than 64. */
static inline u64 turned(u64 bits, u32 by)
{
    return bits << by | bits >> (-by & 63);
}

/* Schedules one event of a slot in a range of cycles; for each slot: */
static inline void calendar_mark(PRIVATE struct calendar *calendar, u32 slot, u32 cycle)
{
    calendar->slots[cycle % WS_CALENDAR][slot / WS_LANES] |= ws_bit(slot % WS_LANES);
}

/* then for all of them, count cycles from the first on. */
static inline void calendar_marked(PRIVATE struct calendar *calendar, u32 first, u32 count)
{
    const u64 days = count < WS_CALENDAR ? ((u64)1 << count) - 1 : ~(u64)0;
    calendar->days |= turned(days, first % WS_CALENDAR);
    calendar->next = ws_min(calendar->next, first);
}

/* Moves the slots of the first cycle with events into a set. */
static inline void calendar_turn(PRIVATE struct calendar *calendar, PRIVATE slot_set *taken)
{
    const u32 day = calendar->next % WS_CALENDAR;
    FOR_WORDS (n) {
        SLOT_WORD_PUT(*taken, n, SLOT_WORD(*taken, n) | calendar->slots[day][n]);
        calendar->slots[day][n] = 0;
    }
    calendar->days &= ~((u64)1 << day);
    calendar->next = calendar->days != 0 ? calendar->next + ws_ctz64(turned(calendar->days, -day & 63)) : WS_NEVER;
}

/* Takes the slots whose cycle, given for each slot, has come. */
static inline slot_set calendar_take(PRIVATE struct calendar *calendar, u32 now, PRIVATE const u32 *cycle)
{
    slot_set taken = slots_none(), due = slots_none();
    while (calendar->next <= now)
        calendar_turn(calendar, &taken);
    FOR_SLOTS_OF (slot, taken) {
        if (cycle[slot] <= now)
            due = slots_with(due, slot);
        else
            calendar_put(calendar, slot, cycle[slot]);
    }
    return due;
}

#endif
