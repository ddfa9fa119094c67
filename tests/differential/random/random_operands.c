/* Random control bits and operands: those of a compiler, or any, because the pipeline tests no registers and every counter falls.
 */
#include "differential/random/random_case.h"
#include "oracle/allocate.h"
#include "warpsweep/trace.h"

/* Registers from FIRST on become predicates. */
static u8 as_predicate(u8 number)
{
    enum { FIRST = 13 };
    return number < FIRST ? number : (u8)(number - FIRST + WS_FIRST_PREDICATE);
}

/* A counter, or none. */
static u32 random_barrier(struct random *random, u32 percent)
{
    return random_chance(random, percent) ? random_below(random, WS_SUB_COUNTERS) : WS_SUB_NO_BARRIER;
}

static u32 random_control(struct random *random, bool variable)
{
    const u32 stall = random_chance(random, 70) ? random_from(random, 1, 5) : random_below(random, 16);
    const u32 waits = random_chance(random, 25) ? random_below(random, 64) : 0;
    const u32 writes = random_barrier(random, variable ? 70 : 8), reads = random_barrier(random, variable ? 40 : 8);
    return stall | (random_chance(random, 85) ? 16u : 0u) | writes << 5 | reads << 8 | waits << 11 |
           (random_chance(random, 30) ? random_below(random, 8) : 0) << 17;
}

static void random_sources(struct random *random, struct ws_operands *operands)
{
    const u32 most = random_chance(random, 80) ? 1 : 4;
    for (u32 slot = 0; slot < WS_SUB_SLOTS; slot++) {
        operands->source[slot] = (u8)random_below(random, 10);
        operands->words[slot] = (u8)(random_chance(random, 75) ? random_from(random, 1, most) : 0);
    }
}

/* Some instructions of fixed units have constant operands, of few lines in two banks; some instructions copy, commit or fence. */
static void random_flags(struct random *random, struct ws_operands *operands)
{
    static const u8 flags[] = {WS_OPERANDS_COPY, WS_OPERANDS_COPY, WS_OPERANDS_COPY, WS_OPERANDS_FENCE, WS_OPERANDS_COMMIT};
    const bool memory = operands->unit == WS_SUB_MEMORY;
    if (operands->unit < WS_SUB_SFU && random_chance(random, 30)) {
        operands->flags |= WS_OPERANDS_CONSTANT;
        operands->bank_offset = random_below(random, 2) << 16 | random_below(random, 128) * 4;
    }
    if (random_chance(random, memory ? 30 : 8))
        operands->flags |= flags[random_from(random, memory ? 0 : 3, memory ? 3 : 4)];
}

/* Any unit for what is no memory access or branch. */
static void random_unit(struct random *random, u32 percent, struct ws_operands *operands)
{
    if (random_chance(random, percent))
        operands->unit = (u8)random_below(random, WS_SUB_UNITS);
    if (!random_chance(random, 5))
        return;
    operands->unit = WS_SUB_MISC;
    operands->flags |= WS_OPERANDS_DEPBAR;
    operands->counter = (u8)random_below(random, WS_SUB_COUNTERS);
    operands->limit = (u8)random_below(random, 4);
    operands->others = (u8)(random_chance(random, 50) ? 0 : random_below(random, 64));
}

/* Some registers are predicates, and memory other than shared is accessed in several widths, too. */
static void random_program_of(struct random *random, struct image_build *build)
{
    for (u32 pc = 0; pc < build->instructions; pc++) {
        struct ws_instruction *const ins = &build->program[pc];
        for (u32 n = 0; n < ins->writes; n++)
            ins->dst[n] = as_predicate(ins->dst[n]);
        for (u32 n = 0; n < ins->reads; n++)
            ins->src[n] = as_predicate(ins->src[n]);
        if (ins->space != WS_SPACE_none && ins->space != WS_SPACE_shared && random_chance(random, 40))
            ins->bytes = (u8)(4u << random_below(random, 3));
        if (ins->class_ == WS_CLASS_load && ins->space == WS_SPACE_global && random_chance(random, 20))
            ins->flags |= WS_BYPASS;
    }
}

void random_operands(struct random *random, struct image_build *build)
{
    build->operands = oracle_allocate(build->instructions, sizeof *build->operands);
    build->operand_count = build->instructions;
    random_program_of(random, build);
    const bool assigned = random_chance(random, 30);
    for (u32 pc = 0; pc < build->instructions; pc++) {
        struct ws_operands *const operands = &build->operands[pc];
        const u32 class_ = build->program[pc].class_;
        *operands = ws_operands_of(&build->program[pc]);
        if (class_ <= WS_CLASS_sfu || class_ == WS_CLASS_tensor)
            random_unit(random, assigned ? 40 : 10, operands);
        if (assigned)
            continue;
        operands->control = random_control(random, operands->unit >= WS_SUB_SFU);
        random_sources(random, operands);
        operands->flags |=
            (random_chance(random, 30) ? WS_OPERANDS_UNIFORM : 0) | (random_chance(random, 5) ? WS_OPERANDS_WIDE : 0);
        random_flags(random, operands);
    }
    if (assigned)
        ws_operands_assign(build->program, build->instructions, build->operands);
}
