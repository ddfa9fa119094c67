#include "trace/code.h"

#include <string.h>

#include "base/error.h"
#include "trace/format.h"

enum { TEXT_MOST = 255 /* of a short text */, WORDS_MOST = 16, CONTROL_BITS = 21, WORD_BYTES = 16 };

/* ---- Rules ---- */

/* The error of an operand, in words; NULL when it is valid. */
static const char *operand_defect(const struct ws_machine_operand *operand)
{
    static const u16 numbers[] = {[WS_SASS_R] = 254, [WS_SASS_UR] = 254,  [WS_SASS_P] = 6, [WS_SASS_UP] = 6,
                                  [WS_SASS_B] = 15,  [WS_SASS_BANK] = 31, [WS_SASS_SB] = 5};
    if (operand->role >= WS_CODE_ROLES)
        return "an unknown role of an operand";
    if (operand->file > WS_SASS_SB)
        return "an unknown file of registers";
    if (operand->slot >= WS_CODE_SLOTS)
        return "an unknown source slot";
    if (operand->words < 1 || operand->words > WORDS_MOST)
        return "an operand of 0 or more than 16 words";
    if (operand->number > numbers[operand->file])
        return "an unknown register, constant bank or counter";
    if (operand->file >= WS_SASS_BANK ? operand->role != WS_CODE_source : operand->offset != 0)
        return "a constant or counter that is no source, or an offset of a register";
    return NULL;
}

static const char *defect(const struct ws_machine_code *code, const struct ws_machine_instruction *at)
{
    if (at->offset != WS_CODE_NO_OFFSET && at->offset % WORD_BYTES)
        return "an offset that is no multiple of 16";
    if (at->control >> CONTROL_BITS)
        return "more than 21 control bits";
    if (at->file > code->file_count)
        return "an unknown file of the source";
    if (strlen(at->text) > TEXT_MOST || strlen(at->ptx) > TEXT_MOST)
        return "a text of more than 255 bytes";
    if (at->operand_count > WS_CODE_OPERANDS_MOST)
        return "more than 24 operands";
    for (u32 n = 0; n < at->operand_count; n++)
        if (operand_defect(&at->operands[n]))
            return operand_defect(&at->operands[n]);
    return NULL;
}

enum ws_status wst_code_check(const struct ws_launch *launch, struct ws_error *error)
{
    const struct ws_machine_code *const code = launch->code;
    if (code->instruction_count != launch->instructions)
        return ws_fail(error, WS_STATUS_bad_input, "machine code of %u instructions, the program has %u", code->instruction_count,
                       launch->instructions);
    if (code->file_count > UINT16_MAX || strlen(code->compiler) > WST_TEXT_MOST)
        return ws_fail(error, WS_STATUS_bad_input, "%u source files, a compiler named in %zu bytes: at most %u and %u are allowed",
                       code->file_count, strlen(code->compiler), UINT16_MAX, WST_TEXT_MOST);
    for (u32 n = 0; n < code->file_count; n++)
        if (strlen(code->files[n]) > WST_TEXT_MOST)
            return ws_fail(error, WS_STATUS_bad_input, "source file %u has a name of %zu bytes: at most %u are allowed", n,
                           strlen(code->files[n]), WST_TEXT_MOST);
    for (u32 pc = 0; pc < launch->instructions; pc++) {
        const char *const what = defect(code, &code->instructions[pc]);
        if (what)
            return ws_fail(error, WS_STATUS_bad_input, "machine code of instruction %u of %u: %s", pc, launch->instructions, what);
    }
    return WS_STATUS_ok;
}

/* ---- Writing ---- */

static void write_instruction(const struct ws_machine_instruction *at, struct wst_bytes *bytes)
{
    wst_put(bytes, at->offset, 4);
    wst_put(bytes, at->control, 4);
    wst_put(bytes, at->ptx_line, 4);
    wst_put(bytes, at->file, 2);
    wst_put(bytes, at->operand_count, 1);
    wst_put_text(bytes, at->text, 1);
    wst_put_text(bytes, at->ptx, 1);
    for (const struct ws_machine_operand *operand = at->operands; operand < at->operands + at->operand_count; operand++) {
        wst_put(bytes, operand->role, 1);
        wst_put(bytes, operand->file, 1);
        wst_put(bytes, operand->slot, 1);
        wst_put(bytes, operand->words, 1);
        wst_put(bytes, operand->number, 2);
        wst_put(bytes, operand->offset, 4);
    }
}

void wst_code_write(const struct ws_launch *launch, struct wst_bytes *bytes)
{
    const struct ws_machine_code *const code = launch->code;
    wst_put(bytes, code->architecture, 4);
    wst_put_text(bytes, code->compiler, 2);
    wst_put(bytes, code->file_count, 2);
    for (u32 n = 0; n < code->file_count; n++)
        wst_put_text(bytes, code->files[n], 2);
    for (u32 pc = 0; pc < launch->instructions; pc++)
        write_instruction(&code->instructions[pc], bytes);
}

/* ---- Reading: false when out of memory; invalid data sets the cursor's bad ---- */

static bool read_text(struct wst_cursor *cursor, u32 width, struct ws_arena *arena, const char **text)
{
    const u64 length = wst_get(cursor, width);
    const u8 *const from = wst_get_block(cursor, length);
    cursor->bad |= !from || memchr(from, 0, length);
    *text = cursor->bad || !length ? "" : ws_arena_text(arena, (const char *)from, length);
    return *text != NULL;
}

static bool read_operands(struct wst_cursor *cursor, struct ws_arena *arena, struct ws_machine_instruction *at)
{
    if (!at->operand_count || cursor->bad)
        return true;
    struct ws_machine_operand *const operands = ws_arena_array(arena, at->operand_count, sizeof *operands);
    at->operands = operands;
    for (u32 n = 0; operands && n < at->operand_count; n++) {
        operands[n].role = (u8)wst_get(cursor, 1);
        operands[n].file = (u8)wst_get(cursor, 1);
        operands[n].slot = (u8)wst_get(cursor, 1);
        operands[n].words = (u8)wst_get(cursor, 1);
        operands[n].number = (u16)wst_get(cursor, 2);
        operands[n].offset = (u32)wst_get(cursor, 4);
    }
    return operands != NULL;
}

static bool read_instruction(struct wst_cursor *cursor, struct ws_arena *arena, struct ws_machine_instruction *at)
{
    at->offset = (u32)wst_get(cursor, 4);
    at->control = (u32)wst_get(cursor, 4);
    at->ptx_line = (u32)wst_get(cursor, 4);
    at->file = (u16)wst_get(cursor, 2);
    at->operand_count = (u8)wst_get(cursor, 1);
    return read_text(cursor, 1, arena, &at->text) && read_text(cursor, 1, arena, &at->ptx) && read_operands(cursor, arena, at);
}

static bool read_files(struct wst_cursor *cursor, struct ws_arena *arena, struct ws_machine_code *code)
{
    const char **const files = ws_arena_array(arena, code->file_count + 1u, sizeof *files);
    code->files = files;
    for (u32 n = 0; files && n < code->file_count; n++)
        if (!read_text(cursor, 2, arena, &files[n]))
            return false;
    return files != NULL;
}

static bool read_code(struct wst_cursor *cursor, struct ws_arena *arena, const struct ws_launch *launch,
                      struct ws_machine_code *code)
{
    const u32 count = launch->instructions;
    code->architecture = (u32)wst_get(cursor, 4);
    if (!read_text(cursor, 2, arena, &code->compiler))
        return false;
    code->file_count = (u32)wst_get(cursor, 2);
    cursor->bad |= code->file_count > wst_left(cursor);
    if (cursor->bad)
        return true;
    struct ws_machine_instruction *const instructions = ws_arena_array(arena, count, sizeof *instructions);
    code->instructions = instructions;
    code->instruction_count = count;
    if (!instructions || !read_files(cursor, arena, code))
        return false;
    for (u32 n = 0; n < count && !cursor->bad; n++) {
        instructions[n].line = launch->program[n].line;
        if (!read_instruction(cursor, arena, &instructions[n]))
            return false;
    }
    cursor->bad |= wst_left(cursor) != 0;
    return true;
}

enum ws_status wst_code_read(struct wst_cursor *cursor, struct ws_arena *arena, struct ws_launch *launch, struct ws_error *error)
{
    struct ws_machine_code *const code = ws_arena_alloc(arena, sizeof *code);
    if (!code || !read_code(cursor, arena, launch, code))
        return ws_no_memory(error);
    if (cursor->bad)
        return ws_fail(error, WS_STATUS_bad_input, "its parts do not fill its frame exactly");
    launch->code = code;
    return wst_code_check(launch, error);
}
