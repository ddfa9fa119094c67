/* Random paths: every thread walks through the program alone and records its decisions and addresses. */
#include <string.h>

#include "differential/random/random_case.h"

enum { SHARED_WORD_MASK = 255, GRANULES = 1 << 18, ROWS_APART = 512 };

struct walk {
    u64 seed;
    const struct behaviour *behaviour;
    const u32 *distance;
    struct image_build *build;
    u32 block, thread;
    u32 executions[MOST_INSTRUCTIONS]; /* executions of each instruction by this thread */
    u32 trips[MOST_INSTRUCTIONS];      /* rounds of the loop that it closes */
};

static bool goes_round(struct walk *walk, u32 pc)
{
    const struct behaviour *behaviour = &walk->behaviour[pc];
    const u64 who = behaviour->uniform_trips ? 0 : walk->thread + 1;
    const u64 trips = 1 + mix(walk->seed ^ pc ^ who << 20) % behaviour->trips;
    if (++walk->trips[pc] < trips)
        return true;
    walk->trips[pc] = 0;
    return false;
}

static bool decide(struct walk *walk, u32 pc)
{
    const struct behaviour *behaviour = &walk->behaviour[pc];
    const u64 time = walk->executions[pc]++;
    const u64 key = walk->seed ^ pc ^ time << 10 ^ (u64)walk->block << 30;
    switch (behaviour->pattern) {
    case UNIFORM:
        return mix(key) % 100 < behaviour->percent;
    case BY_WARP:
        return mix(key ^ (u64)(walk->thread / 32 + 1) << 40) % 100 < behaviour->percent;
    case BY_THREAD:
        return mix(walk->seed ^ pc ^ (u64)walk->thread << 20) % 100 < behaviour->percent;
    case LOOP_BOTTOM:
        return goes_round(walk, pc);
    case LOOP_TOP:
        return !goes_round(walk, pc);
    default:
        return mix(key ^ (u64)(walk->thread + 1) << 40) % 100 < behaviour->percent;
    }
}

static u32 granule(struct walk *walk, u32 pc)
{
    const struct behaviour *behaviour = &walk->behaviour[pc];
    const u32 time = walk->executions[pc]++;
    const u32 number = walk->block * walk->build->block_threads + walk->thread;
    const u32 together = behaviour->addressing == FEW_ROWS ? behaviour->stride % 32 + 1 : 1; /* neighbours that access one line */
    const u64 chance = mix(walk->seed ^ pc ^ (u64)time << 10 ^ (u64)(number / together) << 32);
    switch (behaviour->addressing) {
    case COALESCED:
        return (behaviour->base + number / 8 + time * behaviour->stride) % GRANULES;
    case STRIDED:
        return (behaviour->base + number * behaviour->stride + time) % GRANULES;
    case ONE_LINE:
        return behaviour->base + time % 8 * behaviour->stride;
    case FEW_ROWS:
        return behaviour->base % 64 + (u32)(chance % 3) * ROWS_APART + (u32)(chance >> 8) % 16;
    default:
        return (u32)(chance % (behaviour->stride * 16));
    }
}

/* A word of an atomic access's granule: from a few, so lanes share one. */
static u32 word_in(const struct walk *walk, u32 pc)
{
    static const u8 words[] = {1, 2, 8};
    const u64 kind = mix(walk->seed ^ pc ^ 1ull << 60), chance = mix(kind ^ (u64)walk->thread << 20 ^ walk->executions[pc]);
    return (u32)(chance % words[kind % sizeof words]);
}

/* A word of shared memory, aligned for this many bytes. Neighbours share some: all lanes, or only the second and third quarter,
 * which no pair of phases of 16-byte accesses covers. */
static u32 shared_word(const struct walk *walk, u32 pc, u32 address, u32 bytes)
{
    static const u8 together[] = {1, 1, 2, 4, 32};
    const u64 kind = mix(walk->seed ^ pc ^ 1ull << 61);
    const u32 lane = walk->thread % 32, words = bytes < 4 ? 1 : bytes / 4, sharers = together[kind % sizeof together];
    const bool own = sharers == 1 || (kind >> 40 & 1 && (lane < 8 || lane >= 24));
    const u32 word = own ? address : lane / sharers * (1 + (u32)(kind >> 20) % 33);
    return word * words & SHARED_WORD_MASK;
}

static u32 address_in(const struct walk *walk, u32 pc, u32 address)
{
    const struct ws_instruction *ins = &walk->build->program[pc];
    switch (ins->space) {
    case WS_SPACE_shared:
        return shared_word(walk, pc, address, ins->bytes);
    case WS_SPACE_constant:
    case WS_SPACE_texture: /* words; some regions apart, where they overlap */
        return address + (u32)(mix(walk->seed ^ pc) % 3) * WS_REGION_GRANULES * (WS_GRANULE_BYTES / 4);
    case WS_SPACE_global:
        return ins->class_ == WS_CLASS_atomic ? address | word_in(walk, pc) << WS_ATOMIC_WORD : address;
    default:
        return address;
    }
}

static void access(struct walk *walk, u32 pc)
{
    const struct ws_instruction *ins = &walk->build->program[pc];
    if (!(ins->flags & WS_ADDRESSED))
        return;
    add_access(walk->build, walk->block, walk->thread, address_in(walk, pc, granule(walk, pc)));
}

/* Outcome of a branch: by its behaviour, or, when the thread has done enough, towards an exit. */
static bool branches(struct walk *walk, u32 pc, bool enough)
{
    const bool decision = decide(walk, pc);
    if (!enough)
        return decision;
    return walk->distance[walk->build->program[pc].target] < walk->distance[pc + 1];
}

static void walk_thread(struct walk *walk, u32 instructions)
{
    u32 pc = 0;
    for (u32 done = 0;; done++) {
        const struct ws_instruction *ins = &walk->build->program[pc];
        if (ins->class_ == WS_CLASS_branch) {
            const bool decision = branches(walk, pc, done >= instructions);
            add_decision(walk->build, walk->block, walk->thread, decision);
            pc = decision ? ins->target : pc + 1;
            continue;
        }
        const bool executes = !(ins->flags & WS_GUARDED) || decide(walk, pc);
        if (ins->flags & WS_GUARDED)
            add_decision(walk->build, walk->block, walk->thread, executes);
        if (executes && ins->class_ == WS_CLASS_exit)
            return;
        if (executes)
            access(walk, pc);
        pc = ins->class_ == WS_CLASS_jump ? ins->target : pc + 1;
    }
}

void random_threads(u64 seed, const struct behaviour *behaviour, const u32 *distance, u32 instructions, struct image_build *build)
{
    static struct walk walk;
    for (u32 block = 0; block < build->blocks; block++)
        for (u32 thread = 0; thread < build->block_threads; thread++) {
            walk = (struct walk){
                .seed = mix(seed), .behaviour = behaviour, .distance = distance, .build = build, .block = block, .thread = thread};
            walk_thread(&walk, instructions);
        }
}
