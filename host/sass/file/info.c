/* Attributes of cubins. Their numbers are those in cubins of this project's programs and in CuAssembler (MIT). */
#include "sass/file/info.h"

#include <string.h>

#include "base/error.h"

enum format { FORMAT_NONE = 1, FORMAT_BYTE, FORMAT_HALF, FORMAT_SIZED };

enum attribute {
    ATTRIBUTE_MAX_THREADS = 0x05,
    ATTRIBUTE_PARAM_CBANK = 0x0a,
    ATTRIBUTE_REQNTID = 0x10,
    ATTRIBUTE_FRAME_SIZE = 0x11,
    ATTRIBUTE_MIN_STACK_SIZE = 0x12,
    ATTRIBUTE_KPARAM_INFO = 0x17,
    ATTRIBUTE_CRS_STACK_SIZE = 0x1e,
    ATTRIBUTE_REGCOUNT = 0x2f,
    ATTRIBUTE_INDIRECT_BRANCH_TARGETS = 0x34,
    ATTRIBUTE_CLUSTER = 0x3d,
    ATTRIBUTE_KPARAM_INFO_V2 = 0x45, /* for more than 4 KB of parameters */
    ATTRIBUTE_NUM_BARRIERS = 0x4c
};

enum { MOST_PARAMETERS = 8192, PARAMETER_SIZE_SHIFT = 18 /* in the last word of KPARAM_INFO */ };

/* An attribute: a value, or data. */
struct row {
    u32 number, value;
    const u8 *data;
    u32 bytes;
};

static u32 word(const struct row *row, u32 n)
{
    u32 value = 0;
    if ((n + 1) * sizeof value <= row->bytes)
        memcpy(&value, row->data + n * sizeof value, sizeof value);
    return value;
}

static u32 half(const struct row *row, u32 n)
{
    return word(row, n / 2) >> n % 2 * 16 & 0xFFFF;
}

/* Reads the attribute at *at, and advances *at past it. */
static enum ws_status next(const struct ws_sass_elf *elf, const struct ws_sass_section *section, u64 *at, struct row *row,
                           struct ws_error *error)
{
    const u8 *const head = section->data + *at;
    *row = (struct row){0};
    if (section->bytes - *at < 4)
        return ws_fail(error, WS_STATUS_bad_input, "%s: %s ends in the header of an attribute", elf->name, section->name);
    row->number = head[1];
    row->value = head[0] == FORMAT_BYTE ? head[2] : (u32)head[2] | (u32)head[3] << 8;
    *at += 4;
    if (head[0] < FORMAT_NONE || head[0] > FORMAT_SIZED)
        return ws_fail(error, WS_STATUS_bad_input, "%s: %s has an attribute of unknown format %u at byte %llu", elf->name,
                       section->name, head[0], (unsigned long long)*at - 4);
    if (head[0] != FORMAT_SIZED)
        return WS_STATUS_ok;
    if (section->bytes - *at < row->value)
        return ws_fail(error, WS_STATUS_bad_input, "%s: %s has an attribute of %u bytes at byte %llu, beyond its end", elf->name,
                       section->name, row->value, (unsigned long long)*at - 4);
    row->data = section->data + *at;
    row->bytes = row->value;
    *at += row->value;
    return WS_STATUS_ok;
}

/* ---- The cubin's attributes ---- */

static void take_module(const struct row *row, u32 symbol, struct ws_sass_info *info)
{
    if (row->bytes < 8 || word(row, 0) != symbol)
        return;
    if (row->number == ATTRIBUTE_REGCOUNT)
        info->registers = word(row, 1);
    if (row->number == ATTRIBUTE_MIN_STACK_SIZE)
        info->stack_bytes = word(row, 1);
    if (row->number == ATTRIBUTE_FRAME_SIZE)
        info->frame_bytes = word(row, 1);
}

/* ---- The kernel's ---- */

static enum ws_status add_parameter(const struct ws_sass_elf *elf, const struct row *row, struct ws_sass_info *info,
                                    struct ws_error *error)
{
    const u32 ordinal = half(row, 2), offset = half(row, 3);
    const u32 bytes = row->number == ATTRIBUTE_KPARAM_INFO ? word(row, 2) >> PARAMETER_SIZE_SHIFT : word(row, 2);
    if (ordinal >= MOST_PARAMETERS || row->bytes != 12)
        return ws_fail(error, WS_STATUS_bad_input, "%s: the attribute of parameter %u is damaged", elf->name, ordinal);
    if (ordinal >= info->parameter_room) {
        const u32 room = 2 * (ordinal + 1);
        struct ws_sass_parameter *const grown = ws_arena_array(elf->arena, room, sizeof *grown);
        if (!grown)
            return ws_sass_no_memory(elf->name, error);
        if (info->parameter_count > 0)
            memcpy(grown, info->parameters, info->parameter_count * sizeof *grown);
        info->parameters = grown;
        info->parameter_room = room;
    }
    if (ordinal >= info->parameter_count)
        info->parameter_count = ordinal + 1;
    info->parameters[ordinal] = (struct ws_sass_parameter){.offset = offset, .bytes = bytes, .known = true};
    return WS_STATUS_ok;
}

/* Indirect branches, one after another: offset, an unused word, number of targets, targets. */
static enum ws_status add_branches(const struct ws_sass_elf *elf, const struct row *row, struct ws_sass_info *info,
                                   struct ws_error *error)
{
    const u32 words = row->bytes / 4;
    size_t room = info->branch_count;
    for (u32 at = 0; at + 3 <= words;) {
        const u32 count = word(row, at + 2);
        if (count > words - at - 3)
            return ws_fail(error, WS_STATUS_bad_input, "%s: an indirect branch at 0x%x has %u targets, beyond the attribute's end",
                           elf->name, word(row, at), count);
        u32 *const targets = ws_arena_array(elf->arena, count + 1, sizeof *targets);
        struct ws_sass_branch *const grown =
            ws_arena_grow(elf->arena, info->branches, info->branch_count, &room, sizeof *info->branches);
        if (!targets || !grown)
            return ws_sass_no_memory(elf->name, error);
        for (u32 n = 0; n < count; n++)
            targets[n] = word(row, at + 3 + n);
        info->branches = grown;
        grown[info->branch_count++] = (struct ws_sass_branch){.offset = word(row, at), .target_count = count, .targets = targets};
        at += 3 + count;
    }
    return WS_STATUS_ok;
}

/* The product of three sizes, at most UINT32_MAX. */
static u32 product(const struct row *row)
{
    u64 all = word(row, 0);
    for (u32 n = 1; n < 3; n++)
        all = all * word(row, n) < UINT32_MAX ? all * word(row, n) : UINT32_MAX;
    return (u32)all;
}

static enum ws_status take_kernel(const struct ws_sass_elf *elf, const struct row *row, struct ws_sass_info *info,
                                  struct ws_error *error)
{
    switch (row->number) {
    case ATTRIBUTE_MAX_THREADS:
        info->most_threads = product(row);
        return WS_STATUS_ok;
    case ATTRIBUTE_CLUSTER:
        info->cluster = product(row);
        return WS_STATUS_ok;
    case ATTRIBUTE_REQNTID:
        for (u32 n = 0; n < 3; n++)
            info->block[n] = word(row, n);
        return WS_STATUS_ok;
    case ATTRIBUTE_PARAM_CBANK:
        info->parameters_at = half(row, 2);
        info->parameters_bytes = half(row, 3);
        return WS_STATUS_ok;
    case ATTRIBUTE_CRS_STACK_SIZE:
        info->calls = true;
        return WS_STATUS_ok;
    case ATTRIBUTE_NUM_BARRIERS:
        info->barriers = row->value;
        return WS_STATUS_ok;
    case ATTRIBUTE_KPARAM_INFO:
    case ATTRIBUTE_KPARAM_INFO_V2:
        return add_parameter(elf, row, info, error);
    case ATTRIBUTE_INDIRECT_BRANCH_TARGETS:
        return add_branches(elf, row, info, error);
    default:
        return WS_STATUS_ok;
    }
}

enum ws_status ws_sass_info_read(const struct ws_sass_elf *elf, u32 symbol, struct ws_sass_info *info, struct ws_error *error)
{
    const struct ws_sass_section *const module = ws_sass_elf_section(elf, ".nv.info", NULL);
    const struct ws_sass_section *const kernel = ws_sass_elf_section(elf, ".nv.info", elf->symbols[symbol].name);
    struct row row;
    *info = (struct ws_sass_info){0};
    for (u64 at = 0; module && module->data && at < module->bytes;) {
        WS_TRY(next(elf, module, &at, &row, error));
        take_module(&row, symbol, info);
    }
    for (u64 at = 0; kernel && kernel->data && at < kernel->bytes;) {
        WS_TRY(next(elf, kernel, &at, &row, error));
        WS_TRY(take_kernel(elf, &row, info, error));
    }
    return WS_STATUS_ok;
}
