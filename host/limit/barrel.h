/* The barrel pipeline for known packets (docs/model/order.md, memory.md): ideal memory, no instruction cache, schedule.policy rr,
 * all warps present from the beginning. */
#pragma once

#include <stddef.h>

#include "warpsweep/machine.h"

struct limit_packet {
    u16 passes;   /* cycles that its access holds the data port; 0: none */
    u16 latency;  /* cycles from the pipeline's end to its data */
    bool arrives; /* the warp arrives at a barrier with it */
};

/* The packets of a warp, at least one. Starts as {.block = ...}. */
struct limit_stream {
    u32 block;
    struct limit_packet *packets;
    size_t count, room;
    bool failed; /* out of memory; nothing more is added */
};

void limit_stream_add(struct limit_stream *stream, struct limit_packet packet);
void limit_stream_free(struct limit_stream *stream);

/* Runs the warps, number n in warp slot n, until all have ended; *cycles receives when. WS_STATUS_deadlock when all wait. */
enum ws_status limit_barrel_run(const struct ws_machine *machine, const struct limit_stream *streams, u32 count, u64 *cycles,
                                struct ws_error *error);
