/* A packet: what issues together in one slot. */
#ifndef WS_PATH_PACKET_H
#define WS_PATH_PACKET_H

#include "memory/coalesce.h"
#include "state/threads.h"

struct packet {
    GLOBAL const struct ws_instruction *instruction;
    struct threads threads;
    struct access access;
    u32 slot, pc;
    u32 goes_on;  /* it is not selected: its slot has decode for itself */
    u32 begins;   /* it begins the slot's instruction */
    u32 lanes;    /* whose threads execute it, guard true */
    u32 shown;    /* lanes that the timeline shows */
    u32 executed; /* thread instructions, and of how many the guard is true */
    u32 effective;
    u32 skipped;     /* threads whose guard is false, counted apart from those executed */
    u32 mask;        /* narrow: lanes of the warp's active threads; lwm: whether a thread is left to pack */
    u32 ended;       /* vws: slices whose warps it ends */
    u32 home, first; /* slot from whose first thread the warp's threads count, and that thread */
    /* replay: plain instructions before the warp's next record, that record, and its header if it is of this packet, else 0 */
    u32 plain, record, header;
    PER_LANE(u32, row);   /* lwm: row of the lane's thread, if it has one */
    PER_LANE(u32, gives); /* lwm, in each row's lane: lanes that the row gives their thread */
};

/* Moves on after an instruction that is no branch, barrier or exit. */
static inline u32 pc_after(GLOBAL const struct ws_instruction *instruction, u32 pc)
{
    return instruction->class_ == WS_CLASS_jump ? instruction->target : pc + 1;
}

/* An instruction that reads nothing from the trace and leads to one place. */
static inline u32 is_plain(GLOBAL const struct ws_instruction *instruction)
{
    const u32 class_ = instruction->class_;
    return instruction->flags == 0 && class_ != WS_CLASS_branch && class_ != WS_CLASS_barrier && class_ != WS_CLASS_exit;
}

/* Whether the taken path of a divergent branch runs first; highest_goes: the highest active thread takes it. */
static inline u32 taken_runs_first(PRIVATE const struct sm *sm, u32 highest_goes)
{
    const u32 first = MACHINE(sm, divergence_first_path);
    return first == WS_first_path_lane ? !highest_goes : first == WS_first_path_taken;
}

#endif
