#include "timing/subcore/scene.h"

#include <string.h>

#include "oracle/allocate.h"

/* All parameters latency.*, and all interval.*. */
static void set_units(struct ws_machine *machine, u32 latency, u32 interval)
{
#define NUMBER(group, name, standard, least, most, unit, doc)                                                                      \
    if (strcmp(#group, "latency") == 0)                                                                                            \
        machine->group##_##name = latency;                                                                                         \
    if (strcmp(#group, "interval") == 0)                                                                                           \
        machine->group##_##name = interval;
#define POWER(group, name, standard, least, most, unit, doc)
#define CHOOSE(group, name, set, standard, doc)
#include "shared/parameters.def"
#undef NUMBER
#undef POWER
#undef CHOOSE
}

void sub_start(struct scene *scene, u32 threads)
{
    scene_start(scene, 1, threads);
    scene->machine.core_pipeline = WS_pipeline_subcore;
    scene->machine.schedule_policy = WS_policy_cggty;
    scene->machine.core_fetch_latency = 3;
    scene->machine.icache_instruction_bytes = 16;
    scene->machine.subcore_l0_latency = 0;
    scene->machine.l1_sectors = 4;
    scene->machine.l1_latency = 19;
    scene->machine.memory_shared_latency = 13;
    scene->machine.memory_shared_wide = WS_shared_wide_phases;
    scene->machine.unit_writeback = 0;
    set_units(&scene->machine, 2, 1);
}

static u32 control_of(const struct sub_op *op)
{
    const u32 stall = op->stall == 0 && !op->yields ? 1 : op->stall;
    return stall | (op->yields ? 0u : 16u) | (op->writes == 0 ? 7 : op->writes - 1) << 5 |
           (op->reads == 0 ? 7 : op->reads - 1) << 8 | op->waits << 11 | op->reuse << 17;
}

static void set_source(struct ws_operands *operands, u32 slot, u32 number, u32 words)
{
    operands->source[slot] = (u8)number;
    operands->words[slot] = (u8)(number == 0 ? 0 : words == 0 ? 1 : words);
}

u32 sub_op(struct scene *scene, const struct sub_op *op)
{
    struct image_build *const build = &scene->build;
    const u32 pc = scene_op(scene, &(const struct op){.class_ = op->class_, .kind = op->kind, .space = op->space});
    if (op->space != WS_SPACE_none)
        build->program[pc].bytes = (u8)(op->bytes == 0 ? 4 : op->bytes);
    build->program[pc].flags |= op->bypasses ? WS_BYPASS : 0;
    while (build->operand_count < build->instructions) {
        build->operands = oracle_grow(build->operands, build->operand_count, sizeof *build->operands);
        build->operands[build->operand_count] = ws_operands_of(&build->program[build->operand_count]);
        build->operand_count++;
    }
    struct ws_operands *const operands = &build->operands[pc];
    operands->control = control_of(op);
    operands->flags = op->flags;
    operands->bank_offset = op->constant;
    operands->counter = op->counter;
    operands->limit = op->limit;
    operands->others = op->others;
    if (op->unit > 0)
        operands->unit = (u8)(op->unit - 1);
    set_source(operands, 0, op->a, op->words);
    set_source(operands, 1, op->b, op->words);
    set_source(operands, 2, op->c, op->words);
    return pc;
}

u32 sub_alu(struct scene *scene)
{
    return SUB(scene, .class_ = WS_CLASS_int);
}

u32 sub_fma(struct scene *scene, u32 a, u32 b, u32 c, u32 reuse)
{
    return SUB(scene, .class_ = WS_CLASS_fp32, .kind = WS_KIND_fma, .a = (u8)a, .b = (u8)b, .c = (u8)c, .reuse = reuse);
}

u32 sub_end(struct scene *scene)
{
    return SUB(scene, .class_ = WS_CLASS_exit);
}

u32 sub_meet(struct scene *scene)
{
    return SUB(scene, .class_ = WS_CLASS_barrier, .stall = 15);
}

void sub_touch(struct scene *scene, u32 warp, u32 space, u32 first, u32 bytes, bool uniform)
{
    const u32 unit = space == WS_SPACE_global ? WS_GRANULE_BYTES : 4;
    for (u32 lane = 0; lane < WS_LANES; lane++)
        add_access(&scene->build, 0, warp * WS_LANES + lane, (first + (uniform ? 0 : lane * bytes)) / unit);
}
