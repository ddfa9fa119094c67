#include "engine/opencl/selftest/synthetic.h"

#include <stdlib.h>
#include <xxhash.h>

#include "base/random.h"

enum {
    HEAD = 1,   /* first instruction of the loop */
    CHOICE = 3, /* divergent branch */
    FAST = 7,   /* its target */
    MEET = 9,   /* where the paths reconverge */
    AGAIN = 10, /* branch back to the head */
    SHARED_WORDS = 256,
    LOADED = 0x10000, /* granules of the loaded, stored and atomically changed buffers */
    STORED = 0x200000,
    CHANGED = 0x300000
};

#define NONE            WS_NO_REGISTER
#define STEP(class, at) .class_ = WS_CLASS_##class, .space = WS_SPACE_##at
#define ONE_DST(a)      .dst = {a, NONE, NONE, NONE}, .writes = 1
#define NO_DST          .dst = {NONE, NONE, NONE, NONE}
#define TWO_SRC(a, b)   .src = {a, b, NONE, NONE, NONE, NONE}, .reads = 2
#define NO_SRC          .src = {NONE, NONE, NONE, NONE, NONE, NONE}

static const struct ws_instruction program[] = {
    {STEP(int, none), ONE_DST(0), NO_SRC},
    {STEP(load, global), .flags = WS_ADDRESSED, .bytes = 4, ONE_DST(1), TWO_SRC(0, 1)},
    {STEP(int, none), ONE_DST(2), TWO_SRC(0, 1)},
    {STEP(branch, none), .target = FAST, .reconverge = MEET, NO_DST, TWO_SRC(1, 2)},
    {STEP(fp32, none), ONE_DST(3), TWO_SRC(1, 2)},
    {STEP(store, shared), .flags = WS_ADDRESSED, .bytes = 4, NO_DST, TWO_SRC(0, 3)},
    {STEP(jump, none), .target = MEET, NO_DST, NO_SRC},
    {STEP(sfu, none), ONE_DST(3), TWO_SRC(1, 2)},
    {STEP(load, local), .bytes = 4, ONE_DST(4), TWO_SRC(0, 3)},
    {STEP(store, global), .flags = WS_GUARDED | WS_ADDRESSED, .bytes = 4, NO_DST, TWO_SRC(0, 3)},
    {STEP(branch, none), .target = HEAD, .reconverge = AGAIN + 1, NO_DST, TWO_SRC(0, 2)},
    {STEP(barrier, none), NO_DST, NO_SRC},
    {STEP(atomic, global), .flags = WS_ADDRESSED, .bytes = 4, ONE_DST(5), TWO_SRC(0, 3)},
    {STEP(load, constant), .bytes = 4, ONE_DST(4), TWO_SRC(0, 5)},
    {STEP(exit, none), NO_DST, NO_SRC},
};

enum { INSTRUCTIONS = sizeof program / sizeof *program };

/* A thread's walk through the program. Without words it only counts. */
struct walker {
    const struct ws_synthetic *description;
    u64 random;
    u32 thread, lane, pc, rounds;
    u32 decisions, accesses; /* so far */
    u32 *decision_words, *access_words;
    u64 instructions;
};

static u32 random_below(struct walker *walker, u32 limit)
{
    return ws_random_range(&walker->random, 0, limit - 1);
}

static u32 decide(struct walker *walker, u32 bit)
{
    const u32 n = walker->decisions++;
    if (walker->decision_words)
        walker->decision_words[n / 32 * WS_LANES + walker->lane] |= bit << n % 32;
    return bit;
}

static void access_at(struct walker *walker, u32 place)
{
    const u32 n = walker->accesses++;
    if (walker->access_words)
        walker->access_words[n * WS_LANES + walker->lane] = place;
}

static u32 place_of(struct walker *walker, const struct ws_instruction *instruction)
{
    if (instruction->space == WS_SPACE_shared)
        return (walker->thread * 3 + walker->accesses) % SHARED_WORDS;
    if (instruction->class_ == WS_CLASS_store)
        return STORED + walker->thread / 8 + walker->accesses % 64 * 1024;
    if (instruction->class_ == WS_CLASS_atomic)
        return CHANGED + random_below(walker, 64);
    if (random_below(walker, 100) < walker->description->scattered)
        return LOADED + random_below(walker, 65536);
    return LOADED + walker->thread / 8 + walker->accesses % 64 * 1024;
}

/* Executes one instruction; false after the exit. */
static int step(struct walker *walker)
{
    const struct ws_instruction *const instruction = &program[walker->pc];
    const u32 executes = instruction->flags & WS_GUARDED ? decide(walker, random_below(walker, 4) > 0) : 1;
    if (executes && instruction->flags & WS_ADDRESSED)
        access_at(walker, place_of(walker, instruction));
    walker->instructions++;
    u32 jumps = instruction->class_ == WS_CLASS_jump;
    if (walker->pc == CHOICE)
        jumps = decide(walker, random_below(walker, 3) == 0);
    if (walker->pc == AGAIN)
        jumps = decide(walker, --walker->rounds > 0);
    walker->pc = jumps ? instruction->target : walker->pc + 1;
    return instruction->class_ != WS_CLASS_exit;
}

static struct walker walk(const struct ws_synthetic *description, u32 thread, u32 lane, u32 *decisions, u32 *accesses)
{
    struct walker walker = {.description = description, .thread = thread, .lane = lane};
    walker.decision_words = decisions;
    walker.access_words = accesses;
    walker.random = description->seed * 0x9E3779B97F4A7C15u + thread;
    walker.rounds = 1 + random_below(&walker, ws_max(description->loops, 1));
    while (step(&walker))
        ;
    return walker;
}

static u32 threads_of_group(const struct ws_image *image, u32 group)
{
    const u32 first = group % image->groups_per_block * WS_LANES;
    return ws_min(WS_LANES, image->block_threads - first);
}

static u32 first_thread(const struct ws_image *image, u32 group)
{
    return group / image->groups_per_block * image->block_threads + group % image->groups_per_block * WS_LANES;
}

/* Places the streams of all groups consecutively. */
static void place_streams(struct ws_image *image, struct ws_group *groups, const struct ws_synthetic *description)
{
    for (u32 group = 0; group < image->blocks * image->groups_per_block; group++) {
        u32 decisions = 0, accesses = 0;
        for (u32 lane = 0; lane < threads_of_group(image, group); lane++) {
            const struct walker walker = walk(description, first_thread(image, group) + lane, lane, NULL, NULL);
            decisions = ws_max(decisions, walker.decisions);
            accesses = ws_max(accesses, walker.accesses);
            image->thread_instructions += walker.instructions;
        }
        groups[group].decisions = image->word_count;
        image->word_count += (u64)(decisions + 31) / 32 * WS_LANES;
        groups[group].accesses = image->word_count;
        image->word_count += (u64)accesses * WS_LANES;
    }
}

static void fill_streams(const struct ws_image *image, u32 *words, const struct ws_synthetic *description)
{
    for (u32 group = 0; group < image->blocks * image->groups_per_block; group++)
        for (u32 lane = 0; lane < threads_of_group(image, group); lane++)
            walk(description, first_thread(image, group) + lane, lane, words + image->groups[group].decisions,
                 words + image->groups[group].accesses);
}

struct ws_image *ws_synthetic_new(const struct ws_synthetic *description)
{
    struct ws_image *const image = calloc(1, sizeof *image);
    if (!image)
        return NULL;
    image->instructions = INSTRUCTIONS;
    image->blocks = description->blocks;
    image->block_threads = description->block_threads;
    image->groups_per_block = (description->block_threads + WS_LANES - 1) / WS_LANES;
    image->registers = 6;
    image->shared_bytes = SHARED_WORDS * 4;
    image->digest = XXH3_64bits(description, sizeof *description);
    struct ws_group *const groups = calloc((size_t)image->blocks * image->groups_per_block, sizeof *groups);
    if (groups)
        place_streams(image, groups, description);
    u32 *const words = groups ? calloc(image->word_count, sizeof *words) : NULL;
    struct ws_instruction *const completed = words ? calloc(1, WS_PROGRAM_BYTES(INSTRUCTIONS)) : NULL;
    image->groups = groups;
    image->words = words;
    image->program = completed;
    if (!completed) {
        ws_synthetic_free(image);
        return NULL;
    }
    struct ws_operands *const operands = (struct ws_operands *)(completed + INSTRUCTIONS);
    for (u32 pc = 0; pc < INSTRUCTIONS; pc++) {
        completed[pc] = program[pc];
        ws_instruction_complete(&completed[pc]);
        operands[pc] = ws_operands_of(&completed[pc]);
    }
    image->operands = operands;
    fill_streams(image, words, description);
    return image;
}

void ws_synthetic_free(struct ws_image *image)
{
    if (!image)
        return;
    free((void *)(uintptr_t)image->groups); /* allocated here; const for others */
    free((void *)(uintptr_t)image->words);
    free((void *)(uintptr_t)image->program);
    free(image);
}
