#include <stdlib.h>
#include <string.h>

#include "frontend/ptx/passes/kernel.h"

/* A register file: the points at which each register is taken, as bits. Filled greedily in the order of first points, which would
 * be optimal for ranges without holes. */
struct file {
    u64 **taken; /* NULL for a register not yet used */
    u32 size;
};

/* Registers that should share an allocated one. */
struct wish {
    u16 other;
    u32 next; /* + 1 */
};

struct pass {
    struct ptx_kernel *kernel;
    const struct ptx_linear *linear;
    const struct ptx_liveness *liveness;
    struct ptx_allocation *allocation;
    struct file general, predicates;
    u32 words; /* of a register's points */
    struct wish *wishes;
    u32 *first_wish; /* by register, + 1 */
    u32 wish_count;
    bool fits, predicates_fail;
};

/* ---- Points ---- */

static u64 mask_of(const struct ptx_range *range, u32 word)
{
    const u32 first = word * 64;
    u64 mask = ~(u64)0;
    if (range->from > first)
        mask &= ~(u64)0 << (range->from - first);
    if (range->to < first + 63)
        mask &= ~(u64)0 >> (first + 63 - range->to);
    return mask;
}

static bool is_free(const struct pass *pass, const u64 *taken, u16 slot)
{
    for (u32 n = pass->liveness->first[slot]; taken && n < pass->liveness->first[slot + 1]; n++) {
        const struct ptx_range *range = &pass->liveness->ranges[n];
        for (u32 word = range->from / 64; word <= range->to / 64; word++)
            if (taken[word] & mask_of(range, word))
                return false;
    }
    return true;
}

static enum ws_status take(struct pass *pass, u64 **taken, u16 slot)
{
    if (!*taken)
        *taken = ws_arena_array(pass->kernel->arena, pass->words, sizeof **taken);
    if (!*taken)
        return ptx_no_memory(pass->kernel->error);
    for (u32 n = pass->liveness->first[slot]; n < pass->liveness->first[slot + 1]; n++) {
        const struct ptx_range *range = &pass->liveness->ranges[n];
        for (u32 word = range->from / 64; word <= range->to / 64; word++)
            (*taken)[word] |= mask_of(range, word);
    }
    return WS_STATUS_ok;
}

/* ---- Choosing ---- */

static bool fits(const struct pass *pass, const struct file *file, u16 slot, u32 place, u32 units)
{
    for (u32 n = 0; n < units; n++)
        if (place + n >= file->size || !is_free(pass, file->taken[place + n], slot))
            return false;
    return true;
}

/* The register to share with, if free. */
static bool find_wished(const struct pass *pass, const struct file *file, u16 slot, u32 units, u32 base, u32 *place)
{
    for (u32 n = pass->first_wish[slot]; n; n = pass->wishes[n - 1].next) {
        const u8 of = pass->allocation->of[pass->wishes[n - 1].other];
        if (of != WS_NO_REGISTER && fits(pass, file, slot, of - base, units)) {
            *place = of - base;
            return true;
        }
    }
    return false;
}

static bool find_lowest(const struct pass *pass, const struct file *file, u16 slot, u32 units, u32 *place)
{
    for (*place = 0; *place < file->size; *place += units)
        if (fits(pass, file, slot, *place, units))
            return true;
    return false;
}

/* Ends the allocation. */
static enum ws_status too_few(struct pass *pass, bool predicates)
{
    pass->fits = false;
    pass->predicates_fail = predicates;
    return WS_STATUS_ok;
}

static enum ws_status assign(struct pass *pass, u16 slot)
{
    const u8 width = pass->kernel->body.widths[slot];
    const bool predicate = width == 1;
    struct file *file = predicate ? &pass->predicates : &pass->general;
    const u32 units = width == 8 ? 2 : 1, base = predicate ? PTX_FIRST_PREDICATE : 0;
    u32 place;
    if (!find_wished(pass, file, slot, units, base, &place) && !find_lowest(pass, file, slot, units, &place))
        return too_few(pass, predicate);
    for (u32 n = 0; n < units; n++)
        WS_TRY(take(pass, &file->taken[place + n], slot));
    pass->allocation->of[slot] = (u8)(place + base);
    if (!predicate && pass->allocation->registers < place + units)
        pass->allocation->registers = place + units;
    return WS_STATUS_ok;
}

/* ---- Wishes ---- */

static void wish(struct pass *pass, u16 slot, u16 other)
{
    pass->wishes[pass->wish_count] = (struct wish){.other = other, .next = pass->first_wish[slot]};
    pass->first_wish[slot] = ++pass->wish_count;
}

static enum ws_status make_wishes(struct pass *pass, bool join_moves)
{
    const struct ptx_body *body = &pass->kernel->body;
    pass->first_wish = ws_arena_array(pass->kernel->arena, body->register_count, sizeof *pass->first_wish);
    pass->wishes = ws_arena_array(pass->kernel->arena, join_moves ? (size_t)pass->linear->count * 4 : 0, sizeof *pass->wishes);
    if (!pass->first_wish || !pass->wishes)
        return ptx_no_memory(pass->kernel->error);
    for (u32 n = 0; n < pass->linear->count && join_moves; n++) {
        const struct ws_op *op = &pass->linear->ops[n];
        if (op->opcode != WS_OP_selp || op->guard != WS_SLOT_NONE || op->dst[0] == WS_SLOT_NONE)
            continue;
        for (u32 s = 0; s < 2; s++)
            if (ptx_is_register(body, op->src[s]) && body->widths[op->src[s]] == body->widths[op->dst[0]]) {
                wish(pass, op->dst[0], op->src[s]);
                wish(pass, op->src[s], op->dst[0]);
            }
    }
    return WS_STATUS_ok;
}

/* ---- Order ---- */

struct candidate {
    u32 from;
    u16 slot;
};

static int compare_candidates(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return a->slot < b->slot ? -1 : a->slot > b->slot;
}

static enum ws_status assign_all(struct pass *pass)
{
    const size_t registers = pass->kernel->body.register_count;
    struct candidate *candidates = ws_arena_array(pass->kernel->arena, registers, sizeof *candidates);
    size_t count = 0;
    if (!candidates)
        return ptx_no_memory(pass->kernel->error);
    for (size_t slot = 0; slot < registers; slot++) {
        u32 from = PTX_NOWHERE;
        for (u32 n = pass->liveness->first[slot]; n < pass->liveness->first[slot + 1]; n++)
            from = pass->liveness->ranges[n].from < from ? pass->liveness->ranges[n].from : from;
        if (from != PTX_NOWHERE)
            candidates[count++] = (struct candidate){.from = from, .slot = (u16)slot};
    }
    if (count)
        qsort(candidates, count, sizeof *candidates, compare_candidates);
    for (size_t n = 0; n < count && pass->fits; n++)
        WS_TRY(assign(pass, candidates[n].slot));
    return WS_STATUS_ok;
}

enum ws_status ptx_allocate(struct ptx_kernel *kernel, const struct ptx_linear *linear, const struct ptx_liveness *liveness,
                            bool join_moves, struct ptx_allocation *allocation, bool *fits, bool *predicates)
{
    struct pass pass = {.kernel = kernel, .linear = linear, .liveness = liveness, .allocation = allocation, .fits = true};
    const size_t registers = kernel->body.register_count;
    *fits = liveness->most_live <= PTX_GENERAL && liveness->most_predicates <= PTX_PREDICATES;
    *predicates = liveness->most_predicates > PTX_PREDICATES;
    if (!*fits)
        return WS_STATUS_ok;
    pass.words = linear->count / 32 + 1;
    pass.general.size = PTX_GENERAL;
    pass.predicates.size = PTX_PREDICATES;
    pass.general.taken = ws_arena_array(kernel->arena, PTX_GENERAL, sizeof(u64 *));
    pass.predicates.taken = ws_arena_array(kernel->arena, PTX_PREDICATES, sizeof(u64 *));
    allocation->registers = 0;
    allocation->of = ws_arena_array(kernel->arena, registers, sizeof *allocation->of);
    if (!pass.general.taken || !pass.predicates.taken || !allocation->of)
        return ptx_no_memory(kernel->error);
    memset(allocation->of, WS_NO_REGISTER, registers);
    WS_TRY(make_wishes(&pass, join_moves));
    WS_TRY(assign_all(&pass));
    *fits = pass.fits;
    *predicates = pass.predicates_fail;
    return WS_STATUS_ok;
}
