#include "frontend/exec/memory.h"

#include "frontend/ptx/ir.h"

static bool holds(const struct ws_range *range, u64 address, u64 bytes)
{
    const u64 offset = address - range->base;
    return offset < range->bytes && range->bytes - offset >= bytes;
}

/* Among the first count ranges, ascending. */
static const struct ws_range *find_among(const struct ws_range *ranges, u32 count, bool writes, u64 address, u64 bytes)
{
    u32 low = 0, high = count;
    while (low < high) {
        const u32 middle = low + (high - low) / 2;
        if (ranges[middle].base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    const struct ws_range *const range = low > 0 ? &ranges[low - 1] : NULL;
    return range && holds(range, address, bytes) && !(writes && range->constant) ? range : NULL;
}

static const struct ws_range *find_generic(const struct ws_memory *memory, bool writes, u64 address, u64 bytes)
{
    if (holds(&memory->shared_window, address, bytes))
        return &memory->shared_window;
    if (holds(&memory->local_window, address, bytes))
        return &memory->local_window;
    if (!writes && holds(&memory->parameter_window, address, bytes))
        return &memory->parameter_window;
    return find_among(memory->ranges, memory->count, writes, address, bytes);
}

const struct ws_range *ws_memory_find(const struct ws_memory *memory, u32 space, bool writes, u64 address, u64 bytes)
{
    switch (space) {
    case WS_SPACE_shared:
        return holds(&memory->shared, address, bytes) ? &memory->shared : NULL;
    case WS_SPACE_local:
        return holds(&memory->local, address, bytes) ? &memory->local : NULL;
    case WS_SPACE_parameter:
        return !writes && holds(&memory->parameter, address, bytes) ? &memory->parameter : NULL;
    case WS_SPACE_constant:
        return find_among(memory->constants, memory->count, writes, address, bytes);
    case WS_SPACE_generic:
        return find_generic(memory, writes, address, bytes);
    default:
        return find_among(memory->ranges, memory->count, writes, address, bytes);
    }
}

static u64 distance(const struct ws_range *range, u64 address)
{
    if (address < range->base)
        return range->base - address;
    const u64 offset = address - range->base;
    return offset < range->bytes ? 0 : offset - range->bytes;
}

const struct ws_range *ws_memory_nearest(const struct ws_memory *memory, u64 address)
{
    const struct ws_range *nearest = NULL;
    for (u32 n = 0; n < memory->count; n++)
        if (!nearest || distance(&memory->ranges[n], address) < distance(nearest, address))
            nearest = &memory->ranges[n];
    return nearest;
}

void ws_memory_set_local(struct ws_memory *memory, u8 *host, u64 recorded)
{
    memory->local.host = host;
    memory->local_window.host = host;
    memory->local_window.recorded = recorded;
}
