/* Register allocation, checked by walking programs: when a virtual register is read, its allocated register holds its value. Walks
 * follow random branches; guards and branches agree with predicate values. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit.h"
#include "test.h"

enum { BODY = 20000, STEPS = 3000, PREDICATES = 240, PREDICATE_FILE = 14 };

/* Values are numbered as they are written. */
struct walk {
    const struct ws_kernel *kernel;
    u64 next_value;
    u64 *virtual_value; /* by slot; 0 before the first write */
    u8 *width;          /* by slot, as written */
    u64 allocated_value[257];
};

/* Whether a predicate that holds this value is true. */
static bool truth(u64 value)
{
    return (value * 0x9E3779B97F4A7C15u) >> 63;
}

static void check_place(const struct walk *walk, u8 place, u8 width)
{
    if (width == 1)
        assert_in_range(place, PREDICATES, PREDICATES + PREDICATE_FILE - 1);
    else
        assert_true(place + (width == 8 ? 2u : 1u) <= walk->kernel->allocated);
    if (width == 8)
        assert_int_equal(place % 2, 0);
}

static void check_holds(const struct walk *walk, u32 pc, u16 slot, u8 place)
{
    const u64 value = walk->virtual_value[slot];
    if (!value)
        return;
    check_place(walk, place, walk->width[slot]);
    if (walk->allocated_value[place] != value || (walk->width[slot] == 8 && walk->allocated_value[place + 1] != value))
        fail_msg("pc %u (line %u): slot %u is not in register %u", pc, walk->kernel->ops[pc].line, slot, place);
}

static bool is_register(const struct walk *walk, u16 slot)
{
    return slot < walk->kernel->registers;
}

static void check_reads(const struct walk *walk, u32 pc)
{
    const struct ws_op *op = &walk->kernel->ops[pc];
    const struct ws_instruction *instruction = &walk->kernel->program[pc];
    const bool move = op->opcode == WS_OP_cmov;
    const u32 kept = op->flags & WS_OP_NOT_SOURCE ? 0 : 1;
    u32 reads = 0;
    for (u32 n = 0; n < 6; n++) {
        const u16 slot = n < 5 ? op->src[n] : op->guard;
        if (!is_register(walk, slot))
            continue;
        check_holds(walk, pc, slot, move && n == kept ? instruction->dst[0] : instruction->src[reads]);
        reads += !(move && n == kept);
    }
    assert_int_equal(reads, instruction->reads);
}

static void do_writes(struct walk *walk, u32 pc)
{
    const struct ws_op *op = &walk->kernel->ops[pc];
    u32 writes = 0;
    for (u32 n = 0; n < 4; n++) {
        const u16 slot = op->dst[n];
        if (slot == WS_SLOT_NONE)
            continue;
        const u8 place = walk->kernel->program[pc].dst[writes++];
        check_place(walk, place, op->width);
        walk->width[slot] = op->width;
        walk->virtual_value[slot] = walk->allocated_value[place] = ++walk->next_value;
        if (op->width == 8)
            walk->allocated_value[place + 1] = walk->next_value;
    }
    assert_int_equal(writes, walk->kernel->program[pc].writes);
}

/* Executes one operation; returns the next program counter, or the number of operations at an end. */
static u32 step(struct walk *walk, u32 pc)
{
    const struct ws_op *op = &walk->kernel->ops[pc];
    const bool guarded = op->guard != WS_SLOT_NONE;
    const bool holds = !guarded || truth(walk->virtual_value[op->guard]) != ((op->flags & WS_OP_NOT_GUARD) != 0);
    if (op->opcode == WS_OP_exit || op->opcode == WS_OP_trap)
        return walk->kernel->op_count;
    if (holds || op->opcode == WS_OP_branch)
        check_reads(walk, pc);
    if (op->opcode == WS_OP_jump || (op->opcode == WS_OP_branch && holds))
        return op->target;
    if (holds)
        do_writes(walk, pc);
    return pc + 1;
}

static void walk_kernel(const struct ws_kernel *kernel, u64 seed)
{
    struct walk walk = {.kernel = kernel, .next_value = seed};
    walk.virtual_value = calloc(kernel->registers + 1, sizeof *walk.virtual_value);
    walk.width = calloc(kernel->registers + 1, sizeof *walk.width);
    assert_true(walk.virtual_value && walk.width);
    assert_true(kernel->most_live <= kernel->allocated);
    u32 pc = 0;
    for (u32 n = 0; n < STEPS && pc < kernel->op_count; n++)
        pc = step(&walk, pc);
    free(walk.virtual_value);
    free(walk.width);
}

/* ---- Random programs ---- */

struct text {
    char data[BODY];
    size_t length;
};

static void __attribute__((format(printf, 2, 3))) add(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text->length += (size_t)vsnprintf(text->data + text->length, sizeof text->data - text->length, format, arguments);
    va_end(arguments);
    assert_true(text->length < sizeof text->data);
}

static void add_instruction(struct text *text, u64 *random)
{
    u32 r[6];
    for (u32 n = 0; n < 6; n++)
        r[n] = kit_random(random, 16);
    if (kit_random(random, 5) == 0)
        add(text, "@%s%%p%u ", r[4] & 1 ? "!" : "", r[5]);
    switch (kit_random(random, 10)) {
    case 0:
        add(text, "add.s32 %%r%u, %%r%u, %%r%u;\n", r[0], r[1], r[2]);
        break;
    case 1:
        add(text, "mul.wide.u32 %%d%u, %%r%u, 5;\n", r[0], r[1]);
        break;
    case 2:
        add(text, "cvt.u32.u64 %%r%u, %%d%u;\n", r[0], r[1]);
        break;
    case 3:
        add(text, "selp.b32 %%r%u, %%r%u, %%r%u, %%p%u;\n", r[0], r[1], r[2], r[3]);
        break;
    case 4:
        add(text, "selp.b64 %%d%u, %%d%u, %%d%u, %%p%u;\n", r[0], r[1], r[2], r[3]);
        break;
    case 5:
        add(text, "setp.lt.and.s32 %%p%u|%%p%u, %%r%u, %%r%u, %%p%u;\n", r[0], (r[0] + 1) % 16, r[1], r[2], r[3]);
        break;
    case 6:
        add(text, "setp.lt.u64 %%p%u, %%d%u, 3;\n", r[0], r[1]);
        break;
    case 7:
        add(text, "ld.global.v2.u32 {%%r%u, %%r%u}, [%%d%u];\n", r[0], (r[0] + 1) % 16, r[1]);
        break;
    case 8:
        add(text, "st.global.v4.u32 [%%d%u], {%%r%u, %%r%u, %%r%u, 1};\n", r[0], r[1], r[2], r[3]);
        break;
    default:
        add(text, "mov.b64 {%%r%u, %%r%u}, %%d%u;\n", r[0], (r[0] + 3) % 16, r[1]);
        break;
    }
}

/* Blocks with random branches between them. Few predicates are live at once, but some programs have too many. */
static void make_body(struct text *text, u64 *random)
{
    const u32 blocks = 1 + kit_random(random, 12);
    text->length = 0;
    for (u32 n = 0; n < blocks; n++) {
        add(text, "L%u:\n", n);
        for (u32 count = kit_random(random, 9); count > 0; count--)
            add_instruction(text, random);
        const u32 end = kit_random(random, 8);
        if (end < 4)
            add(text, "@%%p%u bra L%u;\n", kit_random(random, 16), kit_random(random, blocks));
        if (end == 4)
            add(text, "bra L%u;\n", kit_random(random, blocks));
        if (end == 5)
            add(text, "@%%p%u ret;\n", kit_random(random, 16));
    }
}

static struct ws_program *try_load(const char *body, const struct ws_frontend_options *options)
{
    static char source[BODY + 400];
    struct ws_program *program = NULL;
    struct ws_error failure = {.status = WS_STATUS_ok};
    snprintf(source, sizeof source,
             ".entry k() { .reg .pred %%p<16>; .reg .b32 %%r<16>; .reg .b64 %%d<16>;\n"
             "%s}",
             body);
    const enum ws_status status = ws_program_load("kit", source, strlen(source), options, &program, &failure);
    EXPECT_DONE(status, &failure);
    return program;
}

TEST(test_random)
{
    static struct text text;
    u64 random = 0xA110C;
    u32 loaded = 0;
    for (u32 n = 0; n < 4000; n++) {
        struct ws_frontend_options options;
        ws_frontend_defaults(&options);
        options.if_convert = kit_random(&random, 8);
        options.guarded_moves = kit_random(&random, 2);
        make_body(&text, &random);
        struct ws_program *program = try_load(text.data, &options);
        if (!program)
            continue;
        loaded++;
        for (u64 seed = 0; seed < 6; seed++)
            walk_kernel(&program->kernels[0], seed * 1000);
        ws_program_free(program);
    }
    assert_true(loaded > 2000);
}

TEST(test_workloads)
{
    for (const struct ws_workload *workload = ws_workloads(); workload->name; workload++) {
        struct ws_frontend_options options;
        ws_frontend_defaults(&options);
        struct ws_program *program = kit_load(workload->ptx, &options);
        for (u32 n = 0; n < program->kernel_count; n++)
            for (u64 seed = 0; seed < 50; seed++)
                walk_kernel(&program->kernels[n], seed * 1000);
        ws_program_free(program);
    }
}

/* ---- Numbers ---- */

static void expect_registers(const char *body, u32 most_live, u32 allocated)
{
    const struct ws_frontend_options options = kit_plain();
    struct ws_program *program = kit_load_body(body, &options);
    struct ws_kernel_info info;
    assert_int_equal(ws_program_kernel(program, "k", &info, NULL), WS_STATUS_ok);
    assert_int_equal(info.most_live, most_live);
    assert_int_equal(info.registers, allocated);
    ws_program_free(program);
}

TEST(test_numbers)
{
    expect_registers("", 0, 0);
    expect_registers("mov.u32 %r1, 1;", 1, 1);
    expect_registers("mov.u64 %d1, 1; mov.u64 %d2, 2; st.global.u64 [%d1], %d2;", 4, 4);
    expect_registers("mov.u32 %r1, 1; add.u32 %r2, %r1, 1; add.u32 %r3, %r2, 1; st.global.u32 [0], %r3;", 1, 1);
    expect_registers("mov.u32 %r1, 1; mov.u64 %d1, 0; st.global.u32 [%d1], %r1;", 3, 4);
    expect_registers("mov.u16 %h1, 1; mov.u16 %h2, 1; add.u16 %h1, %h1, %h2; st.global.u16 [0], %h1;", 2, 2);
}

/* Temporaries of the two sides of a converted hammock are not live together, nor before it. */
TEST(test_sides)
{
    static const char body[] = "mov.u32 %r1, 1; setp.eq.u32 %p1, %r1, 0; @%p1 bra A; neg.s32 %r2, %r1; neg.s32 %r3, %r2; bra B;"
                               "A: not.b32 %r4, %r1; not.b32 %r3, %r4; B: st.global.u32 [0], %r3;";
    struct ws_frontend_options options = kit_plain();
    options.if_convert = 2;
    struct ws_program *program = kit_load_body(body, &options);
    assert_int_equal(program->kernels[0].program[2].flags, WS_GUARDED);
    assert_int_equal(program->kernels[0].most_live, 2);
    ws_program_free(program);
}

/* ---- Too many ---- */

static void expect_refusal(const char *text, u32 registers, const char *message)
{
    struct ws_frontend_options options = kit_plain();
    struct ws_program *program;
    struct ws_error error;
    options.registers = registers;
    assert_int_equal(ws_program_load("kit", text, strlen(text), &options, &program, &error), WS_STATUS_bad_input);
    assert_null(program);
    assert_string_equal(error.message, message);
}

/* A kernel in which count registers of the type are live at once. */
static void many_live(struct text *text, const char *type, const char *before, const char *after, u32 count)
{
    text->length = 0;
    add(text, ".entry k()\n{\n.reg .%s %%v<%u>;\n", type, count);
    for (u32 n = 0; n < count; n++)
        add(text, "mov.%s %%v%u, %u;\n", type, n, n & 1);
    for (u32 n = 0; n < count; n++)
        add(text, "%s%u%s", before, n, after);
    add(text, "}\n");
}

TEST(test_too_many)
{
    static struct text text;
    const struct ws_frontend_options options = kit_plain();
    many_live(&text, "u32", "st.global.u32 [0], %v", ";\n", 240);
    struct ws_program *program = kit_load(text.data, &options);
    assert_int_equal(program->kernels[0].allocated, 240);
    ws_program_free(program);
    expect_refusal(text.data, 100, "kit:1: kernel 'k' needs 240 registers, 100 are allowed");
    many_live(&text, "u32", "st.global.u32 [0], %v", ";\n", 241);
    program = kit_load(text.data, &options); /* one is spilled: to local memory */
    assert_int_equal(program->kernels[0].allocated, 240);
    assert_in_range(program->kernels[0].local_bytes, 4, 16);
    ws_program_free(program);
    many_live(&text, "pred", "@%v", " st.global.u32 [0], 1;\n", 14);
    program = kit_load(text.data, &options);
    assert_int_equal(program->kernels[0].program[13].dst[0], 253);
    ws_program_free(program);
    many_live(&text, "pred", "@%v", " st.global.u32 [0], 1;\n", 15);
    program = kit_load(text.data, &options); /* into general registers */
    assert_in_range(program->kernels[0].allocated, 1, 4);
    assert_int_equal(program->kernels[0].local_bytes, 0);
    ws_program_free(program);
}
