#include <stdlib.h>
#include <string.h>

#include "import/code.h"

/* Parts of a mnemonic that give the access size per thread in bits. */
static const struct {
    const char *part;
    u8 bytes;
} accessed[] = {{"U8", 1},  {"S8", 1}, {"U16", 2}, {"S16", 2}, {"32", 4},  {"U32", 4}, {"S32", 4},
                {"F32", 4}, {"64", 8}, {"U64", 8}, {"S64", 8}, {"F64", 8}, {"128", 16}};

/* Tensor instructions: registers of A, B, and of C and D with 32-bit elements (half as many with 16-bit ones). */
static const struct {
    const char *name, *shape;
    u8 a, b, c;
} tensors[] = {{"HMMA", "884", 2, 2, 4},    {"HMMA", "1688", 2, 1, 4},  {"HMMA", "16816", 4, 2, 4}, {"IMMA", "8816", 1, 1, 2},
               {"IMMA", "16816", 2, 1, 4},  {"IMMA", "16832", 4, 2, 4}, {"DMMA", "884", 2, 2, 4},   {"BMMA", "88128", 1, 1, 2},
               {"BMMA", "168128", 2, 1, 4}, {"BMMA", "168256", 4, 2, 4}};

bool sass_has_part(const char *opcode, const char *part)
{
    const size_t length = strlen(part);
    for (const char *at = strchr(opcode, '.'); at; at = strchr(at + 1, '.'))
        if (strncmp(at + 1, part, length) == 0 && (!at[length + 1] || at[length + 1] == '.'))
            return true;
    return false;
}

static bool named(const char *opcode, const char *name)
{
    const size_t length = strcspn(opcode, ".");
    return strlen(name) == length && strncmp(opcode, name, length) == 0;
}

u8 sass_width_bytes(const char *opcode)
{
    if (named(opcode, "LDSM"))
        return 16; /* a row of a matrix */
    for (size_t n = 0; n < sizeof accessed / sizeof *accessed; n++)
        if (sass_has_part(opcode, accessed[n].part))
            return accessed[n].bytes;
    return 4;
}

static bool is_zero(u32 reg)
{
    return reg == SASS_RZ || reg == SASS_URZ;
}

static bool listed(const u16 *list, u32 length, u32 reg)
{
    for (u32 n = 0; n < length; n++)
        if (list[n] == reg)
            return true;
    return false;
}

/* Adds the registers after one that belong to it, unless they are in the list. */
static void add(u16 *list, u32 *length, u32 room, u32 first, u32 count)
{
    for (u32 reg = first; !is_zero(reg) && reg < first + count; reg++)
        if (!listed(list, *length, reg) && *length < room)
            list[(*length)++] = (u16)reg;
}

/* Registers of an operand. */
struct widths {
    u32 dst, src[SASS_READS];
};

/* The address is the last register of a load; otherwise the first of several, and the others are data. */
static void memory_widths(const struct sass_op *op, struct widths *widths)
{
    const u32 data = ((u32)op->bytes + 3) / 4;
    const bool loads = op->class_ == WS_CLASS_load;
    u32 own = 0, first = 0, last = 0;
    widths->dst = data;
    for (u32 n = op->reads; n-- > 0;)
        if (op->src[n] < SASS_UNIFORM) {
            widths->src[n] = loads ? 1 : data;
            last = own++ == 0 ? n : last;
            first = n;
        }
    if (own > 1 || loads)
        widths->src[loads ? last : first] = sass_has_part(op->opcode, "E") ? 2 : 1;
    if (named(op->opcode, "LDSM"))
        widths->dst = sass_has_part(op->opcode, "4") ? 4 : sass_has_part(op->opcode, "2") ? 2 : 1;
}

static void tensor_widths(const struct sass_op *op, struct widths *widths)
{
    const bool halves = named(op->opcode, "HMMA") && !sass_has_part(op->opcode, "F32");
    for (size_t n = 0; n < sizeof tensors / sizeof *tensors; n++)
        if (named(op->opcode, tensors[n].name) && sass_has_part(op->opcode, tensors[n].shape)) {
            widths->src[0] = tensors[n].a;
            widths->src[1] = tensors[n].b;
            widths->src[2] = widths->dst = halves ? tensors[n].c / 2u : tensors[n].c;
        }
}

/* F2F, F2I, I2F, I2I name the destination's type first, and may omit a 32-bit type. */
static void conversion_widths(const struct sass_op *op, struct widths *widths)
{
    const bool from_real = op->opcode[0] == 'F', to_real = op->opcode[2] == 'F';
    const bool real = sass_has_part(op->opcode, "F64");
    const bool whole = sass_has_part(op->opcode, "S64") || sass_has_part(op->opcode, "U64");
    if (from_real && to_real) {
        widths->dst = strncmp(op->opcode + 3, ".F64", 4) == 0 ? 2 : 1;
        widths->src[0] = real && widths->dst == 1 ? 2 : 1;
    } else {
        widths->dst = (to_real ? real : whole) ? 2 : 1;
        widths->src[0] = (from_real ? real : whole) ? 2 : 1;
    }
}

static bool converts(const char *opcode)
{
    return named(opcode, "F2F") || named(opcode, "F2I") || named(opcode, "I2F") || named(opcode, "I2I");
}

static void find_widths(const struct sass_op *op, struct widths *widths)
{
    tensor_widths(op, widths);
    if (op->class_ >= WS_CLASS_load && op->class_ <= WS_CLASS_atomic)
        memory_widths(op, widths);
    else if (converts(op->opcode))
        conversion_widths(op, widths);
    else if (named(op->opcode, "CS2R"))
        widths->dst = sass_has_part(op->opcode, "32") ? 1 : 2;
    else if (named(op->opcode, "ULDC"))
        widths->dst = ((u32)op->bytes + 3) / 4;
    else if ((named(op->opcode, "IMAD") || named(op->opcode, "UIMAD")) && sass_has_part(op->opcode, "WIDE"))
        widths->dst = widths->src[2] = 2;
    else if (named(op->opcode, "DADD") || named(op->opcode, "DMUL") || named(op->opcode, "DFMA") || named(op->opcode, "DSETP") ||
             named(op->opcode, "DMNMX"))
        widths->dst = widths->src[0] = widths->src[1] = widths->src[2] = 2;
}

/* Removes R255 and UR63 from a list. */
static u32 without_zero(u16 *list, u32 length)
{
    u32 kept = 0;
    for (u32 n = 0; n < length; n++)
        if (!is_zero(list[n]))
            list[kept++] = list[n];
    return kept;
}

void sass_width_complete(struct sass_op *op)
{
    struct widths widths = {.dst = 1};
    const u32 writes = op->writes, reads = op->reads;
    if (op->reads < SASS_READS)
        find_widths(op, &widths);
    for (u32 n = 0; n < writes && writes == 1; n++) /* if all are named, none is missing */
        add(op->dst, &op->writes, SASS_WRITES, op->dst[n], widths.dst);
    for (u32 n = 0; n < reads; n++)
        add(op->src, &op->reads, SASS_READS, op->src[n], widths.src[n]);
    op->writes = without_zero(op->dst, op->writes);
    op->reads = without_zero(op->src, op->reads);
}
