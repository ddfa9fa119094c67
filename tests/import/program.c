/* A random kernel: instructions, branches with one and two sides, loops and switches, nested. Threads exit at its outermost level
 * only, so every branch has its post-dominator inside. */
#include <assert.h>

#include "base/random.h"
#include "import/generate.h"

/* Contents of a block. */
enum { MOST_IN_BLOCK = 4, ROOM_OF_STATEMENT = 16, REGISTERS = 24 };

struct making {
    struct made_launch *launch;
    u64 random;
};

static const struct made_op plain[] = {
    {.opcode = "IADD3", .writes = 1, .reads = 2},
    {.opcode = "IMAD.WIDE", .writes = 1, .reads = 2},
    {.opcode = "FFMA", .writes = 1, .reads = 2},
    {.opcode = "IMAD.MOV.U32", .writes = 1, .reads = 2},
    {.opcode = "MUFU.RCP", .writes = 1, .reads = 1},
    {.opcode = "ISETP.GE.AND", .reads = 2},
    {.opcode = "S2R", .writes = 1},
    {.opcode = "DADD", .writes = 1, .reads = 2},
    {.opcode = "SHF.R.S32.HI", .writes = 1, .reads = 2},
    {.opcode = "LOP3.LUT", .writes = 1, .reads = 2},
};

static const struct made_op memory[] = {
    {.opcode = "LDG.E", .bytes = 4, .space = WS_SPACE_global, .writes = 1, .reads = 1},
    {.opcode = "LDG.E.128.CONSTANT", .bytes = 16, .space = WS_SPACE_global, .writes = 1, .reads = 1},
    {.opcode = "LDG.E.U8", .bytes = 1, .space = WS_SPACE_global, .writes = 1, .reads = 1},
    {.opcode = "STG.E.64", .bytes = 8, .space = WS_SPACE_global, .reads = 2},
    {.opcode = "RED.E.ADD.STRONG.GPU", .bytes = 4, .space = WS_SPACE_global, .reads = 2},
    {.opcode = "LDS.U16", .bytes = 2, .space = WS_SPACE_shared, .writes = 1, .reads = 1},
    {.opcode = "STS", .bytes = 4, .space = WS_SPACE_shared, .reads = 2},
    {.opcode = "LDL", .bytes = 4, .space = WS_SPACE_local, .writes = 1, .reads = 1},
    {.opcode = "STL.64", .bytes = 8, .space = WS_SPACE_local, .reads = 2},
    {.opcode = "LD.E", .bytes = 4, .space = WS_SPACE_none, .writes = 1, .reads = 1},
    {.opcode = "ST.E.64", .bytes = 8, .space = WS_SPACE_none, .reads = 2},
};

static u32 draw(struct making *making, u32 least, u32 most)
{
    return ws_random_range(&making->random, least, most);
}

static u32 add(struct making *making, struct made_op op)
{
    for (u32 n = 0; n < op.reads; n++)
        op.src[n] = (u8)(draw(making, 0, 9) == 0 ? 255 : 2 * draw(making, 0, REGISTERS / 2));
    assert(making->launch->ops < MADE_OPS_MOST);
    op.dst = (u8)(4 * draw(making, 1, REGISTERS / 4));
    making->launch->op[making->launch->ops] = op;
    return making->launch->ops++;
}

static void add_instruction(struct making *making)
{
    const bool accesses = draw(making, 0, 1) == 1;
    struct made_op op = accesses ? memory[draw(making, 0, sizeof memory / sizeof *memory - 1)]
                                 : plain[draw(making, 0, sizeof plain / sizeof *plain - 1)];
    op.action = accesses ? MADE_MEMORY : MADE_PLAIN;
    op.pattern = (u8)draw(making, MADE_STRIDE, MADE_UNIFORM);
    op.guarded = draw(making, 0, 4) == 0;
    add(making, op);
}

static bool has_room(const struct making *making)
{
    return making->launch->ops + ROOM_OF_STATEMENT * (MADE_DEEPEST + 1) < MADE_OPS_MOST;
}

static void add_statements(struct making *making, u32 count, u32 depth);

/* Ends a block with an instruction that all its threads execute: no branch leads to another one, so skipping threads become visible
 * after it. */
static void close_block(struct making *making)
{
    const struct made_op *const last = &making->launch->op[making->launch->ops - 1];
    if (last->action != MADE_PLAIN || last->guarded)
        add(making, plain[0]);
}

static void add_if(struct making *making, u32 depth)
{
    struct made_op *const ops = making->launch->op;
    const u32 branch = add(making, (struct made_op){.opcode = "BRA", .action = MADE_BRANCH, .guarded = true});
    add_statements(making, draw(making, 1, MOST_IN_BLOCK), depth + 1);
    if (draw(making, 0, 1) == 1) {
        const u32 jump = add(making, (struct made_op){.opcode = "BRA", .action = MADE_JUMP});
        ops[branch].target[0] = making->launch->ops;
        add_statements(making, draw(making, 1, MOST_IN_BLOCK), depth + 1);
        ops[jump].target[0] = ops[branch].reconverge = making->launch->ops;
    } else {
        ops[branch].target[0] = ops[branch].reconverge = making->launch->ops;
    }
}

static void add_loop(struct making *making, u32 depth)
{
    const u32 head = making->launch->ops;
    add_statements(making, draw(making, 1, MOST_IN_BLOCK), depth + 1);
    const u32 branch =
        add(making, (struct made_op){.opcode = "BRA", .action = MADE_BRANCH, .guarded = true, .loops = true, .target = {head}});
    making->launch->op[branch].reconverge = branch + 1;
}

static void add_switch(struct making *making)
{
    struct made_op *const ops = making->launch->op;
    u32 jump[MADE_CASES];
    const u32 branch = add(making, (struct made_op){.opcode = "BRX", .action = MADE_INDIRECT, .reads = 1});
    for (u32 n = 0; n < MADE_CASES; n++) {
        ops[branch].target[n] = making->launch->ops;
        add_instruction(making);
        jump[n] = add(making, (struct made_op){.opcode = "BRA", .action = MADE_JUMP});
    }
    ops[branch].reconverge = making->launch->ops;
    for (u32 n = 0; n < MADE_CASES; n++)
        ops[jump[n]].target[0] = making->launch->ops;
}

static void add_statements(struct making *making, u32 count, u32 depth)
{
    for (u32 n = 0; n < count; n++) {
        const u32 what = depth < MADE_DEEPEST && has_room(making) ? draw(making, 0, 9) : 9;
        if (what == 0)
            add_if(making, depth);
        else if (what == 1)
            add_loop(making, depth);
        else if (what == 2 && making->launch->options.indirect)
            add_switch(making);
        else
            add_instruction(making);
    }
    close_block(making);
}

void made_program(struct made_launch *launch)
{
    struct making making = {launch, launch->options.seed};
    add(&making, (struct made_op){.opcode = "MOV", .writes = 1});
    for (u32 n = 0; n < launch->options.statements && has_room(&making); n++) {
        add_if(&making, 1);
        add_statements(&making, 1, 0);
        if (draw(&making, 0, 3) == 0)
            add(&making, (struct made_op){.opcode = "EXIT", .action = MADE_EXIT, .guarded = true});
        close_block(&making);
    }
    add(&making, (struct made_op){.opcode = "EXIT", .action = MADE_EXIT});
}
