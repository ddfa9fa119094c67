#include "import/observe.h"

#include <inttypes.h>

#include "base/error.h"

#define LOCAL_MOST (1ull << 34)

static enum ws_status fail(const struct sass_observed *observed, struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", observed->walk->input->path);
}

u32 sass_warp_mask(const struct sass_header *header, u32 warp)
{
    const u32 left = sass_threads(header) - warp * SASS_LANES;
    return left >= SASS_LANES ? 0xFFFFFFFFu : (1u << left) - 1;
}

/* ---- Paths ---- */

/* A lane executes op: instructions between its previous one and this one are predicated off for it. */
static enum ws_status follow(struct sass_observed *observed, u32 lane, const struct sass_op *op, struct ws_error *error)
{
    struct sass_code *const code = observed->walk->code;
    const u32 number = observed->last[lane];
    struct sass_op *const last = number == SASS_NONE ? NULL : &code->ops[number];
    if (last && last->transfers)
        return sass_code_target(code, last, op->pc) ? WS_STATUS_ok : fail(observed, error);
    if (last && op->pc <= last->pc)
        return sass_input_fail(observed->walk->input, error, "lane %u of warp %u goes back from pc %04x (%s), which is no branch",
                               lane, observed->warp, last->pc, last->opcode);
    if (last && last->class_ == WS_CLASS_exit) { /* in the mask, but with a false guard */
        last->outlived++;
        observed->live |= 1u << lane;
    }
    u32 *const farthest = last ? &last->after : &observed->entry;
    *farthest = ws_max(*farthest, op->pc);
    return WS_STATUS_ok;
}

/* If all live lanes take a direct branch, the next instruction is its target, even if no lane executes it. */
static enum ws_status arrive(struct sass_observed *observed, const struct sass_op *op, struct ws_error *error)
{
    struct sass_code *const code = observed->walk->code;
    if (observed->branch == SASS_NONE)
        return WS_STATUS_ok;
    return sass_code_target(code, &code->ops[observed->branch], op->pc) ? WS_STATUS_ok : fail(observed, error);
}

static enum ws_status follow_all(struct sass_observed *observed, const struct sass_record *record, struct ws_error *error)
{
    const struct sass_op *const op = record->op;
    const u32 number = (u32)(op - observed->walk->code->ops), beyond = record->mask & ~observed->threads;
    if (beyond)
        return sass_input_fail(observed->walk->input, error, "mask %08" PRIx32 " of warp %" PRIu32 ", whose threads are %08" PRIx32,
                               record->mask, observed->warp, observed->threads);
    WS_TRY(arrive(observed, op, error));
    if (record->mask) {
        record->op->apart |= op->warp == observed->warps;
        record->op->warp = observed->warps;
    }
    for (u32 lane = 0; lane < SASS_LANES; lane++) {
        if (!(record->mask >> lane & 1))
            continue;
        WS_TRY(follow(observed, lane, op, error));
        observed->last[lane] = number;
    }
    if (op->class_ == WS_CLASS_exit)
        observed->live &= ~record->mask;
    observed->branch = op->direct && record->mask && record->mask == observed->live ? number : SASS_NONE;
    return WS_STATUS_ok;
}

/* ---- Addresses ---- */

static enum ws_status touch(struct sass_observed *observed, struct sass_op *op, u64 address, struct ws_error *error)
{
    const struct sass_walk *const walk = observed->walk;
    u64 offset;
    const u32 space = sass_place(walk->header, op, address, &offset);
    op->spaces |= 1u << space;
    if (op->space == WS_SPACE_none && !walk->header->windows)
        return sass_input_fail(walk->input, error,
                               "%s has generic addresses, and the header has no bases of shared and local memory; record with a "
                               "tracer that writes them",
                               op->opcode);
    if (offset % op->bytes)
        return sass_input_fail(walk->input, error, "address 0x%" PRIx64 " of %s is no multiple of %u bytes", address, op->opcode,
                               op->bytes);
    if (space == WS_SPACE_global)
        return sass_pages_add(&observed->pages, offset) ? WS_STATUS_ok : fail(observed, error);
    if (offset >= (space == WS_SPACE_shared ? SASS_WINDOW : LOCAL_MOST))
        return sass_input_fail(walk->input, error, "address 0x%" PRIx64 " of %s is too large for its memory", address, op->opcode);
    if (space == WS_SPACE_shared)
        observed->shared_bytes = ws_max(observed->shared_bytes, (u32)offset + op->bytes);
    return WS_STATUS_ok;
}

/* ---- The walk ---- */

static enum ws_status observe_block(void *context, u64 index, struct ws_error *error)
{
    (void)context, (void)index, (void)error;
    return WS_STATUS_ok;
}

static enum ws_status observe_warp(void *context, u32 warp, struct ws_error *error)
{
    struct sass_observed *const observed = context;
    (void)error;
    observed->warp = warp;
    observed->warps++;
    observed->threads = observed->live = sass_warp_mask(observed->walk->header, warp);
    observed->branch = SASS_NONE;
    for (u32 lane = 0; lane < SASS_LANES; lane++)
        observed->last[lane] = SASS_NONE;
    return WS_STATUS_ok;
}

static enum ws_status observe_record(void *context, const struct sass_record *record, struct ws_error *error)
{
    struct sass_observed *const observed = context;
    struct sass_op *const op = record->op;
    op->records++;
    op->executed |= record->mask != 0;
    observed->warp_instructions++;
    observed->thread_instructions += ws_popcount(record->mask);
    WS_TRY(follow_all(observed, record, error));
    if (op->class_ < WS_CLASS_load || op->class_ > WS_CLASS_atomic)
        return WS_STATUS_ok;
    op->bare |= record->mask && !record->addresses;
    if (op->bare && op->addressed)
        return sass_input_fail(observed->walk->input, error, "%s has addresses in one record and none in another", op->opcode);
    for (u32 n = 0; n < record->addresses; n++)
        WS_TRY(touch(observed, op, record->address[n], error));
    return WS_STATUS_ok;
}

static enum ws_status observe_warp_end(void *context, struct ws_error *error)
{
    const struct sass_observed *const observed = context;
    if (!observed->live)
        return WS_STATUS_ok;
    return sass_input_fail(observed->walk->input, error,
                           "warp %" PRIu32 " ends, and its lanes %08" PRIx32 " have not executed EXIT", observed->warp,
                           observed->live);
}

static enum ws_status observe_block_end(void *context, struct ws_error *error)
{
    (void)context, (void)error;
    return WS_STATUS_ok;
}

enum ws_status sass_observe(struct sass_observed *observed, struct ws_error *error)
{
    const struct sass_visitor visitor = {observe_block,    observe_warp,      observe_record,
                                         observe_warp_end, observe_block_end, observed};
    return sass_walk(observed->walk, &visitor, error);
}

void sass_observed_free(struct sass_observed *observed)
{
    sass_pages_free(&observed->pages);
}
