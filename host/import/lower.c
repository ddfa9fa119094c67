#include "import/lower.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/postdominators.h"

enum { MOST = 65534, REGISTERS = WS_FIRST_PREDICATE };

/* A program under construction. */
struct lowering {
    const struct sass_code *code;
    struct sass_program *program;
    u8 registers[SASS_REGISTERS]; /* trace register by register of the file; WS_NO_REGISTER: no room */
};

bool sass_accesses(const struct sass_op *op)
{
    return op->class_ >= WS_CLASS_load && op->class_ <= WS_CLASS_atomic && op->addressed;
}

void sass_program_free(struct sass_program *program)
{
    ws_arena_free(&program->arena);
    *program = (struct sass_program){0};
}

static const struct sass_op *op_at(const struct lowering *lowering, u32 place)
{
    return &lowering->code->ops[lowering->program->places[place].op];
}

/* ---- Places ---- */

struct pair {
    u32 pc, op;
};

static int by_pc(const void *a, const void *b)
{
    const struct pair *const one = a, *const other = b;
    return (one->pc > other->pc) - (one->pc < other->pc);
}

static bool sort_places(struct lowering *lowering)
{
    struct sass_program *const program = lowering->program;
    const u32 count = (u32)lowering->code->count;
    struct pair *const pairs = ws_arena_array(&program->arena, count, sizeof *pairs);
    program->places = ws_arena_array(&program->arena, count, sizeof *program->places);
    program->place_of = ws_arena_array(&program->arena, count, sizeof *program->place_of);
    if (!pairs || !program->places || !program->place_of)
        return false;
    for (u32 n = 0; n < count; n++)
        pairs[n] = (struct pair){lowering->code->ops[n].pc, n};
    qsort(pairs, count, sizeof *pairs, by_pc);
    for (u32 n = 0; n < count; n++) {
        program->places[n].op = pairs[n].op;
        program->place_of[pairs[n].op] = n;
    }
    program->place_count = count;
    return true;
}

/* The place of a recorded pc. */
static u32 place_of_pc(const struct lowering *lowering, u32 pc)
{
    return lowering->program->place_of[lowering->code->numbers[pc / 8]];
}

static bool shown(const struct lowering *lowering, u32 pc)
{
    return pc % 8 == 0 && pc / 8 < lowering->code->number_count && lowering->code->numbers[pc / 8] != SASS_NONE;
}

static int ascending(const void *a, const void *b)
{
    const u32 one = *(const u32 *)a, other = *(const u32 *)b;
    return (one > other) - (one < other);
}

/* The single target of a direct transfer: its immediate, or the first place where threads continued. */
static void make_direct(struct lowering *lowering, const struct sass_op *op, struct sass_place *place)
{
    if (op->immediate != SASS_NONE && shown(lowering, op->immediate)) {
        const u32 said = place_of_pc(lowering, op->immediate);
        if (!op->target_count || said < place->targets[0])
            place->targets[0] = said;
        place->target_count = 1;
    }
    place->target_count = place->target_count ? 1 : 0;
}

static bool find_targets(struct lowering *lowering)
{
    struct sass_program *const program = lowering->program;
    for (u32 n = 0; n < program->place_count; n++) {
        const struct sass_op *const op = op_at(lowering, n);
        struct sass_place *const place = &program->places[n];
        if (!op->transfers)
            continue;
        place->targets = ws_arena_array(&program->arena, op->target_count + 1, sizeof *place->targets);
        if (!place->targets)
            return false;
        for (size_t t = 0; t < op->target_count; t++)
            place->targets[t] = place_of_pc(lowering, op->targets[t]);
        place->target_count = (u32)op->target_count;
        qsort(place->targets, place->target_count, sizeof *place->targets, ascending);
        if (op->direct)
            make_direct(lowering, op, place);
    }
    return true;
}

/* Threads pass the places from one to before another with false guards. Depth: starts minus ends of such ranges. */
static void add_range(i32 *depth, u32 from, u32 to)
{
    if (from < to) {
        depth[from]++;
        depth[to]--;
    }
}

static bool find_guards(struct lowering *lowering, u32 entry)
{
    struct sass_program *const program = lowering->program;
    i32 *const depth = ws_arena_array(&program->arena, program->place_count + 1, sizeof *depth);
    if (!depth)
        return false;
    add_range(depth, 0, place_of_pc(lowering, entry));
    for (u32 n = 0; n < program->place_count; n++) {
        const struct sass_op *const op = op_at(lowering, n);
        const struct sass_place *const place = &program->places[n];
        if (op->after)
            add_range(depth, n + 1, place_of_pc(lowering, op->after));
        for (size_t t = 0; op->direct && place->target_count && t < op->target_count; t++)
            add_range(depth, place->targets[0], place_of_pc(lowering, op->targets[t]));
    }
    i32 open = 0;
    for (u32 n = 0; n < program->place_count; n++) {
        open += depth[n];
        program->places[n].off = open > 0 || !op_at(lowering, n)->executed || op_at(lowering, n)->outlived;
    }
    return true;
}

/* ---- Registers ---- */

/* A trace has registers below 240. Uniform registers follow those of threads. If there are too many, the used ones are renumbered.
 */
static void number_registers(struct lowering *lowering)
{
    bool used[SASS_REGISTERS] = {false};
    u32 own = 0, shared = 0, next = 0;
    for (size_t n = 0; n < lowering->code->count; n++) {
        const struct sass_op *const op = &lowering->code->ops[n];
        for (u32 r = 0; r < op->writes; r++)
            used[op->dst[r]] = true;
        for (u32 r = 0; r < op->reads; r++)
            used[op->src[r]] = true;
    }
    for (u32 r = 0; r < SASS_REGISTERS; r++) {
        own = used[r] && r < SASS_UNIFORM ? r + 1 : own;
        shared += used[r] && r >= SASS_UNIFORM;
    }
    const bool keep = own + shared <= REGISTERS;
    for (u32 r = 0; r < SASS_REGISTERS; r++) {
        const u32 number = keep && r < own ? r : used[r] ? next : REGISTERS;
        next = number < REGISTERS ? number + 1 : next;
        lowering->registers[r] = number < REGISTERS ? (u8)number : WS_NO_REGISTER;
    }
}

static u8 put_registers(struct lowering *lowering, const u16 *from, u32 count, u8 *to, u32 room)
{
    u32 length = 0;
    memset(to, WS_NO_REGISTER, room);
    for (u32 n = 0; n < count; n++) {
        const u8 reg = lowering->registers[from[n]];
        if (reg != WS_NO_REGISTER && length < room)
            to[length++] = reg;
        else
            lowering->program->lost_registers++;
    }
    return (u8)length;
}

/* ---- Instructions ---- */

static struct ws_instruction *emit(struct lowering *lowering, u32 place, u8 class_, enum sass_role role)
{
    struct sass_program *const program = lowering->program;
    const u32 pc = program->count++;
    struct ws_instruction *const instruction = &program->instructions[pc];
    *instruction = (struct ws_instruction){.class_ = class_, .target = WS_PC_NONE, .reconverge = WS_PC_NONE};
    memset(instruction->dst, WS_NO_REGISTER, sizeof instruction->dst);
    memset(instruction->src, WS_NO_REGISTER, sizeof instruction->src);
    program->steps[pc] = (struct sass_step){.place = place, .role = role};
    if (place != SASS_NONE)
        instruction->line = op_at(lowering, place)->line;
    return instruction;
}

static void fill(struct lowering *lowering, const struct sass_op *op, struct ws_instruction *instruction)
{
    instruction->writes = put_registers(lowering, op->dst, op->writes, instruction->dst, sizeof instruction->dst);
    instruction->reads = put_registers(lowering, op->src, op->reads, instruction->src, sizeof instruction->src);
}

/* Whether a load of global memory passes L1. */
static bool passes_l1(const struct sass_op *op)
{
    const bool strong = sass_has_part(op->opcode, "STRONG");
    return sass_has_part(op->opcode, "BYPASS") ||
           (strong && (sass_has_part(op->opcode, "GPU") || sass_has_part(op->opcode, "SYS")));
}

/* One instruction for each space that it accesses. */
static void emit_access(struct lowering *lowering, u32 n)
{
    const struct sass_place *const place = &lowering->program->places[n];
    const struct sass_op *const op = op_at(lowering, n);
    const u32 usual = op->space == WS_SPACE_none ? WS_SPACE_global : op->space;
    const u32 spaces = op->spaces ? op->spaces : 1u << usual;
    const bool guarded = place->off || ws_popcount(spaces) > 1;
    bool first = true;
    for (u32 space = 0; space < WS_SPACES; space++) {
        if (!(spaces >> space & 1))
            continue;
        struct ws_instruction *const instruction = emit(lowering, n, op->class_,
                                                        !guarded ? SASS_ALL
                                                        : first  ? SASS_TAKEN
                                                                 : SASS_TAKEN_TOO);
        fill(lowering, op, instruction);
        instruction->space = (u8)space;
        instruction->bytes = op->bytes;
        instruction->flags = guarded ? WS_GUARDED : 0;
        if (op->class_ == WS_CLASS_load && space == WS_SPACE_global && passes_l1(op))
            instruction->flags |= WS_BYPASS;
        first = false;
    }
}

/* Targets are places until the program is laid out. A branch that is never taken leads to the next place. */
static void emit_transfer(struct lowering *lowering, u32 n)
{
    const struct sass_place *const place = &lowering->program->places[n];
    const u32 targets = place->target_count;
    if (targets <= 1) {
        const u8 class_ = place->off ? WS_CLASS_branch : WS_CLASS_jump;
        struct ws_instruction *const instruction = emit(lowering, n, class_, place->off ? SASS_TAKEN : SASS_ALL);
        instruction->target = (u16)(targets ? place->targets[0] : n + 1);
        fill(lowering, op_at(lowering, n), instruction);
        return;
    }
    if (place->off) {
        struct ws_instruction *const around = emit(lowering, n, WS_CLASS_branch, SASS_PASSED);
        around->target = (u16)(n + 1);
        fill(lowering, op_at(lowering, n), around);
    }
    for (u32 t = 0; t < targets; t++) {
        const enum sass_role role = t == 0 && !place->off ? SASS_ALL : SASS_HELPS;
        struct ws_instruction *const instruction = emit(lowering, n, t + 1 < targets ? WS_CLASS_branch : WS_CLASS_jump, role);
        instruction->target = (u16)place->targets[t];
        if (t == 0)
            fill(lowering, op_at(lowering, n), instruction);
    }
}

static void emit_place(struct lowering *lowering, u32 n)
{
    struct sass_program *const program = lowering->program;
    struct sass_place *const place = &program->places[n];
    const struct sass_op *const op = op_at(lowering, n);
    place->first = program->count;
    if (op->transfers) {
        emit_transfer(lowering, n);
    } else if (sass_accesses(op)) {
        emit_access(lowering, n);
    } else if (op->class_ == WS_CLASS_exit) {
        emit(lowering, n, WS_CLASS_exit, place->off ? SASS_TAKEN : SASS_ALL)->flags = place->off ? WS_GUARDED : 0;
    } else if (op->class_ == WS_CLASS_barrier) {
        if (place->off)
            emit(lowering, n, WS_CLASS_branch, SASS_PASSED)->target = (u16)(n + 1);
        fill(lowering, op, emit(lowering, n, WS_CLASS_barrier, place->off ? SASS_HELPS : SASS_ALL));
    } else {
        const bool memory = op->class_ >= WS_CLASS_load && op->class_ <= WS_CLASS_atomic;
        struct ws_instruction *const instruction =
            emit(lowering, n, memory ? WS_CLASS_int : op->class_, place->off ? SASS_TAKEN : SASS_ALL);
        instruction->kind = instruction->class_ <= WS_CLASS_sfu ? op->kind : WS_KIND_other;
        instruction->flags = place->off ? WS_GUARDED : 0;
        fill(lowering, op, instruction);
    }
}

/* Whether threads can reach the end behind the last place. */
static bool needs_end(const struct lowering *lowering)
{
    const u32 last = lowering->program->place_count - 1;
    const struct sass_op *const op = op_at(lowering, last);
    return lowering->program->places[last].off || (op->class_ != WS_CLASS_exit && !op->transfers);
}

/* Targets become instructions. */
static void resolve(struct sass_program *program)
{
    for (u32 pc = 0; pc < program->count; pc++) {
        struct ws_instruction *const instruction = &program->instructions[pc];
        if (instruction->class_ != WS_CLASS_branch && instruction->class_ != WS_CLASS_jump)
            continue;
        const u32 place = instruction->target;
        instruction->target = (u16)(place < program->place_count ? program->places[place].first : program->count - 1);
    }
}

/* Whether lanes reconverge there: not at an exit that they reach separately. */
static bool joins(const struct lowering *lowering, u32 pc)
{
    const struct sass_program *const program = lowering->program;
    const u32 place = pc == WS_NO_NODE ? SASS_NONE : program->steps[pc].place;
    return pc != WS_NO_NODE && (!WS_ENDS_ALL(&program->instructions[pc]) || place == SASS_NONE || !op_at(lowering, place)->apart);
}

static enum ws_status reconverge(const struct lowering *lowering, struct ws_error *error)
{
    struct sass_program *const program = lowering->program;
    const u32 count = program->count;
    struct ws_flow_node *const nodes = ws_arena_array(&program->arena, count, sizeof *nodes);
    u32 *const meet = ws_arena_array(&program->arena, count, sizeof *meet);
    if (!nodes || !meet)
        return ws_no_memory(error);
    for (u32 pc = 0; pc < count; pc++) {
        const struct ws_instruction *const instruction = &program->instructions[pc];
        const bool ends = WS_ENDS_ALL(instruction), jumps = instruction->class_ == WS_CLASS_jump;
        const bool goes = jumps || instruction->class_ == WS_CLASS_branch;
        nodes[pc] =
            (struct ws_flow_node){.successors = {goes ? instruction->target : WS_NO_NODE, ends || jumps ? WS_NO_NODE : pc + 1},
                                  .reachable = true,
                                  .ends = ends};
    }
    WS_TRY(ws_postdominators(nodes, count, meet, error));
    for (u32 pc = 0; pc < count; pc++)
        if (program->instructions[pc].class_ == WS_CLASS_branch)
            program->instructions[pc].reconverge = joins(lowering, meet[pc]) ? (u16)meet[pc] : WS_PC_NONE;
    return WS_STATUS_ok;
}

/* Most instructions of a place: one per space or target, and the branch around them. */
static u64 most_instructions(const struct sass_program *program)
{
    u64 most = 1;
    for (u32 n = 0; n < program->place_count; n++)
        most += 1 + ws_max(program->places[n].target_count, WS_SPACES);
    return most;
}

static enum ws_status lay_out(struct lowering *lowering, struct ws_error *error)
{
    struct sass_program *const program = lowering->program;
    const u64 most = most_instructions(program);
    program->instructions = ws_arena_array(&program->arena, most, sizeof *program->instructions);
    program->steps = ws_arena_array(&program->arena, most, sizeof *program->steps);
    if (!program->instructions || !program->steps)
        return ws_no_memory(error);
    for (u32 n = 0; n < program->place_count; n++)
        emit_place(lowering, n);
    if (needs_end(lowering))
        emit(lowering, SASS_NONE, WS_CLASS_exit, SASS_HELPS);
    if (program->count > MOST)
        return ws_fail(error, WS_STATUS_bad_input, "found a program of %u instructions, allowed are at most %d", program->count,
                       MOST);
    resolve(program);
    return reconverge(lowering, error);
}

enum ws_status sass_lower(const struct sass_code *code, u32 entry, struct sass_program *program, struct ws_error *error)
{
    struct lowering lowering = {.code = code, .program = program};
    if (code->count > MOST)
        return ws_fail(error, WS_STATUS_bad_input, "found a program of %zu instructions, allowed are at most %d", code->count,
                       MOST);
    number_registers(&lowering);
    if (!sort_places(&lowering) || !find_targets(&lowering) || !find_guards(&lowering, entry))
        return ws_no_memory(error);
    return lay_out(&lowering, error);
}
