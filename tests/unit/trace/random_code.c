/* Random machine code. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "unit/trace/random.h"

enum { TEXTS = 5, TEXT_MOST = 255 };

/* One of a few texts, including none and the longest. */
static const char *random_text(u64 *state)
{
    static char longest[TEXT_MOST + 1];
    static const char *const texts[TEXTS - 1] = {"", "@!P0 IADD3.X R4, P1, R4.reuse, c[0x0][0x160], RZ", "x", "\xc3\xa9"};
    memset(longest, 'L', TEXT_MOST);
    const u32 which = random_below(state, TEXTS);
    return which < TEXTS - 1 ? texts[which] : longest;
}

static struct ws_machine_operand random_operand(u64 *state)
{
    static const u16 numbers[] = {255, 255, 7, 7, 16, 32, 6};
    struct ws_machine_operand made = {.role = (u8)random_below(state, WS_CODE_ROLES),
                                      .file = (u8)random_below(state, WS_SASS_SB + 1),
                                      .slot = (u8)random_below(state, WS_CODE_SLOTS),
                                      .words = (u8)(1 + random_below(state, 16))};
    made.number = (u16)random_below(state, numbers[made.file]);
    if (made.file < WS_SASS_BANK)
        return made;
    made.role = WS_CODE_source;
    made.offset = (u32)random_next(state);
    return made;
}

static struct ws_machine_instruction random_instruction(u64 *state, u32 files)
{
    struct ws_machine_instruction made = {.offset = random_below(state, 8) ? random_below(state, 1 << 20) * 16 : WS_CODE_NO_OFFSET,
                                          .control = random_below(state, 1 << 21),
                                          .ptx_line = (u32)random_next(state),
                                          .file = (u16)random_below(state, files + 1),
                                          .operand_count = (u8)random_below(state, random_below(state, 8) ? 6 : 25),
                                          .text = random_text(state),
                                          .ptx = random_text(state)};
    struct ws_machine_operand *const operands = calloc(made.operand_count + 1u, sizeof *operands);
    assert_non_null(operands);
    for (u32 n = 0; n < made.operand_count; n++)
        operands[n] = random_operand(state);
    made.operands = operands;
    return made;
}

struct ws_machine_code *random_code_make(u64 *state, u32 count)
{
    struct ws_machine_code *const code = calloc(1, sizeof *code);
    struct ws_machine_instruction *const instructions = calloc(count, sizeof *instructions);
    const u32 files = random_below(state, 4);
    const char **const names = calloc(files + 1u, sizeof *names);
    assert_true(code && instructions && names);
    for (u32 n = 0; n < files; n++)
        names[n] = random_text(state);
    for (u32 n = 0; n < count; n++)
        instructions[n] = random_instruction(state, files);
    *code = (struct ws_machine_code){.architecture = random_below(state, 130),
                                     .compiler = random_text(state),
                                     .file_count = files,
                                     .files = names,
                                     .instruction_count = count,
                                     .instructions = instructions};
    return code;
}

/* Frees what is const for others. */
static void release(const void *data)
{
    free((void *)(uintptr_t)data);
}

void random_code_free(struct ws_machine_code *code)
{
    for (u32 n = 0; code && n < code->instruction_count; n++)
        release(code->instructions[n].operands);
    if (code) {
        release(code->instructions);
        release(code->files);
    }
    free(code);
}
