/* Random programs: nested statements, as compilers emit them, or arbitrary branches. */
#include <string.h>

#include "differential/random/random_case.h"

enum { DEEPEST = 4, SHARED_WORDS = 256 };

struct writer {
    struct random *random;
    struct image_build *build;
    struct behaviour *behaviour;
    u32 statements;  /* still to write */
    u32 longest_run; /* of instructions without memory or branches */
    u32 guards;      /* percent of the instructions that may have one */
    u32 spaces;      /* whose accesses are recorded */
    bool loose_barriers;
    u16 named[WS_NAMED_BARRIERS]; /* threads of each barrier for part of the block; 0: none */
};

static struct behaviour random_behaviour(struct random *random)
{
    static const u32 strides[] = {1, 3, 8, 32, 128, 1024};
    return (struct behaviour){.pattern = (enum pattern)random_below(random, LOOP_BOTTOM),
                              .percent = random_from(random, 5, 95),
                              .trips = random_from(random, 1, 6),
                              .uniform_trips = random_chance(random, 50),
                              .addressing =
                                  random_chance(random, 30) ? COALESCED : (enum addressing)random_below(random, ADDRESSINGS),
                              .base = random_below(random, 1u << (random_chance(random, 50) ? 6 : 16)),
                              .stride = strides[random_below(random, 6)]};
}

/* Vector loads have several destinations, prefetching loads none. */
static void random_registers(struct random *random, struct ws_instruction *ins)
{
    ins->writes = (u8)random_below(random, ins->class_ == WS_CLASS_load ? 5 : 3);
    if (ins->class_ == WS_CLASS_store)
        ins->writes = 0;
    ins->reads = (u8)random_below(random, 7);
    for (u32 i = 0; i < ins->writes; i++)
        ins->dst[i] = (u8)random_below(random, 16);
    for (u32 i = 0; i < ins->reads; i++)
        ins->src[i] = (u8)random_below(random, 16);
}

/* Kinds of operation that front ends assign to each class. */
static u8 random_kind(struct random *random, u32 class_)
{
    static const u8 integers[] = {WS_KIND_other, WS_KIND_add, WS_KIND_minmax, WS_KIND_mul, WS_KIND_mad, WS_KIND_div};
    static const u8 reals[] = {WS_KIND_other, WS_KIND_add, WS_KIND_minmax, WS_KIND_mul, WS_KIND_mad, WS_KIND_fma};
    static const u8 functions[] = {WS_KIND_other, WS_KIND_div, WS_KIND_div_fp64};
    switch (class_) {
    case WS_CLASS_int:
        return integers[random_below(random, 6)];
    case WS_CLASS_fp32:
    case WS_CLASS_fp64:
        return reals[random_below(random, 6)];
    case WS_CLASS_sfu:
        return functions[random_below(random, 3)];
    default:
        return WS_KIND_other;
    }
}

/* Bytes per lane, which matter in shared memory. */
static u8 random_bytes(struct random *random, u32 space)
{
    static const u8 bytes[] = {1, 4, 8, 8, 16, 16};
    return space == WS_SPACE_shared ? bytes[random_below(random, sizeof bytes)] : 4;
}

static u32 emit(struct writer *writer, u32 class_, u32 space)
{
    struct ws_instruction ins = {
        .class_ = (u8)class_, .space = (u8)space, .reconverge = WS_PC_NONE, .kind = random_kind(writer->random, class_)};
    memset(ins.dst, WS_NO_REGISTER, sizeof ins.dst);
    memset(ins.src, WS_NO_REGISTER, sizeof ins.src);
    const bool memory = space != WS_SPACE_none;
    if (!WS_IS_NEVER_GUARDED(class_))
        random_registers(writer->random, &ins);
    if (!WS_IS_NEVER_GUARDED(class_) && class_ != WS_CLASS_exit && random_chance(writer->random, writer->guards))
        ins.flags |= WS_GUARDED;
    if (writer->spaces >> space & 1)
        ins.flags |= WS_ADDRESSED;
    ins.bytes = memory ? random_bytes(writer->random, space) : 0;
    const u32 pc = add_instruction(writer->build, ins);
    writer->behaviour[pc] = random_behaviour(writer->random);
    return pc;
}

static void target_here(struct writer *writer, u32 pc)
{
    writer->build->program[pc].target = (u16)writer->build->instructions;
}

static void emit_memory(struct writer *writer)
{
    static const u8 spaces[] = {WS_SPACE_global, WS_SPACE_global, WS_SPACE_global, WS_SPACE_global,   WS_SPACE_global,
                                WS_SPACE_shared, WS_SPACE_shared, WS_SPACE_local,  WS_SPACE_constant, WS_SPACE_texture};
    static const u8 classes[] = {WS_CLASS_load,  WS_CLASS_load,   WS_CLASS_load,  WS_CLASS_store,
                                 WS_CLASS_store, WS_CLASS_atomic, WS_CLASS_atomic};
    const u32 space = spaces[random_below(writer->random, sizeof spaces)];
    const bool only_loads = space == WS_SPACE_constant || space == WS_SPACE_texture;
    const u32 class_ = only_loads ? WS_CLASS_load : classes[random_below(writer->random, sizeof classes)];
    emit(writer, class_, space);
}

static void emit_statements(struct writer *writer, u32 depth, bool uniform);

/* Else part, jump over the then part, then part: or only one of them. */
static void emit_if(struct writer *writer, u32 depth, bool uniform)
{
    const u32 branch = emit(writer, WS_CLASS_branch, WS_SPACE_none);
    const bool stays_uniform = uniform && writer->behaviour[branch].pattern == UNIFORM;
    emit_statements(writer, depth + 1, stays_uniform);
    if (random_chance(writer->random, 50)) {
        target_here(writer, branch);
        return;
    }
    const u32 jump = emit(writer, WS_CLASS_jump, WS_SPACE_none);
    target_here(writer, branch);
    emit_statements(writer, depth + 1, stays_uniform);
    target_here(writer, jump);
}

static void emit_loop(struct writer *writer, u32 depth, bool uniform)
{
    const u32 top = writer->build->instructions;
    const bool tested_at_top = random_chance(writer->random, 40), uniform_trips = random_chance(writer->random, 40);
    u32 branch = 0;
    if (tested_at_top)
        branch = emit(writer, WS_CLASS_branch, WS_SPACE_none);
    emit_statements(writer, depth + 1, uniform && uniform_trips);
    if (tested_at_top) {
        const u32 jump = emit(writer, WS_CLASS_jump, WS_SPACE_none);
        writer->build->program[jump].target = (u16)top;
        target_here(writer, branch);
    } else {
        branch = emit(writer, WS_CLASS_branch, WS_SPACE_none);
        writer->build->program[branch].target = (u16)top;
    }
    writer->behaviour[branch].pattern = tested_at_top ? LOOP_TOP : LOOP_BOTTOM;
    writer->behaviour[branch].uniform_trips = uniform_trips;
}

static void emit_guarded_exit(struct writer *writer)
{
    const u32 pc = emit(writer, WS_CLASS_exit, WS_SPACE_none);
    writer->build->program[pc].flags = WS_GUARDED;
}

static void emit_early_exit(struct writer *writer)
{
    if (random_chance(writer->random, 60)) {
        emit_guarded_exit(writer);
        return;
    }
    const u32 branch = emit(writer, WS_CLASS_branch, WS_SPACE_none);
    emit(writer, WS_CLASS_exit, WS_SPACE_none);
    target_here(writer, branch);
}

/* Mostly enough to give the block's warps of 32 several turns. */
static u16 threads_of_barrier(struct random *random, u32 block_threads)
{
    const u32 warps = (block_threads + WS_LANES - 1) / WS_LANES;
    u32 part = random_from(random, 1, warps);
    if (random_chance(random, 10))
        return (u16)random_from(random, 1, block_threads + 40);
    while (warps % part != 0)
        part--;
    return (u16)(part * WS_LANES);
}

/* A barrier of the whole block, or the program's for part of it, at which some do not wait. */
static void emit_barrier(struct writer *writer, bool uniform)
{
    const u32 number = random_chance(writer->random, 70) ? 0 : random_below(writer->random, WS_NAMED_BARRIERS);
    if (!uniform && !writer->loose_barriers)
        return;
    const u32 pc = emit(writer, WS_CLASS_barrier, WS_SPACE_none);
    struct ws_instruction *const ins = &writer->build->program[pc];
    if (writer->named[number] == 0 || random_chance(writer->random, 30))
        return;
    ins->flags = random_chance(writer->random, 30) ? WS_NAMED | WS_ARRIVES : WS_NAMED;
    ins->bytes = (u8)number;
    ins->target = writer->named[number];
}

static void emit_jump_ahead(struct writer *writer)
{
    const u32 jump = emit(writer, WS_CLASS_jump, WS_SPACE_none);
    target_here(writer, jump);
}

static void emit_run(struct writer *writer)
{
    static const u8 classes[] = {WS_CLASS_int, WS_CLASS_fp32, WS_CLASS_fp64, WS_CLASS_sfu, WS_CLASS_tensor};
    for (u32 left = random_from(writer->random, 1, writer->longest_run); left > 0; left--)
        emit(writer, classes[random_below(writer->random, sizeof classes)], WS_SPACE_none);
}

static void emit_statement(struct writer *writer, u32 depth, bool uniform)
{
    const u32 kind = random_below(writer->random, 100);
    if (writer->named[0] != 0 && random_chance(writer->random, 15))
        emit_barrier(writer, uniform);
    else if (kind < 35)
        emit_run(writer);
    else if (kind < 60 || depth == DEEPEST)
        emit_memory(writer);
    else if (kind < 78)
        emit_if(writer, depth, uniform);
    else if (kind < 88)
        emit_loop(writer, depth, uniform);
    else if (kind < 90)
        emit_early_exit(writer);
    else if (kind < 96)
        emit_barrier(writer, uniform);
    else
        emit_jump_ahead(writer);
}

static void emit_statements(struct writer *writer, u32 depth, bool uniform)
{
    for (u32 left = random_from(writer->random, 0, 4); left > 0 && writer->statements > 0; left--) {
        writer->statements--;
        emit_statement(writer, depth, uniform);
    }
}

static void write_structured(struct writer *writer)
{
    while (writer->statements > 0)
        emit_statements(writer, 0, true);
    emit(writer, WS_CLASS_exit, WS_SPACE_none);
}

static void emit_wild_branch(struct writer *writer, u32 class_, u32 targets)
{
    const u32 pc = emit(writer, class_, WS_SPACE_none);
    writer->build->program[pc].target = (u16)random_below(writer->random, targets);
}

static void write_unstructured(struct writer *writer)
{
    const u32 length = writer->statements + 2;
    while (writer->build->instructions < length) {
        const u32 kind = random_below(writer->random, 100);
        if (kind < 45)
            emit_memory(writer);
        else if (kind < 58)
            emit(writer, WS_CLASS_int, WS_SPACE_none);
        else if (kind < 60)
            emit_guarded_exit(writer);
        else
            emit_wild_branch(writer, kind < 90 ? WS_CLASS_branch : WS_CLASS_jump, length);
    }
    emit(writer, WS_CLASS_exit, WS_SPACE_none);
}

/* Branches whose threads reconverge anywhere or nowhere: no compiler emits such, but a trace may contain them. */
static void spoil_reconvergence(struct random *random, struct image_build *build)
{
    for (u32 pc = 0; pc < build->instructions; pc++)
        if (build->program[pc].class_ == WS_CLASS_branch && random_chance(random, 40))
            build->program[pc].reconverge = random_chance(random, 20) ? WS_PC_NONE : (u16)random_below(random, build->instructions);
}

void random_program(struct random *random, u32 statements, u32 spaces, bool named, struct image_build *build,
                    struct behaviour *behaviour)
{
    struct writer writer = {.random = random,
                            .build = build,
                            .behaviour = behaviour,
                            .statements = random_from(random, 1, statements),
                            .spaces = spaces,
                            .loose_barriers = random_chance(random, 20),
                            .guards = random_chance(random, 40)   ? 2
                                      : random_chance(random, 20) ? 70
                                                                  : 20,
                            .longest_run = random_chance(random, 40) ? 12 : 1};
    u32 distance[MOST_INSTRUCTIONS];
    for (u32 n = 0; named && n < WS_NAMED_BARRIERS; n++)
        writer.named[n] = threads_of_barrier(random, build->block_threads);
    build->shared_bytes = SHARED_WORDS * 4;
    build->registers = random_from(random, 1, 64);
    if (random_chance(random, 85))
        write_structured(&writer);
    else
        write_unstructured(&writer);
    make_exits_reachable(build, distance);
    find_reconvergence(build, distance);
    if (random_chance(random, 10))
        spoil_reconvergence(random, build);
}
