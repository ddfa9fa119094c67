/* Interface in the innermost loop: an executor passes threads' paths to a trace writer. One recorder per thread of the executing
 * block. Threads of a block may interleave, blocks may not. */
#pragma once

#include <stdbool.h>

#include "warpsweep/trace.h"

/* Buffers of one thread, with the records since the last encoding. Executors call only the functions below. */
struct ws_recorder {
    u64 *decisions;     /* bits, 64 a word; the writer owns the buffer */
    u64 decision_count; /* bits recorded */
    u64 decision_room;  /* capacity in bits */
    u64 *accesses;      /* addresses in execution order: absolute for global memory, else offsets within the space; multiples of the
                         * access size */
    u64 access_count;
    u64 access_room;
    struct ws_trace_writer *writer;
    struct ws_spool *spool; /* of a block that is not yet written; else NULL */
};

/* Begins block number index (x fastest) of the grid: returns an array of one empty recorder per thread, owned by the writer and
 * valid until ws_recorders_end. All blocks must come, in order. NULL for a block out of order, or if the previous one was not
 * ended. */
struct ws_recorder *ws_recorders_begin(struct ws_trace_writer *writer, u64 index);

/* Ends the block. Every thread must have been recorded up to its exit. A recorded path that contradicts the program is
 * WS_STATUS_bad_trace. executed[pc]: executions of instruction pc by threads of the block, including false guards; their sum must
 * match the recorded paths. NULL is not checked. An earlier failure of ws_recorder_more is returned here. */
enum ws_status ws_recorders_end(struct ws_trace_writer *writer, const u64 *executed, struct ws_error *error);

/* Recorders of a block that executes while another one is being written: they keep their records in memory. NULL when out of
 * memory. To be freed by ws_spool_free; NULL is allowed there. */
struct ws_spool *ws_spool_make(struct ws_trace_writer *writer);
void ws_spool_free(struct ws_spool *spool);

/* One recorder per thread, owned by the spool. */
struct ws_recorder *ws_spool_recorders(struct ws_spool *spool);

/* Writes the block in its turn, from ws_recorders_begin to ws_recorders_end. */
enum ws_status ws_spool_play(struct ws_spool *spool, u64 index, const u64 *executed, struct ws_error *error);

/* Encodes and empties full buffers. False on failure (disk full, path contradicts the program, ...): stop recording;
 * ws_recorders_end says why. */
bool ws_recorder_more(struct ws_recorder *recorder);

/* Appends a decision of a branch (1 = goes to the target) or a guarded instruction (1 = executes). */
static inline bool ws_record_decision(struct ws_recorder *recorder, u32 bit)
{
    if (recorder->decision_count == recorder->decision_room && !ws_recorder_more(recorder))
        return false;
    const u64 n = recorder->decision_count++;
    if (n % 64 == 0)
        recorder->decisions[n / 64] = 0;
    recorder->decisions[n / 64] |= (u64)bit << (n % 64);
    return true;
}

/* Appends the address of an executed (guard true) load, store or atomic of any space. */
static inline bool ws_record_access(struct ws_recorder *recorder, u64 address)
{
    if (recorder->access_count == recorder->access_room && !ws_recorder_more(recorder))
        return false;
    recorder->accesses[recorder->access_count++] = address;
    return true;
}
