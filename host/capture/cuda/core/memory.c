#define _GNU_SOURCE /* MAP_ANONYMOUS, madvise */
#include "capture/cuda/core/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/number.h"

#define FIRST     UINT64_C(0x200000000000) /* far from what Linux gives programs, libraries, stacks and sanitizers */
#define MOST      (UINT64_C(1) << 42)
#define LEAST     (UINT64_C(1) << 32)
#define ALIGNMENT UINT64_C(0x10000)

static struct gpu_range **ranges; /* by address */
static u32 count, room, number;
static u64 region, used; /* bytes */

/* ---- The region ---- */

/* Reserves addresses; pages are given by the system when they are first written. */
static bool reserve(void)
{
    for (u64 bytes = MOST; region == 0 && bytes >= LEAST; bytes /= 4) {
        void *const at = mmap((void *)FIRST, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
        if (at == (void *)FIRST)
            region = bytes;
        else if (at != MAP_FAILED)
            munmap(at, bytes);
    }
    return region > 0 || gpu_fail(0, "the address space has no room at 0x%" PRIx64 " (ulimit -v?)", FIRST);
}

/* The first gap for so many bytes; *place: number of the range to follow. 0 if there is none. */
static u64 find_gap(u64 bytes, u32 *place)
{
    u64 at = FIRST;
    for (*place = 0; *place < count; ++*place) {
        const struct gpu_range *const range = ranges[*place];
        if (range->kind == GPU_REGISTERED && (range->address < FIRST || range->address >= FIRST + region))
            continue;
        if (range->address >= at + bytes + ALIGNMENT)
            break;
        at = ws_round_up(range->address + range->bytes + 1, ALIGNMENT) + ALIGNMENT;
    }
    return bytes < region && at + bytes + ALIGNMENT <= FIRST + region ? at : 0;
}

/* ---- Ranges ---- */

static u32 place_of(u64 address)
{
    u32 low = 0, high = count;
    while (low < high) {
        const u32 middle = low + (high - low) / 2;
        if (ranges[middle]->address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct gpu_range *insert(struct gpu_range what)
{
    const u32 place = place_of(what.address);
    struct gpu_range *const range = malloc(sizeof *range);
    if (count == room) {
        struct gpu_range **const more = realloc(ranges, (room ? 2 * (size_t)room : 64) * sizeof(void *));
        if (!more) {
            free(range);
            return NULL;
        }
        ranges = more;
        room = room ? 2 * room : 64;
    }
    if (!range)
        return NULL;
    *range = what;
    snprintf(range->name, sizeof range->name, "m%" PRIu32, number++);
    memmove(ranges + place + 1, ranges + place, (count - place) * sizeof(void *));
    ranges[place] = range;
    count++;
    used += what.kind == GPU_DEVICE || what.kind == GPU_MANAGED || what.kind == GPU_ARRAY ? what.bytes : 0;
    return range;
}

static struct gpu_range *no_memory(u64 bytes)
{
    gpu_fail(0, "no memory for %" PRIu64 " bytes: %" PRIu64 " of %" PRIu64 " are in use (--device-as chooses a GPU with more)",
             bytes, used, gpu_device()->row.memory);
    return NULL;
}

struct gpu_range *gpu_memory_add(enum gpu_range_kind kind, u64 bytes)
{
    u32 place;
    const bool limited = kind == GPU_DEVICE || kind == GPU_ARRAY;
    if (region == 0 && !reserve())
        return NULL;
    if (limited && (bytes > gpu_device()->row.memory || used > gpu_device()->row.memory - bytes))
        return no_memory(bytes);
    const u64 address = find_gap(bytes, &place);
    struct gpu_range *const range =
        address ? insert((struct gpu_range){.address = address, .bytes = bytes, .data = (u8 *)(uintptr_t)address, .kind = kind})
                : NULL;
    return range ? range : no_memory(bytes);
}

struct gpu_range *gpu_memory_add_image(const struct ws_image_desc *image, u8 *data, u64 pitch)
{
    u32 place;
    const u64 bytes = ws_image_bytes(image), row = image->size[0] * (u64)ws_image_texel_bytes(image);
    if (region == 0 && !reserve())
        return NULL;
    const u64 address = find_gap(bytes, &place);
    struct gpu_range what = {.address = address, .bytes = bytes, .data = data, .kind = GPU_IMAGE, .image = image};
    if (pitch != row) { /* the handle's own addresses hold the copy */
        what.data = (u8 *)(uintptr_t)address;
        what.rows = data;
        what.pitch = pitch;
    }
    struct gpu_range *const range = address ? insert(what) : NULL;
    return range ? range : no_memory(bytes);
}

void gpu_memory_refresh(const struct gpu_range *range)
{
    const bool there = range->rows && gpu_memory_at(range->rows); /* the program may have freed it */
    const u64 row = there ? range->image->size[0] * (u64)ws_image_texel_bytes(range->image) : 0;
    for (u64 y = 0; there && y < range->image->size[1]; y++)
        memcpy(range->data + y * row, range->rows + y * range->pitch, row);
}

struct gpu_range *gpu_memory_register(void *data, u64 bytes)
{
    const u64 address = (uintptr_t)data;
    const u32 place = place_of(address);
    const bool hits_next = place < count && ranges[place]->address - address < bytes;
    const bool hits_before = place > 0 && address - ranges[place - 1]->address < ranges[place - 1]->bytes;
    if (hits_next || hits_before)
        return NULL;
    return insert((struct gpu_range){.address = address, .bytes = bytes, .data = data, .kind = GPU_REGISTERED});
}

void gpu_memory_remove(struct gpu_range *range)
{
    const u32 place = place_of(range->address) - 1;
    if (range->kind != GPU_REGISTERED && (range->kind != GPU_IMAGE || range->rows) && range->bytes > 0)
        madvise(range->data, ws_round_up(range->bytes, ALIGNMENT), MADV_DONTNEED);
    used -= range->kind == GPU_DEVICE || range->kind == GPU_MANAGED || range->kind == GPU_ARRAY ? range->bytes : 0;
    memmove(ranges + place, ranges + place + 1, (count - place - 1) * sizeof(void *));
    count--;
    free(range);
}

/* ---- Look-ups ---- */

static struct gpu_range *range_at(u64 address)
{
    const u32 place = place_of(address);
    struct gpu_range *const range = place > 0 ? ranges[place - 1] : NULL;
    return range && address - range->address <= range->bytes ? range : NULL;
}

struct gpu_range *gpu_memory_at(const void *address)
{
    struct gpu_range *const range = range_at((uintptr_t)address);
    return range && range->kind != GPU_IMAGE ? range : NULL;
}

struct gpu_range *gpu_memory_begin(const void *address, enum gpu_range_kind kind, enum gpu_range_kind other)
{
    struct gpu_range *const range = gpu_memory_at(address);
    return range && range->address == (uintptr_t)address && (range->kind == kind || range->kind == other) ? range : NULL;
}

struct gpu_range *gpu_memory_image(u64 handle)
{
    struct gpu_range *const range = range_at(handle);
    return range && range->kind == GPU_IMAGE && range->address == handle ? range : NULL;
}

struct gpu_range *const *gpu_memory_all(u32 *number_of)
{
    *number_of = count;
    return ranges;
}

u64 gpu_memory_used(void)
{
    return used;
}
