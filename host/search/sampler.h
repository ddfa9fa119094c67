/* The generation that a method is proposing, and the points that are taken: those of the history and of the generation. */
#pragma once

#include "base/arena.h"
#include "search/method.h"

struct ws_sampler {
    const struct ws_search_request *request;
    struct ws_search_proposals *proposals;
    struct ws_arena arena; /* for the method, too */
    u64 random;            /* state of ws_random: seed and generation */
    u32 *taken;            /* hash table of history and proposals, index + 1; 0 is empty */
    u32 taken_mask;
    u32 *left; /* numbers of the untaken legal points at the fidelity left_fidelity, once they are enumerated */
    u32 left_count, left_fidelity;
    u32 *scratch; /* a choice */
};

/* Begins an empty generation. It is closed by ws_sampler_close in every case, which fills in proposals->exhausted. */
enum ws_status ws_sampler_open(struct ws_sampler *sampler, const struct ws_search_request *request,
                               struct ws_search_proposals *proposals, struct ws_error *error);
void ws_sampler_close(struct ws_sampler *sampler);

/* Whether the space allows the point. */
bool ws_sampler_legal(const struct ws_sampler *sampler, const u32 *choice);

/* The index of the point: a candidate of the history, or history.count + a proposal; UINT32_MAX if it is new. */
u32 ws_sampler_find(const struct ws_sampler *sampler, const u32 *choice, u32 fidelity);

/* Proposes the point if it is legal and new and the generation has room. Returns whether it did. */
bool ws_sampler_add(struct ws_sampler *sampler, const u32 *choice, u32 fidelity);

/* Draws a choice uniformly from all combinations, legal or not. */
void ws_sampler_draw(struct ws_sampler *sampler, u32 *choice);

/* Proposes up to count legal new points, all equally likely: fewer if the generation is full or no point is found. Points are
 * drawn and rejected; where that takes long, small spaces are enumerated. WS_STATUS_no_memory. */
enum ws_status ws_sampler_random(struct ws_sampler *sampler, u32 count, u32 fidelity, struct ws_error *error);
