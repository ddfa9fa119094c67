/* Control bits of programs without machine code (docs/model/subcore.md, "Assigned control bits"). */
#include <stdbool.h>
#include <string.h>

#include "warpsweep/trace.h"

enum { REGISTERS = 256, STALL_MOST = 15, PREDICATE = 13, FP64_PREDICATE = 15 };

/* Dependence counter of groups of copies, in programs that commit groups. */
enum { GROUPS = WS_SUB_COUNTERS - 1 };

/* Columns of the table. */
enum reader { BY_ALU, BY_FMA, BY_HALF, BY_FP64, BY_TENSOR, BY_DECODE, BY_ADDRESS, READERS };

/* Cycles from the issue of a fixed-latency instruction to that of an instruction that reads its result: Mesa's NAK,
 * sm80_instr_latencies.rs at 00fe8e45, whose numbers are NVIDIA's. */
static const u8 latencies[WS_SUB_SFU][READERS] = {
    [WS_SUB_ALU] = {4, 5, 5, 6, 7, 4, 5},    [WS_SUB_FMA] = {5, 4, 5, 6, 7, 4, 5},
    [WS_SUB_HALF] = {5, 5, 5, 6, 7, 4, 5},   [WS_SUB_FP64] = {10, 10, 10, 6, 11, 6, 7},
    [WS_SUB_BRANCH] = {4, 5, 5, 6, 7, 4, 5}, [WS_SUB_MISC] = {4, 5, 5, 6, 7, 4, 5}, /* as VOTE of the ALU */
};

static enum reader reader_of(u32 unit)
{
    static const u8 readers[WS_SUB_UNITS] = {
        [WS_SUB_ALU] = BY_ALU,      [WS_SUB_FMA] = BY_FMA,       [WS_SUB_HALF] = BY_HALF,
        [WS_SUB_FP64] = BY_FP64,    [WS_SUB_TENSOR] = BY_TENSOR, [WS_SUB_BRANCH] = BY_DECODE,
        [WS_SUB_MISC] = BY_ADDRESS, [WS_SUB_SFU] = BY_DECODE,    [WS_SUB_MEMORY] = BY_ADDRESS,
    };
    return (enum reader)readers[unit];
}

/* Matrix products are too slow for a stall. */
static bool needs_counter(u32 unit)
{
    return unit == WS_SUB_TENSOR || unit >= WS_SUB_SFU;
}

/* What is pending in a block. */
struct block {
    u32 now;                /* issue of the current instruction, from the block's first */
    bool groups;            /* the program commits groups of copies */
    u32 next_counter;       /* in turn */
    u32 raised;             /* counters that the instruction before raises */
    u32 written[REGISTERS]; /* issue of the fixed-latency writer, plus 1; 0: none */
    u8 writer[REGISTERS];   /* its unit */
    u32 waits[REGISTERS];   /* counters that the next reader, */
    u32 holds[REGISTERS];   /* and the next writer waits for */
};

static u32 latency_to(const struct block *block, u32 number, enum reader reader, bool guarded)
{
    const u32 writer = block->writer[number];
    if (number >= WS_FIRST_PREDICATE && (guarded || reader == BY_FP64 || reader >= BY_DECODE))
        return writer == WS_SUB_FP64 ? FP64_PREDICATE : PREDICATE;
    return latencies[writer][reader];
}

/* The first cycle in which an instruction may issue by the fixed latencies. */
static u32 earliest(const struct block *block, const struct ws_instruction *ins, u32 unit)
{
    u32 at = block->now;
    for (u32 n = 0; n < ins->reads; n++)
        if (block->written[ins->src[n]] > 0)
            at = ws_max(at,
                        block->written[ins->src[n]] - 1 + latency_to(block, ins->src[n], reader_of(unit), ins->flags & WS_GUARDED));
    for (u32 n = 0; n < ins->writes; n++)
        if (block->written[ins->dst[n]] > 0) /* the second write must not come first */
            at = ws_max(at, block->written[ins->dst[n]] - 1 + latencies[block->writer[ins->dst[n]]][BY_ALU]);
    return at;
}

static u32 waits_of(const struct block *block, const struct ws_instruction *ins)
{
    u32 mask = 0;
    for (u32 n = 0; n < ins->reads; n++)
        mask |= block->waits[ins->src[n]];
    for (u32 n = 0; n < ins->writes; n++)
        mask |= block->waits[ins->dst[n]] | block->holds[ins->dst[n]];
    return mask;
}

static void forget(struct block *block, u32 mask)
{
    for (u32 n = 0; n < REGISTERS; n++) {
        block->waits[n] &= ~mask;
        block->holds[n] &= ~mask;
    }
}

static u32 take_counter(struct block *block)
{
    const u32 counter = block->next_counter;
    block->next_counter = (counter + 1) % (block->groups ? GROUPS : WS_SUB_COUNTERS);
    return counter;
}

static void set_stall(struct ws_operands *operands, u32 stall)
{
    operands->control = (operands->control & ~15u) | ws_min(ws_max(stall, WS_CONTROL_STALL(operands->control)), (u32)STALL_MOST);
}

/* Whether nothing waits for the instruction's result: the groups' counter does. */
static bool is_copy(const struct block *block, const struct ws_instruction *ins)
{
    return block->groups && ins->class_ != WS_CLASS_int && (ins->flags & WS_ASYNC);
}

/* Copies, commits of groups, and waits for them. */
static void set_group(const struct block *block, const struct ws_instruction *ins, struct ws_operands *operands)
{
    if (is_copy(block, ins))
        operands->flags = (u8)((operands->flags & ~WS_OPERANDS_RESULT) | WS_OPERANDS_COPY);
    if (ins->class_ != WS_CLASS_int || !block->groups)
        return;
    if (ins->flags & WS_ASYNC)
        operands->flags |= WS_OPERANDS_COMMIT;
    if (!(ins->flags & WS_AWAITS))
        return;
    operands->flags |= WS_OPERANDS_DEPBAR;
    operands->counter = GROUPS;
    operands->limit = ins->bytes;
}

/* The instruction's results and sources become pending. */
static void begin(struct block *block, const struct ws_instruction *ins, struct ws_operands *operands)
{
    u32 writes = WS_SUB_NO_BARRIER, reads = WS_SUB_NO_BARRIER;
    set_group(block, ins, operands);
    if (operands->flags & WS_OPERANDS_COMMIT)
        writes = GROUPS;
    else if (needs_counter(operands->unit) && ins->writes > 0 && !is_copy(block, ins))
        writes = take_counter(block);
    if (needs_counter(operands->unit) && ins->reads > 0)
        reads = take_counter(block);
    for (u32 n = 0; n < ins->reads && reads != WS_SUB_NO_BARRIER; n++)
        block->holds[ins->src[n]] |= 1u << reads;
    for (u32 n = 0; n < ins->writes && !is_copy(block, ins); n++) {
        block->written[ins->dst[n]] = writes == WS_SUB_NO_BARRIER ? block->now + 1 : 0;
        block->writer[ins->dst[n]] = operands->unit;
        block->waits[ins->dst[n]] = writes == WS_SUB_NO_BARRIER ? 0 : 1u << writes;
    }
    operands->control = (operands->control & ~(63u << 5)) | writes << 5 | reads << 8;
    block->raised = (writes == WS_SUB_NO_BARRIER ? 0 : 1u << writes) | (reads == WS_SUB_NO_BARRIER ? 0 : 1u << reads);
}

/* Ends a block: all fixed results can be read by anything, and the counters of its last instruction are seen. */
static u32 rest_of(const struct block *block)
{
    u32 at = block->now + (block->raised != 0 ? 2 : 1);
    for (u32 n = 0; n < REGISTERS; n++)
        for (u32 reader = 0; block->written[n] > 0 && reader < READERS; reader++)
            at = ws_max(at, block->written[n] - 1 + latency_to(block, n, (enum reader)reader, true));
    return at - block->now;
}

/* Counters for which an instruction, the n-th of its block, waits. */
static u32 mask_of(const struct block *block, const struct ws_instruction *ins, u32 n)
{
    return n == 0 ? ws_bits_below(block->groups ? GROUPS : WS_SUB_COUNTERS) : waits_of(block, ins);
}

static void assign_block(const struct ws_instruction *program, u32 count, struct ws_operands *operands, bool groups)
{
    struct block block;
    memset(&block, 0, sizeof block);
    block.groups = groups;
    for (u32 n = 0; n < count; n++) {
        const u32 waits = mask_of(&block, &program[n], n), awaits = program[n].flags & WS_AWAITS ? 1u << GROUPS : 0;
        if (n > 0) {
            const u32 seen = (waits | awaits) & block.raised ? 2 : 1;
            block.now++;
            const u32 at = ws_max(earliest(&block, &program[n], operands[n].unit), block.now - 1 + seen);
            set_stall(&operands[n - 1], at - (block.now - 1));
            block.now = at;
        }
        forget(&block, waits);
        operands[n].control = WS_CONTROL_NONE | waits << 11;
        begin(&block, &program[n], &operands[n]);
    }
    set_stall(&operands[count - 1], rest_of(&block));
}

static bool ends_block(const struct ws_instruction *ins)
{
    return ins->class_ == WS_CLASS_branch || ins->class_ == WS_CLASS_jump || ins->class_ == WS_CLASS_exit ||
           ins->class_ == WS_CLASS_barrier;
}

/* Marks the targets of branches and jumps in their operands, in a field that is 0 otherwise. */
static void mark_targets(const struct ws_instruction *program, u32 count, struct ws_operands *operands, u8 mark)
{
    for (u32 n = 0; n < count; n++)
        if ((program[n].class_ == WS_CLASS_branch || program[n].class_ == WS_CLASS_jump) && program[n].target < count)
            operands[program[n].target].zero = mark;
}

static bool commits_groups(const struct ws_instruction *program, u32 count)
{
    bool found = false;
    for (u32 n = 0; n < count; n++)
        found |= program[n].class_ == WS_CLASS_int && (program[n].flags & WS_ASYNC);
    return found;
}

void ws_operands_assign(const struct ws_instruction *program, u32 count, struct ws_operands *operands)
{
    const bool groups = commits_groups(program, count);
    mark_targets(program, count, operands, 1);
    for (u32 first = 0, next; first < count; first = next) {
        next = first + 1;
        while (next < count && !ends_block(&program[next - 1]) && !operands[next].zero)
            next++;
        assign_block(program + first, next - first, operands + first, groups);
    }
    mark_targets(program, count, operands, 0);
}
