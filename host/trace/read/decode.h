/* Streams of a trace's sections, decoded into the words of an image. */
#pragma once

#include "trace/predict.h"
#include "trace/read/reader.h"
#include "trace/segments.h"

/* A thread of the block being decoded. */
struct wst_follower {
    u32 node;               /* position of its path in the graph */
    u64 kept;               /* accesses stored in the image */
    struct wst_tally tally; /* so far */
};

struct wst_decoder {
    const struct ws_trace *trace;
    const struct wst_blocks *blocks; /* to be decoded */
    u32 spaces;                      /* set of 1 << WS_SPACE_* whose accesses are kept */
    struct wst_unpacker *unpacker;
    struct wst_predictors predictors;
    struct wst_segments segments;
    u32 *guesses;                   /* by predictor slot: segment of its instruction's last access */
    struct wst_follower *followers; /* threads of the current block */
    u64 block;                      /* the current block */
    bool wanted;                    /* whether it is one of blocks */
    /* the image; large enough by the tallies */
    const struct ws_group *groups;
    u32 groups_per_block;
    u32 *words;
    const struct wst_tally *tallies; /* of the section, thread by thread */
    const struct wst_section *section;
};

enum ws_status wst_decoder_make(const struct ws_trace *trace, const struct wst_blocks *blocks, u32 spaces,
                                struct wst_decoder *decoder, struct ws_error *error);
void wst_decoder_free(struct wst_decoder *decoder);

/* Accesses of a thread that an image keeps. */
u64 wst_kept(const struct wst_tally *tally, u32 spaces);

/* Decodes the wanted blocks of a section, whose tallies and image places are set; words must be zero. The streams must agree with
 * program and tallies. */
enum ws_status wst_decode_section(struct wst_decoder *decoder, struct ws_error *error);

/* Decodes one chunk of the current block's thread. */
struct wst_chunk {
    u32 thread;
    u64 decisions, accesses;
    const u8 *bits;
    struct wst_cursor residuals;
};
enum ws_status wst_decode_chunk(struct wst_decoder *decoder, const struct wst_chunk *chunk, struct ws_error *error);

/* Fails with a message about a thread of the current block. */
enum ws_status wst_decode_failed(const struct wst_decoder *decoder, u32 thread, const char *what, struct ws_error *error);
