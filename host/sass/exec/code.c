/* The description of an instruction in a trace: control bits, operands, text, lines. */
#include <string.h>

#include "base/error.h"
#include "sass/exec/lower.h"

enum { TEXT = 256 };

/* ---- Operands ---- */

static void add(struct ws_machine_operand *operands, u8 *count, struct ws_machine_operand operand)
{
    if (operand.file >= WS_SASS_BANK || operand.number != WS_SASS_ZERO)
        operands[(*count)++] = operand;
}

/* Registers of an address. A descriptor has two. */
static void add_address(const struct ws_sass_operand *from, struct ws_machine_operand *operands, u8 *count)
{
    const u8 words = from->wide ? 2 : 1;
    add(operands, count, (struct ws_machine_operand){WS_CODE_address, WS_SASS_R, WS_CODE_NO_SLOT, words, from->number, 0});
    add(operands, count, (struct ws_machine_operand){WS_CODE_address, WS_SASS_UR, WS_CODE_NO_SLOT, words, from->uniform, 0});
}

static void add_operand(const struct ws_sass_instruction *in, const struct ws_sass_operand *from,
                        struct ws_machine_operand *operands, u8 *count)
{
    if (ws_sass_is_unread(in, from))
        return;
    const u8 words = (u8)ws_sass_words(in, from), role = from->writes ? WS_CODE_destination : WS_CODE_source;
    if (from->kind == WS_SASS_IS_REGISTER)
        add(operands, count, (struct ws_machine_operand){role, from->file, ws_sass_slot(in, from), words, from->number, 0});
    if (from->kind == WS_SASS_IS_ADDRESS)
        add_address(from, operands, count);
    if (from->kind != WS_SASS_IS_CONSTANT)
        return;
    add(operands, count,
        (struct ws_machine_operand){WS_CODE_source, WS_SASS_BANK, WS_CODE_NO_SLOT, words, from->bank, (u32)from->value});
    add(operands, count, (struct ws_machine_operand){WS_CODE_address, from->file, WS_CODE_NO_SLOT, 1, from->number, 0});
}

static void add_counters(const struct ws_sass_instruction *in, struct ws_machine_operand *operands, u8 *count)
{
    enum { COUNTERS = 6 };
    const struct ws_sass_depbar depbar = ws_sass_depbar(in);
    for (u32 n = 0; n < COUNTERS; n++)
        if (n == depbar.counter || depbar.waits >> n & 1) {
            const u32 most = n == depbar.counter && !(depbar.waits >> n & 1) ? depbar.most : 0;
            add(operands, count, (struct ws_machine_operand){WS_CODE_source, WS_SASS_SB, WS_CODE_NO_SLOT, 1, (u16)n, most});
        }
}

static bool put_operands(const struct ws_sass_instruction *in, struct ws_arena *arena, struct ws_machine_instruction *to)
{
    struct ws_machine_operand operands[WS_CODE_OPERANDS_MOST];
    enum { ALWAYS = 7 };
    if (in->guard != ALWAYS)
        add(operands, &to->operand_count,
            (struct ws_machine_operand){WS_CODE_guard, in->uniform ? WS_SASS_UP : WS_SASS_P, WS_CODE_NO_SLOT, 1, in->guard, 0});
    for (u32 n = 0; n < in->operand_count; n++)
        add_operand(in, &in->operands[n], operands, &to->operand_count);
    if (ws_sass_is_depbar(in))
        add_counters(in, operands, &to->operand_count);
    if (to->operand_count == 0)
        return true;
    struct ws_machine_operand *const kept = ws_arena_array(arena, to->operand_count, sizeof *kept);
    if (kept)
        memcpy(kept, operands, to->operand_count * sizeof *kept);
    to->operands = kept;
    return kept != NULL;
}

/* ---- Instructions ---- */

bool sass_code_of(const struct ws_sass_kernel *machine, const struct ws_sass_instruction *in, struct ws_arena *arena,
                  struct ws_machine_instruction *to)
{
    const struct ws_sass_module *const module = machine->module;
    char text[TEXT] = "";
    *to = (struct ws_machine_instruction){.offset = in->offset,
                                          .control = (u32)ws_sass_bits(in->word, 105, 21),
                                          .line = ws_sass_source_line(machine, in->offset, &(const char *){NULL}),
                                          .ptx_line = ws_sass_ptx_line(machine, in->offset),
                                          .file = (u16)ws_sass_source_file(machine, in->offset)};
    to->ptx = to->ptx_line > 0 && to->ptx_line <= module->ptx_count ? module->ptx[to->ptx_line - 1] : "";
    if (in->row)
        ws_sass_text(in, text, sizeof text);
    to->text = ws_arena_text(arena, text, strlen(text));
    return to->text && (!in->row || put_operands(in, arena, to));
}

struct ws_machine_code *sass_code_make(const struct ws_sass_kernel *machine, u32 count, struct ws_arena *arena,
                                       struct ws_machine_instruction **instructions)
{
    const struct ws_sass_module *const module = machine->module;
    struct ws_machine_code *const code = ws_arena_alloc(arena, sizeof *code);
    *instructions = ws_arena_array(arena, count + 1u, sizeof **instructions);
    if (!code || !*instructions)
        return NULL;
    *code = (struct ws_machine_code){.architecture = machine->abi->architecture,
                                     .compiler = module->compiler ? module->compiler : "",
                                     .file_count = module->file_count,
                                     .files = module->files,
                                     .instruction_count = count,
                                     .instructions = *instructions};
    return code;
}

enum ws_status ws_sass_code(struct ws_program *program, const char *kernel, const struct ws_machine_code **code,
                            struct ws_error *error)
{
    const struct ws_sass_module *const module = program->machine.module;
    const struct ws_sass_kernel *machine = NULL;
    struct ws_machine_instruction *instructions;
    for (u32 n = 0; module && n < module->kernel_count; n++)
        if (strcmp(module->kernels[n].name, kernel) == 0)
            machine = &module->kernels[n];
    if (!machine)
        return ws_fail(error, WS_STATUS_bad_input, "the program has no machine code of kernel '%s'", kernel);
    const u32 first = machine->entry / WS_SASS_WORD, count = machine->words > first ? machine->words - first : 0;
    *code = sass_code_make(machine, count, &program->arena, &instructions);
    for (u32 n = 0; *code && n < count; n++) {
        struct ws_sass_instruction in;
        char failure[300];
        if (!ws_sass_decode(machine->code[first + n], (first + n) * WS_SASS_WORD, machine->abi->architecture, &in, failure,
                            sizeof failure))
            in.row = NULL;
        if (!sass_code_of(machine, &in, &program->arena, &instructions[n]))
            *code = NULL;
    }
    return *code ? WS_STATUS_ok : ws_fail(error, WS_STATUS_no_memory, "kernel %s: out of memory", kernel);
}
