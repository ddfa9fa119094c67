#include "capture/cuda/core/image.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Magic number, version, bytes of the header (16 bits), bytes after it (64 bits). */
u64 gpu_fatbin_bytes(const u8 *data, u64 room)
{
    enum { HEADER = 16 };
    u16 header;
    u64 size;
    if (room < HEADER)
        return 0;
    memcpy(&header, data + 6, sizeof header);
    memcpy(&size, data + 8, sizeof size);
    return header >= HEADER && header <= room && size <= room - header ? header + size : 0;
}

/* The end of a table of count rows at an offset that the header has at a place; 0: beyond room. */
static u64 table_end(const u8 *data, u32 place, u16 each, u16 count, u64 room)
{
    u64 offset;
    memcpy(&offset, data + place, sizeof offset);
    return offset > room || (u64)each * count > room - offset ? 0 : offset + (u64)each * count;
}

/* To the end of the last section, or of the headers of sections or segments. */
u64 gpu_elf_bytes(const u8 *data, u64 room)
{
    enum { HEADER = 64, SECTION = 64, NO_BITS = 8 };
    u16 segment, segments, each, sections;
    if (room < HEADER)
        return 0;
    memcpy(&segment, data + 0x36, sizeof segment);
    memcpy(&segments, data + 0x38, sizeof segments);
    memcpy(&each, data + 0x3A, sizeof each);
    memcpy(&sections, data + 0x3C, sizeof sections);
    const u64 headers = table_end(data, 0x28, each, sections, room), others = table_end(data, 0x20, segment, segments, room);
    u64 end = headers > others ? headers : others;
    if ((sections > 0 && (headers == 0 || each < SECTION)) || (segments > 0 && others == 0))
        return 0;
    for (u16 n = 0; n < sections; n++) {
        const u8 *const section = data + headers - (u64)each * (sections - n);
        u32 type;
        u64 offset, bytes;
        memcpy(&type, section + 4, sizeof type);
        memcpy(&offset, section + 0x18, sizeof offset);
        memcpy(&bytes, section + 0x20, sizeof bytes);
        if (type == NO_BITS)
            continue;
        if (offset > room || bytes > room - offset)
            return 0;
        end = offset + bytes > end ? offset + bytes : end;
    }
    return end < HEADER ? HEADER : end;
}

u64 gpu_readable(const void *address)
{
    const u64 from = (uintptr_t)address;
    u64 first, last, end = from;
    char may, line[512];
    FILE *const maps = fopen("/proc/self/maps", "re");
    if (!maps)
        return UINT64_MAX - from;
    while (fgets(line, sizeof line, maps))
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %c", &first, &last, &may) == 3 && may == 'r' && first <= end && last > end)
            end = last;
    fclose(maps);
    return end - from;
}
