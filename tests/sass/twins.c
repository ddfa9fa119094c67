/* Instructions of the uniform datapath give the same results as their vector twins. Twins are two rows of sass.def with the same
 * operands and modifiers, one with uniform registers. The test assembles both with random modifiers into a kernel of this
 * project. */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/file.h"
#include "sass/code/decode.h"
#include "sass/exec/machine.h"
#include "sass/programs.h"

enum { PLACES = 24, SOURCES = 6, RESULTS = 4, DRAWS = 40, MOST_BYTES = 64 << 20, PT = 7, OTHER = 0x5A5A5A5A };
/* Registers of both datapaths; sources a, b and c are pairs. */
enum { VECTOR_SOURCE = 60, VECTOR_RESULT = 70, UNIFORM_SOURCE = 20, UNIFORM_RESULT = 32 };

/* The kernel: offsets in the file for instructions, registers with its input, registers that it stores. */
struct frame {
    u32 architecture;
    char *bytes;
    size_t length, place[PLACES];
    u32 sources[SOURCES], results[RESULTS], used;
    u64 state; /* state of the random numbers */
};

static void put(u64 word[2], u32 from, u32 count, u64 value)
{
    for (u32 n = 0; n < count; n++)
        if (n < 64 && value >> n & 1)
            word[(from + n) / 64] |= UINT64_C(1) << (from + n) % 64;
}

static u32 below(struct frame *frame, u32 most)
{
    return (u32)(ws_random(&frame->state) % most);
}

static void emit(struct frame *frame, const u64 word[2])
{
    assert_true(frame->used < PLACES);
    memcpy(frame->bytes + frame->place[frame->used++], word, 16);
}

/* ---- The kernel ---- */

static void open_frame(struct frame *frame)
{
    char path[400];
    struct ws_program *program;
    u32 places = 0;
    snprintf(path, sizeof path, "%s/frame.sm_%u.cubin", CUBINS_FOLDER, frame->architecture);
    EXPECT_OK(ws_file_read(path, MOST_BYTES, &frame->bytes, &frame->length, &error));
    EXPECT_OK(ws_sass_program("frame", (const u8 *)frame->bytes, frame->length, &program, &error));
    const struct ws_sass_kernel *const machine = ws_sass_kernel_of(program, program->kernels);
    for (u32 n = 0; n < machine->words; n++) {
        struct ws_sass_instruction in;
        char failure[300];
        assert_true(ws_sass_decode(machine->code[n], n * WS_SASS_WORD, frame->architecture, &in, failure, sizeof failure));
        const struct ws_sass_operand *const from = ws_sass_operand(&in, 'g'), *const to = ws_sass_operand(&in, 'G');
        if (from)
            frame->sources[from->value / 4] = ws_sass_operand(&in, 'd')->number;
        if (to)
            frame->results[to->value / (8 * THREADS)] = ws_sass_operand(&in, 'r')->number;
    }
    ws_program_free(program);
    for (size_t at = 0; at + WS_SASS_WORD <= frame->length; at += WS_SASS_WORD) {
        u64 low;
        memcpy(&low, frame->bytes + at, sizeof low);
        if ((low & 0xFFF) == 0x824 && low >> 32 == 0xDEADBEEF && places < PLACES)
            frame->place[places++] = at;
    }
    assert_int_equal(places, PLACES);
}

/* ---- Instructions ---- */

static void move(struct frame *frame, bool from_uniform, u32 to, u32 from)
{
    u64 word[2] = {from_uniform ? 0xC02 : 0x202, 0};
    put(word, 12, 3, PT);
    put(word, 16, 8, to);
    put(word, 32, 8, from);
    put(word, 72, 4, 15);
    put(word, 91, 1, from_uniform);
    emit(frame, word);
}

static void move_to_uniform(struct frame *frame, u32 to, u32 from)
{
    u64 word[2] = {frame->architecture >= 90 ? 0x2CA : 0x3C2, 0};
    put(word, 12, 3, PT);
    put(word, 16, 8, to);
    put(word, 24, 8, from);
    put(word, 81, 3, PT);
    emit(frame, word);
}

/* Selects a value by a predicate. */
static void select(struct frame *frame, bool uniform, u32 to, u32 predicate)
{
    u64 word[2] = {uniform ? 0x887 : 0x807, 0};
    put(word, 12, 3, PT);
    put(word, 16, 8, to);
    put(word, 24, 8, uniform ? UNIFORM_SOURCE : VECTOR_SOURCE);
    put(word, 32, 32, OTHER);
    put(word, 87, 3, predicate);
    put(word, 91, 1, uniform);
    emit(frame, word);
}

/* ---- Rows ---- */

static bool is_uniform(const struct ws_sass_row *row)
{
    return row->name[0] == 'U' || strchr(row->operands, 'D');
}

/* Whether two rows are twins. pairs: letters of the two datapaths for the same operand. */
static bool are_twins(const struct ws_sass_row *a, const struct ws_sass_row *b)
{
    const size_t length = strlen(a->operands);
    if (a->does != b->does || is_uniform(b) || strlen(b->operands) != length || !a->forms[0] != !b->forms[0] ||
        (strcmp(a->modifiers, b->modifiers) != 0 && b->modifiers[0]))
        return false;
    for (size_t n = 0; n < length; n++) {
        static const char pairs[] = "DdfAEe";
        const char *const pair = strchr(pairs, a->operands[n]);
        const char other = pair && (pair - pairs) % 2 == 0 ? pair[1] : a->operands[n];
        if (b->operands[n] != other && b->operands[n] != a->operands[n])
            return false;
    }
    return true;
}

static const struct ws_sass_row *twin_of(const struct ws_sass_row *row, u32 architecture)
{
    for (const struct ws_sass_row *other = ws_sass_rows; other->name; other++)
        if (architecture >= other->from && architecture <= other->to && are_twins(row, other))
            return other;
    return NULL;
}

/* Draws the bits of a row other than registers: signs of sources, modifiers, predicates and numbers. */
static void draw_modifiers(struct frame *frame, const struct ws_sass_row *row, u64 word[2])
{
    for (const char *at = row->modifiers; *at;) {
        char *end;
        const u32 from = (u32)strtoul(at, &end, 10), to = *end == '-' ? (u32)strtoul(end + 1, &end, 10) : from;
        const size_t length = strcspn(end, " ");
        u32 count = 1, value = 0;
        for (size_t n = 0; n < length; n++)
            count += end[n] == '|';
        if (end[1] == '#')
            value = (u32)strtoul(end + 2, NULL, 10);
        else if (end[1] != '*')
            value = below(frame, count == 1 ? 2 : count);
        put(word, from, to - from + 1, value);
        at = end + length;
        at += strspn(at, " ");
    }
}

static void draw_operands(struct frame *frame, const struct ws_sass_row *row, u64 word[2])
{
    static const u8 special[] = {0x00, 0x21, 0x22, 0x25, 0x38, 0x39, 0x3A, 0x3B, 0x3C};
    for (const char *at = row->operands; *at; at++) {
        const bool is_second = *at == 'b' || *at == 'e', is_third = *at == 'c' || *at == 'E';
        if (*at == 'a' || is_second || is_third) {
            const size_t length = strcspn(at, " ");
            if (memchr(at, '-', length) || memchr(at, '~', length))
                put(word, *at == 'a' ? 72 : is_second ? 63 : 75, 1, below(frame, 2));
            if (memchr(at, '|', length))
                put(word, *at == 'a' ? 73 : is_second ? 62 : 74, 1, below(frame, 2));
        }
        if (*at == 'p' || *at == 'q')
            put(word, *at == 'p' ? 81 : 84, 3, row->name[0] != 'U' || !below(frame, 3) ? PT : *at == 'q');
        if (*at == 'P' || *at == 'Q' || *at == 'L' || *at == 'M') {
            const u32 from = *at == 'P' ? 87 : *at == 'Q' ? 77 : 68;
            put(word, from, 3, PT);
            put(word, from + 3, 1, below(frame, 2));
        }
        if (*at == 'h' || *at == 'o')
            put(word, *at == 'h' ? 75 : 72, *at == 'h' ? 5 : 8, below(frame, 256));
        if (*at == 'i')
            put(word, 32, 7, below(frame, 128));
        if (*at == 'x')
            put(word, 72, 8, special[below(frame, sizeof special)]);
    }
}

static void put_registers(const struct ws_sass_row *row, bool uniform, u32 source, u32 result, u64 word[2])
{
    put(word, 0, 12, row->number | (row->forms[0] ? 1u << 9 : 0));
    put(word, 12, 3, PT);
    put(word, 91, 1, uniform && row->name[0] == 'U');
    for (const char *at = row->operands; *at; at++) {
        if (*at == 'd' || *at == 'D')
            put(word, 16, 8, result);
        if (*at == 'a' || *at == 'A' || *at == 'f')
            put(word, 24, 8, source);
        if (*at == 'b' || *at == 'e')
            put(word, 32, 8, source + 2);
        if (*at == 'c' || *at == 'E')
            put(word, 64, 8, *at == 'c' ? source + 4 : source + 2);
    }
}

/* ---- Comparison ---- */

/* Fills the rest of the kernel with NOP and runs it. False if it is refused. */
static bool run(struct frame *frame, u64 *out, program_count *count)
{
    static const u64 nothing[2] = {0x7918, 0};
    struct ws_program *program;
    while (frame->used < PLACES)
        emit(frame, nothing);
    EXPECT_OK(ws_sass_program("frame", (const u8 *)frame->bytes, frame->length, &program, &error));
    const bool works = !program->kernels[0].failure;
    if (works)
        program_execute(program, "frame", frame->state, out, 8 * THREADS * RESULTS, count, NULL);
    ws_program_free(program);
    return works;
}

/* Runs the kernel with an instruction. False if it is refused. */
static bool execute(struct frame *frame, bool uniform, const struct ws_sass_row *row, const u64 drawn[2], u64 *out,
                    program_count *count)
{
    const u32 source = uniform ? UNIFORM_SOURCE : VECTOR_SOURCE, result = uniform ? UNIFORM_RESULT : VECTOR_RESULT;
    u64 word[2] = {drawn[0], drawn[1]};
    frame->used = 0;
    if (strchr(row->operands, 'e') && row->does == WS_SASS_DOES_fadd) { /* bits 74, 75 of one twin are 62, 63 of the other */
        word[1] &= ~(UINT64_C(3) << 10);
        put(word, 62, 2, drawn[1] >> 10 & 3);
    }
    for (u32 n = 0; n < SOURCES; n++)
        if (uniform)
            move_to_uniform(frame, source + n, frame->sources[n]);
        else
            move(frame, false, source + n, frame->sources[n]);
    put_registers(row, uniform, source, result, word);
    emit(frame, word);
    for (u32 n = 0; n < 2; n++)
        select(frame, uniform, result + 2 + n, n);
    for (u32 n = 0; n < RESULTS; n++)
        move(frame, uniform, frame->results[n], result + n);
    return run(frame, out, count);
}

static void compare_row(struct frame *frame, const struct ws_sass_row *row, const struct ws_sass_row *twin, program_count *count)
{
    static u64 own[THREADS * RESULTS], other[THREADS * RESULTS];
    for (u32 n = 0; n < DRAWS; n++) {
        u64 drawn[2] = {0, 0};
        draw_modifiers(frame, row, drawn);
        draw_operands(frame, row, drawn);
        const bool works = execute(frame, true, row, drawn, own, count);
        if (execute(frame, false, twin, drawn, other, count) != works)
            fail_msg("%s or %s, sm_%u, word 0x%016llx%016llx: only one of them is refused", row->name, twin->name,
                     frame->architecture, (unsigned long long)drawn[1], (unsigned long long)drawn[0]);
        for (u32 i = 0; works && i < THREADS * RESULTS; i++)
            if (own[i] != other[i])
                fail_msg("%s, sm_%u, word 0x%016llx%016llx: result %u of thread %u is 0x%llx, but 0x%llx of %s", row->name,
                         frame->architecture, (unsigned long long)drawn[1], (unsigned long long)drawn[0], i / THREADS, i % THREADS,
                         (unsigned long long)own[i], (unsigned long long)other[i], twin->name);
    }
}

/* ---- Instructions without a twin ---- */

/* Instructions without effect on registers, and moves of a convergence barrier that keep the active lanes. */
static const struct plain {
    u32 from;
    u64 word[2];
} plain[] = {
    {90, {0x782E, 0}},                            /* ACQBULK */
    {90, {0x73C6, 0}},                            /* FENCE.VIEW.ASYNC.S */
    {90, {0x782D, 0}},                            /* PREEXIT */
    {90, {0x791B, UINT64_C(7) << 23}},            /* ENDCOLLECTIVE */
    {90, {0x7948, UINT64_C(7) << 23 | 1u << 22}}, /* WARPSYNC of all lanes, then the next instruction */
    {75, {0x7946, UINT64_C(7) << 23}},            /* YIELD */
    {75, {0x7945 | 5 << 16, UINT64_C(7) << 23}},  /* BSSY B5 */
    {75, {0x7355 | 70 << 16 | 5 << 24, 0}},       /* BMOV R70, B5 */
    {75, {0x7356 | UINT64_C(70) << 32 | 6 << 24, 0}} /* BMOV B6, R70 */,
    {75, {0x7941 | 6 << 16, UINT64_C(7) << 23}}, /* BSYNC B6 */
};

static void execute_plain(struct frame *frame, program_count *count)
{
    static u64 out[THREADS * RESULTS];
    frame->used = 0;
    for (u32 n = 0; n < sizeof plain / sizeof *plain; n++)
        if (frame->architecture >= plain[n].from)
            emit(frame, plain[n].word);
    for (u32 n = 0; n < RESULTS; n++)
        move(frame, false, frame->results[n], VECTOR_RESULT);
    if (!run(frame, out, count))
        fail_msg("sm_%u: an instruction of the table `plain` is refused", frame->architecture);
    for (u32 n = 0; n < THREADS * RESULTS; n++)
        assert_int_equal(out[n], UINT32_MAX);
}

/* BPT stops the launch. */
static void expect_trap(struct frame *frame)
{
    static const u64 trap[2] = {0x795C | UINT64_C(1) << 34, UINT64_C(3) << 20};
    static u32 in[BYTES / 4], same[UNIFORM_WORDS];
    static u64 out[THREADS * RESULTS];
    struct ws_argument arguments[] = {{.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof in, .data = in},
                                      {.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof out, .data = out},
                                      {.kind = WS_ARGUMENT_SCALAR, .bytes = sizeof same, .data = same}};
    struct ws_ndrange launch = {.kernel = "frame",
                                .source = "twins",
                                .global = {THREADS, 1, 1},
                                .local = {THREADS, 1, 1},
                                .argument_count = 3,
                                .arguments = arguments};
    struct ws_frontend_options options;
    struct ws_program *program;
    ws_frontend_defaults(&options);
    frame->used = 0;
    emit(frame, trap);
    EXPECT_OK(ws_sass_program("frame", (const u8 *)frame->bytes, frame->length, &program, &error));
    EXPECT_ERROR_HAS(ws_execute(program, &options, &launch, NULL, NULL, &error), WS_STATUS_bad_input, "trap");
    ws_program_free(program);
}

/* Instructions without an implementation are refused by name, with their word once. */
static void expect_refusals(struct frame *frame)
{
    static const struct {
        u32 from, to;
        u64 word[2];
        const char *says;
    } refused[] = {{75, 120, {0x73A0, 0}, "found SURED of sm_"},
                   {75, 120, {0x7001, 5}, "found an unknown opcode (bits 0 to 11) of sm_"},
                   {75, 89, {0x00001C0000007A02, 0x000FE40000000F00}, "found c[0x0][0x70], a word"},
                   {90, 120, {0x73BA, 0}, "found UBLKCP of sm_"},
                   {90, 120, {0x75B4, 0}, "found UTMALDG of sm_"},
                   {90, 90, {0x79F0, 0}, "found HGMMA of sm_"},
                   {86, 90, {0x0000181E1C04723C, 0x010FE60000001A04}, "found HMMA.SP of sm_"},
                   {86, 90, {0x0000191A18047237, 0x010FE60000405D04}, "found IMMA.SP of sm_"},
                   {75, 86, {0x0000001A18047237, 0x010FE60000585C04}, "found IMMA.INT4 of sm_"},
                   {75, 86, {0x000000060408723D, 0x004FE60000015408}, "found BMMA of sm_"},
                   {90, 120, {0x000000060408727A, 0x010FE6000000AC08}, "found QMMA of sm_"}};
    for (u32 n = 0; n < sizeof refused / sizeof *refused; n++) {
        struct ws_program *program;
        char word[40];
        if (frame->architecture < refused[n].from || frame->architecture > refused[n].to)
            continue;
        frame->used = 0;
        emit(frame, refused[n].word);
        EXPECT_OK(ws_sass_program("frame", (const u8 *)frame->bytes, frame->length, &program, &error));
        const char *const failure = program->kernels[0].failure;
        snprintf(word, sizeof word, "0x%016llx%016llx", (unsigned long long)refused[n].word[1],
                 (unsigned long long)refused[n].word[0]);
        assert_non_null(failure);
        assert_non_null(strstr(failure, refused[n].says));
        assert_non_null(strstr(failure, word));
        assert_null(strstr(strstr(failure, word) + 1, word));
        ws_program_free(program);
    }
}

void twins_compare(u32 architecture, program_count *count)
{
    struct frame frame = {.architecture = architecture, .state = architecture};
    open_frame(&frame);
    for (const struct ws_sass_row *row = ws_sass_rows; row->name; row++) {
        const struct ws_sass_row *const twin =
            architecture >= row->from && architecture <= row->to && is_uniform(row) ? twin_of(row, architecture) : NULL;
        if (twin && (!row->forms[0] || (strchr(row->forms, '1') && strchr(twin->forms, '1'))))
            compare_row(&frame, row, twin, count);
    }
    execute_plain(&frame, count);
    expect_trap(&frame);
    expect_refusals(&frame);
    free(frame.bytes);
}
