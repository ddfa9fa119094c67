#include <string.h>

#include "frontend/ptx/forms.h"
#include "frontend/ptx/passes/kernel.h"

/* An image access counts as an access to one word: only a launch knows the texel size. */
enum { IMAGE_WORD = 4 };

struct emission {
    struct ptx_kernel *kernel;
    const struct ptx_linear *linear;
    const struct ptx_allocation *allocation;
    struct ws_arena *owner;
    struct ws_kernel *out;
    u16 *registers; /* by register of the body: slot, or WS_SLOT_NONE */
    u16 *inputs;    /* by input of the body: number of the input, or WS_SLOT_NONE */
    u32 *places;    /* by variable of the module: offset in shared or local memory, or PTX_NOWHERE */
    bool any_location;
};

/* ---- Variables ---- */

static enum ws_status place_variable(struct emission *emission, u32 number)
{
    const struct ptx_kernel *kernel = emission->kernel;
    const struct ptx_variable *variable = &kernel->module->variables[number];
    const bool shared = variable->space == WS_SPACE_shared;
    u32 *bytes = shared ? &emission->out->shared_bytes : &emission->out->local_bytes;
    const u32 most = shared ? WS_MOST_SHARED : WS_MOST_LOCAL;
    if (variable->dynamic || emission->places[number] != PTX_NOWHERE)
        return WS_STATUS_ok;
    const u64 offset = ((u64)*bytes + variable->align - 1) / variable->align * variable->align;
    if (offset + variable->bytes > most)
        return ws_fail(kernel->error, WS_STATUS_bad_input, "%s: kernel '%s' has more than %u bytes of %s variables",
                       ws_place_text(&kernel->module->places, kernel->entry->line).text, kernel->entry->name, most,
                       shared ? "shared" : "local");
    emission->places[number] = (u32)offset;
    *bytes = (u32)offset + variable->bytes;
    return WS_STATUS_ok;
}

/* Shared and local variables that the kernel uses, in the order of their declarations. */
static enum ws_status place_variables(struct emission *emission)
{
    const struct ptx_kernel *kernel = emission->kernel;
    const struct ptx_inputs *inputs = &kernel->body.inputs;
    bool *used = ws_arena_array(kernel->arena, kernel->module->variable_count, sizeof *used);
    if (!used)
        return ptx_no_memory(kernel->error);
    for (size_t n = 0; n < inputs->count; n++)
        if (emission->inputs[n] != WS_SLOT_NONE && inputs->inputs[n].kind == WS_INPUT_address &&
            (inputs->inputs[n].space == WS_SPACE_shared || inputs->inputs[n].space == WS_SPACE_local))
            used[(u32)inputs->inputs[n].value] = true;
    for (u32 n = 0; n < kernel->module->variable_count; n++)
        if (used[n])
            WS_TRY(place_variable(emission, n));
    return WS_STATUS_ok;
}

static struct ws_input final_input(const struct emission *emission, struct ws_input input)
{
    if (input.kind != WS_INPUT_address || input.space == WS_SPACE_parameter)
        return input;
    const u32 number = (u32)input.value;
    const struct ptx_variable *variable = &emission->kernel->module->variables[number];
    u64 offset = emission->places[number];
    if (variable->space == WS_SPACE_global || variable->space == WS_SPACE_constant)
        offset = variable->offset;
    else if (variable->dynamic)
        offset = (emission->out->shared_bytes + 15u) / 16 * 16;
    input.variable = variable->member;
    input.value = offset + (input.value >> 32);
    return input;
}

/* ---- Slots ---- */

static void count_slot(struct emission *emission, u16 slot)
{
    const struct ptx_body *body = &emission->kernel->body;
    if (slot == WS_SLOT_NONE)
        return;
    const bool is_register = ptx_is_register(body, slot);
    u16 *number = is_register ? &emission->registers[slot] : &emission->inputs[PTX_TOP_SLOT - slot];
    u32 *count = is_register ? &emission->out->registers : &emission->out->input_count;
    if (*number == WS_SLOT_NONE)
        *number = (u16)(*count)++;
}

/* Numbers the registers and inputs that are used, in the order of their first use. */
static void count_slots(struct emission *emission)
{
    for (u32 n = 0; n < emission->linear->count; n++) {
        const struct ws_op *op = &emission->linear->ops[n];
        count_slot(emission, op->guard);
        for (u32 s = 0; s < WS_OP_SOURCES; s++)
            count_slot(emission, op->src[s]);
        for (u32 d = 0; d < WS_OP_RESULTS; d++)
            count_slot(emission, op->dst[d]);
    }
}

static u16 final_slot(const struct emission *emission, u16 slot)
{
    if (slot == WS_SLOT_NONE)
        return WS_SLOT_NONE;
    if (ptx_is_register(&emission->kernel->body, slot))
        return emission->registers[slot];
    return (u16)(emission->out->registers + emission->inputs[PTX_TOP_SLOT - slot]);
}

static struct ws_op final_op(const struct emission *emission, struct ws_op op)
{
    op.guard = final_slot(emission, op.guard);
    for (u32 s = 0; s < WS_OP_SOURCES; s++)
        op.src[s] = final_slot(emission, op.src[s]);
    for (u32 d = 0; d < WS_OP_RESULTS; d++)
        op.dst[d] = final_slot(emission, op.dst[d]);
    return op;
}

/* ---- The trace's program ---- */

static void read_register(const struct emission *emission, struct ws_instruction *instruction, u16 slot)
{
    if (ptx_is_register(&emission->kernel->body, slot))
        instruction->src[instruction->reads++] = emission->allocation->of[slot];
}

/* An operation with many registers lists the last ones: preceding `operands` operations have read the others. */
static u32 first_source(const struct emission *emission, const struct ws_op *op)
{
    u32 first = ptx_listed_sources(op);
    for (u32 left = PTX_MOST_READ; first > 0; first--) {
        const bool reads = ptx_is_register(&emission->kernel->body, op->src[first - 1]);
        if (reads && left == 0)
            break;
        left -= reads;
    }
    return first;
}

/* A guarded move reads its predicate and the moved source; the other source is the destination. */
static void read_registers(const struct emission *emission, struct ws_instruction *instruction, const struct ws_op *op)
{
    if (op->opcode == WS_OP_cmov) {
        read_register(emission, instruction, op->flags & WS_OP_NOT_SOURCE ? op->src[1] : op->src[0]);
        read_register(emission, instruction, op->src[2]);
        return;
    }
    for (u32 s = first_source(emission, op); s < ptx_listed_sources(op); s++)
        read_register(emission, instruction, op->src[s]);
    read_register(emission, instruction, op->guard);
}

static void set_access(struct ws_instruction *instruction, const struct ws_op *op)
{
    const bool accesses =
        instruction->class_ == WS_CLASS_load || instruction->class_ == WS_CLASS_store || instruction->class_ == WS_CLASS_atomic;
    if (!accesses)
        return;
    instruction->space = op->space == WS_SPACE_generic ? WS_SPACE_global : op->space;
    instruction->bytes = ws_op_is_image(op->opcode) ? IMAGE_WORD : (u8)(op->count * ws_type_bytes((enum ws_type)op->type));
}

/* Cache operators and asynchronous copies. Volatile loads, and those ordered among SMs, must not hit in L1 either. */
static u8 access_flags(const struct ws_instruction *instruction, const struct ws_op *op)
{
    const bool load = op->opcode == WS_OP_ld, global = instruction->space == WS_SPACE_global;
    const bool bypasses = load && global && (op->access & WS_ACCESS_BYPASS || op->flags & WS_OP_VOLATILE);
    const bool async = op->access & WS_ACCESS_ASYNC && (load || op->opcode == WS_OP_st || op->opcode == WS_OP_fence);
    const bool awaits = op->access & WS_ACCESS_AWAITS && op->opcode == WS_OP_fence;
    return (u8)((bypasses ? WS_BYPASS : 0) | (async ? WS_ASYNC : 0) | (awaits ? WS_AWAITS : 0));
}

static struct ws_instruction make_instruction(const struct emission *emission, u32 n)
{
    const struct ws_op *op = &emission->linear->ops[n];
    const struct ptx_module *module = emission->kernel->module;
    struct ws_instruction instruction = {.class_ = ws_op_class(op), .kind = ws_op_kind(op), .reconverge = WS_PC_NONE};
    memset(instruction.dst, WS_NO_REGISTER, sizeof instruction.dst);
    memset(instruction.src, WS_NO_REGISTER, sizeof instruction.src);
    read_registers(emission, &instruction, op);
    for (u32 d = 0; d < WS_OP_RESULTS; d++)
        if (op->dst[d] != WS_SLOT_NONE)
            instruction.dst[instruction.writes++] = emission->allocation->of[op->dst[d]];
    set_access(&instruction, op);
    instruction.flags = access_flags(&instruction, op);
    if (instruction.flags & WS_AWAITS)
        instruction.bytes = (u8)op->offset;
    instruction.line = emission->any_location ? ptx_source_line(module, op->line) : ws_place_line(&module->places, op->line);
    if (instruction.class_ == WS_CLASS_branch || instruction.class_ == WS_CLASS_jump)
        instruction.target = (u16)op->target;
    if (instruction.class_ == WS_CLASS_branch)
        instruction.reconverge = emission->linear->reconverge[n];
    else if (op->guard != WS_SLOT_NONE || op->opcode == WS_OP_cmov)
        instruction.flags |= WS_GUARDED;
    return instruction;
}

/* ---- The kernel ---- */

static bool has_location(const struct emission *emission)
{
    if (emission->kernel->module->places.compiled)
        return false;
    for (u32 n = 0; n < emission->linear->count; n++)
        if (ptx_source_line(emission->kernel->module, emission->linear->ops[n].line))
            return true;
    return false;
}

/* Compilers number parameters: KERNEL_param_0. */
static bool is_numbered(const char *kernel, const char *name)
{
    static const char middle[] = "_param_";
    const size_t length = strlen(kernel), end = length + sizeof middle - 1;
    return strncmp(name, kernel, length) == 0 && strncmp(name + length, middle, sizeof middle - 1) == 0 && name[end] &&
           strspn(name + end, "0123456789") == strlen(name + end);
}

/* Source facts about a parameter, or NULL. */
static const struct ptx_argument *argument_of(const struct ptx_module *module, const char *kernel, size_t number)
{
    for (size_t n = 0; n < module->argument_count; n++)
        if (module->arguments[n].number == number && strcmp(module->arguments[n].kernel, kernel) == 0)
            return &module->arguments[n];
    return NULL;
}

static enum ws_status emit_parameter(const struct emission *emission, size_t n, struct ws_kernel_parameter *out)
{
    const struct ptx_function *const entry = emission->kernel->entry;
    const struct ptx_formal *const formal = &entry->parameters[n];
    const struct ptx_object *const object = &entry->body.objects[formal->object];
    const struct ptx_argument *const source = argument_of(emission->kernel->module, entry->name, n);
    const char *const name = source && source->name ? source->name : formal->name;
    *out = (struct ws_kernel_parameter){.name = ws_arena_text(emission->owner, name, strlen(name)),
                                        .offset = ptx_parameter_offset(entry, n),
                                        .bytes = object->bytes,
                                        .align = object->align,
                                        .named = !is_numbered(entry->name, name),
                                        .type = formal->untyped ? WS_TYPE_none : (u8)formal->type,
                                        .pointer = formal->pointer,
                                        .space = formal->space};
    if (source && strncmp(source->spelling, "local ", 6) == 0) {
        out->pointer = true;
        out->space = WS_SPACE_shared;
    }
    if (source)
        out->spelling = ws_arena_text(emission->owner, source->spelling, strlen(source->spelling));
    return out->name && (out->spelling || !source) ? WS_STATUS_ok : ptx_no_memory(emission->kernel->error);
}

static enum ws_status emit_parameters(struct emission *emission)
{
    const struct ptx_function *entry = emission->kernel->entry;
    struct ws_kernel *out = emission->out;
    out->parameter_count = (u32)entry->parameter_count;
    out->parameters = ws_arena_array(emission->owner, entry->parameter_count, sizeof *out->parameters);
    if (!out->parameters)
        return ptx_no_memory(emission->kernel->error);
    for (size_t n = 0; n < entry->parameter_count; n++)
        WS_TRY(emit_parameter(emission, n, &out->parameters[n]));
    out->parameter_bytes = ptx_parameter_offset(entry, entry->parameter_count);
    return WS_STATUS_ok;
}

static enum ws_status prepare(struct emission *emission)
{
    struct ptx_kernel *kernel = emission->kernel;
    const struct ptx_body *body = &kernel->body;
    emission->registers = ws_arena_array(kernel->arena, body->register_count, sizeof(u16));
    emission->inputs = ws_arena_array(kernel->arena, body->inputs.count, sizeof(u16));
    emission->places = ws_arena_array(kernel->arena, kernel->module->variable_count, sizeof(u32));
    if (!emission->registers || !emission->inputs || !emission->places)
        return ptx_no_memory(kernel->error);
    memset(emission->registers, 0xFF, body->register_count * sizeof(u16));
    memset(emission->inputs, 0xFF, body->inputs.count * sizeof(u16));
    memset(emission->places, 0xFF, kernel->module->variable_count * sizeof(u32));
    count_slots(emission);
    emission->any_location = has_location(emission);
    return place_variables(emission);
}

static enum ws_status emit_code(struct emission *emission)
{
    const struct ptx_inputs *inputs = &emission->kernel->body.inputs;
    struct ws_kernel *out = emission->out;
    out->op_count = emission->linear->count;
    out->ops = ws_arena_array(emission->owner, out->op_count, sizeof *out->ops);
    out->program = ws_arena_array(emission->owner, out->op_count, sizeof *out->program);
    out->inputs = ws_arena_array(emission->owner, out->input_count, sizeof *out->inputs);
    if (!out->ops || !out->program || !out->inputs)
        return ptx_no_memory(emission->kernel->error);
    for (size_t n = 0; n < inputs->count; n++)
        if (emission->inputs[n] != WS_SLOT_NONE)
            out->inputs[emission->inputs[n]] = final_input(emission, inputs->inputs[n]);
    for (u32 n = 0; n < out->op_count; n++) {
        out->ops[n] = final_op(emission, emission->linear->ops[n]);
        out->program[n] = make_instruction(emission, n);
    }
    return WS_STATUS_ok;
}

enum ws_status ptx_emit(struct ptx_kernel *kernel, const struct ptx_linear *linear, const struct ptx_allocation *allocation,
                        u32 most_live, struct ws_arena *owner, struct ws_kernel *out)
{
    struct emission emission = {.kernel = kernel, .linear = linear, .allocation = allocation, .owner = owner, .out = out};
    *out = (struct ws_kernel){.line = kernel->entry->line,
                              .most_threads = kernel->entry->most_threads,
                              .allocated = allocation->registers,
                              .most_live = most_live};
    memcpy(out->block, kernel->entry->block, sizeof out->block);
    memcpy(out->cluster, kernel->entry->cluster, sizeof out->cluster);
    out->name = ws_arena_text(owner, kernel->entry->name, strlen(kernel->entry->name));
    if (!out->name)
        return ptx_no_memory(kernel->error);
    WS_TRY(prepare(&emission));
    WS_TRY(emit_parameters(&emission));
    return emit_code(&emission);
}
