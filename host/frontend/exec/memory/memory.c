#include "frontend/exec/memory/memory.h"

#include "frontend/ptx/ir.h"

static bool holds(const struct ws_range *range, u64 address, u64 bytes)
{
    const u64 offset = address - range->base;
    return offset < range->bytes && range->bytes - offset >= bytes;
}

/* Among all ranges, ascending. */
static const struct ws_range *find_among(const struct ws_memory *memory, struct ws_range *ranges, bool writes, u64 address,
                                         u64 bytes)
{
    u32 low = 0, high = memory->count;
    while (low < high) {
        const u32 middle = low + (high - low) / 2;
        if (ranges[middle].base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    struct ws_range *const range = low > 0 ? &ranges[low - 1] : NULL;
    if (!range || !holds(range, address, bytes) || (writes && range->constant))
        return NULL;
    ws_memory_touch(memory, range);
    return range;
}

/* Shared memory of the own block, or of one of its cluster; base is the own one's first address. */
static const struct ws_range *find_shared(const struct ws_range *own, const struct ws_range *peers, u32 cluster, u64 address,
                                          u64 bytes)
{
    const u64 rank = ((address - own->base) >> WS_CLUSTER_SHIFT) - 1;
    if (holds(own, address, bytes))
        return own;
    return rank < cluster && holds(&peers[rank], address, bytes) ? &peers[rank] : NULL;
}

bool ws_memory_is_shared(const struct ws_memory *memory, const struct ws_range *range)
{
    return range == &memory->shared || range == &memory->shared_window ||
           (range >= memory->peers && range < memory->peers + WS_CLUSTER_BLOCKS) ||
           (range >= memory->peer_windows && range < memory->peer_windows + WS_CLUSTER_BLOCKS);
}

void ws_memory_set_peer(struct ws_memory *memory, u32 rank, u8 *host)
{
    const u64 place = (u64)(rank + 1) << WS_CLUSTER_SHIFT;
    struct ws_range *const peer = &memory->peers[rank], *const window = &memory->peer_windows[rank];
    peer->base = place;
    window->base = memory->shared_window.base + place;
    peer->host = window->host = host;
    peer->bytes = host ? memory->shared.bytes : 0;
    window->bytes = host ? memory->shared_window.bytes : 0;
}

static const struct ws_range *find_generic(const struct ws_memory *memory, bool writes, u64 address, u64 bytes)
{
    const struct ws_range *const shared =
        find_shared(&memory->shared_window, memory->peer_windows, memory->cluster, address, bytes);
    if (shared)
        return shared;
    if (holds(&memory->local_window, address, bytes))
        return &memory->local_window;
    if (!writes && holds(&memory->parameter_window, address, bytes))
        return &memory->parameter_window;
    return find_among(memory, memory->ranges, writes, address, bytes);
}

const struct ws_range *ws_memory_find(const struct ws_memory *memory, u32 space, bool writes, u64 address, u64 bytes)
{
    switch (space) {
    case WS_SPACE_shared:
        return find_shared(&memory->shared, memory->peers, memory->cluster, address, bytes);
    case WS_SPACE_local:
        return holds(&memory->local, address, bytes) ? &memory->local : NULL;
    case WS_SPACE_parameter:
        return !writes && holds(&memory->parameter, address, bytes) ? &memory->parameter : NULL;
    case WS_SPACE_constant:
        return find_among(memory, memory->constants, writes, address, bytes);
    case WS_SPACE_generic:
        return find_generic(memory, writes, address, bytes);
    default:
        return find_among(memory, memory->ranges, writes, address, bytes);
    }
}

static u64 distance(const struct ws_range *range, u64 address)
{
    if (address < range->base)
        return range->base - address;
    const u64 offset = address - range->base;
    return offset < range->bytes ? 0 : offset - range->bytes;
}

static const struct ws_range *nearest_among(const struct ws_range *ranges, u32 count, u64 address)
{
    const struct ws_range *nearest = NULL;
    for (u32 n = 0; n < count; n++)
        if (!nearest || distance(&ranges[n], address) < distance(nearest, address))
            nearest = &ranges[n];
    return nearest;
}

u64 ws_memory_window(const struct ws_memory *memory, u32 space)
{
    const u64 window = space == WS_SPACE_shared  ? WS_SHARED_WINDOW
                       : space == WS_SPACE_local ? WS_LOCAL_WINDOW
                                                 : WS_PARAMETER_WINDOW;
    return memory->narrow ? (u32)window : window;
}

static const struct ws_range *nearest_generic(const struct ws_memory *memory, u64 address)
{
    const struct ws_range *const windows[] = {&memory->shared_window, &memory->local_window, &memory->parameter_window};
    for (size_t n = 0; n < sizeof windows / sizeof windows[0]; n++)
        if (address - windows[n]->base < WS_WINDOW_BYTES)
            return windows[n];
    return nearest_among(memory->ranges, memory->count, address);
}

const struct ws_range *ws_memory_nearest(const struct ws_memory *memory, u32 space, u64 address)
{
    switch (space) {
    case WS_SPACE_generic:
        return nearest_generic(memory, address);
    case WS_SPACE_shared:
        return &memory->shared;
    case WS_SPACE_local:
        return &memory->local;
    case WS_SPACE_parameter:
        return &memory->parameter;
    case WS_SPACE_constant:
        return nearest_among(memory->constants, memory->count, address);
    default:
        return nearest_among(memory->ranges, memory->count, address);
    }
}

void ws_memory_set_local(struct ws_memory *memory, u8 *host, u64 recorded)
{
    memory->local.host = host;
    memory->local_window.host = host;
    memory->local_window.recorded = recorded;
}
