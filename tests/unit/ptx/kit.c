#include "kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/ptx/forms.h"
#include "test.h"

struct ws_frontend_options kit_plain(void)
{
    struct ws_frontend_options options;
    ws_frontend_defaults(&options);
    options.if_convert = 0;
    options.guarded_moves = false;
    return options;
}

struct ws_program *kit_load(const char *text, const struct ws_frontend_options *options)
{
    struct ws_program *program = NULL;
    struct ws_error error = {.status = WS_STATUS_ok};
    if (ws_program_load("kit", text, strlen(text), options, &program, &error) != WS_STATUS_ok)
        fail_msg("%s\n%s", error.message, text);
    return program;
}

struct ws_program *kit_load_body(const char *body, const struct ws_frontend_options *options)
{
    static const char header[] = ".version 3.2\n.target sm_20\n.address_size 64\n"
                                 ".entry k(.param .u64 p0, .param .u32 p1)\n{\n"
                                 ".reg .pred %p<16>; .reg .b16 %h<16>; .reg .b32 %r<16>; .reg .f32 %f<16>;\n"
                                 ".reg .b64 %d<16>; .reg .f64 %e<16>;\n";
    const size_t room = sizeof header + strlen(body) + 3;
    char *text = malloc(room);
    assert_non_null(text);
    snprintf(text, room, "%s%s\n}", header, body);
    struct ws_program *program = kit_load(text, options);
    free(text);
    return program;
}

static size_t add_word(char *text, size_t room, const struct ws_kernel *kernel, u32 n)
{
    const struct ws_op *op = &kernel->ops[n];
    const struct ws_instruction *instruction = &kernel->program[n];
    const char *guard = op->guard == WS_SLOT_NONE ? "" : op->flags & WS_OP_NOT_GUARD ? "!" : "?";
    int length = snprintf(text, room, "%s%s%s", n ? " " : "", guard, ws_opcode_name((enum ws_opcode)op->opcode));
    if (op->opcode == WS_OP_branch || op->opcode == WS_OP_jump)
        length += snprintf(text + length, room - (size_t)length, ">%u", op->target);
    if (op->opcode == WS_OP_branch && instruction->reconverge == WS_PC_NONE)
        length += snprintf(text + length, room - (size_t)length, ":-");
    else if (op->opcode == WS_OP_branch)
        length += snprintf(text + length, room - (size_t)length, ":%u", instruction->reconverge);
    return (size_t)length;
}

void kit_words(const struct ws_kernel *kernel, char *text, size_t room)
{
    size_t length = 0;
    for (u32 n = 0; n < kernel->op_count; n++) {
        assert_true(room - length > 64);
        length += add_word(text + length, room - length, kernel, n);
    }
}

void kit_expect(const char *body, const struct ws_frontend_options *options, const char *words)
{
    char found[4000];
    struct ws_program *program = kit_load_body(body, options);
    kit_words(&program->kernels[0], found, sizeof found);
    assert_string_equal(found, words);
    ws_program_free(program);
}

u32 kit_random(u64 *state, u32 limit)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (u32)((*state >> 32) * limit >> 32);
}
