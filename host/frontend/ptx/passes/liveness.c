#include <string.h>

#include "frontend/ptx/passes/kernel.h"

/* Liveness during the backward walk of a block. Between two definitions of a guard, a guarded operation belongs to the threads for
 * which it holds, or to the others. if_true and if_false are the registers that each of them needs. While guard is WS_SLOT_NONE,
 * if_true covers all threads. */
struct live {
    u64 *if_true, *if_false;
    u32 words;
    u16 guard;
};

struct pass {
    struct ptx_kernel *kernel;
    const struct ptx_linear *linear;
    struct live live;
    u64 *live_in; /* words by span */
    /* for the second walk */
    u32 *open; /* by register: last point of the current range, or PTX_NOWHERE */
    struct ptx_range *ranges;
    u32 *owner; /* register of each range */
    size_t range_count, range_room, owner_room;
    u32 now, most; /* live 32-bit registers */
    u32 now_predicates, most_predicates;
    u32 peak, predicate_peak; /* operations */
};

static bool has(const u64 *set, u16 slot)
{
    return set[slot / 64] >> slot % 64 & 1;
}

static void add(u64 *set, u16 slot)
{
    set[slot / 64] |= (u64)1 << slot % 64;
}

static void drop(u64 *set, u16 slot)
{
    set[slot / 64] &= ~((u64)1 << slot % 64);
}

static bool is_live(const struct live *live, u16 slot)
{
    return has(live->if_true, slot) || (live->guard != WS_SLOT_NONE && has(live->if_false, slot));
}

/* ---- One operation of the backward walk ---- */

static void forget_guard(struct live *live)
{
    if (live->guard == WS_SLOT_NONE)
        return;
    for (u32 n = 0; n < live->words; n++)
        live->if_true[n] |= live->if_false[n];
    live->guard = WS_SLOT_NONE;
}

static void follow_guard(struct live *live, u16 guard)
{
    if (live->guard == guard)
        return;
    forget_guard(live);
    memcpy(live->if_false, live->if_true, live->words * sizeof *live->if_false);
    live->guard = guard;
}

static void use_and_define(const struct ptx_body *body, u64 *set, const struct ws_op *op, bool kills)
{
    for (u32 n = 0; n < WS_OP_RESULTS && kills; n++)
        if (op->dst[n] != WS_SLOT_NONE)
            drop(set, op->dst[n]);
    for (u32 n = 0; n < WS_OP_SOURCES; n++)
        if (ptx_is_register(body, op->src[n]))
            add(set, op->src[n]);
}

/* Where its guard is false, nobody reads the results of the load of a part: its copy stores zeros. */
static bool defines_for_all(const struct ws_op *op)
{
    return op->opcode == WS_OP_ld && op->access & WS_ACCESS_PART;
}

static void step(const struct ptx_body *body, struct live *live, const struct ws_op *op)
{
    const u16 guard = op->guard;
    const bool guarded = guard != WS_SLOT_NONE && op->opcode != WS_OP_branch && !defines_for_all(op);
    if (live->guard != WS_SLOT_NONE && ptx_writes(op, live->guard))
        forget_guard(live);
    if (!guarded) {
        use_and_define(body, live->if_true, op, true);
        if (live->guard != WS_SLOT_NONE)
            use_and_define(body, live->if_false, op, true);
    } else if (ptx_writes(op, guard)) {
        forget_guard(live);
        use_and_define(body, live->if_true, op, false);
    } else {
        follow_guard(live, guard);
        use_and_define(body, op->flags & WS_OP_NOT_GUARD ? live->if_false : live->if_true, op, true);
    }
    if (guard == WS_SLOT_NONE)
        return;
    add(live->if_true, guard);
    if (live->guard != WS_SLOT_NONE)
        add(live->if_false, guard);
}

/* ---- First walk: liveness at block starts ---- */

static void begin_at_end(struct pass *pass, const struct ptx_span *span)
{
    struct live *live = &pass->live;
    live->guard = WS_SLOT_NONE;
    memset(live->if_true, 0, live->words * sizeof *live->if_true);
    for (u32 s = 0; s < span->successor_count; s++)
        for (u32 n = 0; n < live->words; n++)
            live->if_true[n] |= pass->live_in[(size_t)span->successors[s] * live->words + n];
}

static bool walk_span(struct pass *pass, u32 number)
{
    const struct ptx_span *span = &pass->linear->spans[number];
    struct live *live = &pass->live;
    u64 *before = &pass->live_in[(size_t)number * live->words];
    begin_at_end(pass, span);
    for (u32 op = span->end; op-- > span->first;)
        step(&pass->kernel->body, live, &pass->linear->ops[op]);
    forget_guard(live);
    if (memcmp(before, live->if_true, live->words * sizeof *before) == 0)
        return false;
    memcpy(before, live->if_true, live->words * sizeof *before);
    return true;
}

static void find_live_in(struct pass *pass)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (u32 n = pass->linear->span_count; n-- > 0;)
            changed |= walk_span(pass, n);
    }
}

/* ---- Second walk: ranges and numbers ---- */

static u32 weight(const struct pass *pass, u16 slot)
{
    const u8 width = pass->kernel->body.widths[slot];
    return width == 1 ? 0 : width == 8 ? 2 : 1;
}

static enum ws_status add_range(struct pass *pass, u16 slot, u32 from, u32 to)
{
    struct ws_arena *arena = pass->kernel->arena;
    struct ptx_range *ranges = ws_arena_grow(arena, pass->ranges, pass->range_count, &pass->range_room, sizeof *ranges);
    u32 *owner = ws_arena_grow(arena, pass->owner, pass->range_count, &pass->owner_room, sizeof *owner);
    if (!ranges || !owner)
        return ptx_no_memory(pass->kernel->error);
    pass->ranges = ranges;
    pass->owner = owner;
    pass->owner[pass->range_count] = slot;
    pass->ranges[pass->range_count++] = (struct ptx_range){from, to};
    return WS_STATUS_ok;
}

static bool is_predicate(const struct pass *pass, u16 slot)
{
    return pass->kernel->body.widths[slot] == 1;
}

static void open_range(struct pass *pass, u16 slot, u32 to)
{
    pass->open[slot] = to;
    pass->now += weight(pass, slot);
    pass->now_predicates += is_predicate(pass, slot);
}

/* Skips ranges that need no allocation: their number could reach registers times blocks. */
static enum ws_status close_range(struct pass *pass, u16 slot, u32 from)
{
    const u32 to = pass->open[slot];
    pass->open[slot] = PTX_NOWHERE;
    pass->now -= weight(pass, slot);
    pass->now_predicates -= is_predicate(pass, slot);
    return pass->most > PTX_GENERAL || pass->most_predicates > PTX_PREDICATES ? WS_STATUS_ok : add_range(pass, slot, from, to);
}

static void note_most(struct pass *pass, u32 n)
{
    if (pass->now > pass->most)
        pass->peak = n;
    if (pass->now_predicates > pass->most_predicates)
        pass->predicate_peak = n;
    pass->most = ws_max(pass->most, pass->now);
    pass->most_predicates = ws_max(pass->most_predicates, pass->now_predicates);
}

/* Updates the open ranges to what is live before operation n, given what is live after it. */
static enum ws_status follow(struct pass *pass, u32 n)
{
    const struct ws_op *op = &pass->linear->ops[n];
    for (u32 d = 0; d < WS_OP_RESULTS; d++) /* an unread result occupies a register when written */
        if (op->dst[d] != WS_SLOT_NONE && pass->open[op->dst[d]] == PTX_NOWHERE)
            open_range(pass, op->dst[d], 2 * n + 1);
    note_most(pass, n);
    step(&pass->kernel->body, &pass->live, op);
    for (u32 d = 0; d < WS_OP_RESULTS; d++)
        if (op->dst[d] != WS_SLOT_NONE && pass->open[op->dst[d]] != PTX_NOWHERE && !is_live(&pass->live, op->dst[d]))
            WS_TRY(close_range(pass, op->dst[d], 2 * n + 1));
    for (u32 s = 0; s < WS_OP_SOURCES + 1; s++) {
        const u16 slot = s < WS_OP_SOURCES ? op->src[s] : op->guard;
        if (ptx_is_register(&pass->kernel->body, slot) && pass->open[slot] == PTX_NOWHERE)
            open_range(pass, slot, 2 * n);
    }
    note_most(pass, n);
    return WS_STATUS_ok;
}

static u16 lowest_slot(u32 word, u64 bits)
{
    return (u16)(word * 64 + (u32)__builtin_ctzll(bits));
}

static enum ws_status follow_span(struct pass *pass, const struct ptx_span *span)
{
    struct live *live = &pass->live;
    if (span->first == span->end)
        return WS_STATUS_ok;
    begin_at_end(pass, span);
    for (u32 word = 0; word < live->words; word++)
        for (u64 bits = live->if_true[word]; bits; bits &= bits - 1)
            open_range(pass, lowest_slot(word, bits), 2 * span->end - 1);
    for (u32 op = span->end; op-- > span->first;)
        WS_TRY(follow(pass, op));
    forget_guard(live);
    for (u32 word = 0; word < live->words; word++)
        for (u64 bits = live->if_true[word]; bits; bits &= bits - 1)
            WS_TRY(close_range(pass, lowest_slot(word, bits), 2 * span->first));
    return WS_STATUS_ok;
}

/* Sorts the ranges by register. */
static enum ws_status sort_ranges(struct pass *pass, struct ptx_liveness *liveness)
{
    const size_t registers = pass->kernel->body.register_count;
    liveness->ranges = ws_arena_array(pass->kernel->arena, pass->range_count, sizeof *liveness->ranges);
    liveness->first = ws_arena_array(pass->kernel->arena, registers + 2, sizeof *liveness->first);
    if (!liveness->ranges || !liveness->first)
        return ptx_no_memory(pass->kernel->error);
    for (size_t n = 0; n < pass->range_count; n++)
        liveness->first[pass->owner[n] + 2]++;
    for (size_t n = 2; n < registers + 2; n++)
        liveness->first[n] += liveness->first[n - 1];
    for (size_t n = 0; n < pass->range_count; n++)
        liveness->ranges[liveness->first[pass->owner[n] + 1]++] = pass->ranges[n];
    liveness->most_live = pass->most;
    liveness->most_predicates = pass->most_predicates;
    liveness->peak = pass->peak;
    liveness->predicate_peak = pass->predicate_peak;
    return WS_STATUS_ok;
}

static enum ws_status allocate(struct pass *pass)
{
    struct ws_arena *arena = pass->kernel->arena;
    const size_t registers = pass->kernel->body.register_count;
    struct live *live = &pass->live;
    live->words = (u32)(registers / 64 + 1);
    live->if_true = ws_arena_array(arena, live->words, sizeof(u64));
    live->if_false = ws_arena_array(arena, live->words, sizeof(u64));
    pass->live_in = ws_arena_array(arena, (size_t)pass->linear->span_count * live->words, sizeof(u64));
    pass->open = ws_arena_array(arena, registers, sizeof *pass->open);
    if (!live->if_true || !live->if_false || !pass->live_in || !pass->open)
        return ptx_no_memory(pass->kernel->error);
    memset(pass->open, 0xFF, registers * sizeof *pass->open);
    return WS_STATUS_ok;
}

enum ws_status ptx_find_liveness(struct ptx_kernel *kernel, const struct ptx_linear *linear, struct ptx_liveness *liveness)
{
    struct pass pass = {.kernel = kernel, .linear = linear};
    WS_TRY(allocate(&pass));
    find_live_in(&pass);
    for (u32 n = linear->span_count; n-- > 0;)
        WS_TRY(follow_span(&pass, &linear->spans[n]));
    return sort_ranges(&pass, liveness);
}
