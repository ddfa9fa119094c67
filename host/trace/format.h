/* Constants of the file format (docs/trace-format.md). */
#pragma once

#include "shared/instruction.h"

/* The newest version and the oldest that is read. Version 1 has no instruction kinds; versions before 3 lack the lockstep width.
 * Version 4 has registers given by the launch, 5 class tensor and barriers for part of a block, 6 the machine code of the program,
 * 7 cache operators and asynchronous copies without machine code; each of these four is written only if the trace needs it. */
#define WST_VERSION       7u
#define WST_ASYNC_VERSION 7u
#define WST_CODE_VERSION  6u
#define WST_NAMED_VERSION 5u
#define WST_GIVEN_VERSION 4u
#define WST_PLAIN_VERSION 3u
#define WST_FIRST_VERSION 1u

#define WST_SIGNATURE       "\x89WST\r\n\x1a\n"
#define WST_END_SIGNATURE   "WST.END\n"
#define WST_SIGNATURE_BYTES 8u

#define WST_PREAMBLE_BYTES    16u
#define WST_TRAILER_BYTES     40u
#define WST_SEGMENT_BYTES     16u
#define WST_SECTION_BYTES     8u  /* of an index entry */
#define WST_FRAME_BYTES       24u /* of an index entry */
#define WST_TALLY_LEAST_BYTES 7u  /* one thread in a section's table */

/* An instruction in a file of a version. */
#define WST_INSTRUCTION_BYTES(version) ((version) == 1 ? 24u : 25u)

/* Limits of a reader. */
#define WST_FRAME_MOST        (4u << 20)   /* raw bytes of a frame */
#define WST_INDEX_MOST        (256u << 20) /* raw bytes of the index */
#define WST_CODE_MOST         (64u << 20)  /* raw bytes of the code: more than 65534 instructions fill */
#define WST_TEXT_MOST         4096u        /* bytes of a name */
#define WST_INSTRUCTIONS_MOST 65534u
#define WST_SEGMENTS_MOST     65536u
#define WST_THREADS_MOST      32768u /* of a block */
#define WST_BLOCKS_MOST       0xFFFFFFFFu

/* Address predictors: of a thread, and of all threads of a block. */
#define WST_SLOTS_MOST      256u
#define WST_PREDICTORS_MOST (1u << 20)

#define WST_SEGMENT_ALIGNMENT 65536u

/* Facts of each thread: the table at the end of a section. */
struct wst_tally {
    u64 instructions, decisions;
    u64 accesses[WS_SPACES]; /* none for WS_SPACE_none */
};
