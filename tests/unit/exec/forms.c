/* Everything that the loader accepts is executable: each row of opcodes.def in every type and with up to two modifiers. */
#include <stdio.h>
#include <string.h>

#include "frontend/exec/code.h"
#include "frontend/ptx/forms.h"
#include "test.h"

static void add_words(struct ptx_words *words, const char *dotted)
{
    while (dotted && *dotted) {
        const size_t length = strcspn(dotted, ".");
        memcpy(words->word[words->count], dotted, length);
        words->word[words->count++][length] = '\0';
        dotted += length;
        dotted += *dotted == '.';
    }
}

/* The loader's form of an operation. */
static struct ws_op loaded(struct ws_op op)
{
    if (op.opcode == WS_OP_ret)
        op.opcode = WS_OP_exit;
    if (op.opcode == WS_OP_branch)
        op.guard = 0;
    return op;
}

static void check(const char *text, struct ws_op op)
{
    static char name[] = "k";
    static const struct ws_memory memory;
    struct ws_op ops[] = {loaded(op), {.opcode = WS_OP_exit, .guard = WS_SLOT_NONE}};
    struct ws_instruction program[2] = {{.reconverge = WS_PC_NONE}, {.reconverge = WS_PC_NONE}};
    const struct ws_kernel kernel = {.name = name, .registers = 8, .op_count = 2, .ops = ops, .program = program};
    struct ws_code code;
    struct ws_error error;
    if (ws_code_make(&kernel, &memory, false, &code, &error) != WS_STATUS_ok)
        fail_msg("%s: %s", text, error.message);
    assert_non_null(code.steps[0].run);
    ws_code_free(&code);
}

/* 1 if the loader accepts the words. */
static u32 try_words(const char *mnemonic, const char *first, const char *second, const char *type, const char *from)
{
    struct ptx_words words = {.count = 0};
    const struct ptx_form *form;
    struct ws_op op;
    char reason[100], text[100];
    const char *const parts[] = {mnemonic, first, second, type, from};
    for (u32 n = 0; n < 5; n++)
        add_words(&words, parts[n]);
    if (!ptx_match(&words, &form, &op, reason, sizeof reason) || (op.opcode == WS_OP_st && op.space == WS_SPACE_parameter))
        return 0;
    snprintf(text, sizeof text, "%s %s %s %s %s", mnemonic, first, second, type, from);
    op.guard = WS_SLOT_NONE;
    check(text, op);
    return 1;
}

static u32 try_modifiers(const struct ptx_form *form, const char *type, const char *from)
{
    size_t count;
    const struct ptx_modifier *const modifiers = ptx_modifiers(&count);
    u32 taken = try_words(form->mnemonic, "", "", type, from);
    for (size_t i = 0; i < count; i++) {
        if (!(form->allowed & modifiers[i].group))
            continue;
        taken += try_words(form->mnemonic, modifiers[i].word, "", type, from);
        for (size_t n = 0; n < count; n++)
            if (form->allowed & modifiers[n].group)
                taken += try_words(form->mnemonic, modifiers[i].word, modifiers[n].word, type, from);
    }
    return taken;
}

static u32 try_second_types(const struct ptx_form *form, const char *type)
{
    u32 taken = form->second_types ? 0 : try_modifiers(form, type, "");
    for (u32 second = 0; second < PTX_TYPES; second++)
        if (form->second_types >> second & 1)
            taken += try_modifiers(form, type, ptx_type_name((enum ptx_type)second));
    return taken;
}

TEST(test_forms)
{
    size_t count;
    const struct ptx_form *const forms = ptx_forms(&count);
    for (size_t n = 0; n < count; n++) {
        u32 taken = forms[n].types ? 0 : try_modifiers(&forms[n], "", "");
        for (u32 type = 0; type < PTX_TYPES; type++)
            if (forms[n].types >> type & 1)
                taken += try_second_types(&forms[n], ptx_type_name((enum ptx_type)type));
        if (taken == 0)
            fail_msg("%s is never taken", forms[n].mnemonic);
    }
}

/* An operation without a handler is refused, not skipped. */
TEST(test_unknown)
{
    static char name[] = "k";
    static const struct ws_memory memory;
    struct ws_op ops[] = {{.opcode = WS_OP_call, .guard = WS_SLOT_NONE, .line = 3}, {.opcode = WS_OP_exit, .guard = WS_SLOT_NONE}};
    struct ws_instruction program[2] = {{.class_ = WS_CLASS_branch}};
    const struct ws_kernel kernel = {.name = name, .registers = 8, .op_count = 2, .ops = ops, .program = program},
                           open = {.name = name, .ops = ops, .op_count = 1, .program = program};
    struct ws_code code;
    struct ws_error error;
    assert_int_equal(ws_code_make(&kernel, &memory, false, &code, &error), WS_STATUS_internal);
    assert_non_null(strstr(error.message, "kernel k, line 3: nothing executes operation"));
    ws_code_free(&code);
    assert_int_equal(ws_code_make(&open, &memory, false, &code, &error), WS_STATUS_internal);
    ws_code_free(&code);
}
