#include "differential/fiber.h"

#include <ucontext.h>

#include "differential/random.h"

enum { LANES = 32, STACK_BYTES = 1 << 17 };
enum lane_state { READY, AT_BARRIER, RETURNED };

static struct {
    ucontext_t main, lane[LANES];
    enum lane_state state[LANES];
    u32 running;
    void (*work)(void *context);
    void *context;
    struct random order;
    bool parted;
} group;

void fibers_seed(u64 seed)
{
    group.order.state = seed;
    group.parted = false;
}

bool fibers_parted(void)
{
    return group.parted;
}

u32 fiber_lane(void)
{
    return group.running;
}

void fiber_barrier(void)
{
    const u32 lane = group.running;
    group.state[lane] = AT_BARRIER;
    swapcontext(&group.lane[lane], &group.main);
}

static void lane_entry(void)
{
    group.work(group.context);
    group.state[group.running] = RETURNED;
    setcontext(&group.main);
}

static void open_lane(u32 lane, char *stack)
{
    getcontext(&group.lane[lane]);
    group.lane[lane].uc_stack.ss_sp = stack;
    group.lane[lane].uc_stack.ss_size = STACK_BYTES;
    group.lane[lane].uc_link = &group.main;
    group.state[lane] = READY;
    makecontext(&group.lane[lane], lane_entry, 0);
}

/* Lets every lane that is ready go on to its next barrier or its end, in random order. */
static void run_to_barrier(void)
{
    u32 order[LANES];
    for (u32 lane = 0; lane < LANES; lane++) {
        const u32 other = random_below(&group.order, lane + 1);
        order[lane] = order[other];
        order[other] = lane;
    }
    for (u32 i = 0; i < LANES; i++) {
        if (group.state[order[i]] != READY)
            continue;
        group.running = order[i];
        swapcontext(&group.main, &group.lane[order[i]]);
    }
}

/* Opens the barrier; returns how many lanes waited at it. */
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
    group.parted |= waiting > 0;
}
