#include "hazards.h"

#include <stdlib.h>
#include <string.h>

#include "sass/code/decode.h"
#include "shared/instruction.h"
#include "test.h"

/* Cells: one for each register of each file. */
enum { UR_FIRST = 256, P_FIRST = 512, UP_FIRST = 520, CELLS = 528, MOST_AGE = 63, ALWAYS = 7, NONE = 7 /* no counter */ };
static const u32 first_cell[] = {[WS_SASS_R] = 0, [WS_SASS_UR] = UR_FIRST, [WS_SASS_P] = P_FIRST, [WS_SASS_UP] = UP_FIRST};

/* Instructions that read their registers in order: those of memory, and those of FP64. READS_OTHER: the rest. */
enum order { READS_OTHER, READS_MEMORY, READS_FP64, ORDERS };

struct cell {
    bool pending;       /* written on a path to here */
    bool variable, low; /* writer of variable latency; lower one of two registers written */
    bool silent;        /* written without a counter: its in-order unit must signal it by a later one */
    u8 unit;
    u8 age;             /* cycles since its writer issued */
    u8 written_by;      /* mask of the counters that a reader must wait for */
    u8 read_by[ORDERS]; /* masks of the counters that a writer must wait for, by its readers' order */
    u8 read_before;     /* counters of the only reader's results: it reads before it writes */
    u32 writer, reader; /* offsets of the last writer and reader */
};

struct state {
    bool reached;
    struct cell cells[CELLS];
};

struct check {
    const struct ws_sass_kernel *kernel;
    struct ws_sass_instruction *code; /* by instruction; row NULL: not decoded */
    struct state *at;                 /* by instruction: state where paths join or begin */
    bool *queued;
    u32 *queue, waiting;
    hazard_report *report; /* NULL until the states have converged */
    void *context;
};

/* ---- Classes of instructions ---- */

/* Whether a counter signals the results (Mesa's NAK). ptxas always sets a counter for the instructions in names. */
static bool is_variable(const struct ws_sass_instruction *in)
{
    static const char *const names[] = {"S2R",   "S2UR",  "SHFL",  "MUFU",  "I2F", "F2I",  "F2F",  "FRND", "POPC",
                                        "FLO",   "BREV",  "LDC",   "LDCU",  "LDG", "LD",   "LDS",  "LDL",  "ATOM",
                                        "ATOMG", "ATOMS", "MATCH", "REDUX", "B2R", "FCHK", "QSPC", "LDSM"};
    for (size_t n = 0; n < sizeof names / sizeof *names && !in->uniform; n++)
        if (strcmp(in->row->name, names[n]) == 0)
            return true;
    return in->control.writes != NONE;
}

static bool is(const struct ws_sass_instruction *in, const char *name)
{
    return strcmp(in->row->name, name) == 0;
}

/* Units that complete in order: shared memory, constant memory, other memory. UNIT_OTHER: the rest. */
enum unit { UNIT_OTHER, UNIT_SHARED, UNIT_CONSTANT, UNIT_MEMORY };

static u8 unit_of(const struct ws_sass_instruction *in)
{
    const u8 class_ = in->row->class_;
    if (is(in, "LDC") || is(in, "LDCU") || is(in, "ULDC"))
        return UNIT_CONSTANT;
    if (class_ != WS_CLASS_load && class_ != WS_CLASS_store && class_ != WS_CLASS_atomic)
        return UNIT_OTHER;
    return in->row->space == WS_SPACE_shared ? UNIT_SHARED : UNIT_MEMORY;
}

/* DADD, DMUL, DFMA and DSETP have counters, but for sm_90 and sm_100. ptxas 13.0 lets one of them overwrite a source of an earlier
 * one without a wait for its counter, as it does for memory: in lbm_d3q19 on sm_80 DADD R12, R12, R10; DADD R10, R20, -R10, on
 * sm_86 and sm_89 the same with other registers. */
static enum order order_of(const struct ws_sass_instruction *in)
{
    return unit_of(in) ? READS_MEMORY : in->row->class_ == WS_CLASS_fp64 ? READS_FP64 : READS_OTHER;
}

static bool steers(const struct ws_sass_instruction *in)
{
    return in->row->class_ == WS_CLASS_branch || in->row->class_ == WS_CLASS_jump || in->row->class_ == WS_CLASS_exit;
}

/* The cells of an operand, from *first on; returns their number. */
static u32 cells_of(const struct ws_sass_instruction *in, const struct ws_sass_operand *operand, u32 *first)
{
    const bool is_register = operand->kind == WS_SASS_IS_REGISTER;
    if (operand->number == WS_SASS_ZERO || ws_sass_is_unread(in, operand) || (is_register && operand->file > WS_SASS_UP) ||
        (!is_register && operand->kind != WS_SASS_IS_CONSTANT && operand->kind != WS_SASS_IS_ADDRESS))
        return 0;
    const u8 file = operand->kind == WS_SASS_IS_ADDRESS ? (u8)WS_SASS_R : operand->file;
    const u32 end = file == WS_SASS_UP ? CELLS : first_cell[file + 1];
    const u32 words = !is_register ? 1u + operand->wide : ws_sass_words(in, operand);
    *first = first_cell[file] + operand->number;
    return *first + words <= end ? words : *first < end ? end - *first : 0;
}

static void tell(const struct check *check, enum hazard_kind kind, u32 first, const struct ws_sass_instruction *in, u32 cell,
                 u32 cycles)
{
    u8 file = WS_SASS_UP;
    while (first_cell[file] > cell)
        file--;
    const struct hazard hazard = {kind, first, in->offset, file, (u16)(cell - first_cell[file]), cycles};
    if (check->report)
        check->report(check->context, &hazard);
}

/* ---- Reads ---- */

/* Ways to read a register: as an operand; as a guard, or by control flow; as the upper half of the addend of IMAD.WIDE. */
enum reading { READ_OPERAND, READ_GUARD, READ_LATE };

/* Lower bound of the cycles from a writer of fixed latency to a reader, over all pairs of classes; a pair may need more. */
static u32 latency(const struct cell *cell, u32 number, enum reading reading)
{
    enum { UNIFORM = 2, EARLY = 2, REGISTER = 4, GUARD = 9 };
    if (number >= UR_FIRST && number < P_FIRST)
        return UNIFORM;
    if (number >= P_FIRST)
        return reading == READ_GUARD ? GUARD : REGISTER;
    return cell->low || reading == READ_LATE ? EARLY : REGISTER;
}

static void read_cell(const struct check *check, const struct state *state, const struct ws_sass_instruction *in, u32 number,
                      enum reading reading)
{
    const struct cell *const cell = &state->cells[number];
    if (!cell->pending)
        return;
    if (cell->written_by)
        tell(check, HAZARD_RAW, cell->writer, in, number, 0);
    else if (cell->silent)
        tell(check, HAZARD_SILENT, cell->writer, in, number, 0);
    else if (!cell->variable && cell->age < latency(cell, number, reading))
        tell(check, HAZARD_LATENCY, cell->writer, in, number, cell->age);
}

static void read_all(const struct check *check, const struct state *state, const struct ws_sass_instruction *in)
{
    if (in->guard != ALWAYS)
        read_cell(check, state, in, (in->uniform ? (u32)UP_FIRST : (u32)P_FIRST) + in->guard, READ_GUARD);
    for (u32 n = 0; n < in->operand_count; n++) {
        const struct ws_sass_operand *const operand = &in->operands[n];
        u32 first = 0;
        const u32 count = operand->writes ? 0 : cells_of(in, operand, &first);
        for (u32 cell = first; cell < first + count; cell++)
            read_cell(check, state, in, cell,
                      steers(in)                                             ? READ_GUARD
                      : count == 2 && cell > first && operand->letter == 'c' ? READ_LATE
                                                                             : READ_OPERAND);
        if (operand->kind == WS_SASS_IS_ADDRESS && operand->uniform < P_FIRST - UR_FIRST)
            read_cell(check, state, in, UR_FIRST + operand->uniform, READ_OPERAND);
    }
}

/* ---- Effects ---- */

static void wait_for(struct state *state, u64 counters)
{
    for (u32 n = 0; n < CELLS && counters; n++) {
        struct cell *const cell = &state->cells[n];
        cell->written_by &= (u8)~counters;
        for (u32 order = 0; order < ORDERS; order++)
            cell->read_by[order] &= counters & cell->read_before ? 0 : (u8)~counters;
    }
}

/* Counters that are 0 after DEPBAR. */
static u64 depbar_counters(const struct ws_sass_instruction *in)
{
    const struct ws_sass_depbar depbar = ws_sass_depbar(in);
    return depbar.waits | (depbar.most == 0 ? UINT64_C(1) << depbar.counter : 0);
}

/* Counters of the cell's readers, without those of an order (ORDERS: all). */
static u8 read_by(const struct cell *cell, enum order without)
{
    u8 counters = 0;
    for (u32 order = 0; order < ORDERS; order++)
        counters |= order == without ? 0 : cell->read_by[order];
    return counters;
}

/* No instruction overwrites a register that an earlier one of its order has still to read. Two guarded writers may be the sides of
 * a selection: neither overwrites the other. */
static void write_cell(const struct check *check, struct state *state, const struct ws_sass_instruction *in, u32 number, bool low)
{
    struct cell *const cell = &state->cells[number];
    if (in->guard == ALWAYS && cell->written_by)
        tell(check, HAZARD_RAW, cell->writer, in, number, 0);
    const enum order order = order_of(in);
    if (in->guard == ALWAYS && read_by(cell, order == READS_OTHER ? ORDERS : order))
        tell(check, HAZARD_WAR, cell->reader, in, number, 0);
    const u8 before = in->guard == ALWAYS ? 0 : cell->written_by;
    cell->pending = true;
    cell->variable = is_variable(in);
    cell->low = low;
    cell->silent = is_variable(in) && in->control.writes == NONE;
    cell->unit = unit_of(in);
    cell->age = 0;
    cell->written_by = in->control.writes == NONE ? before : (u8)(before | 1u << in->control.writes);
    cell->writer = in->offset;
}

static void apply(const struct check *check, struct state *state, const struct ws_sass_instruction *in)
{
    const u32 stall = in->control.stall ? in->control.stall : 1;
    for (u32 n = 0; n < in->operand_count; n++) {
        const struct ws_sass_operand *const operand = &in->operands[n];
        u32 first = 0;
        const u32 count = cells_of(in, operand, &first);
        for (u32 cell = first; cell < first + count; cell++)
            if (operand->writes)
                write_cell(check, state, in, cell, count == 2 && cell == first);
            else if (in->control.reads != NONE) {
                const u8 results = in->control.writes == NONE ? 0 : (u8)(1u << in->control.writes);
                state->cells[cell].read_before = read_by(&state->cells[cell], ORDERS) ? 0 : results;
                state->cells[cell].read_by[order_of(in)] |= (u8)(1u << in->control.reads);
                state->cells[cell].reader = in->offset;
            }
    }
    const u8 unit = unit_of(in);
    for (u32 n = 0; n < CELLS && in->control.writes != NONE; n++)
        if (state->cells[n].silent && state->cells[n].unit == unit) {
            state->cells[n].silent = false;
            state->cells[n].written_by = (u8)(1u << in->control.writes);
        }
    for (u32 n = 0; n < CELLS; n++)
        state->cells[n].age = (u8)(state->cells[n].age + stall < MOST_AGE ? state->cells[n].age + stall : MOST_AGE);
}

/* ---- Paths ---- */

/* Merges the state of another path; of two writers the later one counts. Returns whether the state has changed. */
static bool join(struct state *to, const struct state *from)
{
    bool changed = !to->reached;
    for (u32 n = 0; n < CELLS; n++) {
        struct cell *const a = &to->cells[n];
        const struct cell *const b = &from->cells[n];
        const struct cell before = *a;
        const u8 written = a->written_by | b->written_by;
        const bool newer = b->pending && (!a->pending || b->age < a->age || (b->silent && !a->silent));
        bool more_reads = false;
        for (u32 order = 0; order < ORDERS; order++)
            more_reads |= (b->read_by[order] & ~a->read_by[order]) != 0;
        if (written == a->written_by && !more_reads && !newer)
            continue;
        const u32 reader = more_reads ? b->reader : a->reader, writer = written != a->written_by ? b->writer : a->writer;
        if (newer)
            *a = *b;
        else if (written != a->written_by)
            a->writer = writer;
        a->written_by = written;
        a->read_before &= read_by(b, ORDERS) ? b->read_before : a->read_before;
        for (u32 order = 0; order < ORDERS; order++)
            a->read_by[order] = before.read_by[order] | b->read_by[order];
        a->reader = reader;
        changed = true;
    }
    to->reached = true;
    return changed;
}

static void lead_to(struct check *check, u64 offset, const struct state *state)
{
    const u64 n = offset / WS_SASS_WORD;
    if (n >= check->kernel->words || check->report || !join(&check->at[n], state) || check->queued[n])
        return;
    check->queued[n] = true;
    check->queue[check->waiting++] = (u32)n;
}

static bool has_condition(const struct ws_sass_instruction *in)
{
    bool found = in->guard != ALWAYS;
    for (u32 n = 0; n < in->operand_count; n++) {
        const struct ws_sass_operand *const operand = &in->operands[n];
        found |= operand->kind == WS_SASS_IS_REGISTER && (operand->file == WS_SASS_P || operand->file == WS_SASS_UP) &&
                 operand->number != WS_SASS_ZERO;
    }
    return found;
}

/* Passes the state to branch targets. Returns whether the next instruction follows, too. */
static bool leads_on(struct check *check, const struct ws_sass_instruction *in, struct state *state)
{
    const struct ws_sass_operand *const target = ws_sass_operand(in, 't');
    const bool has_target = target && target->kind == WS_SASS_IS_TARGET;
    if (is(in, "CALL")) {
        memset(state->cells, 0, sizeof state->cells);
        if (has_target)
            lead_to(check, (u64)target->value, state);
        return true;
    }
    if (is(in, "BRX"))
        for (u32 n = 0; n < check->kernel->branch_count; n++)
            for (u32 to = 0; check->kernel->branches[n].offset == in->offset && to < check->kernel->branches[n].target_count; to++)
                lead_to(check, check->kernel->branches[n].targets[to], state);
    if (is(in, "BRA") && has_target)
        lead_to(check, (u64)target->value, state);
    return !(is(in, "BRA") || is(in, "BRX") || is(in, "RET") || is(in, "EXIT")) || has_condition(in) || ws_sass_operand(in, 'z');
}

/* Walks from an instruction to the end of the path, or to an instruction with a state of its own. */
static u32 walk(struct check *check, u32 n)
{
    struct state state = check->at[n];
    u32 decoded = 0;
    for (bool on = true; on && n < check->kernel->words;) {
        const struct ws_sass_instruction *const in = &check->code[n];
        if (!in->row)
            memset(state.cells, 0, sizeof state.cells);
        else {
            decoded++;
            wait_for(&state, in->control.waits);
            if (is(in, "DEPBAR"))
                wait_for(&state, depbar_counters(in));
            read_all(check, &state, in);
            apply(check, &state, in);
            on = leads_on(check, in, &state);
        }
        n++;
        if (on && n < check->kernel->words && check->at[n].reached) {
            lead_to(check, (u64)n * WS_SASS_WORD, &state);
            on = false;
        }
    }
    return decoded;
}

u32 hazards_find(const struct ws_sass_kernel *kernel, hazard_report *report, void *context)
{
    static const struct state begin;
    const u32 words = kernel->words;
    struct check check = {.kernel = kernel, .context = context};
    u32 decoded = 0;
    check.code = calloc(words, sizeof *check.code);
    check.at = calloc(words, sizeof *check.at);
    check.queued = calloc(words, sizeof *check.queued);
    check.queue = calloc(words, sizeof *check.queue);
    assert_true(check.code && check.at && check.queued && check.queue);
    for (u32 n = 0; n < words; n++) {
        char failure[300];
        if (!ws_sass_decode(kernel->code[n], n * WS_SASS_WORD, kernel->abi->architecture, &check.code[n], failure, sizeof failure))
            check.code[n].row = NULL;
    }
    lead_to(&check, kernel->entry, &begin);
    while (check.waiting > 0) {
        const u32 n = check.queue[--check.waiting];
        check.queued[n] = false;
        walk(&check, n);
    }
    check.report = report;
    for (u32 n = 0; n < words; n++)
        decoded += check.at[n].reached ? walk(&check, n) : 0;
    free(check.code);
    free(check.at);
    free(check.queued);
    free(check.queue);
    return decoded;
}

/* ---- Expectations ---- */

static const char *const kinds[] = {[HAZARD_RAW] = "without waiting for its counter",
                                    [HAZARD_LATENCY] = "too early",
                                    [HAZARD_WAR] = "before it has been read",
                                    [HAZARD_SILENT] = "without a counter that signals it"};

static void text_of(const struct ws_sass_kernel *kernel, u32 offset, char *text, size_t room)
{
    struct ws_sass_instruction in;
    if (ws_sass_decode(kernel->code[offset / WS_SASS_WORD], offset, kernel->abi->architecture, &in, text, room))
        ws_sass_text(&in, text, room);
}

static void print(void *context, const struct hazard *hazard)
{
    const struct ws_sass_kernel *const kernel = context;
    char first[200], second[200];
    text_of(kernel, hazard->first, first, sizeof first);
    text_of(kernel, hazard->second, second, sizeof second);
    fail_msg("sm_%u, %s: %s (0x%x) uses register %u of file %u of %s (0x%x) %s, %u cycles", kernel->abi->architecture, kernel->name,
             second, hazard->second, hazard->number, hazard->file, first, hazard->first, kinds[hazard->kind], hazard->cycles);
}

u32 hazards_expect_none(const struct ws_program *program)
{
    u32 checked = 0;
    for (u32 n = 0; n < program->kernel_count; n++) {
        const struct ws_sass_kernel *const kernel = ws_sass_kernel_of(program, &program->kernels[n]);
        checked += hazards_find(kernel, print, (void *)(uintptr_t)kernel);
    }
    return checked;
}
