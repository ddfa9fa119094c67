#include "oracle/image_build.h"

#include <stdlib.h>
#include <string.h>

#include "oracle/allocate.h"

void image_build_start(struct image_build *build, u32 blocks, u32 block_threads)
{
    memset(build, 0, sizeof *build);
    build->blocks = blocks;
    build->block_threads = block_threads;
    build->registers = 16;
    build->streams = oracle_allocate((size_t)blocks * block_threads, sizeof *build->streams);
}

void image_build_free(struct image_build *build)
{
    for (size_t i = 0; i < (size_t)build->blocks * build->block_threads; i++) {
        free(build->streams[i].decisions);
        free(build->streams[i].accesses);
    }
    free(build->streams);
    free(build->program);
    free(build->operands);
    memset(build, 0, sizeof *build);
}

u32 add_instruction(struct image_build *build, struct ws_instruction instruction)
{
    build->program = oracle_grow(build->program, build->instructions, sizeof *build->program);
    build->program[build->instructions] = instruction;
    return build->instructions++;
}

static struct ws_instruction plain(u32 class_)
{
    struct ws_instruction ins = {.class_ = (u8)class_, .reconverge = WS_PC_NONE};
    memset(ins.dst, WS_NO_REGISTER, sizeof ins.dst);
    memset(ins.src, WS_NO_REGISTER, sizeof ins.src);
    return ins;
}

u32 add_alu(struct image_build *build)
{
    struct ws_instruction ins = plain(WS_CLASS_int);
    ins.dst[0] = 1;
    ins.src[0] = 2;
    ins.src[1] = 3;
    ins.writes = 1;
    ins.reads = 2;
    return add_instruction(build, ins);
}

u32 add_memory(struct image_build *build, u32 class_, u32 space)
{
    struct ws_instruction ins = plain(class_);
    ins.space = (u8)space;
    ins.bytes = 4;
    if (space == WS_SPACE_global || space == WS_SPACE_shared)
        ins.flags = WS_ADDRESSED;
    ins.src[0] = 1;
    ins.reads = 1;
    return add_instruction(build, ins);
}

u32 add_branch(struct image_build *build, u32 target, u32 reconverge)
{
    struct ws_instruction ins = plain(WS_CLASS_branch);
    ins.target = (u16)target;
    ins.reconverge = (u16)reconverge;
    ins.src[0] = 1;
    ins.reads = 1;
    return add_instruction(build, ins);
}

u32 add_jump(struct image_build *build, u32 target)
{
    struct ws_instruction ins = plain(WS_CLASS_jump);
    ins.target = (u16)target;
    return add_instruction(build, ins);
}

u32 add_barrier(struct image_build *build)
{
    return add_instruction(build, plain(WS_CLASS_barrier));
}

u32 add_exit(struct image_build *build)
{
    return add_instruction(build, plain(WS_CLASS_exit));
}

static struct thread_streams *streams_of(struct image_build *build, u32 block, u32 thread)
{
    return &build->streams[(size_t)block * build->block_threads + thread];
}

void add_decision(struct image_build *build, u32 block, u32 thread, bool decision)
{
    struct thread_streams *streams = streams_of(build, block, thread);
    streams->decisions = oracle_grow(streams->decisions, streams->decision_count, sizeof *streams->decisions);
    streams->decisions[streams->decision_count++] = decision;
}

void add_access(struct image_build *build, u32 block, u32 thread, u32 address)
{
    struct thread_streams *streams = streams_of(build, block, thread);
    streams->accesses = oracle_grow(streams->accesses, streams->access_count, sizeof *streams->accesses);
    streams->accesses[streams->access_count++] = address;
}

/* Rows of 32 words for a group's decisions and accesses. */
static void rows_of(const struct image_build *build, u32 block, u32 group, size_t *decision_rows, size_t *access_rows)
{
    *decision_rows = *access_rows = 0;
    for (u32 thread = group * WS_LANES; thread < build->block_threads && thread < (group + 1) * WS_LANES; thread++) {
        const struct thread_streams *streams = &build->streams[(size_t)block * build->block_threads + thread];
        const size_t rows = (streams->decision_count + 31) / 32;
        *decision_rows = rows > *decision_rows ? rows : *decision_rows;
        *access_rows = streams->access_count > *access_rows ? streams->access_count : *access_rows;
    }
}

static u64 place_groups(const struct image_build *build, struct ws_group *groups, u32 groups_per_block)
{
    u64 words = 0;
    for (u32 i = 0; i < build->blocks * groups_per_block; i++) {
        size_t decision_rows, access_rows;
        rows_of(build, i / groups_per_block, i % groups_per_block, &decision_rows, &access_rows);
        groups[i].decisions = words;
        groups[i].accesses = words + decision_rows * WS_LANES;
        words = groups[i].accesses + access_rows * WS_LANES;
    }
    return words;
}

static void lay_out(const struct thread_streams *streams, const struct ws_group *group, u32 lane, u32 *words)
{
    for (size_t i = 0; i < streams->decision_count; i++)
        words[group->decisions + i / 32 * WS_LANES + lane] |= (u32)streams->decisions[i] << (i % 32);
    for (size_t i = 0; i < streams->access_count; i++)
        words[group->accesses + i * WS_LANES + lane] = streams->accesses[i];
}

struct ws_image *image_build_finish(const struct image_build *build)
{
    struct ws_image *image = oracle_allocate(1, sizeof *image);
    const u32 groups_per_block = (build->block_threads + WS_LANES - 1) / WS_LANES;
    struct ws_group *groups = oracle_allocate((size_t)build->blocks * groups_per_block, sizeof *groups);
    struct ws_instruction *program = oracle_allocate(1, WS_PROGRAM_BYTES(build->instructions));
    struct ws_operands *const operands = (struct ws_operands *)(program + build->instructions);
    const u64 word_count = place_groups(build, groups, groups_per_block);
    u32 *words = oracle_allocate(word_count, sizeof *words);
    for (u32 block = 0; block < build->blocks; block++)
        for (u32 thread = 0; thread < build->block_threads; thread++)
            lay_out(&build->streams[(size_t)block * build->block_threads + thread],
                    &groups[block * groups_per_block + thread / WS_LANES], thread % WS_LANES, words);
    memcpy(program, build->program, build->instructions * sizeof *program);
    for (u32 pc = 0; pc < build->instructions; pc++)
        ws_instruction_complete(&program[pc]);
    for (u32 pc = 0; pc < build->instructions; pc++)
        operands[pc] = pc < build->operand_count ? build->operands[pc] : ws_operands_of(&program[pc]);
    *image = (struct ws_image){.instructions = build->instructions,
                               .blocks = build->blocks,
                               .block_threads = build->block_threads,
                               .groups_per_block = groups_per_block,
                               .registers = build->registers,
                               .shared_bytes = build->shared_bytes,
                               .program = program,
                               .operands = operands,
                               .groups = groups,
                               .words = words,
                               .word_count = word_count};
    return image;
}

void image_free(struct ws_image *image)
{
    free((void *)(uintptr_t)image->program);
    free((void *)(uintptr_t)image->groups);
    free((void *)(uintptr_t)image->words);
    free(image);
}

void machine_defaults(struct ws_machine *machine)
{
    *machine = (struct ws_machine){
#define NUMBER(group, name, standard, least, most, unit, doc) .group##_##name = (standard),
#define POWER(group, name, standard, least, most, unit, doc)  .group##_##name = (standard),
#define CHOOSE(group, name, set, standard, doc)               .group##_##name = WS_##set##_##standard,
#include "shared/parameters.def"
#undef NUMBER
#undef POWER
#undef CHOOSE
    };
}
