/* Handlers of machine-code operations, and calls of PTX operations. */
#include <string.h>

#include "base/error.h"
#include "sass/exec/lower.h"

struct sass_op *sass_does(struct lowering *lowering, struct ws_op *op, ws_handler *run)
{
    struct sass_op *const own = ws_arena_alloc(lowering->arena, sizeof *own);
    if (own)
        own->base.run = run;
    op->machine = own ? &own->base : NULL;
    lowering->own = own;
    return own;
}

static u32 word_of(const char **letters)
{
    return (*letters)[1] >= '0' && (*letters)[1] <= '9' ? (u32)(*++*letters - '0') : 0;
}

enum ws_status sass_handles(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op, ws_handler *run,
                            const char *results, const char *sources)
{
    u32 n = 0;
    for (; *results; results++) {
        const char letter = *results;
        op->dst[n++] = sass_result(lowering, in, letter, word_of(&results));
    }
    n = 0;
    for (; *sources; sources++) {
        const char letter = *sources;
        op->src[n++] = sass_source(lowering, in, letter, word_of(&sources));
    }
    return sass_does(lowering, op, run) ? WS_STATUS_ok : sass_no_memory(lowering);
}

ws_handler *sass_handler_of(const struct ws_op *inner)
{
    static const struct ws_handler_row *const tables[] = {ws_integer_handlers, ws_half_handlers, ws_test_handlers,
                                                          ws_real_handlers,    ws_move_handlers, ws_atomic_handlers};
    if (inner->opcode == WS_OP_cvt)
        return ws_convert_handler(inner);
    if (inner->opcode == WS_OP_setp)
        return ws_compare_handler(inner);
    const bool modified = inner->rounding != WS_ROUND_nearest || (inner->flags & (WS_OP_FTZ | WS_OP_SAT));
    for (u32 n = 0; n < sizeof tables / sizeof *tables; n++)
        for (const struct ws_handler_row *row = tables[n]; row->run; row++)
            if (row->code == ws_op_code(inner))
                return modified && row->modified ? row->modified : row->run;
    return NULL;
}

/* The step after the called operation. */
WS_HANDLER(called)
{
    static struct ws_basic_block good;
    (void)step, (void)slot, (void)thread;
    return &good;
}

bool sass_run(struct ws_step *step, const struct ws_op *inner, u64 *slots, struct ws_thread *thread)
{
    const struct sass_op *const own = sass_own(step);
    struct ws_step steps[2] = {{.run = own->call, .dst = 0, .a = 1, .b = 2, .c = 3, .op = inner}, {.run = called}};
    if (inner->opcode == WS_OP_cvt) {
        steps[0].mask = ws_register_mask(inner);
    } else {
        steps[0].offset = 0;
        steps[0].range = step->range;
    }
    const bool good = own->call(steps, slots, thread) != NULL;
    if (inner->opcode != WS_OP_cvt)
        step->range = steps[0].range;
    if (!good)
        thread->at = step;
    return good;
}

u64 sass_call(struct ws_step *step, u64 a, u64 b, u64 c, struct ws_thread *thread, bool *good)
{
    u64 slots[8] = {0, a, b, c};
    *good = sass_run(step, &sass_own(step)->inner, slots, thread);
    return slots[0];
}
