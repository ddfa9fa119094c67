/* Needleman-Wunsch table of two token sequences (docs/limit.md, [limit.score]): one group of lanes for each task. A lane holds a
 * token of the first sequence; in each step it computes a column of the second, one step behind its left neighbour, so that a step
 * computes the cells of an anti-diagonal. 32 tokens of the first sequence form a strip; a row in global memory connects strips. */
#ifndef WS_LIMIT_ALIGN_H
#define WS_LIMIT_ALIGN_H

#include "lanes/lanes.h"
#include "shared/align.h"

#define ALIGN_NO_TOKEN 0xFFFFFFFFu

/* Weights of the last three steps: lane n's at n + 1; at 0 those of the row above, for lane 0. */
struct align_local {
    struct lanes_local lanes;
    u32 value[3][WS_LANES + 1];
};

struct align {
    struct lanes lanes;
    LOCAL struct align_local *scratch;
    GLOBAL const u32 *second; /* the last token first */
    GLOBAL u32 *row;
    u32 columns;
    u32 begun; /* the row holds weights of a strip */
    PER_LANE(u32, token);
    PER_LANE(u32, weight);
};

/* Lane n computes column step - n. value[now] receives the weights of this step; value[one] and value[two] hold those one and two
 * steps back. Columns past the end are undefined; those before the start are 0. */
static inline void align_step(PRIVATE struct align *align, u32 step, u32 now, u32 one, u32 two)
{
    GLOBAL const u32 *tokens = align->second + align->columns - 1 - step;
    LOCAL u32 *here = align->scratch->value[now];
    LOCAL u32 *left = align->scratch->value[one];
    LOCAL const u32 *corner = align->scratch->value[two];
    if (lane_first())
        left[0] = align->begun && step < align->columns ? align->row[step] : 0;
    FOR_LANES (lane) {
        const u32 same = (u32)(tokens[lane] == align->token[OF(lane)]) & (u32)(lane <= step);
        here[lane + 1] = same ? corner[lane] + align->weight[OF(lane)] : ws_max(left[lane + 1], left[lane]);
    }
    if (lane_is(WS_LANES - 1) && step >= WS_LANES - 1 && step - (WS_LANES - 1) < align->columns)
        align->row[step - (WS_LANES - 1)] = here[WS_LANES];
    lanes_fence(&align->lanes);
}

/* Lanes past the end of the first sequence pass on their neighbour's value. */
static inline void align_strip(PRIVATE struct align *align, GLOBAL const u32 *tokens, GLOBAL const u32 *weights, u32 count)
{
    FOR_LANES (lane) {
        const u32 token = lane < count ? tokens[lane] : ALIGN_NO_TOKEN;
        align->token[OF(lane)] = token;
        align->weight[OF(lane)] = lane < count ? weights[token] : 0;
        for (u32 n = 0; n < 3; ++n)
            align->scratch->value[n][lane + 1] = 0;
    }
    if (lane_first())
        align->scratch->value[0][0] = align->scratch->value[1][0] = align->scratch->value[2][0] = 0;
    lanes_fence(&align->lanes);
    for (u32 step = 0; step < align->columns + WS_LANES - 1; step += 3) {
        align_step(align, step, 0, 2, 1);
        align_step(align, step + 1, 1, 0, 2);
        align_step(align, step + 2, 2, 1, 0);
    }
}

/* Computes the row of a task, and stores its last weight in *score. */
static inline void align_task(LOCAL struct align_local *local_words, GLOBAL const struct ws_align_task *task,
                              GLOBAL const u32 *tokens, GLOBAL const u32 *weights, GLOBAL u32 *rows, GLOBAL u32 *score)
{
    struct align align;
    lanes_open(&align.lanes, &local_words->lanes);
    align.scratch = local_words;
    align.second = tokens + task->second;
    align.row = rows + task->row;
    align.columns = task->second_count;
    for (u32 done = 0; done < task->first_count; done += WS_LANES) {
        align.begun = done;
        align_strip(&align, tokens + task->first + done, weights, ws_min(task->first_count - done, WS_LANES));
    }
    if (lane_first())
        *score = align.row[align.columns - 1];
}

#endif
