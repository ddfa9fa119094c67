#include "trace/operands.h"

#include <stdbool.h>
#include <string.h>

#include "warpsweep/trace.h"

/* Registers that a slot can have. */
#define WORDS_MOST 8u

/* The mnemonic of "@!P0 IMAD.WIDE R2, ...": its start and length. */
struct mnemonic {
    const char *text;
    size_t length;
};

static struct mnemonic mnemonic_of(const char *text)
{
    const char *const start = *text == '@' ? text + strcspn(text, " ") + 1 : text;
    return (struct mnemonic){start, strcspn(start, ". ,;")};
}

static bool is_named(struct mnemonic mnemonic, const char *name)
{
    return strlen(name) == mnemonic.length && memcmp(mnemonic.text, name, mnemonic.length) == 0;
}

static u8 unit_of(const struct ws_instruction *instruction, struct mnemonic mnemonic)
{
#define MNEMONIC(name, unit)                                                                                                       \
    if (is_named(mnemonic, #name))                                                                                                 \
        return WS_SUB_##unit;
#include "trace/mnemonics.def"
#undef MNEMONIC
    return (u8)ws_sub_unit(instruction->class_, instruction->kind);
}

/* Adds a register source to its slot. Memory instructions have no slots in their words: the address comes first, then data. Their
 * registers, and those without room in their slot, take the next free one. */
static void add_source(struct ws_operands *operands, const struct ws_machine_operand *from)
{
    u32 slot = from->slot < WS_SUB_SLOTS ? from->slot : from->role != WS_CODE_address && operands->unit == WS_SUB_MEMORY;
    if (from->role == WS_CODE_address)
        operands->flags &= (u8)~WS_OPERANDS_UNIFORM;
    while (slot < WS_SUB_SLOTS && operands->words[slot] != 0)
        slot++;
    if (slot == WS_SUB_SLOTS)
        return;
    operands->source[slot] = (u8)from->number;
    operands->words[slot] = (u8)ws_min(from->words, WORDS_MOST);
}

/* Adds a dependence counter for which DEPBAR waits. */
static void add_counter(struct ws_operands *operands, const struct ws_machine_operand *from)
{
    operands->flags |= WS_OPERANDS_DEPBAR;
    if (from->offset == 0) {
        operands->others |= (u8)(1u << from->number);
    } else {
        operands->counter = (u8)from->number;
        operands->limit = (u8)from->offset;
    }
}

/* Loads of constants access the constant cache of the SM instead. */
static void add_constant(struct ws_operands *operands, const struct ws_machine_operand *from)
{
    if (operands->unit >= WS_SUB_SFU || operands->flags & WS_OPERANDS_CONSTANT)
        return;
    operands->flags |= WS_OPERANDS_CONSTANT;
    operands->bank_offset = (u32)from->number << 16 | (from->offset & 0xFFFF);
}

static void add_operand(struct ws_operands *operands, const struct ws_machine_operand *from)
{
    if (from->file == WS_SASS_SB)
        add_counter(operands, from);
    else if (from->file == WS_SASS_R && from->role == WS_CODE_destination)
        operands->flags |= WS_OPERANDS_RESULT;
    else if (from->file == WS_SASS_R)
        add_source(operands, from);
    else if (from->file == WS_SASS_BANK)
        add_constant(operands, from);
}

/* Flags of what an instruction is. */
static u8 flags_of(struct mnemonic mnemonic, u8 unit)
{
    static const struct {
        const char *name;
        u8 flag;
    } named[] = {{"LDGSTS", WS_OPERANDS_COPY}, {"LDGDEPBAR", WS_OPERANDS_COMMIT}, {"MEMBAR", WS_OPERANDS_FENCE}};
    u8 flags = unit == WS_SUB_MEMORY ? WS_OPERANDS_UNIFORM : 0;
    for (size_t n = 0; n < sizeof named / sizeof *named; n++)
        if (is_named(mnemonic, named[n].name))
            flags |= named[n].flag;
    return strncmp(mnemonic.text, "IMAD.WIDE", 9) == 0 ? flags | WS_OPERANDS_WIDE : flags;
}

/* Whether the instruction is a load of global memory that passes L1: STRONG.GPU, STRONG.SYS, LDGSTS.BYPASS. */
static bool bypasses(const struct ws_instruction *instruction, struct mnemonic mnemonic)
{
    static const char *const modifiers[] = {".STRONG.GPU", ".STRONG.SYS", ".BYPASS"};
    const char *const end = mnemonic.text + strcspn(mnemonic.text, " ,;");
    bool found = false;
    for (size_t n = 0; n < sizeof modifiers / sizeof *modifiers; n++) {
        const char *const at = strstr(mnemonic.text, modifiers[n]);
        found |= at && at < end;
    }
    return found && instruction->class_ == WS_CLASS_load && instruction->space == WS_SPACE_global;
}

static struct ws_operands operands_of(const struct ws_instruction *instruction, const struct ws_machine_instruction *machine)
{
    const struct mnemonic mnemonic = mnemonic_of(machine->text);
    struct ws_operands operands = {.control = machine->control, .unit = unit_of(instruction, mnemonic), .limit = 63};
    operands.flags = flags_of(mnemonic, operands.unit);
    for (u32 n = 0; n < machine->operand_count; n++)
        add_operand(&operands, &machine->operands[n]);
    return operands;
}

void wst_operands(struct ws_instruction *program, u32 instructions, const struct ws_machine_code *code)
{
    struct ws_operands *const operands = (struct ws_operands *)(void *)(program + instructions);
    for (u32 pc = 0; pc < instructions; pc++) {
        const struct ws_machine_instruction *const machine = code ? &code->instructions[pc] : NULL;
        const bool known = machine && machine->offset != WS_CODE_NO_OFFSET;
        operands[pc] = known ? operands_of(&program[pc], machine) : ws_operands_of(&program[pc]);
        if (known && bypasses(&program[pc], mnemonic_of(machine->text)))
            program[pc].flags |= WS_BYPASS;
    }
    if (!code)
        ws_operands_assign(program, instructions, operands);
}
