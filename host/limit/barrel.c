#include "limit/barrel.h"

#include <stdlib.h>

#include "base/error.h"

enum state { READY, FLYING, AT_BARRIER, ENDED };

struct warp {
    const struct limit_stream *stream;
    enum state state;
    size_t next; /* next packet; also the number of issued ones */
    u64 done;    /* completion of the one in flight */
};

struct barrel {
    const struct ws_machine *machine;
    struct warp *warps;
    u32 count, ended;
    u32 entry;   /* cycles for a packet to enter the lanes */
    u32 pointer; /* of round robin */
    u64 now, select_at, port_at;
};

void limit_stream_add(struct limit_stream *stream, struct limit_packet packet)
{
    if (stream->count == stream->room) {
        const size_t room = stream->room ? 2 * stream->room : 1024;
        struct limit_packet *const larger = realloc(stream->packets, room * sizeof *larger);
        stream->failed = stream->failed || !larger;
        if (!larger)
            return;
        stream->packets = larger;
        stream->room = room;
    }
    stream->packets[stream->count++] = packet;
}

void limit_stream_free(struct limit_stream *stream)
{
    free(stream->packets);
    *stream = (struct limit_stream){.block = stream->block};
}

/* [order.complete] */
static void complete(struct barrel *barrel)
{
    for (u32 n = 0; n < barrel->count; n++) {
        struct warp *const warp = &barrel->warps[n];
        if (warp->state != FLYING || warp->done != barrel->now)
            continue;
        warp->state = READY;
        if (warp->stream->packets[warp->next - 1].arrives)
            warp->state = AT_BARRIER;
        if (warp->next == warp->stream->count) {
            warp->state = ENDED;
            barrel->ended++;
        }
    }
}

/* Whether a block has a warp at its barrier and none still to arrive. */
static bool lets_go(const struct barrel *barrel, u32 block)
{
    bool waits = false;
    for (u32 n = 0; n < barrel->count; n++) {
        const struct warp *const warp = &barrel->warps[n];
        if (warp->stream->block != block)
            continue;
        if (warp->state == READY || warp->state == FLYING)
            return false;
        waits = waits || warp->state == AT_BARRIER;
    }
    return waits;
}

/* [order.release] */
static void release(struct barrel *barrel)
{
    for (u32 n = 0; n < barrel->count; n++) {
        const u32 block = barrel->warps[n].stream->block;
        if (barrel->warps[n].state != AT_BARRIER || !lets_go(barrel, block))
            continue;
        for (u32 other = 0; other < barrel->count; other++)
            if (barrel->warps[other].stream->block == block && barrel->warps[other].state == AT_BARRIER)
                barrel->warps[other].state = READY;
    }
}

/* The issuing slot, or the number of warps ([rr.fewest], [rr.pointer]). */
static u32 choose(const struct barrel *barrel)
{
    const bool fewest = barrel->machine->schedule_round_robin == WS_round_robin_fewest;
    u32 best = barrel->count;
    for (u32 turn = 0; turn < barrel->machine->core_warps; turn++) {
        const u32 n = (barrel->pointer + turn) % barrel->machine->core_warps;
        if (n >= barrel->count || barrel->warps[n].state != READY)
            continue;
        if (best == barrel->count || (fewest && barrel->warps[n].next < barrel->warps[best].next))
            best = n;
    }
    return best;
}

static u64 later(u64 one, u64 other)
{
    return one > other ? one : other;
}

/* [pipe.depth], [pipe.latency], [pipe.entry], [port.select], [port.warp] */
static void issue(struct barrel *barrel, u32 n)
{
    struct warp *const warp = &barrel->warps[n];
    const struct limit_packet packet = warp->stream->packets[warp->next++];
    const u64 entered = barrel->now + barrel->entry;
    u64 passed = entered, leaves = entered;
    if (packet.passes) {
        barrel->port_at = later(barrel->now, barrel->port_at) + packet.passes;
        passed = later(passed, barrel->port_at);
        leaves = later(leaves, barrel->port_at + packet.latency);
    }
    barrel->select_at = barrel->machine->memory_data_port == WS_data_port_select ? passed : entered;
    warp->done = leaves - 1 + barrel->machine->core_depth;
    warp->state = FLYING;
    barrel->pointer = (n + 1) % barrel->machine->core_warps;
}

/* Whether nothing is in flight. */
static bool rests(const struct barrel *barrel)
{
    for (u32 n = 0; n < barrel->count; n++)
        if (barrel->warps[n].state == FLYING)
            return false;
    return true;
}

static enum ws_status run(struct barrel *barrel, struct ws_error *error)
{
    for (;; barrel->now++) {
        complete(barrel);
        release(barrel);
        if (barrel->ended == barrel->count)
            return WS_STATUS_ok;
        if (barrel->now < barrel->select_at)
            continue;
        const u32 n = choose(barrel);
        if (n < barrel->count)
            issue(barrel, n);
        else if (rests(barrel))
            return ws_fail(error, WS_STATUS_deadlock, "all warps wait at barriers in cycle %llu", (unsigned long long)barrel->now);
    }
}

enum ws_status limit_barrel_run(const struct ws_machine *machine, const struct limit_stream *streams, u32 count, u64 *cycles,
                                struct ws_error *error)
{
    struct barrel barrel = {.machine = machine,
                            .warps = calloc(count, sizeof *barrel.warps),
                            .count = count,
                            .entry = (machine->core_warp_size + machine->core_simd_width - 1) / machine->core_simd_width};
    if (!barrel.warps)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory for %u warps", count);
    for (u32 n = 0; n < count; n++)
        barrel.warps[n].stream = &streams[n];
    const enum ws_status status = run(&barrel, error);
    *cycles = barrel.now;
    free(barrel.warps);
    return status;
}
