/* The columns of a warp as packets. */
#pragma once

#include "limit/align.h"
#include "limit/barrel.h"

/* Executes the columns of a warp: stream, which starts as {.block = ...}, receives a packet per instruction. */
enum ws_status limit_packets_make(const struct ws_image *image, const struct limit_code *code, const struct ws_machine *machine,
                                  const struct limit_warp *warp, struct limit_stream *stream, struct ws_error *error);

/* Cycles for which an instruction holds the data port ([port.lines], [shared.bank]). access: accesses of the lanes of a mask, as in
 * an image. */
u32 limit_passes(const struct ws_machine *machine, const struct ws_instruction *instruction, const u32 *access, u32 lanes);

/* Cycles from the pipeline's end to the data of a hit ([pipe.latency]); 0 without a global load. */
u32 limit_latency(const struct ws_machine *machine, const struct ws_instruction *instruction);
