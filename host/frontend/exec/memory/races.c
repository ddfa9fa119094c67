#include "frontend/exec/memory/races.h"

#include <stdlib.h>
#include <string.h>

#include "frontend/exec/block.h"
#include "frontend/exec/memory/race_text.h"

enum {
    PAGE_CELLS = 1024,
    MOST_BYTES = 16,   /* of an access */
    MOST_PAIRS = 4096, /* races reported; the table has twice the room */
    HINT_ACCESSES = 1 << 22
};

/* Last accesses to the smallest piece of memory that the kernel accesses. pc NO_ACCESS: none. */
struct cell {
    struct ws_moment written, changed; /* the last store, and the last one that changed the value */
    struct ws_moment read[4];          /* last load; before it, last load by another thread of its warp, of another warp, of another
                                        * block */
};
enum { LAST, OTHER_THREAD, OTHER_WARP, OTHER_BLOCK, READERS };

#define NO_ACCESS UINT16_MAX

/* Cells of a memory range, allocated on first access. */
struct ws_shadow {
    const struct ws_range *range;
    struct cell **pages;
    u64 page_count;
};

/* A store that has been noted before it takes place; judged once its value is visible. */
struct pending {
    const u8 *at;
    u8 before[MOST_BYTES];
    u64 bytes; /* 0: there is none */
    struct ws_moment now;
    struct ws_shadow *shadow;
};

struct ws_races {
    const struct ws_plan *plan;
    const struct ws_run *run; /* executes the block whose turn it is */
    bool *is_read;            /* by slot: some operation reads it */
    u32 granule;              /* bytes of a cell */
    u32 shadow_count;
    struct ws_shadow *shadows; /* of the ranges of global memory */
    struct pending pending;
    bool hint;     /* only shared memory, and one report */
    u64 hint_left; /* accesses that are still looked at */
    u32 pair_count;
    u64 pairs[2 * MOST_PAIRS]; /* hash table of reported pairs, 0: free */
};

/* ---- Memory ---- */

/* Smallest access of the kernel in bytes. Accesses are aligned, so none covers part of such a piece. */
static u32 granule_of(const struct ws_kernel *kernel)
{
    u32 least = MOST_BYTES;
    for (u32 n = 0; n < kernel->op_count; n++) {
        const struct ws_instruction *const instruction = &kernel->program[n];
        if (instruction->bytes && instruction->bytes < least)
            least = instruction->bytes;
    }
    return least;
}

static bool make_shadow(struct ws_shadow *shadow, const struct ws_range *range, u32 granule)
{
    const u64 page = (u64)PAGE_CELLS * granule;
    shadow->range = range;
    shadow->page_count = (range->bytes + page - 1) / page;
    shadow->pages = calloc((size_t)shadow->page_count + 1, sizeof *shadow->pages);
    return shadow->pages != NULL;
}

/* Atomics have destinations that nobody reads. */
static bool find_readers(struct ws_races *races)
{
    const struct ws_kernel *const kernel = races->plan->kernel;
    races->is_read = calloc((size_t)kernel->registers + kernel->input_count, sizeof *races->is_read);
    for (u32 n = 0; races->is_read && n < kernel->op_count; n++) {
        const struct ws_op *const op = &kernel->ops[n];
        for (u32 s = 0; s < sizeof op->src / sizeof *op->src; s++)
            if (op->src[s] != WS_SLOT_NONE)
                races->is_read[op->src[s]] = true;
        if (op->guard != WS_SLOT_NONE)
            races->is_read[op->guard] = true;
    }
    return races->is_read != NULL;
}

struct ws_races *ws_races_make(const struct ws_plan *plan)
{
    const struct ws_memory *const memory = &plan->memory;
    struct ws_races *const races = calloc(1, sizeof *races);
    if (!races)
        return NULL;
    *races = (struct ws_races){.plan = plan, .granule = granule_of(plan->kernel), .shadow_count = memory->count};
    races->shadows = calloc((size_t)memory->count + 1, sizeof *races->shadows);
    bool made = races->shadows && find_readers(races);
    for (u32 n = 0; made && n < memory->count; n++)
        made = make_shadow(&races->shadows[n], &memory->ranges[n], races->granule);
    if (made)
        return races;
    ws_races_free(races);
    return NULL;
}

/* Whether threads share memory without a means of order that the detector does not know. */
static bool is_plain(const struct ws_kernel *kernel)
{
    bool stores = false;
    for (u32 n = 0; n < kernel->op_count; n++) {
        const struct ws_op *const op = &kernel->ops[n];
        const bool partial = op->opcode == WS_OP_bar_arrive || (op->opcode == WS_OP_bar && op->src[1] != WS_SLOT_NONE);
        const bool atomic = kernel->program[n].class_ == WS_CLASS_atomic && op->space != WS_SPACE_global;
        if (partial || atomic || op->flags & WS_OP_VOLATILE || op->opcode == WS_OP_wgmma)
            return false;
        stores |= op->opcode == WS_OP_st && op->space == WS_SPACE_shared;
    }
    return stores;
}

struct ws_races *ws_races_make_hint(const struct ws_plan *plan)
{
    struct ws_races *const races = is_plain(plan->kernel) ? ws_races_make(plan) : NULL;
    if (races) {
        races->hint = true;
        races->hint_left = HINT_ACCESSES;
    }
    return races;
}

static void clear(struct ws_shadow *shadow)
{
    for (u64 n = 0; shadow->pages && n < shadow->page_count; n++) {
        free(shadow->pages[n]);
        shadow->pages[n] = NULL;
    }
}

void ws_races_free(struct ws_races *races)
{
    if (!races)
        return;
    for (u32 n = 0; races->shadows && n < races->shadow_count; n++) {
        clear(&races->shadows[n]);
        free(races->shadows[n].pages);
    }
    free(races->shadows);
    free(races->is_read);
    free(races);
}

bool ws_races_begin_block(struct ws_races *races, struct ws_shadow **shadow)
{
    if (*shadow) {
        clear(*shadow);
        return true;
    }
    *shadow = calloc(1, sizeof **shadow);
    return *shadow && make_shadow(*shadow, &races->plan->memory.shared, races->granule);
}

void ws_shadow_free(struct ws_shadow *shadow)
{
    if (!shadow)
        return;
    clear(shadow);
    free(shadow->pages);
    free(shadow);
}

void ws_races_enter(struct ws_races *races, const struct ws_run *run)
{
    races->run = run;
}

/* The shadow of a range; NULL for private memory. */
static struct ws_shadow *shadow_of(struct ws_races *races, const struct ws_range *range)
{
    const struct ws_memory *const memory = &races->plan->memory;
    if (range == &memory->shared || range == &memory->shared_window)
        return races->run->shadow;
    if (range >= memory->ranges && range < memory->ranges + memory->count)
        return &races->shadows[(range - memory->ranges)];
    if (range >= memory->constants && range < memory->constants + memory->count)
        return &races->shadows[(range - memory->constants)];
    return NULL;
}

/* The cell of a byte; NULL when out of memory. */
static struct cell *cell_at(const struct ws_races *races, struct ws_shadow *shadow, const u8 *at)
{
    const u64 number = (u64)(at - shadow->range->host) / races->granule;
    struct cell **const page = &shadow->pages[number / PAGE_CELLS];
    if (!*page) {
        *page = malloc(PAGE_CELLS * sizeof **page);
        if (!*page)
            return NULL;
        memset(*page, UINT8_MAX, PAGE_CELLS * sizeof **page); /* NO_ACCESS everywhere */
    }
    return &(*page)[number % PAGE_CELLS];
}

/* ---- Judging ---- */

/* Whether no barrier separates two accesses of different threads: neither one of the block, whose epoch counts its barriers, nor
 * one of their warp of 32. second is the current access. */
static bool is_unordered(const struct ws_races *races, const struct ws_moment *first, const struct ws_moment *second)
{
    if (first->pc == NO_ACCESS)
        return false;
    if (first->block != second->block)
        return true;
    const u32 warp = second->thread / WS_WARP_THREADS;
    const bool met = first->thread / WS_WARP_THREADS == warp && (i32)(first->step - races->run->met[warp]) <= 0;
    return first->thread != second->thread && first->epoch == second->epoch && !met;
}

static bool is_atomic(const struct ws_races *races, const struct ws_moment *moment)
{
    return races->plan->kernel->program[moment->pc].class_ == WS_CLASS_atomic;
}

static u32 warp_of(const struct ws_races *races, const struct ws_moment *moment)
{
    return moment->thread / races->run->width;
}

static enum ws_race_kind kind_of(const struct ws_races *races, const struct ws_moment *first, const struct ws_moment *second)
{
    if (is_atomic(races, first) && is_atomic(races, second))
        return WS_RACE_atomic;
    if (first->block != second->block)
        return WS_RACE_grid;
    if (warp_of(races, first) != warp_of(races, second))
        return WS_RACE_block;
    return first->step == second->step && first->pc == second->pc ? WS_RACE_instruction : WS_RACE_warp;
}

/* Whether atomics of this operation leave the same value in any order. Sums of floating-point numbers are rounded in theirs. */
static bool commutes(const struct ws_op *op)
{
    switch (op->opcode) {
    case WS_OP_atom_add:
        return op->type < WS_TYPE_f32;
    case WS_OP_atom_min:
    case WS_OP_atom_max:
    case WS_OP_atom_and:
    case WS_OP_atom_or:
    case WS_OP_atom_xor:
    case WS_OP_atom_arrive:
    case WS_OP_atom_leave:
    case WS_OP_atom_transfer:
        return true;
    default:
        return false;
    }
}

/* Whether two stores leave a value that depends on their order. Not if both are atomics that add. */
static bool compete(const struct ws_races *races, const struct ws_moment *first, const struct ws_moment *second)
{
    const struct ws_op *const ops = races->plan->kernel->ops;
    const bool atomic = is_atomic(races, first) && is_atomic(races, second);
    return !atomic || ops[first->pc].opcode != ops[second->pc].opcode || !commutes(&ops[first->pc]);
}

/* Enters a pair of instructions. False if already reported, or if there are too many. */
static bool is_new(struct ws_races *races, enum ws_race_kind kind, u32 first, u32 second)
{
    const u64 key = 1 + ((u64)kind << 32 | first << 16 | second);
    u64 at = key * UINT64_C(0x9E3779B97F4A7C15) >> 51;
    while (races->pairs[at] && races->pairs[at] != key)
        at = (at + 1) % (2 * MOST_PAIRS);
    if (races->pairs[at] == key || races->pair_count == MOST_PAIRS)
        return false;
    races->pairs[at] = key;
    races->pair_count++;
    return true;
}

static void judge(struct ws_races *races, const struct ws_shadow *shadow, const u8 *at, const struct ws_moment *first,
                  const struct ws_moment *second)
{
    if (!is_unordered(races, first, second))
        return;
    const enum ws_race_kind kind = kind_of(races, first, second);
    if (races->hint) {
        if (kind == WS_RACE_block && races->hint_left > 0) {
            ws_race_hint(races->run, first, second);
            races->hint_left = 0;
        }
        return;
    }
    if (is_new(races, kind, first->pc, second->pc))
        ws_race_tell(races->run, kind, shadow->range, (u64)(at - shadow->range->host), first, second);
}

/* ---- Loads ---- */

static void enter_reader(const struct ws_races *races, struct cell *cell, const struct ws_moment *now)
{
    const struct ws_moment last = cell->read[LAST];
    if (last.pc != NO_ACCESS) {
        if (last.block != now->block)
            cell->read[OTHER_BLOCK] = last;
        else if (warp_of(races, &last) != warp_of(races, now))
            cell->read[OTHER_WARP] = last;
        else if (last.thread != now->thread)
            cell->read[OTHER_THREAD] = last;
    }
    cell->read[LAST] = *now;
}

static bool note_load(struct ws_races *races, struct ws_shadow *shadow, const u8 *at, u64 bytes, const struct ws_moment *now)
{
    for (u64 n = 0; n < bytes; n += races->granule) {
        struct cell *const cell = cell_at(races, shadow, at + n);
        if (!cell)
            return false;
        judge(races, shadow, at + n, &cell->changed, now);
        enter_reader(races, cell, now);
    }
    return true;
}

/* ---- Stores ---- */

/* A store that does not change the value matters only if a later one does. */
static void judge_store(struct ws_races *races, const struct pending *store, u64 n)
{
    struct cell *const cell = cell_at(races, store->shadow, store->at + n);
    const bool changes = memcmp(store->at + n, store->before + n, races->granule) != 0;
    if (changes && cell->written.pc != NO_ACCESS && compete(races, &cell->written, &store->now))
        judge(races, store->shadow, store->at + n, &cell->written, &store->now);
    for (u32 reader = 0; changes && reader < READERS; reader++)
        judge(races, store->shadow, store->at + n, &cell->read[reader], &store->now);
    cell->written = store->now;
    if (changes)
        cell->changed = store->now;
}

void ws_races_end(struct ws_races *races)
{
    for (u64 n = 0; n < races->pending.bytes; n += races->granule)
        judge_store(races, &races->pending, n);
    races->pending.bytes = 0;
}

static bool note_store(struct ws_races *races, struct ws_shadow *shadow, const u8 *at, u64 bytes, const struct ws_moment *now)
{
    for (u64 n = 0; n < bytes; n += races->granule)
        if (!cell_at(races, shadow, at + n))
            return false;
    races->pending = (struct pending){.at = at, .bytes = bytes, .now = *now, .shadow = shadow};
    memcpy(races->pending.before, at, bytes);
    return true;
}

/* Whether the value that an atomic returns, or one of its elements, is read. */
static bool reads_result(const struct ws_races *races, const struct ws_op *op)
{
    for (u32 n = 0; n < sizeof op->dst / sizeof *op->dst; n++)
        if (op->dst[n] != WS_SLOT_NONE && races->is_read[op->dst[n]])
            return true;
    return false;
}

bool ws_races_note(struct ws_races *races, const struct ws_step *step, const u8 *at, u64 bytes, bool writes)
{
    const struct ws_run *const run = races->run;
    struct ws_shadow *const shadow = shadow_of(races, step->range);
    if (races->hint && (shadow != run->shadow || races->hint_left == 0)) {
        ws_races_end(races);
        return true;
    }
    races->hint_left--;
    const struct ws_moment now = {.block = (u32)run->block,
                                  .epoch = run->epoch,
                                  .step = run->steps,
                                  .thread = (u16)run->index,
                                  .pc = (u16)(step->op - run->plan->kernel->ops)};
    ws_races_end(races);
    if (!shadow)
        return true;
    const bool loads = !writes || reads_result(races, step->op);
    return (!loads || note_load(races, shadow, at, bytes, &now)) && (!writes || note_store(races, shadow, at, bytes, &now));
}
