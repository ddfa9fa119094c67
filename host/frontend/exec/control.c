/* Control flow, barriers, guards. */
#include "frontend/exec/arithmetic/value.h"
#include "frontend/exec/handlers.h"

static struct ws_basic_block *branch_on(bool taken, const struct ws_step *step, struct ws_thread *thread)
{
    if (thread->recorder && !ws_record_decision(thread->recorder, taken))
        return ws_stop(step, thread, WS_STOP_recording);
    return taken ? step->taken : step->next;
}

WS_HANDLER(branch)
{
    return branch_on(slot[step->a] != 0, step, thread);
}

struct ws_basic_block *ws_branch_not(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    return branch_on(slot[step->a] == 0, step, thread);
}

static struct ws_basic_block *guard_on(bool holds, struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    if (thread->recorder && !ws_record_decision(thread->recorder, holds))
        return ws_stop(step, thread, WS_STOP_recording);
    struct ws_step *const last = holds ? step : step + 1;
    return ws_next(last, slot, thread);
}

struct ws_basic_block *ws_guard(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    return guard_on(slot[step->a] != 0, step, slot, thread);
}

struct ws_basic_block *ws_guard_not(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    return guard_on(slot[step->a] == 0, step, slot, thread);
}

struct ws_basic_block *ws_fall(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    (void)slot, (void)thread;
    return step->next;
}

struct ws_basic_block *ws_ask(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    const bool differs = slot[step->a] != slot[step->b];
    slot[step->dst] = differs;
    thread->yields |= !differs;
    return ws_next(step, slot, thread);
}

struct ws_basic_block *ws_nanosleep(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    thread->yields = true;
    return ws_next(step, slot, thread);
}

WS_HANDLER(jump)
{
    (void)slot, (void)thread;
    return step->next;
}

WS_HANDLER(exit_thread)
{
    (void)slot;
    return ws_stop(step, thread, WS_STOP_exit);
}

WS_HANDLER(trap)
{
    (void)slot;
    return ws_stop(step, thread, step->op->mode == WS_TRAP_stack ? WS_STOP_deep : WS_STOP_trap);
}

/* The number of threads must equal the block's, exact or rounded up to warps of 32. */
WS_HANDLER(bar)
{
    if (step->offset) /* for part of the block */
        return ws_stop(step, thread, WS_STOP_warp_wide);
    if (step->op->src[1] != WS_SLOT_NONE) {
        const u32 threads = (u32)slot[step->b];
        if (threads != thread->block_threads && threads != (thread->block_threads + 31) / 32 * 32)
            return ws_stop(step, thread, WS_STOP_partial_barrier);
    }
    thread->barrier = (u32)slot[step->a];
    return ws_stop(step, thread, WS_STOP_barrier);
}

struct ws_basic_block *ws_warp_wide(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    const struct ws_op *const op = step->op;
    if (op->guard != WS_SLOT_NONE && thread->recorder && !ws_record_decision(thread->recorder, ws_takes_part(op, slot)))
        return ws_stop(step, thread, WS_STOP_recording);
    return ws_stop(step, thread, WS_STOP_warp_wide);
}

WS_HANDLER(fence)
{
    return ws_next(step, slot, thread);
}

#define ROW(operation, handler)                                                                                                    \
    {                                                                                                                              \
        WS_CODE(WS_OP_##operation, WS_TYPE_none), handler, NULL                                                                    \
    }
const struct ws_handler_row ws_control_handlers[] = {
    ROW(branch, branch),
    ROW(jump, jump),
    ROW(exit, exit_thread),
    ROW(trap, trap),
    {WS_CODE(WS_OP_bar_popc, WS_TYPE_u32), bar, NULL},
    {WS_CODE(WS_OP_bar_and, WS_TYPE_pred), bar, NULL},
    {WS_CODE(WS_OP_bar_or, WS_TYPE_pred), bar, NULL},
    ROW(prefetch, fence),
    ROW(bar, bar),
    ROW(fence, fence),
    {WS_CODE(WS_OP_fence, WS_TYPE_u32), fence, NULL}, /* setmaxnreg */
    ROW(operands, fence),
    {0, NULL, NULL},
};
