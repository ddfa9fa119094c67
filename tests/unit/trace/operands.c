/* Operands of machine code for pipeline subcore: docs/model/subcore.md, "What an instruction carries". */
#include "trace/operands.h"

#include "test.h"

/* A program with the operands behind it. */
static struct {
    struct ws_instruction program[1];
    struct ws_operands operands[1];
} image;

/* The operands of an instruction. */
static const struct ws_operands *read_code_of(const struct ws_instruction *program, const char *text, u32 count,
                                              const struct ws_machine_operand *operands)
{
    const struct ws_machine_instruction instruction = {
        .control = WS_CODE_NO_CONTROL, .operand_count = (u8)count, .operands = operands, .text = text, .ptx = ""};
    const struct ws_machine_code code = {.instruction_count = 1, .instructions = &instruction};
    image.program[0] = *program;
    wst_operands(image.program, 1, &code);
    return &image.operands[0];
}

/* The operands of an instruction of class int. */
static const struct ws_operands *read_code(const char *text, u32 count, const struct ws_machine_operand *operands)
{
    return read_code_of(&(struct ws_instruction){.class_ = WS_CLASS_int, .kind = WS_KIND_add}, text, count, operands);
}

static const struct ws_machine_operand constants[] = {{WS_CODE_source, WS_SASS_R, WS_CODE_A, 1, 2, 0},
                                                      {WS_CODE_source, WS_SASS_BANK, WS_CODE_NO_SLOT, 1, 3, 0x164},
                                                      {WS_CODE_source, WS_SASS_BANK, WS_CODE_NO_SLOT, 1, 0, 0x20}};

/* The first constant operand counts. */
TEST(constant_operands_are_kept)
{
    const struct ws_operands *const operands = read_code("@!P0 IADD3 R4, R2, c[0x3][0x164], RZ", 3, constants);
    assert_int_equal(operands->flags, WS_OPERANDS_CONSTANT);
    assert_int_equal(operands->bank_offset, 3 << 16 | 0x164);
    assert_int_equal(operands->source[0], 2);
}

/* Loads of constants and special functions have no operand in the L0 constant cache. */
TEST(variable_units_have_no_constant_operands)
{
    assert_int_equal(read_code("MUFU.RCP R4, c[0x3][0x164]", 3, constants)->flags, 0);
    assert_int_equal(read_code("LDCU UR4, c[0x3][0x164]", 3, constants)->flags, WS_OPERANDS_UNIFORM);
}

TEST(copies_and_fences_are_named)
{
    assert_int_equal(read_code("LDGSTS.E.128 [R2], [R4.64]", 0, NULL)->flags, WS_OPERANDS_COPY);
    assert_int_equal(read_code("LDGDEPBAR", 0, NULL)->flags, WS_OPERANDS_COMMIT);
    assert_int_equal(read_code("MEMBAR.SC.GPU", 0, NULL)->flags, WS_OPERANDS_FENCE | WS_OPERANDS_UNIFORM);
    assert_int_equal(read_code("IMAD.WIDE.U32 R2, R4, R6, R8", 0, NULL)->flags, WS_OPERANDS_WIDE);
    assert_int_equal(read_code("IMAD R2, R4, R6, R8", 0, NULL)->flags, 0);
}

static u8 flags_of(const char *text, u32 class_, u32 space)
{
    read_code_of(&(struct ws_instruction){.class_ = (u8)class_, .space = (u8)space}, text, 0, NULL);
    return image.program[0].flags;
}

TEST(loads_that_bypass_l1_are_marked)
{
    assert_int_equal(flags_of("LDG.E.STRONG.GPU R2, [R4.64]", WS_CLASS_load, WS_SPACE_global), WS_BYPASS);
    assert_int_equal(flags_of("@!P0 LDG.E.128.STRONG.SYS R4, [R4.64]", WS_CLASS_load, WS_SPACE_global), WS_BYPASS);
    assert_int_equal(flags_of("LDGSTS.BYPASS.128 [R2], [R4.64]", WS_CLASS_load, WS_SPACE_global), WS_BYPASS);
    assert_int_equal(flags_of("LDGSTS.BYPASS.128 [R2], [R4.64]", WS_CLASS_store, WS_SPACE_shared), 0);
    assert_int_equal(flags_of("LDG.E.STRONG.SM R2, [R4.64]", WS_CLASS_load, WS_SPACE_global), 0);
    assert_int_equal(flags_of("LDG.E.CONSTANT R2, [R4.64]", WS_CLASS_load, WS_SPACE_global), 0);
    assert_int_equal(flags_of("STG.E.STRONG.GPU [R4.64], R2", WS_CLASS_store, WS_SPACE_global), 0);
    assert_int_equal(flags_of("LDG.E R2, [R4.64] .STRONG.GPU", WS_CLASS_load, WS_SPACE_global), 0);
}

TESTS(NULL, NULL)
