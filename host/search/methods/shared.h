/* What methods share. */
#pragma once

#include "search/sampler.h"

/* Proposes up to count legal new points as a Latin hypercube (McKay, Beckman, Conover, Technometrics 1979): each choice of an axis
 * is dealt to as many of them as any other, give or take one. A point that is not legal or not new exchanges choices with others;
 * where that does not help, a random point takes its place. */
enum ws_status ws_sampler_spread(struct ws_sampler *sampler, u32 count, u32 fidelity, struct ws_error *error);

/* The candidates of a fidelity. */
struct ws_ranking {
    u32 *candidate; /* [count], from best to worst as ws_front_order has them: indices of the history */
    u32 *rank;      /* [count] of each, ascending */
    u32 count;
};

/* Ranks the candidates of a fidelity; in the sampler's memory. */
enum ws_status ws_sampler_rank(struct ws_sampler *sampler, u32 fidelity, struct ws_ranking *ranking, struct ws_error *error);
