/* Reconvergence points by the definition: a post-dominates b when no path from b to an exit avoids a. */
#include <string.h>

#include "differential/random/random_case.h"

static u32 successors(const struct image_build *build, u32 pc, u32 next[2])
{
    const struct ws_instruction *ins = &build->program[pc];
    if (WS_ENDS_ALL(ins))
        return 0;
    switch (ins->class_) {
    case WS_CLASS_jump:
        next[0] = ins->target;
        return 1;
    case WS_CLASS_branch:
        next[0] = ins->target;
        next[1] = pc + 1;
        return 2;
    default:
        next[0] = pc + 1;
        return 1;
    }
}

static void find_distances(const struct image_build *build, u32 *distance)
{
    for (u32 pc = 0; pc < build->instructions; pc++)
        distance[pc] = WS_ENDS_ALL(&build->program[pc]) ? 0 : MOST_INSTRUCTIONS;
    for (bool changed = true; changed;) {
        changed = false;
        for (u32 pc = build->instructions; pc-- > 0;) {
            u32 next[2];
            const u32 count = successors(build, pc, next);
            for (u32 i = 0; i < count; i++)
                if (distance[next[i]] + 1 < distance[pc]) {
                    distance[pc] = distance[next[i]] + 1;
                    changed = true;
                }
        }
    }
}

void make_exits_reachable(struct image_build *build, u32 *distance)
{
    find_distances(build, distance);
    for (u32 pc = 0; pc < build->instructions; pc++) {
        if (distance[pc] < MOST_INSTRUCTIONS)
            continue;
        build->program[pc].class_ = WS_CLASS_exit;
        build->program[pc].space = WS_SPACE_none;
        build->program[pc].flags = 0;
    }
    find_distances(build, distance);
}

static bool reaches_exit_without(const struct image_build *build, u32 from, u32 avoided)
{
    bool seen[MOST_INSTRUCTIONS] = {false};
    u32 stack[MOST_INSTRUCTIONS], depth = 0;
    stack[depth++] = from;
    seen[from] = true;
    while (depth > 0) {
        const u32 pc = stack[--depth];
        u32 next[2];
        if (WS_ENDS_ALL(&build->program[pc]))
            return true;
        const u32 count = successors(build, pc, next);
        for (u32 i = 0; i < count; i++) {
            if (next[i] == avoided || seen[next[i]])
                continue;
            seen[next[i]] = true;
            stack[depth++] = next[i];
        }
    }
    return false;
}

/* The first post-dominator on a shortest path to an exit: it lies on every path, before all other post-dominators. */
static u32 immediate_post_dominator(const struct image_build *build, const u32 *distance, u32 branch)
{
    u32 pc = branch;
    while (!WS_ENDS_ALL(&build->program[pc])) {
        u32 next[2];
        const u32 count = successors(build, pc, next);
        pc = count == 2 && distance[next[1]] < distance[next[0]] ? next[1] : next[0];
        if (pc != branch && !reaches_exit_without(build, branch, pc))
            return pc;
    }
    return WS_PC_NONE;
}

void find_reconvergence(struct image_build *build, const u32 *distance)
{
    for (u32 pc = 0; pc < build->instructions; pc++)
        if (build->program[pc].class_ == WS_CLASS_branch)
            build->program[pc].reconverge = (u16)immediate_post_dominator(build, distance, pc);
}
