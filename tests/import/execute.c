/* Executes a generated kernel warp by warp, with a PDOM stack, and records each thread's actions. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "import/generate.h"

enum { DEEPEST_STACK = 4 * (MADE_DEEPEST + 2), NOWHERE = MADE_OPS_MOST, TRIPS = 3, WINDOW = 1 << 12 };

struct entry {
    u32 at, until, mask; /* instruction, where it reconverges, lanes */
};

struct running {
    struct made_launch *launch;
    struct made_warp *warp;
    struct made_thread *threads; /* of the warp */
    u32 first;                   /* number of its first thread in the launch */
    u32 visits[MADE_LANES][MADE_OPS_MOST];
    struct entry stack[DEEPEST_STACK];
    u32 depth;
};

/* A pseudo-random number from seed, instruction, thread and further values. */
static u64 hash(const struct running *running, u32 op, u32 thread, u32 salt)
{
    u64 state = running->launch->options.seed ^ (u64)op << 48 ^ (u64)thread << 16 ^ salt;
    return ws_random(&state) >> 8;
}

/* Threads with equal decisions at an instruction, in one visit: each alone, a warp, or those of a warp below and above a lane. */
static u32 party(const struct running *running, u32 op, u32 thread)
{
    const u64 kind = hash(running, op, 0, 2), lane = thread % MADE_LANES;
    return kind % 3 == 0 ? thread : kind % 3 == 1 ? thread / MADE_LANES : (u32)(lane < kind / 3 % MADE_LANES);
}

/* The decision of a lane at a guarded instruction, different in each visit. A loop has the same number of rounds each time. */
static bool decides(struct running *running, u32 op, u32 lane)
{
    const u32 visit = running->visits[lane][op]++, who = party(running, op, running->first + lane);
    if (!running->launch->op[op].loops)
        return hash(running, op, who, visit) % 3 != 0;
    const u32 rounds = (u32)(hash(running, op, who, 0) % TRIPS) + 1;
    return visit % rounds != rounds - 1;
}

/* Place of an access: an offset in its space, the address in global memory. */
static u64 place(const struct running *running, u32 op, u32 lane, u8 space)
{
    const struct made_op *const made = &running->launch->op[op];
    const u32 thread = running->first + lane, visit = running->visits[lane][op];
    const u32 slots = (space == WS_SPACE_shared ? MADE_SHARED_BYTES : WINDOW) / made->bytes;
    const u32 index = made->pattern == MADE_STRIDE    ? thread + visit
                      : made->pattern == MADE_SCATTER ? (u32)hash(running, op, thread, visit)
                                                      : visit;
    const u64 base = space == WS_SPACE_global ? 0x7f2000000000u + (u64)op * WINDOW : 0;
    return base + (u64)(index % slots) * made->bytes;
}

/* The space of an access; for a generic one it depends on instruction and warp. */
static u8 space_of(const struct running *running, u32 op)
{
    static const u8 generic[] = {WS_SPACE_global, WS_SPACE_shared, WS_SPACE_local};
    const struct made_op *const made = &running->launch->op[op];
    return made->space != WS_SPACE_none ? made->space : generic[hash(running, op, 0, 1) % 3];
}

static u64 generic_base(u8 space)
{
    return space == WS_SPACE_shared ? MADE_SHARED_BASE : space == WS_SPACE_local ? MADE_LOCAL_BASE : 0;
}

static bool note_access(struct running *running, u32 op, u32 lane, struct made_record *record)
{
    struct made_thread *const thread = &running->threads[lane];
    const u8 space = space_of(running, op);
    const u64 address = place(running, op, lane, space);
    if (thread->count == thread->room) {
        struct made_access *const more = realloc(thread->accesses, (2 * thread->room + 8) * sizeof *more);
        if (!more)
            return false;
        thread->accesses = more;
        thread->room = 2 * thread->room + 8;
    }
    thread->accesses[thread->count++] = (struct made_access){op, space, address};
    running->visits[lane][op] += !running->launch->op[op].guarded;
    record->address[lane] = address + (running->launch->op[op].space == WS_SPACE_none ? generic_base(space) : 0);
    return true;
}

/* Notes that the lanes execute an instruction. */
static bool note(struct running *running, u32 op, u32 mask)
{
    struct made_warp *const warp = running->warp;
    if (warp->count == warp->room) {
        struct made_record *const more = realloc(warp->records, (2 * warp->room + 32) * sizeof *more);
        if (!more)
            return false;
        warp->records = more;
        warp->room = 2 * warp->room + 32;
    }
    struct made_record *const record = &warp->records[warp->count++];
    *record = (struct made_record){.op = op, .mask = mask};
    bool noted = true;
    for (u32 lane = 0; lane < MADE_LANES; lane++) {
        if (!(mask >> lane & 1))
            continue;
        running->threads[lane].executed++;
        if (running->launch->op[op].action == MADE_MEMORY)
            noted = note_access(running, op, lane, record) && noted;
    }
    return noted;
}

static void push(struct running *running, u32 at, u32 until, u32 mask)
{
    assert(running->depth < DEEPEST_STACK);
    if (mask)
        running->stack[running->depth++] = (struct entry){at, until, mask};
}

/* Sends the lanes of mask to the branch's target, the others to the next instruction. */
static void branch(struct running *running, struct entry *top, u32 op, u32 mask)
{
    const struct made_op *const made = &running->launch->op[op];
    const u32 others = top->mask & ~mask, until = made->reconverge;
    if (!mask || !others) {
        top->at = mask ? made->target[0] : op + 1;
        return;
    }
    top->at = until;
    if (running->launch->options.taken_first)
        push(running, op + 1, until, others);
    push(running, made->target[0], until, mask);
    if (!running->launch->options.taken_first)
        push(running, op + 1, until, others);
}

/* Sends each lane to one of several targets; the first of them runs first. */
static void scatter(struct running *running, struct entry *top, u32 op)
{
    const struct made_op *const made = &running->launch->op[op];
    u32 masks[MADE_CASES] = {0};
    for (u32 lane = 0; lane < MADE_LANES; lane++)
        masks[hash(running, op, running->first + lane, running->visits[lane][op]++) % MADE_CASES] |= top->mask & 1u << lane;
    top->at = made->reconverge;
    for (u32 n = MADE_CASES; n-- > 0;)
        push(running, made->target[n], made->reconverge, masks[n]);
}

static void leave(struct running *running, u32 op, u32 mask)
{
    for (u32 n = 0; n < running->depth; n++)
        running->stack[n].mask &= ~mask;
    running->stack[running->depth - 1].at = op + 1;
}

/* The lanes of those active that execute an instruction. */
static u32 executes(struct running *running, u32 op, u32 active)
{
    u32 mask = active;
    for (u32 lane = 0; running->launch->op[op].guarded && lane < MADE_LANES; lane++)
        if ((active >> lane & 1) && !decides(running, op, lane))
            mask &= ~(1u << lane);
    return mask;
}

static bool step(struct running *running)
{
    struct entry *const top = &running->stack[running->depth - 1];
    const u32 op = top->at;
    if (top->at == top->until || !top->mask) {
        running->depth--;
        return true;
    }
    const struct made_op *const made = &running->launch->op[op];
    const u32 mask = executes(running, op, top->mask);
    if (!note(running, op, mask))
        return false;
    if (made->action == MADE_BRANCH)
        branch(running, top, op, mask);
    else if (made->action == MADE_INDIRECT)
        scatter(running, top, op);
    else if (made->action == MADE_EXIT)
        leave(running, op, mask);
    else
        top->at = made->action == MADE_JUMP ? made->target[0] : op + 1;
    return true;
}

bool made_execute(struct made_launch *launch)
{
    struct running *const running = malloc(sizeof *running);
    bool fine = running;
    for (u32 warp = 0; fine && warp < launch->blocks * launch->warps; warp++) {
        const u32 start = warp % launch->warps * MADE_LANES, lanes = launch->threads - start;
        memset(running, 0, sizeof *running);
        running->launch = launch;
        running->warp = &launch->warp[warp];
        running->first = warp / launch->warps * launch->threads + start;
        running->threads = &launch->thread[running->first];
        push(running, 0, NOWHERE, lanes >= MADE_LANES ? ~0u : (1u << lanes) - 1);
        while (fine && running->depth > 0)
            fine = step(running);
    }
    free(running);
    return fine;
}
