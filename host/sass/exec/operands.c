/* Operands of machine code as slots of a thread. */
#include <string.h>

#include "sass/exec/lower.h"

enum { PREDICATES = 7, BARRIERS = 16 };

static void see(struct lowering *lowering, enum ws_sass_file file, u32 number, u32 words)
{
    if (number != WS_SASS_ZERO && number + words > lowering->registers[file])
        lowering->registers[file] = number + words;
}

void sass_find_registers(struct lowering *lowering)
{
    enum { MOST_WORDS = 4, WORDS_OF_CALLS = 22 /* registers used by calls of driver functions */ };
    lowering->registers[WS_SASS_P] = lowering->registers[WS_SASS_UP] = PREDICATES;
    lowering->registers[WS_SASS_B] = BARRIERS;
    lowering->registers[WS_SASS_R] = WORDS_OF_CALLS;
    for (u32 n = 0; n < lowering->machine->words; n++)
        for (u32 i = 0; i < lowering->code[n].operand_count; i++) {
            const struct ws_sass_operand *const operand = &lowering->code[n].operands[i];
            if (operand->kind == WS_SASS_IS_REGISTER || operand->kind == WS_SASS_IS_CONSTANT)
                see(lowering, operand->file, operand->number, operand->file <= WS_SASS_UR ? MOST_WORDS : 1);
            if (operand->kind == WS_SASS_IS_ADDRESS) {
                see(lowering, WS_SASS_R, operand->number, 2);
                see(lowering, WS_SASS_UR, operand->uniform, 2);
            }
        }
    u16 slot = 0;
    for (u32 file = 0; file < WS_SASS_FILES; file++) {
        lowering->first[file] = slot;
        slot = (u16)(slot + lowering->registers[file]);
    }
    lowering->unused = slot;
    lowering->bar_result = (u16)(slot + 1);
    lowering->hidden = (u16)(slot + 2);
    lowering->kernel->registers = slot + 6u;
}

u16 sass_register(const struct lowering *lowering, enum ws_sass_file file, u32 number)
{
    return (u16)(lowering->first[file] + number);
}

u16 sass_input(struct lowering *lowering, struct ws_input input)
{
    struct ws_kernel *const kernel = lowering->kernel;
    for (u32 n = 0; n < kernel->input_count; n++)
        if (memcmp(&kernel->inputs[n], &input, sizeof input) == 0)
            return (u16)(kernel->registers + n);
    struct ws_input *const inputs =
        ws_arena_grow(lowering->arena, kernel->inputs, kernel->input_count, &lowering->input_room, sizeof input);
    if (!inputs)
        return lowering->unused; /* reported by the next allocation */
    kernel->inputs = inputs;
    inputs[kernel->input_count] = input;
    return (u16)(kernel->registers + kernel->input_count++);
}

u16 sass_value(struct lowering *lowering, u64 value)
{
    struct ws_input input;
    memset(&input, 0, sizeof input);
    input.kind = WS_INPUT_constant;
    input.value = value;
    return sass_input(lowering, input);
}

/* A word that is known at the launch: of a constant bank, or of an instruction with an address. */
static u16 launch_word(struct lowering *lowering, u32 bank, u32 offset)
{
    struct ws_input input;
    memset(&input, 0, sizeof input);
    input.kind = WS_INPUT_word;
    input.value = (u64)bank << 32 | offset;
    return sass_input(lowering, input);
}

/* Whether the immediate of the instruction at an offset is the address of a variable. */
static bool is_address(const struct lowering *lowering, u32 offset)
{
    for (u32 n = 0; n < lowering->machine->code_address_count; n++)
        if (lowering->machine->code_addresses[n].offset == offset)
            return true;
    return false;
}

static u16 constant_word(struct lowering *lowering, const struct ws_sass_operand *operand, u32 word)
{
    return launch_word(lowering, operand->bank, (u32)operand->value + 4 * word);
}

u16 sass_source(struct lowering *lowering, const struct ws_sass_instruction *in, char letter, u32 word)
{
    const struct ws_sass_operand *const operand = ws_sass_operand(in, letter);
    if (!operand)
        return sass_value(lowering, 0);
    switch (operand->kind) {
    case WS_SASS_IS_REGISTER:
        if (operand->number == WS_SASS_ZERO)
            return sass_value(lowering, operand->file == WS_SASS_P || operand->file == WS_SASS_UP);
        return sass_register(lowering, operand->file, operand->number + word);
    case WS_SASS_IS_IMMEDIATE:
        if (is_address(lowering, in->offset))
            return launch_word(lowering, WS_SASS_BANKS, in->offset);
        if (operand->upper)
            return sass_value(lowering, word == 1 ? (u32)operand->value : 0);
        if (operand->words == 2 || word > 0)
            return sass_value(lowering, (u32)((u64)operand->value >> 32 * word));
        return sass_value(lowering, (u32)operand->value);
    default:
        return constant_word(lowering, operand, word);
    }
}

u16 sass_result(const struct lowering *lowering, const struct ws_sass_instruction *in, char letter, u32 word)
{
    const struct ws_sass_operand *const operand = ws_sass_operand(in, letter);
    if (!operand || operand->number == WS_SASS_ZERO)
        return lowering->unused;
    return sass_register(lowering, operand->file, operand->number + word);
}

u32 sass_modified(const struct ws_sass_instruction *in, char letter)
{
    const struct ws_sass_operand *const operand = ws_sass_operand(in, letter);
    return operand ? (operand->negative ? 1u : 0) | (operand->absolute ? 2u : 0) : 0;
}
