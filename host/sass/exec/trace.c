/* The program of a trace, and the state that a launch adds to a plan. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/code_registers.h"
#include "model/postdominators.h"
#include "sass/exec/lower.h"

static u8 class_of(const struct ws_op *op, const struct ws_sass_row *row)
{
    switch (op->opcode) {
    case WS_OP_branch:
        return WS_CLASS_branch;
    case WS_OP_jump:
        return WS_CLASS_jump;
    case WS_OP_exit:
    case WS_OP_trap:
        return WS_CLASS_exit;
    case WS_OP_deal:
    case WS_OP_vote_any:
        return WS_CLASS_int;
    case WS_OP_st:
        return WS_CLASS_store;
    case WS_OP_bar_warp:
        return op->target ? WS_CLASS_jump : WS_CLASS_int;
    default:
        return row->class_;
    }
}

/* IMAD that only moves or adds is of kind other or add. */
static u8 kind_of(const struct ws_sass_instruction *in)
{
    const struct ws_sass_operand *const a = ws_sass_operand(in, 'a'), *const b = ws_sass_operand(in, 'b');
    if (in->row->does != WS_SASS_DOES_imad)
        return in->row->kind;
    if (a->number == WS_SASS_ZERO || (b->kind == WS_SASS_IS_REGISTER && b->number == WS_SASS_ZERO))
        return WS_KIND_other;
    return b->kind == WS_SASS_IS_IMMEDIATE && b->value == 1 ? WS_KIND_add : in->row->kind;
}

static u32 op_at(const struct lowering *lowering, struct sass_place place)
{
    return lowering->contexts[place.context].op_of[place.instruction] - 1;
}

static void put_instruction(struct lowering *lowering, u32 n)
{
    const struct ws_sass_instruction *const in = &lowering->code[lowering->places[n].instruction];
    struct ws_op *const op = &lowering->kernel->ops[n];
    struct ws_instruction *const to = &lowering->kernel->program[n];
    *to = (struct ws_instruction){.target = WS_PC_NONE, .reconverge = WS_PC_NONE, .line = op->line};
    to->class_ = class_of(op, in->row);
    to->kind = to->class_ <= WS_CLASS_sfu ? kind_of(in) : WS_KIND_other;
    if (to->class_ >= WS_CLASS_load && to->class_ <= WS_CLASS_atomic) {
        to->bytes = (u8)ws_sass_access_bytes(in);
        to->space = op->space == WS_SPACE_generic ? WS_SPACE_global : op->space;
    }
    if (op->guard != WS_SLOT_NONE && !WS_IS_NEVER_GUARDED(to->class_))
        to->flags = WS_GUARDED;
    ws_code_registers(&lowering->kernel->code->instructions[n], lowering->registers[WS_SASS_R], to);
    if (to->class_ == WS_CLASS_branch || to->class_ == WS_CLASS_jump) {
        op->target = op_at(lowering, lowering->targets[n]);
        to->target = (u16)op->target;
    }
}

static enum ws_status put_reconvergence(struct lowering *lowering)
{
    struct ws_kernel *const kernel = lowering->kernel;
    struct ws_arena scratch = {0};
    struct ws_flow_node *const nodes = ws_arena_array(&scratch, kernel->op_count, sizeof *nodes);
    u32 *const of = ws_arena_array(&scratch, kernel->op_count, sizeof *of);
    enum ws_status status = nodes && of ? WS_STATUS_ok : sass_no_memory(lowering);
    for (u32 n = 0; n < kernel->op_count && status == WS_STATUS_ok; n++) {
        const struct ws_instruction *const at = &kernel->program[n];
        const bool goes = at->class_ == WS_CLASS_branch || at->class_ == WS_CLASS_jump;
        const bool on = at->class_ != WS_CLASS_jump && !WS_ENDS_ALL(at) && n + 1 < kernel->op_count;
        nodes[n] = (struct ws_flow_node){
            .successors = {goes ? at->target : WS_NO_NODE, on ? n + 1 : WS_NO_NODE}, .reachable = true, .ends = WS_ENDS_ALL(at)};
    }
    WS_THEN(status, ws_postdominators(nodes, kernel->op_count, of, lowering->error));
    for (u32 n = 0; n < kernel->op_count && status == WS_STATUS_ok; n++)
        if (kernel->program[n].class_ == WS_CLASS_branch && of[n] != WS_NO_NODE)
            kernel->program[n].reconverge = (u16)of[n];
    ws_arena_free(&scratch);
    return status;
}

/* ---- At a launch ---- */

/* A word of a constant bank, or (bank WS_SASS_BANKS) of an instruction with an address. */
static enum ws_status word_of(const struct ws_plan *plan, u64 (*code)[2], u64 value, u64 *word, struct ws_error *error)
{
    const u32 bank = (u32)(value >> 32), offset = (u32)value;
    u32 found;
    if (bank == WS_SASS_BANKS) {
        *word = (u32)(code[offset / WS_SASS_WORD][0] >> 32);
        return WS_STATUS_ok;
    }
    const struct ws_range *const range = &plan->memory.banks[bank];
    if (offset + sizeof found > range->bytes)
        return ws_fail(error, WS_STATUS_bad_input, "kernel %s reads c[%#x][%#x], but its constant bank has %llu bytes",
                       plan->kernel->name, bank, offset, (unsigned long long)range->bytes);
    memcpy(&found, range->host + offset, sizeof found);
    *word = found;
    return WS_STATUS_ok;
}

/* Copies the banks to bytes of the plan, one after another. */
static bool keep_banks(struct ws_plan *plan, const struct ws_sass_banks *banks)
{
    size_t bytes = 1;
    for (u32 n = 0; n < WS_SASS_BANKS; n++)
        bytes += banks->bytes[n];
    plan->bank_bytes = malloc(bytes);
    if (!plan->bank_bytes)
        return false;
    u8 *at = plan->bank_bytes;
    for (u32 n = 0; n < WS_SASS_BANKS; n++) {
        if (banks->bytes[n])
            memcpy(at, banks->data[n], banks->bytes[n]);
        plan->memory.banks[n] =
            (struct ws_range){.bytes = banks->bytes[n], .host = at, .name = "a constant bank", .constant = true};
        at += banks->bytes[n];
    }
    return true;
}

enum ws_status sass_at_launch(struct ws_plan *plan, struct ws_error *error)
{
    const struct ws_kernel *const kernel = plan->kernel;
    const struct ws_sass_kernel *const machine = ws_sass_kernel_of(plan->program, kernel);
    struct ws_sass_banks banks = {{0}, {0}};
    enum ws_status status = ws_sass_banks_fill(machine, plan, &banks, error);
    u64(*const code)[2] = status == WS_STATUS_ok ? ws_sass_code_fill(machine, plan) : NULL;
    plan->words = calloc(kernel->input_count + 1u, sizeof *plan->words);
    if (status == WS_STATUS_ok && (!code || !plan->words || !keep_banks(plan, &banks)))
        status = ws_fail(error, WS_STATUS_no_memory, "kernel %s: out of memory", kernel->name);
    for (u32 n = 0; n < kernel->input_count && status == WS_STATUS_ok; n++)
        if (kernel->inputs[n].kind == WS_INPUT_word)
            status = word_of(plan, code, kernel->inputs[n].value, &plan->words[n], error);
    free(code);
    ws_sass_banks_free(&banks);
    return status;
}

enum ws_status sass_trace_program(struct lowering *lowering)
{
    struct ws_kernel *const kernel = lowering->kernel;
    struct ws_machine_instruction *instructions;
    kernel->program = ws_arena_array(lowering->arena, kernel->op_count, sizeof *kernel->program);
    kernel->code = sass_code_make(lowering->machine, kernel->op_count, lowering->arena, &instructions);
    if (!kernel->program || !kernel->code)
        return sass_no_memory(lowering);
    for (u32 n = 0; n < kernel->op_count; n++) {
        const struct ws_sass_instruction *const in = &lowering->code[lowering->places[n].instruction];
        if (!sass_code_of(lowering->machine, in, lowering->arena, &instructions[n]))
            return sass_no_memory(lowering);
        put_instruction(lowering, n);
    }
    return put_reconvergence(lowering);
}
