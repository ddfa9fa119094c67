/* Fortified longjmp reports jumps between stacks as errors. (The address sanitizer warns of them once, and continues.) */
#undef _FORTIFY_SOURCE

#include "differential/fiber.h"

#include <setjmp.h>
#include <ucontext.h>

#include "differential/random/random.h"

enum { LANES = 32, STACK_BYTES = 1 << 17, TURNS = 3 };
enum lane_state { NEW, READY, AT_BARRIER, RETURNED };

/* A lane is entered once as a context; later jumps leave and resume it without a system call. */
static struct {
    ucontext_t lane[LANES];
    jmp_buf main_place, lane_place[LANES];
    enum lane_state state[LANES];
    u32 running;
    u32 exchanged[TURNS][LANES], turn[LANES];
    void (*work)(void *context);
    void *context;
    struct random order;
    bool diverged;
} group;

void fibers_seed(u64 seed)
{
    group.order.state = seed;
    group.diverged = false;
}

bool fibers_parted(void)
{
    return group.diverged;
}

u32 fiber_lane(void)
{
    return group.running;
}

void fiber_barrier(void)
{
    const u32 lane = group.running;
    group.state[lane] = AT_BARRIER;
    if (_setjmp(group.lane_place[lane]) == 0)
        _longjmp(group.main_place, 1);
}

/* Values given by all lanes, visible to all. While one row is read, only the next may be written. */
static const u32 *exchange(u32 value)
{
    const u32 lane = group.running;
    u32 *const row = group.exchanged[group.turn[lane]];
    group.turn[lane] = (group.turn[lane] + 1) % TURNS;
    row[lane] = value;
    fiber_barrier();
    return row;
}

u32 fiber_ballot(u32 predicate)
{
    const u32 *const given = exchange(predicate);
    u32 mask = 0;
    for (u32 lane = 0; lane < LANES; lane++)
        mask |= (u32)(given[lane] != 0) << lane;
    return mask;
}

u32 fiber_shuffle(u32 value, u32 lane)
{
    return exchange(value)[lane];
}

u32 fiber_least(u32 value)
{
    const u32 *const given = exchange(value);
    u32 least = given[0];
    for (u32 lane = 1; lane < LANES; lane++)
        least = ws_min(least, given[lane]);
    return least;
}

u32 fiber_alike(u32 value)
{
    const u32 *const given = exchange(value);
    u32 mask = 0;
    for (u32 lane = 0; lane < LANES; lane++)
        mask |= (u32)(given[lane] == value) << lane;
    return mask;
}

static void lane_entry(void)
{
    group.work(group.context);
    group.state[group.running] = RETURNED;
    _longjmp(group.main_place, 1);
}

static void open_lane(u32 lane, char *stack)
{
    getcontext(&group.lane[lane]);
    group.lane[lane].uc_stack.ss_sp = stack;
    group.lane[lane].uc_stack.ss_size = STACK_BYTES;
    group.lane[lane].uc_link = NULL;
    group.state[lane] = NEW;
    group.turn[lane] = 0;
    makecontext(&group.lane[lane], lane_entry, 0);
}

/* Runs a lane until it waits or returns. */
static void resume(u32 lane)
{
    const bool is_new = group.state[lane] == NEW;
    group.running = lane;
    if (_setjmp(group.main_place) != 0)
        return;
    if (is_new)
        setcontext(&group.lane[lane]);
    _longjmp(group.lane_place[lane], 1);
}

/* Continues every ready lane to its next barrier or its end, in random order. */
static void run_to_barrier(void)
{
    u32 order[LANES];
    for (u32 lane = 0; lane < LANES; lane++) {
        const u32 other = random_below(&group.order, lane + 1);
        order[lane] = order[other];
        order[other] = lane;
    }
    for (u32 i = 0; i < LANES; i++)
        if (group.state[order[i]] == NEW || group.state[order[i]] == READY)
            resume(order[i]);
}

/* Opens the barrier; returns the number of waiting lanes. */
static u32 release(void)
{
    u32 waiting = 0;
    for (u32 lane = 0; lane < LANES; lane++) {
        if (group.state[lane] != AT_BARRIER)
            continue;
        group.state[lane] = READY;
        waiting++;
    }
    return waiting;
}

void fibers_run(void (*work)(void *context), void *context)
{
    static char stacks[LANES][STACK_BYTES];
    u32 waiting;
    group.work = work;
    group.context = context;
    for (u32 lane = 0; lane < LANES; lane++)
        open_lane(lane, stacks[lane]);
    do {
        run_to_barrier();
        waiting = release();
    } while (waiting == LANES);
    group.diverged |= waiting > 0;
}
