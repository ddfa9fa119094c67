#include "sass/exec/lower.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

enum { MOST_OPERATIONS = 65534, MOST_CONTEXTS = 4096, PADDING = 0x918 };

enum ws_status sass_no_memory(const struct lowering *lowering)
{
    return ws_fail(lowering->error, WS_STATUS_no_memory, "kernel %s: out of memory", lowering->machine->name);
}

enum ws_status sass_refuse(const struct lowering *lowering, const char *what)
{
    const struct ws_sass_instruction *const in = &lowering->code[lowering->instruction];
    return ws_fail(
        lowering->error, WS_STATUS_bad_input, "%s: found %s (word 0x%016llx%016llx), which is not executed; try the kernel's PTX",
        ws_sass_place(lowering->machine, in->offset).text, what, (unsigned long long)in->word[1], (unsigned long long)in->word[0]);
}

/* ---- Decoding ---- */

static enum ws_status decode(struct lowering *lowering)
{
    const struct ws_sass_kernel *const machine = lowering->machine;
    lowering->code = ws_arena_array(lowering->arena, machine->words + 1u, sizeof *lowering->code);
    lowering->failures = ws_arena_array(lowering->arena, machine->words + 1u, sizeof *lowering->failures);
    if (!lowering->code || !lowering->failures)
        return sass_no_memory(lowering);
    for (u32 n = 0; n < machine->words; n++) {
        char failure[300];
        if (ws_sass_decode(machine->code[n], n * WS_SASS_WORD, machine->abi->architecture, &lowering->code[n], failure,
                           sizeof failure))
            continue;
        lowering->failures[n] = ws_arena_text(lowering->arena, failure, strlen(failure));
        if (!lowering->failures[n])
            return sass_no_memory(lowering);
    }
    return WS_STATUS_ok;
}

/* ---- Contexts ---- */

static bool is(const struct ws_sass_instruction *in, enum ws_sass_does does)
{
    return in->row && in->row->does == does;
}

/* Whether an instruction executes unconditionally. */
static bool is_certain(const struct ws_sass_instruction *in)
{
    const struct ws_sass_operand *const more = ws_sass_operand(in, 'P');
    const bool always = in->guard == 7 && !in->guard_negative;
    return always && (!more || (more->number == WS_SASS_ZERO && !more->negative));
}

/* The target of a branch or call, as an offset. */
static u32 target_of(const struct ws_sass_instruction *in)
{
    const struct ws_sass_operand *const target = ws_sass_operand(in, 't');
    return target ? (u32)target->value : 0;
}

/* The operand that an instruction copies to a register unchanged; NULL if it is no such copy. */
static const struct ws_sass_operand *moved_into(const struct ws_sass_instruction *in, u32 number)
{
    const struct ws_sass_operand *const to = in->row ? ws_sass_operand(in, 'd') : NULL;
    if (!to || to->file != WS_SASS_R || to->number != number || in->guard != 7 || in->guard_negative)
        return NULL;
    if (is(in, WS_SASS_DOES_mov))
        return ws_sass_operand(in, 'b');
    const bool adds = is(in, WS_SASS_DOES_imad) && ws_sass_operand(in, 'a')->number == WS_SASS_ZERO;
    return adds && !ws_sass_operand(in, 'c')->negative ? ws_sass_operand(in, 'c') : NULL;
}

static bool writes_register(const struct ws_sass_instruction *in, u32 number)
{
    for (u32 n = 0; n < in->operand_count; n++) {
        const struct ws_sass_operand *const to = &in->operands[n];
        if (to->writes && to->file == WS_SASS_R && to->kind == WS_SASS_IS_REGISTER && number - to->number < to->words)
            return true;
    }
    return false;
}

/* Whether a load and a store access the same word of the stack frame. */
static bool is_same_word(const struct ws_sass_instruction *load, const struct ws_sass_instruction *store, u32 number, u32 *stored)
{
    const struct ws_sass_operand *const from = ws_sass_operand(load, 'm'), *const to =
                                                                               store->row ? ws_sass_operand(store, 'm') : NULL;
    const u32 word = number - ws_sass_operand(load, 'd')->number;
    if (!to || !is(store, WS_SASS_DOES_store) || store->row->space != WS_SPACE_local || from->number != to->number ||
        from->uniform != to->uniform)
        return false;
    const int64_t offset = from->value + 4 * word - to->value;
    *stored = ws_sass_operand(store, 'r')->number + (u32)(offset / 4);
    return offset >= 0 && offset < (int64_t)(4 * ws_sass_words(store, ws_sass_operand(store, 'r'))) && offset % 4 == 0;
}

/* The instruction that stores what a load from the stack frame loads; `first` if none is found. */
static u32 stored_at(const struct lowering *lowering, u32 first, u32 load, u32 *number)
{
    u32 at = load;
    u32 stored;
    while (at > first && !is_same_word(&lowering->code[load], &lowering->code[at], *number, &stored))
        at--;
    if (at > first)
        *number = stored;
    return at;
}

static bool loads_frame(const struct ws_sass_instruction *in)
{
    return is(in, WS_SASS_DOES_load) && in->row->space == WS_SPACE_local;
}

/* Traces a register back through copies and the stack frame, from instruction `at` to `first`, both excluded. *number: the register
 * at `first`, or *constant: the immediate that was copied. False if the value has another origin. */
static bool follow(const struct lowering *lowering, u32 first, u32 at, u32 *number, const struct ws_sass_operand **constant)
{
    *constant = NULL;
    while (at-- > first) {
        const struct ws_sass_instruction *const in = &lowering->code[at];
        const struct ws_sass_operand *const from = moved_into(in, *number);
        if (loads_frame(in) && writes_register(in, *number)) {
            at = stored_at(lowering, first, at, number);
            if (at == first)
                return false;
            continue;
        }
        if (from && from->kind == WS_SASS_IS_REGISTER && from->file == WS_SASS_R && from->number != WS_SASS_ZERO) {
            *number = from->number;
            continue;
        }
        *constant = from && from->kind == WS_SASS_IS_IMMEDIATE ? from : NULL;
        if (from || writes_register(in, *number))
            return *constant;
    }
    return true;
}

/* Direct successors of an instruction within its function. */
static u32 plain_successors(const struct lowering *lowering, u32 n, u32 next[2])
{
    const struct ws_sass_instruction *const in = &lowering->code[n];
    const bool branches = is(in, WS_SASS_DOES_branch) || is(in, WS_SASS_DOES_branch_uniform) || is(in, WS_SASS_DOES_branch_conv) ||
                          is(in, WS_SASS_DOES_branch_any);
    const bool ends =
        is(in, WS_SASS_DOES_exit) || is(in, WS_SASS_DOES_trap) || is(in, WS_SASS_DOES_ret) || is(in, WS_SASS_DOES_branch);
    u32 count = 0;
    if (branches)
        next[count++] = target_of(in) / WS_SASS_WORD;
    if (!ends || !is_certain(in))
        next[count++] = n + 1;
    return count;
}

/* The first return that is reachable from an instruction; the number of instructions if there is none. */
static enum ws_status reach_return(const struct lowering *lowering, u32 entry, u32 *found)
{
    const u32 words = lowering->machine->words;
    struct ws_arena scratch = {0};
    bool *const seen = ws_arena_array(&scratch, words, sizeof *seen);
    u32 *const stack = ws_arena_array(&scratch, 2 * words + 2, sizeof *stack);
    u32 depth = 0;
    *found = words;
    if (seen && stack)
        stack[depth++] = entry;
    while (depth > 0) {
        const u32 n = stack[--depth];
        u32 next[2];
        if (n >= words || seen[n])
            continue;
        seen[n] = true;
        if (is(&lowering->code[n], WS_SASS_DOES_ret) && n < *found)
            *found = n;
        for (u32 count = plain_successors(lowering, n, next); count > 0;)
            stack[depth++] = next[--count];
    }
    ws_arena_free(&scratch);
    return seen && stack ? WS_STATUS_ok : sass_no_memory(lowering);
}

/* The return address of a call: the constant that earlier instructions copy to the register of the function's return. The return
 * verifies it at execution. */
static bool find_return(const struct lowering *lowering, u32 call, u32 entry, u32 end, u32 *back)
{
    const u32 words = lowering->machine->words;
    const struct ws_sass_operand *constant = NULL;
    u32 number = ws_sass_operand(&lowering->code[end], 'A')->number;
    if (!follow(lowering, entry / WS_SASS_WORD, end, &number, &constant) || constant ||
        !follow(lowering, 0, call, &number, &constant) || !constant)
        return false;
    *back = (u32)constant->value;
    return *back % WS_SASS_WORD == 0 && *back / WS_SASS_WORD < words;
}

static enum ws_status add_context(struct lowering *lowering, struct sass_context context)
{
    struct sass_context *const contexts =
        ws_arena_grow(lowering->arena, lowering->contexts, lowering->context_count, &lowering->context_room, sizeof context);
    if (lowering->context_count == MOST_CONTEXTS)
        return sass_refuse(lowering, "more than 4096 calls");
    context.op_of = ws_arena_array(lowering->arena, lowering->machine->words, sizeof *context.op_of);
    if (!contexts || !context.op_of)
        return sass_no_memory(lowering);
    lowering->contexts = contexts;
    contexts[lowering->context_count++] = context;
    return WS_STATUS_ok;
}

u32 sass_recursive(const struct lowering *lowering, u32 context, u32 entry)
{
    while (context != 0 && lowering->contexts[context].entry != entry)
        context = lowering->contexts[context].caller;
    return context;
}

static enum ws_status add_return(struct lowering *lowering, u32 context, struct sass_return to)
{
    struct sass_context *const own = &lowering->contexts[context];
    own->recursive =
        ws_arena_grow(lowering->arena, own->recursive, own->recursive_count, &own->recursive_room, sizeof *own->recursive);
    if (!own->recursive)
        return sass_no_memory(lowering);
    own->recursive[own->recursive_count++] = to;
    return WS_STATUS_ok;
}

/* Gives a call its own copy of the function; a function that never returns needs none, a recursive call uses the one of its caller.
 * *next: where the path continues. */
static enum ws_status call_context(struct lowering *lowering, u32 context, u32 call, u32 entry, u32 *next)
{
    u32 end, back;
    WS_TRY(reach_return(lowering, entry / WS_SASS_WORD, &end));
    *next = entry / WS_SASS_WORD;
    if (end == lowering->machine->words)
        return WS_STATUS_ok;
    if (!find_return(lowering, call, entry, end, &back))
        return sass_refuse(lowering, "a call without a constant return address");
    *next = back / WS_SASS_WORD;
    const u32 own = sass_recursive(lowering, context, entry);
    if (own)
        return add_return(lowering, own, (struct sass_return){context, back});
    return add_context(lowering, (struct sass_context){.entry = entry, .back = back, .caller = context, .site = call});
}

/* Whether a call through an address may call a function: it returns through R20, or never. The functions of divisions return
 * through other registers, and no code has their address. */
static bool has_address(const struct lowering *lowering, u32 entry)
{
    enum { BACK = 20 };
    const struct ws_sass_operand *constant;
    u32 end;
    if (reach_return(lowering, entry / WS_SASS_WORD, &end) != WS_STATUS_ok || end == lowering->machine->words)
        return true;
    u32 number = ws_sass_operand(&lowering->code[end], 'A')->number;
    return !follow(lowering, entry / WS_SASS_WORD, end, &number, &constant) || number == BACK;
}

bool sass_callee(const struct lowering *lowering, u32 n, u32 *entry)
{
    for (u32 i = 0; i < lowering->machine->function_count; i++) {
        *entry = lowering->machine->functions[i].offset;
        if (*entry != lowering->machine->entry && has_address(lowering, *entry) && n-- == 0)
            return true;
    }
    return false;
}

u32 sass_callees(const struct lowering *lowering)
{
    u32 count = 0;
    for (u32 entry; count < lowering->machine->words && sass_callee(lowering, count, &entry);)
        count++;
    return count;
}

/* The contexts of a call through an address, one for each possible function. */
static enum ws_status call_contexts(struct lowering *lowering, u32 context, u32 call, u32 *next, u32 *count)
{
    const u32 callees = sass_callees(lowering);
    for (u32 entry; *count < callees && sass_callee(lowering, *count, &entry); ++*count)
        WS_TRY(call_context(lowering, context, call, entry, &next[*count]));
    return *count ? WS_STATUS_ok : sass_refuse(lowering, "a call through an address in a file without functions");
}

/* ---- Reachable instructions ---- */

const struct ws_sass_branch *sass_branch_at(const struct lowering *lowering, u32 n)
{
    for (u32 i = 0; i < lowering->machine->branch_count; i++)
        if (lowering->machine->branches[i].offset == n * WS_SASS_WORD)
            return &lowering->machine->branches[i];
    return NULL;
}

/* Whether a launch fills a word of constant bank 0. The driver fills others, for cooperative grids and properties of textures. From
 * sm_100 on a load of 16 bytes may read the block and a word that nothing uses. */
static bool is_filled(const struct ws_sass_abi *abi, u32 offset)
{
    const struct {
        u32 from, bytes;
    } filled[] = {{abi->block, abi->block ? 16 : 12},
                  {abi->grid, 12},
                  {abi->stack, 4},
                  {abi->dynamic_shared, 4},
                  {abi->descriptor, 8},
                  {abi->shared_window, 8},
                  {abi->local_window, 8},
                  {abi->constant_window, 8}};
    bool found = offset >= abi->parameters;
    for (size_t n = 0; n < sizeof filled / sizeof *filled; n++)
        found |= (filled[n].from != 0 || n == 0) && offset >= filled[n].from && offset - filled[n].from < filled[n].bytes;
    return found;
}

/* Refuses constants that the launch does not have. */
static enum ws_status check_constants(const struct lowering *lowering, const struct ws_sass_instruction *in)
{
    for (u32 i = 0; i < in->operand_count; i++) {
        const struct ws_sass_operand *const operand = &in->operands[i];
        char what[100];
        if (operand->kind != WS_SASS_IS_CONSTANT)
            continue;
        if (operand->bank >= WS_SASS_BANKS)
            return sass_refuse(lowering, "a constant bank above 4");
        const u32 words = operand->bank == 0 && operand->number == WS_SASS_ZERO ? ws_sass_words(in, operand) : 0;
        for (u32 n = 0; n < words; n++)
            if (!is_filled(lowering->machine->abi, (u32)operand->value + 4 * n)) {
                snprintf(what, sizeof what, "c[0x0][0x%x], a word that only the driver fills", (u32)operand->value + 4 * n);
                return sass_refuse(lowering, what);
            }
    }
    return WS_STATUS_ok;
}

/* Successors of an instruction in its context; at most as many as there are instructions. */
static enum ws_status successors(struct lowering *lowering, u32 context, u32 n, u32 *next, u32 *count)
{
    const struct ws_sass_instruction *const in = &lowering->code[n];
    lowering->instruction = n;
    *count = 0;
    if (lowering->failures[n])
        return sass_refuse(lowering, lowering->failures[n]);
    WS_TRY(check_constants(lowering, in));
    const struct ws_sass_branch *const branch = is(in, WS_SASS_DOES_branch_indirect) ? sass_branch_at(lowering, n) : NULL;
    if (is(in, WS_SASS_DOES_branch_indirect) && (!branch || branch->target_count >= lowering->machine->words))
        return sass_refuse(lowering, "an indirect branch without targets in the file");
    for (u32 i = 0; branch && i < branch->target_count; i++)
        next[(*count)++] = branch->targets[i] / WS_SASS_WORD;
    const bool calls_address = is(in, WS_SASS_DOES_call_indirect);
    if (calls_address)
        WS_TRY(call_contexts(lowering, context, n, next, count));
    if (is(in, WS_SASS_DOES_call))
        WS_TRY(call_context(lowering, context, n, target_of(in), &next[(*count)++]));
    if (is(in, WS_SASS_DOES_call) || calls_address) {
        if (!is_certain(in))
            next[(*count)++] = n + 1;
    } else if (!branch) {
        *count = plain_successors(lowering, n, next);
    }
    for (u32 i = 0; i < *count; i++)
        if (next[i] >= lowering->machine->words)
            return sass_refuse(lowering, "a path out of the kernel's code");
    return WS_STATUS_ok;
}

/* Marks the reachable instructions of a context with 1 in op_of. */
static enum ws_status reach(struct lowering *lowering, u32 context)
{
    const u32 words = lowering->machine->words;
    u32 *stack = NULL;
    u32 *const next = ws_arena_array(lowering->arena, words + 2u, sizeof *next);
    size_t depth = 0, room = 0;
    if (!next || !(stack = ws_arena_grow(lowering->arena, stack, depth, &room, sizeof *stack)))
        return sass_no_memory(lowering);
    stack[depth++] = lowering->contexts[context].entry / WS_SASS_WORD;
    while (depth > 0) {
        const u32 n = stack[--depth];
        u32 count;
        if (lowering->contexts[context].op_of[n])
            continue;
        lowering->contexts[context].op_of[n] = 1;
        WS_TRY(successors(lowering, context, n, next, &count));
        for (; count > 0; count--) {
            if (!(stack = ws_arena_grow(lowering->arena, stack, depth, &room, sizeof *stack)))
                return sass_no_memory(lowering);
            stack[depth++] = next[count - 1];
        }
    }
    return WS_STATUS_ok;
}

/* Number of operations of an instruction. An indirect branch or call has one for each possible target. A guarded barrier has a
 * branch around it. matrix.c has the others. */
static u32 parts_of(const struct lowering *lowering, u32 context, u32 n)
{
    const struct ws_sass_instruction *const in = &lowering->code[n];
    const bool guarded = in->guard != 7 || in->guard_negative;
    if (is(in, WS_SASS_DOES_load_matrix) || is(in, WS_SASS_DOES_copy_async) || is(in, WS_SASS_DOES_branch_any) ||
        (is(in, WS_SASS_DOES_bar) && guarded))
        return 2;
    if (is(in, WS_SASS_DOES_call_indirect))
        return sass_callees(lowering);
    if (is(in, WS_SASS_DOES_ret))
        return 1 + lowering->contexts[context].recursive_count;
    return is(in, WS_SASS_DOES_branch_indirect) ? sass_branch_at(lowering, n)->target_count : 1;
}

static enum ws_status add_places(struct lowering *lowering, u32 context, u32 n, u32 *count)
{
    const u32 parts = parts_of(lowering, context, n);
    lowering->instruction = n;
    lowering->contexts[context].op_of[n] = *count + 1;
    for (u32 part = 0; part < parts; part++) {
        lowering->places =
            ws_arena_grow(lowering->arena, lowering->places, *count, &lowering->place_room, sizeof *lowering->places);
        if (!lowering->places)
            return sass_no_memory(lowering);
        if (*count == MOST_OPERATIONS)
            return sass_refuse(lowering, "a kernel of more than 65534 instructions, expanded calls included");
        lowering->places[(*count)++] = (struct sass_place){context, n, part};
    }
    return WS_STATUS_ok;
}

static enum ws_status find_places(struct lowering *lowering)
{
    if (lowering->machine->entry / WS_SASS_WORD >= lowering->machine->words)
        return sass_refuse(lowering, "a kernel without code");
    WS_TRY(add_context(lowering, (struct sass_context){.entry = lowering->machine->entry}));
    u32 count = 0;
    for (u32 context = 0; context < lowering->context_count; context++)
        WS_TRY(reach(lowering, context));
    for (u32 context = 0; context < lowering->context_count; context++)
        for (u32 n = 0; n < lowering->machine->words; n++)
            if (lowering->contexts[context].op_of[n])
                WS_TRY(add_places(lowering, context, n, &count));
    lowering->kernel->op_count = count;
    return WS_STATUS_ok;
}

/* ---- Operations ---- */

static sass_lower *const lowers[WS_SASS_DOINGS] = {
#define DOES(name) sass_lower_##name,
#include "sass/code/does.def"
};

/* Sets the guard of an operation. Branches and exits may have a predicate instead, among their operands. */
static enum ws_status put_guard(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const struct ws_sass_operand *const more = ws_sass_operand(in, 'P');
    const u8 class_ = in->row->class_;
    const bool controls = class_ == WS_CLASS_branch || class_ == WS_CLASS_jump || class_ == WS_CLASS_exit;
    const bool converges =
        is(in, WS_SASS_DOES_branch_div) || (in->row->does >= WS_SASS_DOES_bssy && in->row->does <= WS_SASS_DOES_nanosleep);
    const bool has_more = more && (more->number != WS_SASS_ZERO || more->negative) && (controls || converges);
    const bool guarded = in->guard != 7 || in->guard_negative;
    op->guard = WS_SLOT_NONE;
    if (has_more && converges)
        return sass_refuse(lowering, "a convergence barrier with a predicate");
    if (has_more && guarded && !is(in, WS_SASS_DOES_branch))
        return sass_refuse(lowering, "a jump or exit with a guard and a predicate");
    if (has_more && guarded)
        return sass_guard_both(lowering, in, op);
    if (!has_more && !guarded)
        return WS_STATUS_ok;
    const bool negative = has_more ? more->negative : in->guard_negative;
    op->guard = has_more         ? sass_source(lowering, in, 'P', 0)
                : in->guard == 7 ? sass_value(lowering, 1)
                                 : sass_register(lowering, in->uniform ? WS_SASS_UP : WS_SASS_P, in->guard);
    op->flags = negative ? WS_OP_NOT_GUARD : 0;
    return WS_STATUS_ok;
}

static enum ws_status lower_place(struct lowering *lowering, u32 n)
{
    const struct sass_place place = lowering->places[n];
    const struct ws_sass_instruction *const in = &lowering->code[place.instruction];
    struct ws_op *const op = &lowering->kernel->ops[n];
    lowering->context = place.context;
    lowering->instruction = place.instruction;
    lowering->part = place.part;
    *op = (struct ws_op){.opcode = WS_OP_machine,
                         .space = in->row->space,
                         .line = ws_sass_source_line(lowering->machine, in->offset, &(const char *){NULL})};
    memset(op->dst, 0xFF, sizeof op->dst);
    memset(op->src, 0xFF, sizeof op->src);
    WS_TRY(put_guard(lowering, in, op));
    return lowers[in->row->does](lowering, in, op);
}

enum ws_status ws_sass_lower(const struct ws_sass_kernel *machine, struct ws_arena *arena, struct ws_kernel *kernel,
                             struct ws_error *error)
{
    struct lowering lowering = {.machine = machine, .arena = arena, .error = error, .kernel = kernel};
    WS_TRY(decode(&lowering));
    sass_find_registers(&lowering);
    WS_TRY(find_places(&lowering));
    kernel->ops = ws_arena_array(arena, kernel->op_count, sizeof *kernel->ops);
    lowering.targets = ws_arena_array(arena, kernel->op_count, sizeof *lowering.targets);
    if (!kernel->ops || !lowering.targets)
        return sass_no_memory(&lowering);
    for (u32 n = 0; n < kernel->op_count; n++)
        WS_TRY(lower_place(&lowering, n));
    return sass_trace_program(&lowering);
}
