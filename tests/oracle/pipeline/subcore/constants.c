/* L0 constant caches of the sub-cores (subcore.md, "Constant operands"). */
#include "oracle/pipeline/subcore/subcore.h"

static struct constant_line *set_of(const struct sm *sm, struct subcore *core, u32 number)
{
    return core->constants[number % sm->machine->subcore_constant_sets];
}

static struct constant_line *find(const struct sm *sm, u32 core, u32 number)
{
    struct constant_line *const set = set_of(sm, &subcores_of(sm)->cores[core], number);
    for (u32 way = 0; way < sm->machine->subcore_constant_ways; way++)
        if (set[way].touched > 0 && set[way].number == number)
            return &set[way];
    return NULL;
}

/* The line of the operand of the slot's first instruction, or NO_LINE. */
static u32 line_of(const struct sm *sm, u32 slot)
{
    const struct ws_operands *const operands = &sm->image->operands[warp_feed(sm, slot)->pc[0]];
    if (sm->machine->subcore_constant_sets == 0 || !(operands->flags & WS_OPERANDS_CONSTANT))
        return NO_LINE;
    return operands->bank_offset / sm->machine->constant_line;
}

bool constant_misses(const struct sm *sm, u32 slot)
{
    const u32 line = line_of(sm, slot);
    return line != NO_LINE && !find(sm, port_of(sm, slot), line);
}

void constant_touched(struct sm *sm, u32 slot)
{
    const u32 line = line_of(sm, slot);
    if (line != NO_LINE)
        find(sm, port_of(sm, slot), line)->touched = ++core_of(sm, slot)->touches;
}

void constants_arrive(struct sm *sm)
{
    for (u32 number = 0; number < ports(sm); number++) {
        struct subcore *const core = &subcores_of(sm)->cores[number];
        if (!core->constant_comes || core->constant_at > sm->now)
            continue;
        struct constant_line *const set = set_of(sm, core, core->constant), *oldest = set;
        for (u32 way = 1; way < sm->machine->subcore_constant_ways; way++)
            if (set[way].touched < oldest->touched)
                oldest = &set[way];
        *oldest = (struct constant_line){.number = core->constant, .touched = ++core->touches};
        core->constant_comes = false;
    }
}

void constant_requested(struct sm *sm, u32 number, const bool *misses)
{
    struct subcore *const core = &subcores_of(sm)->cores[number];
    u32 asks = NO_WARP;
    for (u32 n = 0; n < port_slots(sm, number); n++) {
        const u32 slot = port_slot(sm, number, n);
        if (misses[slot] && (asks == NO_WARP || warp_is_older(&sm->warps[asks], &sm->warps[slot])))
            asks = slot;
    }
    if (asks == NO_WARP || core->constant_comes)
        return;
    if (misses[core->greedy])
        asks = core->greedy;
    core->constant_comes = true;
    core->constant = line_of(sm, asks);
    core->constant_at = sm->now + sm->machine->subcore_constant_miss;
    count(sm, WS_COUNT_operand_misses, 1);
}

bool constant_holds(struct sm *sm, u32 number, const bool *misses)
{
    struct subcore *const core = &subcores_of(sm)->cores[number];
    if (core->greedy == NO_WARP || !misses[core->greedy])
        return false;
    if (!core->missed) {
        core->missed = true;
        core->missed_at = sm->now;
    }
    return sm->now < core->missed_at + sm->machine->subcore_constant_hold;
}
