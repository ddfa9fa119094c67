/* The constants that a kernel stores, extracted from its machine code: NVIDIA's instructions of 128 bits (Volta and later). Numbers
 * and fields of instructions are those of Mesa's nak/sm70_encode.rs and of CuAssembler's tables. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "ptx_values/machine.h"
#include "ptx_values/values.h"

enum { INSTRUCTION = 16, MOST_BYTES = 64 << 20 };

u64 machine_field(const u64 *code, u32 from, u32 bits)
{
    const u64 low = from < 64 ? code[0] >> from : code[1] >> (from - 64);
    const u64 high = from < 64 && from + bits > 64 ? code[1] << (64 - from) : 0;
    return (low | high) & UINT64_MAX >> (64 - bits);
}

static void forget(struct machine *machine)
{
    memset(machine->predicate.known, 0, sizeof machine->predicate.known);
    machine_set(&machine->predicate, ALWAYS, true, true);
    for (u32 n = 0; n < 2; n++) {
        struct registers *const registers = n ? &machine->uniform : &machine->plain;
        memset(registers->known, 0, sizeof registers->known);
        registers->known[ZERO] = true;
        registers->value[ZERO] = 0;
    }
}

void machine_set(struct registers *registers, u32 number, u32 value, bool known)
{
    if (number >= ZERO)
        return;
    registers->value[number] = value;
    registers->known[number] = known;
}

static void copy(struct machine *machine, u32 to, const struct registers *from, u32 number, bool known)
{
    machine_set(&machine->plain, to, from->value[number], known && from->known[number]);
}

/* STG: the register, or pair, at an offset from the buffer. A second or guarded store to a place makes it unknown. */
static void store(struct machine *machine, const u64 *code, bool always)
{
    static const u8 widths[8] = {1, 1, 2, 2, 4, 8, 16, 0};
    const u32 number = (u32)machine_field(code, 32, 8), offset = (u32)machine_field(code, 40, 24),
              width = widths[machine_field(code, 73, 3)];
    const struct registers *const plain = &machine->plain;
    const u32 n = offset / 8, next = number == ZERO ? ZERO : number + 1;
    if (offset % 8 || n >= machine->count)
        return;
    const bool known = width <= 8 && plain->known[number] && (width < 8 || plain->known[next]) && always;
    const u64 value = plain->value[number] | (width == 8 ? (u64)plain->value[next] << 32 : 0);
    machine->known[n] = known && !machine->stored[n];
    machine->word[n] = value & UINT64_MAX >> (64 - 8 * (width > 8 ? 8 : width));
    machine->stored[n] = true;
}

/* Moves of constants; false for other instructions. */
static bool move(struct machine *machine, const u64 *code, bool always)
{
    struct registers *const plain = &machine->plain;
    const u32 to = (u32)machine_field(code, 16, 8), a = (u32)machine_field(code, 24, 8), b = (u32)machine_field(code, 32, 8);
    const u32 c = (u32)machine_field(code, 64, 8), immediate = (u32)machine_field(code, 32, 32);
    const u32 modifiers = (u32)machine_field(code, 72, 8);
    const bool pair = machine_field(code, 80, 1), zeros = always && a == ZERO && c == ZERO;
    switch (machine_field(code, 0, 12)) {
    case 0x802: /* MOV of an immediate */
        machine_set(plain, to, immediate, always);
        return true;
    case 0x402: /* the same with 64 bits */
        machine_set(plain, to, (u32)machine_field(code, 24, 32), always);
        machine_set(plain, to + 1, (u32)machine_field(code, 56, 32), always);
        return true;
    case 0x424: /* IMAD of zeros plus an immediate; with a modifier it adds a carry */
        machine_set(plain, to, immediate, zeros && modifiers == 0);
        return true;
    case 0x431: /* HFMA2.MMA of zeros, one maybe negated, plus an immediate */
    case 0x435:
        machine_set(plain, to, immediate, zeros && modifiers <= 1);
        return true;
    case 0x202: /* MOV, IMAD.MOV */
        copy(machine, to, plain, b, always && !pair);
        return true;
    case 0x224:
        copy(machine, to, plain, c, always && a == ZERO && b == ZERO && modifiers == 0);
        return true;
    case 0xc02:
        copy(machine, to, &machine->uniform, b, always && !pair);
        return true;
    case 0x882: /* UMOV */
        machine_set(&machine->uniform, to, immediate, always);
        return true;
    case 0x805: /* CS2R of zero, 32 bits or 64 */
        machine_set(plain, to, 0, always && modifiers == ZERO);
        if (pair)
            machine_set(plain, to + 1, 0, always && modifiers == ZERO);
        return true;
    default:
        return false;
    }
}

/* An instruction's destination (two registers, possibly a pair, plain and uniform) and predicates become unknown. */
static void forget_results(struct machine *machine, const u64 *code)
{
    const u32 to = (u32)machine_field(code, 16, 8);
    machine_set(&machine->plain, to, 0, false);
    machine_set(&machine->plain, to + 1, 0, false);
    machine_set(&machine->uniform, to, 0, false);
    for (u32 from = 81; from <= 84; from += 3)
        if (machine_field(code, from, 3) != ALWAYS)
            machine->predicate.known[machine_field(code, from, 3)] = false;
}

/* False at the end. A branch or call makes everything unknown. */
static bool step(struct machine *machine, const u64 *code, bool always)
{
    if ((always && machine_integer(machine, code)) || move(machine, code, always))
        return true;
    switch (machine_field(code, 0, 12)) {
    case 0x986: /* STG */
    case 0x386:
        store(machine, code, always);
        return true;
    case 0x94d: /* EXIT */
        return !always;
    case 0x947: /* BRA, CALL, BSSY, BSYNC, RET */
    case 0x944:
    case 0x943:
    case 0x945:
    case 0x941:
    case 0x950:
        forget(machine);
        return true;
    default:
        forget_results(machine, code);
        return true;
    }
}

static bool branches(const u64 *code)
{
    const u32 number = (u32)machine_field(code, 0, 12);
    return number == 0x947 || number == 0x944 || number == 0x943 || number == 0x945;
}

/* Marks branch targets: the displacement counts words from the next instruction; its low 8 bits are separate on newer machines
 * (both readings are marked). */
static void mark_labels(const char *text, u64 bytes, bool *label)
{
    for (u64 at = 0; at + INSTRUCTION <= bytes; at += INSTRUCTION) {
        u64 code[2];
        memcpy(code, text + at, sizeof code);
        const u64 far = machine_field(code, 34, 24), near = machine_field(code, 16, 8);
        const u64 to[] = {at + INSTRUCTION + 4 * far, at + INSTRUCTION + 4 * (far << 8 | near)};
        for (u32 n = 0; branches(code) && n < 2; n++) {
            const u64 place = to[n] & 0xFFFFFF; /* for negative displacements, too: kernels are shorter */
            if (place < bytes)
                label[place / INSTRUCTION] = true;
        }
    }
}

static const Elf64_Shdr *find_text(const char *data, size_t length)
{
    const Elf64_Ehdr *const header = (const Elf64_Ehdr *)(const void *)data;
    if (length < sizeof *header || memcmp(data, ELFMAG, SELFMAG) != 0)
        return NULL;
    const Elf64_Shdr *const sections = (const Elf64_Shdr *)(const void *)(data + header->e_shoff);
    const char *const names = data + sections[header->e_shstrndx].sh_offset;
    for (u32 n = 0; n < header->e_shnum; n++)
        if (strcmp(names + sections[n].sh_name, ".text.k") == 0)
            return &sections[n];
    return NULL;
}

/* Executes the instructions in order. */
static bool read_text(struct machine *machine, const char *text, u64 bytes)
{
    bool *const label = calloc(bytes / INSTRUCTION + 1, sizeof *label);
    bool more = label != NULL;
    if (label)
        mark_labels(text, bytes, label);
    forget(machine);
    for (u64 at = 0; more && at + INSTRUCTION <= bytes; at += INSTRUCTION) {
        u64 code[2];
        memcpy(code, text + at, sizeof code);
        if (label[at / INSTRUCTION])
            forget(machine);
        const u32 guard = (u32)machine_field(code, 12, 3), negated = (u32)machine_field(code, 15, 1);
        const bool known = machine->predicate.known[guard], runs = machine->predicate.value[guard] != negated;
        more = (known && !runs) || step(machine, code, known);
    }
    free(label);
    return label != NULL;
}

bool values_read_cubin(const char *path, u64 *word, bool *known, u32 count, bool computes)
{
    char *data = NULL;
    size_t length;
    struct ws_error error;
    if (ws_file_read(path, MOST_BYTES, &data, &length, &error) != WS_STATUS_ok)
        return false;
    const Elf64_Shdr *const text = find_text(data, length);
    struct machine machine = {.word = word, .known = known, .stored = calloc(count, 1), .count = count, .computes = computes};
    memset(known, 0, count * sizeof *known);
    const bool good = text && machine.stored && read_text(&machine, data + text->sh_offset, text->sh_size);
    free(machine.stored);
    free(data);
    return good;
}
