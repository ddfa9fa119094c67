/* Instructions of slices in the LD/ST unit (docs/model/pipelines.md, memory; Rogers 4.1). The accesses of a cycle that are of one
 * kind form one instruction, whose small warps are its members. The ticket of a line is a request of the pool that holds the
 * members' own tickets, two in a word; all writes of a store share one, which counts unanswered writes. */
#ifndef WS_PIPELINE_SLICES_LDST_H
#define WS_PIPELINE_SLICES_LDST_H

#include "pipeline/parts/ldst.h"

/* The accesses of a cycle. */
struct accesses {
    struct packet packet; /* lanes of all threads that access memory */
    u32 slices;           /* slices whose warps access memory */
    u32 kinds;            /* a mask of kinds */
    u32 order;            /* first slice of each kind, for the n-th from bit SLICE_BITS * n on */
};

#define SLICE_BITS 4u

/* The access of a slice, kept for the first lane: slot, kind and, from bit 16 on, pc. */
static inline LOCAL u32 *access_of(PRIVATE const struct sm *sm, u32 slice)
{
    return sm->scratch->accesses + slice;
}

static inline u32 access_slot(PRIVATE const struct sm *sm, u32 slice)
{
    return *access_of(sm, slice) & 0xFF;
}

static inline u32 access_kind(PRIVATE const struct sm *sm, u32 slice)
{
    return *access_of(sm, slice) >> 8 & 0xFF;
}

static inline u32 access_pc(PRIVATE const struct sm *sm, u32 slice)
{
    return *access_of(sm, slice) >> 16;
}

/* Kind of an access: its space, and whether it is a load, store or atomic. */
static inline u32 kind_of_access(GLOBAL const struct ws_instruction *instruction)
{
    const u32 what = instruction->class_ == WS_CLASS_load ? 0 : instruction->class_ == WS_CLASS_store ? 1 : 2;
    return 3 * instruction->space + what;
}

/* Whether an access of a kind finds room behind those of this cycle. */
static inline u32 access_has_room(PRIVATE const struct sm *sm, PRIVATE const struct accesses *accesses, u32 kind)
{
    if (accesses->kinds >> kind & 1)
        return 1;
    if (accesses->kinds != 0 && MACHINE(sm, vws_memory) == WS_slice_memory_one_kind)
        return 0;
    return sm->ldst_count + ws_popcount(accesses->kinds) < MACHINE(sm, unit_ldst_queue);
}

/* Whether an access of any kind has room. */
static inline u32 any_access_has_room(PRIVATE const struct sm *sm, PRIVATE const struct accesses *accesses)
{
    const u32 apart = accesses->kinds == 0 || MACHINE(sm, vws_memory) != WS_slice_memory_one_kind;
    return apart && sm->ldst_count + ws_popcount(accesses->kinds) < MACHINE(sm, unit_ldst_queue);
}

/* The small warps of a packet access memory in this cycle. */
static inline void accesses_add(PRIVATE struct sm *sm, PRIVATE struct accesses *accesses, PRIVATE struct packet *packet,
                                u32 members)
{
    const u32 kind = kind_of_access(sm->program + packet->pc);
    if (!(accesses->kinds >> kind & 1))
        accesses->order |= ws_ctz(members) << SLICE_BITS * ws_popcount(accesses->kinds);
    accesses->kinds |= ws_bit(kind);
    accesses->slices |= members;
    accesses->packet.lanes |= packet->lanes;
    for (u32 left = members; left != 0; left &= left - 1)
        if (lane_first())
            *access_of(sm, ws_ctz(left)) = (packet->home + ws_ctz(left)) | kind << 8 | packet->pc << 16;
    if (!has_addresses(packet))
        return;
    path_threads(sm, packet, packet->lanes);
    FOR_LANES (lane) {
        if (packet->lanes >> lane & 1) {
            accesses->packet.threads.slot[OF(lane)] = packet->threads.slot[OF(lane)];
            accesses->packet.threads.thread[OF(lane)] = packet->threads.thread[OF(lane)];
        }
    }
}

/* ---- Members ---- */

/* A member's slot and pc, broadcast from the first lane. */
static inline u32 member_from_first(PRIVATE struct sm *sm, u32 place, u32 slice, PRIVATE u32 *pc)
{
    u32 both = 0;
    if (lane_first())
        both = sm_members(sm)[place].slot[slice] | (u32)sm_members(sm)[place].pc[slice] << 16;
    both = lanes_from_first(&sm->lanes, both);
    *pc = both >> 16;
    return both & 0xFFFF;
}

/* Computes the last access of each member; active: members with accesses of their own. First lane only. */
static inline void members_end(GLOBAL struct ws_members *members, u32 count, u32 slices, u32 active)
{
    u32 others = ~active;
    for (u32 n = count; n-- > 0; others = 0) {
        const u32 of = members->of[n] | others;
        members->ends[n] = (u8)(of & slices);
        slices &= ~of;
    }
}

/* Gathers what members access; lanes: of the threads that do, line: theirs. */
static inline void members_access(PRIVATE struct sm *sm, GLOBAL const struct ws_ldst *entry, GLOBAL struct ws_members *members,
                                  PRIVATE const struct packet *packet, PRIVATE const u32 *line, u32 slices)
{
    PER_LANE(u32, is);
    const u32 lines = packet->access.lines, space = packet->instruction->space, active = slices_of_lanes(sm, packet->lanes);
    const u32 by_line = has_addresses(packet) && space != WS_SPACE_shared && packet->instruction->class_ != WS_CLASS_store;
    for (u32 n = 0; by_line && n < lines; ++n) {
        const u32 key = sm->scratch->lines[n];
        FOR_LANES (lane)
            is[OF(lane)] = (packet->lanes >> lane & 1) && line[OF(lane)] == key;
        const u32 of = slices_of_lanes(sm, lanes_ballot(&sm->lanes, is));
        if (lane_first())
            members->of[n] = (u8)of;
    }
    if (!lane_first())
        return;
    if (!by_line)
        for (u32 n = 0; n < entry->count; ++n)
            members->of[n] = (u8)active;
    members_end(members, entry->count, slices, active);
}

/* ---- Tickets ---- */

/* For a request that holds the tickets of a store's members: unanswered writes, plus 1 while it makes accesses; 0 for others. Such
 * a request has no line: the count is kept in its place. */
static inline GLOBAL u32 *unanswered_of(PRIVATE const struct sm *sm, u32 index)
{
    return &sm_request(sm, index)->line;
}

/* Takes a request of the pool for the tickets of members. First lane only. */
static inline u32 tickets_take(PRIVATE const struct sm *sm, u32 unanswered)
{
    const u32 index = message_take(sm, unanswered, 0);
    for (u32 n = 0; n < WS_MOST_SLICES / 2; ++n)
        sm_request(sm, index)->tickets[n] = 0xFFFFFFFFu;
    return index;
}

/* Adds a waiting member. First lane only. */
static inline void tickets_add(PRIVATE const struct sm *sm, u32 index, u32 slice, u32 ticket)
{
    GLOBAL u32 *word = sm_request(sm, index)->tickets + slice / 2;
    const u32 shift = slice % 2 * 16;
    *word = (*word & ~(0xFFFFu << shift)) | ticket << shift;
}

/* Ticket of a member, broadcast from the first lane; WS_NO_TICKET for none. */
static inline u32 ticket_from_first(PRIVATE struct sm *sm, u32 index, u32 slice)
{
    return lanes_from_first(&sm->lanes, lane_first() ? sm_request(sm, index)->tickets[slice / 2] >> slice % 2 * 16 & 0xFFFF : 0);
}

static inline void tickets_free(PRIVATE struct sm *sm, u32 index)
{
    if (lane_first())
        message_free(sm, index);
}

/* ---- Issue ---- */

/* Slices whose accesses are of the same kind as that of one slice. */
static inline u32 slices_of_kind(PRIVATE struct sm *sm, PRIVATE const struct accesses *accesses, u32 slice)
{
    u32 same = 0;
    if (lane_first())
        for (u32 left = accesses->slices; left != 0; left &= left - 1)
            same |= access_kind(sm, ws_ctz(left)) == access_kind(sm, slice) ? left & (0u - left) : 0;
    return lanes_from_first(&sm->lanes, same);
}

/* Takes a place for the members of an entry. */
static inline u32 members_take(PRIVATE struct sm *sm)
{
    const u32 place = ws_ctz(~sm->members_used);
    sm->members_used |= ws_bit(place);
    return place;
}

/* The pc of the slice that accesses the most bytes, among instructions of one kind; broadcast. First lane only. */
static inline u32 widest_pc(PRIVATE const struct sm *sm, u32 slices)
{
    u32 widest = access_pc(sm, ws_ctz(slices));
    for (u32 left = slices; left != 0; left &= left - 1) {
        const u32 pc = access_pc(sm, ws_ctz(left));
        widest = sm->program[pc].bytes > sm->program[widest].bytes ? pc : widest;
    }
    return widest;
}

/* Records the members of an entry. First lane only. */
static inline void members_enter(PRIVATE struct sm *sm, GLOBAL struct ws_ldst *entry, u32 place, u32 slices)
{
    entry->at = 0;
    for (u32 left = slices; left != 0; left &= left - 1) {
        const u32 slice = ws_ctz(left), pc = access_pc(sm, slice);
        GLOBAL const struct ws_instruction *const instruction = sm->program + pc;
        sm_members(sm)[place].slot[slice] = (u16)access_slot(sm, slice);
        sm_members(sm)[place].pc[slice] = (u16)pc;
        entry->at = ws_max(entry->at, operands_collected(sm, instruction));
    }
    entry->members = (u8)place;
    entry->next = entry->missed = 0;
    entry->ticket = entry->answers = (u16)tickets_take(sm, entry->kind == LDST_STORE);
}

/* Enters the accesses of some slices, all of one kind, into the unit. */
static inline void ldst_enter(PRIVATE struct sm *sm, PRIVATE struct accesses *accesses, u32 slices)
{
    PER_LANE(u32, line);
    GLOBAL struct ws_ldst *entry = ldst_at(sm, sm->ldst_count);
    PRIVATE struct packet *packet = &accesses->packet;
    const u32 place = members_take(sm), all = packet->lanes;
    packet->pc = lanes_from_first(&sm->lanes, lane_first() ? widest_pc(sm, slices) : 0);
    packet->instruction = sm->program + packet->pc;
    packet->lanes = packet->threads.mask = all & lanes_of_slices(sm, slices);
    packet->threads.row = 0;
    count(sm, WS_COUNT_private_accesses, packet->instruction->space == WS_SPACE_local && packet->lanes != 0);
    packet->access.lines = 0;
    const u32 kind = ldst_kind_of(sm, packet);
    if (lane_first()) {
        entry->pc = (u16)packet->pc;
        entry->kind = (u8)kind;
        members_enter(sm, entry, place, slices);
        entry->class_ = packet->instruction->class_;
    }
    ldst_enter_accesses(sm, entry, packet, line);
    members_access(sm, entry, sm_members(sm) + place, packet, line, slices);
    for (u32 left = kind == LDST_STORE ? slices : 0; left != 0; left &= left - 1)
        if (lane_first())
            tickets_add(sm, entry->ticket, ws_ctz(left), warp_ticket(sm, access_slot(sm, ws_ctz(left))));
    sm->ldst_count += 1;
    packet->lanes = all;
}

/* Enters all accesses of the cycle into the unit. */
static inline void accesses_enter(PRIVATE struct sm *sm, PRIVATE struct accesses *accesses)
{
    for (u32 n = 0; n < ws_popcount(accesses->kinds); ++n)
        ldst_enter(sm, accesses, slices_of_kind(sm, accesses, accesses->order >> SLICE_BITS * n & ws_bits_below(SLICE_BITS)));
}

/* ---- Accesses ---- */

/* Outcome of the unit's cycle. */
struct ldst_step {
    u32 outcome; /* enum access_outcome; WS_NEVER: no access */
    u32 place, members, kind, ticket;
    u32 of, ends; /* slices of the access, and those whose last access it was */
    u32 leaves;   /* it was the entry's last access */
};

/* Makes the cycle's access. First lane only. */
static inline void ldst_access(PRIVATE struct sm *sm, PRIVATE struct ldst_step *step)
{
    step->outcome = ldst_choose(sm, &step->place);
    if (step->outcome >= ACCESS_REFUSED)
        return;
    GLOBAL struct ws_ldst *entry = ldst_at(sm, step->place);
    GLOBAL const struct ws_members *members = sm_members(sm) + entry->members;
    step->members = entry->members;
    step->kind = entry->kind;
    step->ticket = entry->ticket;
    step->of = members->of[entry->next];
    step->ends = members->ends[entry->next];
    entry->next += 1;
    step->leaves = entry->next == entry->count;
    const u32 waits = step->outcome != ACCESS_HIT;
    if (entry->kind == LDST_STORE)
        *unanswered_of(sm, entry->ticket) += waits;
    else if (waits && !step->leaves)
        entry->ticket = entry->answers = (u16)tickets_take(sm, 0);
    else if (!waits && step->leaves)
        message_free(sm, entry->ticket);
}

/* A store has one write less unanswered; the last one answers it for all members. */
static inline void store_lowers(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 index)
{
    if (lanes_from_first(&sm->lanes, lane_first() ? --*unanswered_of(sm, index) : 0) != 0)
        return;
    for (u32 slice = 0; slice < slices(sm); ++slice) {
        const u32 ticket = ticket_from_first(sm, index, slice);
        if (ticket != WS_NO_TICKET)
            access_returns(sm, lanes, ticket - warp_ticket(sm, 0));
    }
    tickets_free(sm, index);
}

/* The access belonged to a member. */
static inline void member_accessed(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, PRIVATE const struct ldst_step *step,
                                   u32 slice, PRIVATE u32 *at)
{
    u32 pc;
    const u32 slot = member_from_first(sm, step->members, slice, &pc), of = step->of >> slice & 1;
    const u32 kind = of || step->kind == LDST_NOTHING ? step->kind : LDST_HITS; /* it has no threads that access */
    GLOBAL const struct ws_instruction *const instruction = sm->program + pc;
    if (of && step->outcome != ACCESS_HIT) {
        ldst_waits(sm, lanes, slot, pc, kind);
        if (lane_first())
            tickets_add(sm, step->ticket, slice, ldst_ticket(sm, slot, instruction, kind));
    }
    if (of && step->outcome == ACCESS_WAITS && slice == ws_ctz(step->of))
        time_misses(sm, lanes, slot, kind == LDST_ATOMIC ? WS_CACHE_DATA : kind, 1);
    if (step->ends >> slice & 1)
        ldst_leaves(sm, lanes, slot, pc, kind, 0, at);
}

/* Makes the cycle's access. */
static inline void ldst_cycle(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes)
{
    struct ldst_step step = {WS_NEVER, 0, 0, 0, 0, 0, 0, 0};
    sm->ldst_refused = 0;
    if (sm->ldst_count == 0)
        return;
    if (lane_first())
        ldst_access(sm, &step);
    step.outcome = lanes_from_first(&sm->lanes, step.outcome);
    sm->ldst_refused = step.outcome == ACCESS_REFUSED;
    if (step.outcome >= ACCESS_REFUSED)
        return;
    const u32 word = lanes_from_first(&sm->lanes, step.of | step.ends << 8 | step.kind << 16 | step.place << 20 |
                                                      step.members << 24 | step.leaves << 28);
    step.of = word & 0xFF;
    step.ends = word >> 8 & 0xFF;
    step.kind = word >> 16 & 15;
    step.place = word >> 20 & 15;
    step.members = word >> 24 & 15;
    step.ticket = lanes_from_first(&sm->lanes, step.ticket);
    GLOBAL const struct ws_instruction *const instruction =
        sm->program + lanes_from_first(&sm->lanes, lane_first() ? ldst_at(sm, step.place)->pc : 0);
    u32 at = WS_NEVER;
    count_access(sm, instruction, step.kind);
    if (step.kind == LDST_STORE)
        step.of = step.ends = 0;
    for (u32 left = step.of | step.ends; left != 0; left &= left - 1)
        member_accessed(sm, lanes, &step, ws_ctz(left), &at);
    if (word >> 28 == 0)
        return;
    ldst_remove(sm, step.place);
    sm->members_used &= ~ws_bit(step.members);
    if (step.kind == LDST_STORE)
        store_lowers(sm, lanes, step.ticket);
}

/* ---- Answers ---- */

static inline void write_answered(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 index)
{
    store_lowers(sm, lanes, index);
}

static inline void atomic_answered(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 index)
{
    u32 at = WS_NEVER;
    for (u32 slice = 0; slice < slices(sm); ++slice) {
        const u32 ticket = ticket_from_first(sm, index, slice);
        if (ticket != WS_NO_TICKET)
            atomic_lowers(sm, lanes, ticket - warp_ticket(sm, 0), &at);
    }
    tickets_free(sm, index);
}

/* A line that members wait for, or a store with write-back, has arrived. */
static inline void line_arrives(PRIVATE struct sm *sm, PRIVATE struct sm_lanes *lanes, u32 index)
{
    u32 at = WS_NEVER;
    if (lanes_from_first(&sm->lanes, lane_first() ? *unanswered_of(sm, index) : 0) != 0) {
        store_lowers(sm, lanes, index);
        return;
    }
    for (u32 slice = 0; slice < slices(sm); ++slice) {
        const u32 ticket = ticket_from_first(sm, index, slice);
        if (ticket != WS_NO_TICKET)
            line_returns(sm, lanes, ticket, &at);
    }
    tickets_free(sm, index);
}

#endif
