/* Spilling: predicates go into general registers, general registers into local memory. A spilled register is loaded before each
 * operation that reads it and stored after each that writes it. */
#include <stdlib.h>
#include <string.h>

#include "frontend/ptx/passes/kernel.h"

enum {
    MOST_ROUNDS = 200,
    SOURCES = WS_OP_SOURCES,
    DESTINATIONS = WS_OP_RESULTS,
    GUARD = SOURCES,
    TEMPORARIES = SOURCES + 1 + DESTINATIONS
};

/* Uses of a register: span of operations and weighted count; uses in loops count more. */
struct usage {
    u32 first, last;
    u64 weight;
};

struct pass {
    struct ptx_kernel *kernel;
    struct ptx_linear *linear;
    struct usage *usages;  /* by register */
    bool *chosen;          /* by register: spill it now */
    u16 *home;             /* by register: general register that holds a spilled predicate */
    u32 *offset;           /* by register: position in local memory */
    struct ptx_linear out; /* being written */
    u32 room;
    struct ptx_spills *spills;
};

/* ---- Choosing ---- */

static bool is_temporary(const struct ptx_spills *spills, u16 slot)
{
    return slot < spills->made_count && spills->made[slot];
}

static void use(struct pass *pass, u16 slot, u32 n, u64 weight)
{
    if (slot == WS_SLOT_NONE || !ptx_is_register(&pass->kernel->body, slot))
        return;
    struct usage *const usage = &pass->usages[slot];
    if (usage->weight == 0)
        usage->first = n;
    usage->last = n;
    usage->weight += weight;
}

/* Loop depth of operations: from the target of each backward branch. */
static enum ws_status find_usages(struct pass *pass)
{
    const struct ptx_linear *const linear = pass->linear;
    i32 *const nests = ws_arena_array(pass->kernel->arena, linear->count + 1, sizeof *nests);
    pass->usages = ws_arena_array(pass->kernel->arena, pass->kernel->body.register_count, sizeof *pass->usages);
    if (!nests || !pass->usages)
        return ptx_no_memory(pass->kernel->error);
    for (u32 n = 0; n < linear->count; n++) {
        const struct ws_op *const op = &linear->ops[n];
        if ((op->opcode == WS_OP_branch || op->opcode == WS_OP_jump) && op->target <= n) {
            nests[op->target]++;
            nests[n + 1]--;
        }
    }
    i32 depth = 0;
    for (u32 n = 0; n < linear->count; n++) {
        const struct ws_op *const op = &linear->ops[n];
        depth += nests[n];
        const u64 weight = (u64)1 << 3 * (depth < 6 ? depth : 6);
        for (u32 s = 0; s < SOURCES; s++)
            use(pass, op->src[s], n, weight);
        use(pass, op->guard, n, weight);
        for (u32 d = 0; d < DESTINATIONS; d++)
            use(pass, op->dst[d], n, weight);
    }
    return WS_STATUS_ok;
}

static u32 units_of(u8 width)
{
    return width == 8 ? 2 : 1;
}

/* Cost of a register: its weighted uses per operation of its span. */
static bool is_cheaper(const struct usage *a, const struct usage *b)
{
    return a->weight * (b->last - b->first + 1) < b->weight * (a->last - a->first + 1);
}

/* Spills registers that span the point of highest pressure, or others, until enough units are free. */
static u32 choose(struct pass *pass, bool predicates, u32 peak, u32 units, bool anywhere)
{
    const struct ptx_body *const body = &pass->kernel->body;
    u32 found = 0;
    while (found < units) {
        u32 best = PTX_NOWHERE;
        for (u32 slot = 0; slot < body->register_count; slot++) {
            const struct usage *const usage = &pass->usages[slot];
            const bool spans = anywhere || (usage->first < peak && usage->last > peak);
            if (usage->weight == 0 || (body->widths[slot] == 1) != predicates || pass->chosen[slot] || !spans ||
                is_temporary(pass->spills, (u16)slot) || usage->last - usage->first < 2)
                continue;
            if (best == PTX_NOWHERE || is_cheaper(usage, &pass->usages[best]))
                best = slot;
        }
        if (best == PTX_NOWHERE)
            break;
        pass->chosen[best] = true;
        found += units_of(body->widths[best]);
    }
    return found;
}

/* ---- Places ---- */

static enum ws_status add_variable(struct pass *pass)
{
    struct ptx_module *const module = pass->kernel->module;
    struct ptx_variable *const larger =
        ws_arena_grow(module->arena, module->variables, module->variable_count, &module->variable_room, sizeof *larger);
    if (!larger)
        return ptx_no_memory(pass->kernel->error);
    module->variables = larger;
    module->variables[module->variable_count] =
        (struct ptx_variable){.name = "spilled registers", .space = WS_SPACE_local, .align = 8};
    pass->spills->variable = (u32)module->variable_count++;
    pass->spills->has_variable = true;
    return WS_STATUS_ok;
}

/* A temporary, which is never spilled. */
static enum ws_status add_register(struct pass *pass, u8 width, bool temporary, u16 *slot)
{
    struct ptx_kernel *const kernel = pass->kernel;
    struct ptx_spills *const spills = pass->spills;
    WS_TRY(ptx_add_register(kernel->arena, &kernel->body, width, slot, kernel->error));
    while (spills->made_count <= *slot) {
        bool *const larger = ws_arena_grow(kernel->arena, spills->made, spills->made_count, &spills->made_room, sizeof *larger);
        if (!larger)
            return ptx_no_memory(kernel->error);
        spills->made = larger;
        spills->made[spills->made_count++] = false;
    }
    spills->made[*slot] = temporary;
    return WS_STATUS_ok;
}

static enum ws_status find_homes(struct pass *pass, size_t count)
{
    for (size_t slot = 0; slot < count; slot++) {
        const u8 width = pass->kernel->body.widths[slot];
        if (!pass->chosen[slot])
            continue;
        if (width == 1) {
            WS_TRY(add_register(pass, 4, false, &pass->home[slot]));
            continue;
        }
        if (!pass->spills->has_variable)
            WS_TRY(add_variable(pass));
        struct ptx_variable *const variable = &pass->kernel->module->variables[pass->spills->variable];
        const u32 bytes = width < 4 ? 4 : width;
        pass->offset[slot] = (variable->bytes + bytes - 1) / bytes * bytes;
        variable->bytes = pass->offset[slot] + bytes;
    }
    return WS_STATUS_ok;
}

/* The temporary of an operand: one for each operand position and width. */
static enum ws_status temporary(struct pass *pass, u32 place, u8 width, u16 *slot)
{
    u16 *const known = &pass->spills->temporaries[place][width == 1 ? 0 : width == 2 ? 1 : width == 4 ? 2 : 3];
    if (*known == 0)
        WS_TRY(add_register(pass, width, true, known));
    *slot = *known;
    return WS_STATUS_ok;
}

/* ---- Rewriting ---- */

static enum ws_status put(struct pass *pass, const struct ws_op *op, u16 reconverge)
{
    struct ptx_linear *const out = &pass->out;
    if (out->count == pass->room) {
        struct ws_arena *const arena = pass->kernel->arena;
        const u32 room = pass->room * 2 + 64;
        struct ws_op *const ops = ws_arena_array(arena, room, sizeof *ops);
        u16 *const meets = ws_arena_array(arena, room, sizeof *meets);
        if (!ops || !meets)
            return ptx_no_memory(pass->kernel->error);
        if (out->count) {
            memcpy(ops, out->ops, out->count * sizeof *ops);
            memcpy(meets, out->reconverge, out->count * sizeof *meets);
        }
        out->ops = ops;
        out->reconverge = meets;
        pass->room = room;
    }
    out->ops[out->count] = *op;
    out->reconverge[out->count++] = reconverge;
    return WS_STATUS_ok;
}

static enum ws_status constant(struct pass *pass, u64 value, u16 *slot)
{
    const struct ws_input input = {.kind = WS_INPUT_constant, .value = value};
    return ptx_add_input(pass->kernel->arena, &pass->kernel->body, &input, slot, pass->kernel->error);
}

/* Accesses the place of a register, or moves between a predicate and its general register. */
static enum ws_status transfer(struct pass *pass, u32 line, u16 slot, u16 with, bool store)
{
    const u8 width = pass->kernel->body.widths[slot];
    struct ws_op op = ptx_op(store ? WS_OP_st : WS_OP_ld, ptx_width_type(width), line);
    if (width == 1 && store) { /* home = with ? 1 : 0 */
        op = ptx_op(WS_OP_selp, WS_TYPE_u32, line);
        op.width = 4;
        op.dst[0] = pass->home[slot];
        WS_TRY(constant(pass, 1, &op.src[0]));
        WS_TRY(constant(pass, 0, &op.src[1]));
        op.src[2] = with;
        return put(pass, &op, WS_PC_NONE);
    }
    if (width == 1) { /* with = home != 0 */
        op = ptx_op(WS_OP_setp, WS_TYPE_u32, line);
        op.compare = WS_COMPARE_ne;
        op.width = 1;
        op.dst[0] = with;
        op.src[0] = pass->home[slot];
        WS_TRY(constant(pass, 0, &op.src[1]));
        return put(pass, &op, WS_PC_NONE);
    }
    const struct ws_input place = {.kind = WS_INPUT_address, .space = WS_SPACE_local, .value = pass->spills->variable};
    op.space = WS_SPACE_local;
    op.offset = (i32)pass->offset[slot];
    WS_TRY(ptx_add_input(pass->kernel->arena, &pass->kernel->body, &place, &op.src[0], pass->kernel->error));
    if (store) {
        op.src[1] = with;
    } else {
        op.width = width;
        op.dst[0] = with;
    }
    return put(pass, &op, WS_PC_NONE);
}

static bool is_chosen(const struct pass *pass, size_t count, u16 slot)
{
    return slot < count && pass->chosen[slot];
}

static enum ws_status load(struct pass *pass, u32 line, u32 place, u16 *slot)
{
    u16 loaded = WS_SLOT_NONE;
    WS_TRY(temporary(pass, place, pass->kernel->body.widths[*slot], &loaded));
    WS_TRY(transfer(pass, line, *slot, loaded, false));
    *slot = loaded;
    return WS_STATUS_ok;
}

/* A guarded operation may leave its destinations unchanged, so these are loaded first. */
static enum ws_status rewrite_op(struct pass *pass, size_t count, struct ws_op op, u16 reconverge)
{
    const struct ws_op old = op;
    const bool guarded = op.guard != WS_SLOT_NONE && op.opcode != WS_OP_branch;
    for (u32 s = 0; s < SOURCES; s++)
        if (is_chosen(pass, count, op.src[s]))
            WS_TRY(load(pass, op.line, s, &op.src[s]));
    if (is_chosen(pass, count, op.guard))
        WS_TRY(load(pass, op.line, GUARD, &op.guard));
    for (u32 d = 0; d < DESTINATIONS; d++) {
        if (!is_chosen(pass, count, op.dst[d]))
            continue;
        if (guarded)
            WS_TRY(load(pass, op.line, GUARD + 1 + d, &op.dst[d]));
        else
            WS_TRY(temporary(pass, GUARD + 1 + d, pass->kernel->body.widths[op.dst[d]], &op.dst[d]));
    }
    WS_TRY(put(pass, &op, reconverge));
    for (u32 d = 0; d < DESTINATIONS; d++)
        if (is_chosen(pass, count, old.dst[d]))
            WS_TRY(transfer(pass, op.line, old.dst[d], op.dst[d], true));
    return WS_STATUS_ok;
}

/* Adjusts targets, reconvergence points and spans to the inserted operations. */
static void move_places(struct pass *pass, const u32 *start)
{
    struct ptx_linear *const out = &pass->out;
    for (u32 n = 0; n < out->count; n++) {
        if (out->ops[n].opcode == WS_OP_branch || out->ops[n].opcode == WS_OP_jump)
            out->ops[n].target = start[out->ops[n].target];
        if (out->reconverge[n] != WS_PC_NONE)
            out->reconverge[n] = (u16)start[out->reconverge[n]];
    }
    for (u32 n = 0; n < out->span_count; n++) {
        out->spans[n].first = start[out->spans[n].first];
        out->spans[n].end = start[out->spans[n].end];
    }
}

static enum ws_status rewrite(struct pass *pass, size_t count)
{
    const struct ptx_linear *const from = pass->linear;
    u32 *const start = ws_arena_array(pass->kernel->arena, from->count + 1, sizeof *start);
    if (!start)
        return ptx_no_memory(pass->kernel->error);
    pass->out = (struct ptx_linear){.spans = from->spans, .span_count = from->span_count};
    for (u32 n = 0; n < from->count; n++) {
        start[n] = pass->out.count;
        WS_TRY(rewrite_op(pass, count, from->ops[n], from->reconverge[n]));
    }
    start[from->count] = pass->out.count;
    if (pass->out.count > PTX_MOST_INSTRUCTIONS)
        return ws_fail(pass->kernel->error, WS_STATUS_bad_input,
                       "%s: kernel '%s' has %u instructions once registers are spilled; %d is the most",
                       ws_place_text(&pass->kernel->module->places, pass->kernel->entry->line).text, pass->kernel->entry->name,
                       pass->out.count, (int)PTX_MOST_INSTRUCTIONS);
    move_places(pass, start);
    *pass->linear = pass->out;
    return WS_STATUS_ok;
}

/* Spills enough units of a register file; *done: whether any could be spilled. */
static enum ws_status spill(struct ptx_kernel *kernel, struct ptx_linear *linear, struct ptx_spills *spills, bool predicates,
                            u32 peak, u32 units, bool *done)
{
    const size_t count = kernel->body.register_count;
    struct pass pass = {.kernel = kernel, .linear = linear, .spills = spills};
    pass.chosen = ws_arena_array(kernel->arena, count, sizeof *pass.chosen);
    pass.home = ws_arena_array(kernel->arena, count, sizeof *pass.home);
    pass.offset = ws_arena_array(kernel->arena, count, sizeof *pass.offset);
    if (!pass.chosen || !pass.home || !pass.offset)
        return ptx_no_memory(kernel->error);
    WS_TRY(find_usages(&pass));
    *done = choose(&pass, predicates, peak, units, false) > 0 || choose(&pass, predicates, peak, units, true) > 0;
    if (!*done)
        return WS_STATUS_ok;
    WS_TRY(find_homes(&pass, count));
    return rewrite(&pass, count);
}

static u32 excess(u32 most, u32 limit)
{
    return most > limit ? most - limit : 0;
}

enum ws_status ptx_fit_registers(struct ptx_kernel *kernel, struct ptx_linear *linear, bool join_moves,
                                 struct ptx_liveness *liveness, struct ptx_allocation *allocation)
{
    struct ptx_spills spills = {.made_count = 0};
    bool fits = false, goes_on = true;
    for (u32 round = 0; goes_on; round++) {
        bool predicates;
        WS_TRY(ptx_find_liveness(kernel, linear, liveness));
        WS_TRY(ptx_allocate(kernel, linear, liveness, join_moves, allocation, &fits, &predicates));
        if (fits)
            return WS_STATUS_ok;
        const u32 over = predicates ? excess(liveness->most_predicates, PTX_PREDICATES) : excess(liveness->most_live, PTX_GENERAL);
        WS_TRY(spill(kernel, linear, &spills, predicates, predicates ? liveness->predicate_peak : liveness->peak, over ? over : 2,
                     &goes_on));
        goes_on &= round < MOST_ROUNDS;
    }
    return ws_fail(kernel->error, WS_STATUS_bad_input,
                   "%s: kernel '%s' needs more than %d registers or %d predicates for single instructions",
                   ws_place_text(&kernel->module->places, kernel->entry->line).text, kernel->entry->name, (int)PTX_GENERAL,
                   (int)PTX_PREDICATES);
}
