/* Control bits of random cases of pipeline subcore: some obey what a compiler guarantees for every pair of classes, others are any,
 * and all features of an instruction occur. */
#include <stdlib.h>
#include <string.h>

#include "differential/random/random_case.h"
#include "oracle/allocate.h"
#include "test.h"
#include "warpsweep/trace.h"

enum { CASES = 1200, REGISTERS = 256, SEEN = 2 /* cycles from an issue until its counters are seen */ };

static const struct wanted subcores = {
    .pipeline = WS_pipeline_subcore, .divergence = WS_divergence_pdom, .policy = ANY_POLICY, .no_named = true};

/* ---- What a compiler guarantees ---- */

/* Who reads: ALU, FMA, FP16, FP64, matrix products, decoupled units, addresses (NAK, sm80_instr_latencies.rs). */
enum reader { ALU, FMA, HALF, FP64, TENSOR, DECOUPLED, ADDRESS, READERS };

static enum reader reader_of(const struct ws_operands *operands)
{
    switch (operands->unit) {
    case WS_SUB_BRANCH:
    case WS_SUB_SFU:
        return DECOUPLED;
    case WS_SUB_MISC:
    case WS_SUB_MEMORY:
        return ADDRESS;
    default:
        return (enum reader)operands->unit;
    }
}

/* Cycles from a fixed writer to a reader of its register. */
static u32 needed(u32 writer, enum reader reader, bool predicate, bool guarded)
{
    static const u32 of_half[READERS] = {5, 5, 5, 6, 7, 4, 5}, of_fp64[READERS] = {10, 10, 10, 6, 11, 6, 7};
    static const u32 of_fma[READERS] = {5, 4, 5, 6, 7, 4, 5}, of_alu[READERS] = {4, 5, 5, 6, 7, 4, 5};
    if (predicate && (guarded || reader == FP64 || reader >= DECOUPLED))
        return writer == WS_SUB_FP64 ? 14 : 13;
    return (writer == WS_SUB_FP64 ? of_fp64 : writer == WS_SUB_HALF ? of_half : writer == WS_SUB_FMA ? of_fma : of_alu)[reader];
}

static bool has_counter(const struct ws_operands *operands)
{
    return operands->unit == WS_SUB_TENSOR || operands->unit >= WS_SUB_SFU;
}

static bool names(const u8 *registers, u32 count, u32 number)
{
    return memchr(registers, (int)number, count) != NULL;
}

/* An instruction after `first`, up to `last`, waits for the counter, no sooner than its raise is seen. */
static void expect_waits(const struct ws_image *image, u32 first, u32 last, u32 counter)
{
    u32 at = 0;
    assert_true(counter < WS_SUB_COUNTERS);
    for (u32 pc = first + 1; pc <= last; pc++) {
        at += WS_CONTROL_STALL(image->operands[pc - 1].control);
        if (at >= SEEN && WS_CONTROL_WAITS(image->operands[pc].control) >> counter & 1)
            return;
    }
    fail_msg("%u waits for counter %u of %u too early, or not at all", last, counter, first);
}

/* Pairs that occurred. */
static bool paired[WS_SUB_UNITS][READERS][2];

/* `last` is the first reader, or writer, after `first` of a register that that one writes. */
static void expect_written(const struct ws_image *image, u32 first, u32 last, u32 number)
{
    const struct ws_operands *const writer = &image->operands[first], *const reader = &image->operands[last];
    const struct ws_instruction *const ins = &image->program[last];
    const bool predicate = number >= WS_FIRST_PREDICATE;
    u32 cycles = 0;
    if (has_counter(writer)) {
        expect_waits(image, first, last, WS_CONTROL_WRITES(writer->control));
        return;
    }
    for (u32 pc = first; pc < last; pc++)
        cycles += WS_CONTROL_STALL(image->operands[pc].control);
    if (!names(ins->src, ins->reads, number))
        return;
    const u32 least = needed(writer->unit, reader_of(reader), predicate, ins->flags & WS_GUARDED);
    if (cycles < least)
        fail_msg("%u reads a result of %u after %u of %u cycles", last, first, cycles, least);
    paired[writer->unit][reader_of(reader)][predicate] = true;
}

static bool is_leader(const struct ws_image *image, u32 pc)
{
    for (u32 n = 0; n < image->instructions; n++)
        if ((image->program[n].class_ == WS_CLASS_branch || image->program[n].class_ == WS_CLASS_jump) &&
            image->program[n].target == pc)
            return true;
    return pc == 0 || image->program[pc - 1].class_ >= WS_CLASS_branch;
}

/* Checks what follows an instruction in its block. */
static void expect_obeyed(const struct ws_image *image, u32 first)
{
    const struct ws_instruction *const ins = &image->program[first];
    const u32 reads = WS_CONTROL_READS(image->operands[first].control);
    for (u32 n = 0; n < (u32)ins->writes + ins->reads; n++) {
        const bool writes = n < ins->writes;
        const u32 number = writes ? ins->dst[n] : ins->src[n - ins->writes];
        for (u32 pc = first + 1; pc < image->instructions && !is_leader(image, pc); pc++) {
            const struct ws_instruction *const next = &image->program[pc];
            const bool overwrites = names(next->dst, next->writes, number);
            if (writes && (overwrites || names(next->src, next->reads, number)))
                expect_written(image, first, pc, number);
            if (!writes && overwrites && has_counter(&image->operands[first]))
                expect_waits(image, first, pc, reads);
            if (overwrites)
                break;
        }
    }
}

/* Whether the bits are those of the compiler. */
static bool is_assigned(const struct ws_image *image)
{
    struct ws_operands *const copy = oracle_allocate(image->instructions, sizeof *copy);
    bool same = true;
    memcpy(copy, image->operands, image->instructions * sizeof *copy);
    ws_operands_assign(image->program, image->instructions, copy);
    for (u32 pc = 0; pc < image->instructions; pc++)
        same &= copy[pc].control == image->operands[pc].control;
    free(copy);
    return same;
}

TEST(assigned_bits_obey_the_compilers_guarantees)
{
    for (u64 seed = 1; seed <= CASES; seed++) {
        struct random_case made;
        random_case_make_of(&made, seed, &whole_size, &subcores);
        for (u32 pc = 0; is_assigned(made.image) && pc < made.image->instructions; pc++)
            expect_obeyed(made.image, pc);
        random_case_free(&made);
    }
    for (u32 unit = 0; unit <= WS_SUB_FP64; unit++)
        for (u32 reader = 0; reader < READERS; reader++)
            if (!paired[unit][reader][0] || (unit != WS_SUB_HALF && !paired[unit][reader][1]))
                fail_msg("no result of unit %u is read by %u", unit, reader);
}

/* ---- What occurs ---- */

enum feature {
    WIDE_LOAD,
    WIDE_STORE,
    UNIFORM_ADDRESS,
    IMAD_WIDE,
    DEPBAR,
    DEPBAR_OTHERS,
    REUSE,
    BOTH_BARRIERS,
    LONG_STALL,
    YIELD,
    CONSTANT_OPERAND,
    COPY,
    COMMIT,
    FENCE,
    WIDE_SOURCES,
    BYPASS,
    FEATURES
};

static u32 features_of(const struct ws_instruction *ins, const struct ws_operands *operands)
{
    const u32 control = operands->control, flags = operands->flags;
    const bool memory = ins->space == WS_SPACE_global, raises = WS_CONTROL_READS(control) < WS_SUB_COUNTERS;
    const bool has[FEATURES] = {
        [WIDE_LOAD] = memory && ins->class_ == WS_CLASS_load && ins->bytes > 4,
        [WIDE_STORE] = memory && ins->class_ == WS_CLASS_store && ins->bytes > 4,
        [UNIFORM_ADDRESS] = memory && flags & WS_OPERANDS_UNIFORM,
        [IMAD_WIDE] = flags & WS_OPERANDS_WIDE,
        [DEPBAR] = flags & WS_OPERANDS_DEPBAR && operands->limit > 0,
        [DEPBAR_OTHERS] = flags & WS_OPERANDS_DEPBAR && operands->others > 0,
        [REUSE] = WS_CONTROL_REUSE(control) > 0,
        [BOTH_BARRIERS] = raises && WS_CONTROL_READS(control) == WS_CONTROL_WRITES(control),
        [LONG_STALL] = WS_CONTROL_YIELDS(control) && WS_CONTROL_STALL(control) == 0,
        [YIELD] = WS_CONTROL_YIELDS(control) && WS_CONTROL_STALL(control) > 0,
        [CONSTANT_OPERAND] = flags & WS_OPERANDS_CONSTANT,
        [COPY] = flags & WS_OPERANDS_COPY,
        [COMMIT] = flags & WS_OPERANDS_COMMIT,
        [FENCE] = flags & WS_OPERANDS_FENCE,
        [WIDE_SOURCES] = operands->words[0] > 1,
        [BYPASS] = ins->flags & WS_BYPASS,
    };
    u32 set = 0;
    for (u32 n = 0; n < FEATURES; n++)
        set |= (u32)has[n] << n;
    return set;
}

/* In a twentieth of the cases at least. */
TEST(all_features_occur)
{
    u32 times[FEATURES] = {0};
    for (u64 seed = 1; seed <= CASES; seed++) {
        struct random_case made;
        u32 found = 0;
        random_case_make_of(&made, seed, &whole_size, &subcores);
        for (u32 pc = 0; pc < made.image->instructions; pc++)
            found |= features_of(&made.image->program[pc], &made.image->operands[pc]);
        for (u32 n = 0; n < FEATURES; n++)
            times[n] += found >> n & 1;
        random_case_free(&made);
    }
    for (u32 n = 0; n < FEATURES; n++)
        if (times[n] * 20 < CASES)
            fail_msg("feature %u: %u of %u cases", n, times[n], (u32)CASES);
}

TESTS(NULL, NULL)
