#include "import/attach.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/code_registers.h"

enum { WORD_BYTES = 16 };

/* The mnemonic of a text of code, "LDG" of "@!P0 LDG.E R2, ...": *length characters. */
static const char *mnemonic(const char *text, size_t *length)
{
    const char *const guard = *text == '@' ? strchr(text, ' ') : NULL;
    text = guard ? guard + 1 : text;
    *length = strcspn(text, ". ");
    return text;
}

static bool has_register(const struct ws_machine_instruction *code, u32 file, u32 number)
{
    for (u32 n = 0; n < code->operand_count; n++)
        if (code->operands[n].file == file && number - code->operands[n].number < code->operands[n].words)
            return true;
    return false;
}

/* The first register of a record, "1 R9 FADD 2 R4 R3", that the code neither reads nor writes there; NULL: none. RZ and URZ are of
 * no interest, and neither are registers of instructions whose operands the decoder leaves out. */
static const char *foreign_register(const struct sass_op *op, const struct ws_machine_instruction *code)
{
    enum { RZ = 255, URZ = 63 };
    const char *at = code->operand_count > 0 ? strchr(op->text, ' ') : NULL;
    for (; at; at = strchr(at, ' ')) {
        const bool uniform = *++at == 'U';
        const char *const digits = at + 1 + uniform;
        char *end = NULL;
        if (at[uniform] != 'R' || *digits < '0' || *digits > '9')
            continue;
        const u32 number = (u32)strtoul(digits, &end, 10);
        const bool zero = number == RZ || (uniform && number == URZ);
        if ((*end == ' ' || !*end) && !zero && !has_register(code, uniform ? WS_SASS_UR : WS_SASS_R, number))
            return at;
    }
    return NULL;
}

/* The code at the pc of an instruction; *found is NULL when no opcode is known there. */
static enum ws_status find(const struct sass_cubin *cubin, const struct sass_op *op, const struct ws_machine_instruction **found,
                           struct ws_error *error)
{
    const struct ws_machine_code *const code = cubin->code;
    const u32 number = op->pc / WORD_BYTES;
    size_t length;
    if (op->pc % WORD_BYTES || number >= code->instruction_count)
        return ws_fail(error, WS_STATUS_bad_input,
                       "%s:%" PRIu64 ": pc %04" PRIx32
                       " (%s) is recorded, but kernel %s in %s has %u instructions of 16 bytes: it is "
                       "not the code that was traced",
                       cubin->trace, op->seen, op->pc, op->opcode, cubin->kernel, cubin->name, code->instruction_count);
    *found = &code->instructions[number];
    const char *const name = mnemonic((*found)->text, &length);
    const bool same = length == 0 || (strncmp(op->opcode, name, length) == 0 && length == strcspn(op->opcode, "."));
    const char *const foreign = same ? foreign_register(op, *found) : NULL;
    if (same && !foreign)
        return WS_STATUS_ok;
    if (same)
        return ws_fail(error, WS_STATUS_bad_input,
                       "%s:%" PRIu64 ": pc %04" PRIx32
                       ": %s is recorded with register %.*s, kernel %s in %s has %s there: it is not "
                       "the code that was traced",
                       cubin->trace, op->seen, op->pc, op->opcode, (int)strcspn(foreign, " "), foreign, cubin->kernel, cubin->name,
                       (*found)->text);
    return ws_fail(error, WS_STATUS_bad_input,
                   "%s:%" PRIu64 ": pc %04" PRIx32
                   ": opcode %s is recorded, kernel %s in %s has %.*s there: it is not the code that was "
                   "traced",
                   cubin->trace, op->seen, op->pc, op->opcode, cubin->kernel, cubin->name, (int)strcspn(name, " "), name);
}

/* Registers of a thread that the code uses. */
static u32 thread_registers(const struct ws_machine_instruction *instructions, u32 count)
{
    u32 most = 0;
    for (u32 n = 0; n < count; n++)
        for (u32 i = 0; i < instructions[n].operand_count; i++) {
            const struct ws_machine_operand *const operand = &instructions[n].operands[i];
            if (operand->file == WS_SASS_R)
                most = ws_max(most, (u32)operand->number + operand->words);
        }
    return most;
}

static enum ws_status describe(const struct sass_cubin *cubin, const struct sass_code *code, struct sass_program *program,
                               struct ws_machine_instruction *instructions, struct ws_error *error)
{
    for (u32 n = 0; n < program->count; n++) {
        const u32 place = program->steps[n].place;
        const struct ws_machine_instruction *found = NULL;
        instructions[n] =
            (struct ws_machine_instruction){.offset = WS_CODE_NO_OFFSET, .control = WS_CODE_NO_CONTROL, .text = "", .ptx = ""};
        if (place == SASS_NONE)
            continue;
        const struct sass_op *const op = &code->ops[program->places[place].op];
        WS_TRY(find(cubin, op, &found, error));
        instructions[n] = *found;
        program->instructions[n].flags &= (u8)~WS_BYPASS; /* as the text says */
        if (found->line)
            program->instructions[n].line = found->line;
        if (found->text[0])
            continue;
        instructions[n].text = op->opcode;
        program->unknown += n == program->places[place].first;
    }
    return WS_STATUS_ok;
}

enum ws_status sass_attach(const struct sass_cubin *cubin, const struct sass_code *code, struct sass_program *program,
                           struct ws_error *error)
{
    struct ws_machine_code *const made = ws_arena_alloc(&program->arena, sizeof *made);
    struct ws_machine_instruction *const instructions = ws_arena_array(&program->arena, program->count, sizeof *instructions);
    if (!made || !instructions)
        return ws_no_memory(error);
    WS_TRY(describe(cubin, code, program, instructions, error));
    const u32 threads = thread_registers(instructions, program->count);
    program->lost_registers = 0;
    for (u32 n = 0; n < program->count; n++)
        if (instructions[n].operand_count > 0)
            program->lost_registers += ws_code_registers(&instructions[n], threads, &program->instructions[n]);
    *made = *cubin->code;
    made->instruction_count = program->count;
    made->instructions = instructions;
    program->code = made;
    return WS_STATUS_ok;
}
