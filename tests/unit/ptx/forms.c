/* Every row of opcodes.def, in every type and with every modifier, is parsed into its operation. */
#include <stdio.h>
#include <string.h>

#include "frontend/ptx/forms.h"
#include "kit.h"
#include "test.h"

static const char *register_of(u32 bytes, bool is_float)
{
    switch (bytes) {
    case 1:
        return "%p1";
    case 2:
        return "%h1";
    case 4:
        return is_float ? "%f1" : "%r1";
    default:
        return is_float ? "%e1" : "%d1";
    }
}

/* A register for a value of the type; of 8 bits in one of 16. */
static const char *register_for(enum ws_type type)
{
    const u32 bytes = ws_type_bytes(type);
    return register_of(type != WS_TYPE_pred && bytes == 1 ? 2 : bytes, ws_type_is_float(type));
}

/* Text of one operand, or NULL for an omitted one. */
static const char *operand_text(char letter, const struct ws_op *op)
{
    const enum ws_type type = (enum ws_type)op->type, from = (enum ws_type)op->from;
    static char list[64];
    const char *one = register_for(type);
    switch (letter) {
    case 'd':
    case 'a':
    case 'v':
    case 'e':
        return one;
    case 'l':
    case 's':
        snprintf(list, sizeof list, op->count == 1 ? "%s" : op->count == 2 ? "{%s, %s}" : "{%s, %s, %s, %s}", one, one, one, one);
        return list;
    case 'w':
    case 'c':
        return register_of(ws_type_bytes(type) * 2, false);
    case 'x':
    case 'u':
        return "%r2";
    case 'q':
        return "%p2|%p3";
    case 'D':
        return "%r2|%p3";
    case 'V':
        return NULL;
    case 'n':
        return "!%p5";
    case 'p':
        return "%p4";
    case 'P':
        return op->combine ? "!%p5" : NULL;
    case 'U':
    case 'A':
    case 'F':
    case 'B':
    case 'C':
    case 'E':
    case 'k':
    case 'K':
        return NULL;
    case 'N':
        return "2";
    case 'm':
        return "[%d2+8]";
    case 'f':
    case 'g':
        return register_for(from);
    case 'i':
        return "%d3";
    default:
        return "END";
    }
}

static void instruction_text(const struct ptx_form *form, const struct ws_op *op, const struct ptx_words *words, char *text,
                             size_t room)
{
    size_t length = 0;
    for (u32 n = 0; n < words->count; n++)
        length += (size_t)snprintf(text + length, room - length, "%s%s", n ? "." : "", words->word[n]);
    const char *separator = " ";
    for (const char *letter = form->operands; *letter; letter++) {
        const char *operand = operand_text(*letter, op);
        if (!operand)
            continue;
        length += (size_t)snprintf(text + length, room - length, "%s%s", separator, operand);
        separator = ", ";
    }
    snprintf(text + length, room - length, ";");
}

static void add_words(struct ptx_words *words, const char *dotted)
{
    while (*dotted) {
        const size_t length = strcspn(dotted, ".");
        memcpy(words->word[words->count], dotted, length);
        words->word[words->count++][length] = '\0';
        dotted += length;
        dotted += *dotted == '.';
    }
}

/* The form of a row's operation when unguarded in a kernel. */
static u8 loaded_opcode(u8 opcode)
{
    return opcode == WS_OP_branch ? WS_OP_jump : opcode == WS_OP_ret ? WS_OP_exit : opcode;
}

/* Loads the single instruction and finds it in the kernel; st.param and jumps to the next instruction leave none. */
static void check_instruction(const struct ptx_form *form, const struct ws_op *expected, const struct ptx_words *words)
{
    char text[300], body[400];
    const struct ws_frontend_options options = kit_plain();
    instruction_text(form, expected, words, text, sizeof text);
    snprintf(body, sizeof body, "%s\nEND: exit;", text);
    struct ws_program *program = kit_load_body(body, &options);
    const struct ws_kernel *kernel = &program->kernels[0];
    const struct ws_op *op = &kernel->ops[0];
    if (form->opcode != WS_OP_branch) {
        assert_int_equal(op->opcode, loaded_opcode(form->opcode));
        assert_int_equal(op->type, expected->type);
        assert_int_equal(op->from, expected->from);
        assert_int_equal(op->rounding, expected->rounding);
        assert_int_equal(op->compare, expected->compare);
        assert_int_equal(op->combine, expected->combine);
        assert_int_equal(op->space, expected->space);
        assert_int_equal(op->count, expected->count);
        assert_int_equal(op->flags & ~WS_OP_NOT_SOURCE, expected->flags);
        assert_int_equal(kernel->program[0].kind, ws_op_kind(expected));
        assert_int_equal(kernel->program[0].class_, form->opcode == WS_OP_ret ? WS_CLASS_exit : ws_op_class(expected));
    }
    ws_program_free(program);
}

/* Tries the words; true if the table accepts them. Some combinations are refused with a reason. */
static bool try_words(const struct ptx_form *form, const struct ptx_words *words)
{
    const struct ptx_form *found;
    struct ws_op op;
    char reason[100];
    if (!ptx_match(words, &found, &op, reason, sizeof reason) || found != form) {
        assert_true(reason[0] != '\0');
        return false;
    }
    const bool writes_parameter = op.opcode == WS_OP_st && op.space == WS_SPACE_parameter;
    const bool cannot = writes_parameter || (op.opcode != WS_OP_ld && op.space == WS_SPACE_constant && op.opcode != WS_OP_cvta &&
                                             op.opcode != WS_OP_cvta_to && op.opcode != WS_OP_isspacep);
    const bool atomic = op.opcode >= WS_OP_atom_add && op.opcode <= WS_OP_atom_cas;
    const bool elements = atomic && op.count > 1 && op.space == WS_SPACE_shared;
    if (cannot || elements || (atomic && (op.space == WS_SPACE_local || op.space == WS_SPACE_parameter)))
        return true; /* tested with the messages */
    check_instruction(form, &op, words);
    return true;
}

/* The words of one modifier from each required group, then one more. */
static u32 try_modifiers(const struct ptx_form *form, const char *type, const char *second)
{
    size_t count;
    u32 taken = 0;
    const struct ptx_modifier *modifiers = ptx_modifiers(&count);
    for (size_t needed = 0; needed <= count; needed++) {
        if (needed < count && !(form->needed ? form->needed & modifiers[needed].group : form->allowed & modifiers[needed].group))
            continue;
        for (size_t more = 0; more <= count; more++) {
            struct ptx_words words = {.count = 0};
            add_words(&words, form->mnemonic);
            if (needed < count)
                add_words(&words, modifiers[needed].word);
            if (more < count && (more == needed || !(form->allowed & modifiers[more].group)))
                continue;
            if (more < count)
                add_words(&words, modifiers[more].word);
            if (type)
                add_words(&words, type);
            if (second)
                add_words(&words, second);
            taken += try_words(form, &words);
        }
    }
    return taken;
}

TEST(test_rows)
{
    size_t count;
    const struct ptx_form *forms = ptx_forms(&count);
    for (size_t n = 0; n < count; n++) {
        const struct ptx_form *form = &forms[n];
        u32 taken = form->types ? 0 : try_modifiers(form, NULL, NULL);
        for (u32 type = 0; type < PTX_TYPES; type++) {
            if (!(form->types >> type & 1))
                continue;
            u32 of_type = form->second_types ? 0 : try_modifiers(form, ptx_type_name((enum ptx_type)type), NULL);
            for (u32 second = 0; second < PTX_TYPES; second++)
                if (form->second_types >> second & 1)
                    of_type += try_modifiers(form, ptx_type_name((enum ptx_type)type), ptx_type_name((enum ptx_type)second));
            if (of_type == 0)
                fail_msg("%s.%s is never taken", form->mnemonic, ptx_type_name((enum ptx_type)type));
            taken += of_type;
        }
        if (taken == 0)
            fail_msg("%s is never taken", form->mnemonic);
    }
}

static void expect_class(const char *body, u8 class_, u8 space, u8 bytes)
{
    const struct ws_frontend_options options = kit_plain();
    struct ws_program *program = kit_load_body(body, &options);
    const struct ws_instruction *instruction = &program->kernels[0].program[0];
    assert_int_equal(instruction->class_, class_);
    assert_int_equal(instruction->space, space);
    assert_int_equal(instruction->bytes, bytes);
    ws_program_free(program);
}

TEST(test_classes)
{
    expect_class("add.s32 %r1, %r2, %r3;", WS_CLASS_int, WS_SPACE_none, 0);
    expect_class("add.f32 %f1, %f2, %f3;", WS_CLASS_fp32, WS_SPACE_none, 0);
    expect_class("add.f64 %e1, %e2, %e3;", WS_CLASS_fp64, WS_SPACE_none, 0);
    expect_class("div.s32 %r1, %r2, %r3;", WS_CLASS_int, WS_SPACE_none, 0);
    expect_class("div.rn.f64 %e1, %e2, %e3;", WS_CLASS_sfu, WS_SPACE_none, 0);
    expect_class("setp.lt.f32 %p1, %f2, %f3;", WS_CLASS_fp32, WS_SPACE_none, 0);
    expect_class("set.lt.u32.f64 %r1, %e2, %e3;", WS_CLASS_fp64, WS_SPACE_none, 0);
    expect_class("ex2.approx.f32 %f1, %f2;", WS_CLASS_sfu, WS_SPACE_none, 0);
    expect_class("cvt.rn.f32.s32 %f1, %r2;", WS_CLASS_int, WS_SPACE_none, 0);
    expect_class("ld.param.u64 %d1, [p0];", WS_CLASS_int, WS_SPACE_none, 0);
    expect_class("ld.u8 %r1, [%d1];", WS_CLASS_load, WS_SPACE_global, 1);
    expect_class("ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [%d1];", WS_CLASS_load, WS_SPACE_shared, 16);
    expect_class("st.local.v2.u16 [%d1], {%h1, %h2};", WS_CLASS_store, WS_SPACE_local, 4);
    expect_class("ld.const.f64 %e1, [%d1];", WS_CLASS_load, WS_SPACE_constant, 8);
    expect_class("red.shared.add.u32 [%d1], 1;", WS_CLASS_atomic, WS_SPACE_shared, 4);
    expect_class("bar.sync 0;", WS_CLASS_barrier, WS_SPACE_none, 0);
    expect_class("membar.gl;", WS_CLASS_int, WS_SPACE_none, 0);
    expect_class("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r0, %r1}, {%r2, %r3}, {%r4}, {%r5, %r6};", WS_CLASS_tensor,
                 WS_SPACE_none, 0);
    expect_class("exit;", WS_CLASS_exit, WS_SPACE_none, 0);
}

static void expect_kind(const char *body, u8 kind)
{
    const struct ws_frontend_options options = kit_plain();
    struct ws_program *program = kit_load_body(body, &options);
    if (program->kernels[0].program[0].kind != kind)
        fail_msg("%s is of kind %u, not %u", body, program->kernels[0].program[0].kind, kind);
    ws_program_free(program);
}

TEST(test_kinds)
{
    expect_kind("add.s32 %r1, %r2, %r3;", WS_KIND_add);
    expect_kind("sub.f64 %e1, %e2, %e3;", WS_KIND_add);
    expect_kind("min.u64 %d1, %d2, %d3;", WS_KIND_minmax);
    expect_kind("max.f32 %f1, %f2, %f3;", WS_KIND_minmax);
    expect_kind("mul.f32 %f1, %f2, %f3;", WS_KIND_mul);
    expect_kind("mul.hi.s32 %r1, %r2, %r3;", WS_KIND_mul);
    expect_kind("mul.wide.u32 %d1, %r2, %r3;", WS_KIND_mul);
    expect_kind("mul24.lo.s32 %r1, %r2, %r3;", WS_KIND_mul);
    expect_kind("mad.lo.s32 %r1, %r2, %r3, %r4;", WS_KIND_mad);
    expect_kind("mad.wide.s32 %d1, %r2, %r3, %d4;", WS_KIND_mad);
    expect_kind("mad.rn.f32 %f1, %f2, %f3, %f4;", WS_KIND_mad);
    expect_kind("fma.rn.f32 %f1, %f2, %f3, %f4;", WS_KIND_fma);
    expect_kind("fma.rn.f64 %e1, %e2, %e3, %e4;", WS_KIND_fma);
    expect_kind("div.u32 %r1, %r2, %r3;", WS_KIND_div);
    expect_kind("rem.s64 %d1, %d2, %d3;", WS_KIND_div);
    expect_kind("div.rn.f32 %f1, %f2, %f3;", WS_KIND_div);
    expect_kind("div.approx.f32 %f1, %f2, %f3;", WS_KIND_div);
    expect_kind("div.full.f32 %f1, %f2, %f3;", WS_KIND_div);
    expect_kind("div.rn.f64 %e1, %e2, %e3;", WS_KIND_div_fp64);
    expect_kind("sad.u32 %r1, %r2, %r3, %r4;", WS_KIND_other);
    expect_kind("abs.f32 %f1, %f2;", WS_KIND_other);
    expect_kind("neg.s32 %r1, %r2;", WS_KIND_other);
    expect_kind("rcp.rn.f32 %f1, %f2;", WS_KIND_other);
    expect_kind("setp.lt.f32 %p1, %f2, %f3;", WS_KIND_other);
    expect_kind("atom.add.u32 %r1, [%d1], 1;", WS_KIND_other);
    expect_kind("ld.u32 %r1, [%d1];", WS_KIND_other);
}

/* A hexadecimal number that ends in E has no exponent after it. */
TEST(test_hexadecimal)
{
    const struct ws_frontend_options options = kit_plain();
    struct ws_program *program = kit_load_body("ld.global.u32 %r1, [0x1E+2];", &options);
    const struct ws_kernel *kernel = &program->kernels[0];
    assert_int_equal(kernel->ops[0].offset, 2);
    assert_int_equal(kernel->inputs[kernel->ops[0].src[0] - kernel->registers].value, 0x1E);
    ws_program_free(program);
}
