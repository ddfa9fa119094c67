/* A packet: the threads of a warp that issue together in one slot. */
#ifndef WS_PATH_PACKET_H
#define WS_PATH_PACKET_H

#include "memory/coalesce.h"
#include "state/threads.h"

struct packet {
    GLOBAL const struct ws_instruction *instruction;
    struct threads threads;
    struct access access;
    u32 slot, pc;
    u32 goes_on;  /* it needs no selection: its slot holds decode */
    u32 begins;   /* it starts the slot's instruction */
    u32 lanes;    /* lanes that execute it, guard true */
    u32 shown;    /* lanes shown in the timeline */
    u32 executed; /* thread instructions, and how many of them have a true guard */
    u32 effective;
    u32 skipped;     /* threads whose guard is false, not among those executed */
    u32 mask;        /* narrow: lanes of the warp's active threads; lwm: whether a thread is left to pack */
    u32 ended;       /* vws: slices whose warps the packet ends */
    u32 home, first; /* slot at whose first thread the warp's thread numbers start, and that thread */
    /* predecoded: plain instructions before the warp's next record; that record; its header if it belongs to this packet, else 0 */
    u32 plain, record, header;
    PER_LANE(u32, row);   /* lwm: row of the lane's thread, if any */
    PER_LANE(u32, gives); /* lwm, in each row's lane: lanes that take their thread from the row */
};

/* Next pc after an instruction that is no branch, barrier or exit. */
static inline u32 pc_after(GLOBAL const struct ws_instruction *instruction, u32 pc)
{
    return instruction->class_ == WS_CLASS_jump ? instruction->target : pc + 1;
}

/* An instruction that reads nothing from the trace and has one successor. */
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
