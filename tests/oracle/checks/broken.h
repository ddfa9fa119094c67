/* Defects of the oracle that its invariants must detect. */
#pragma once

#include <stddef.h>

#include "oracle/sm.h"

/* Two blocks run a guarded load, a branch into two paths that join, a barrier, and end. */
enum { BLOCKS = 2, BLOCK_THREADS = 64, THEN = 6, JOIN = 7, LAST = 10 };

/* The result of a defect: replaces one function of a unit's rules. */
struct defect {
    const char *violation;
    u32 unit; /* WS_divergence_* */
    bool any_lane;
    void (*peek)(const struct sm *sm, u32 slot, struct packet *packet);
    void (*take)(struct sm *sm, struct packet *packet);
    void (*completed)(struct sm *sm, const struct packet *packet);
    void (*advance)(struct sm *sm);
    void (*cycle)(struct sm *sm);
    u32 pipeline; /* WS_pipeline_* */
    void (*select)(const struct sm *sm, struct bundle *bundle);
    void (*issued)(struct sm *sm, const struct bundle *bundle);
    void (*returned)(struct sm *sm, const struct bundle *bundle); /* completed, of a pool */
    u32 warp_size;                                                /* 0: as many threads as the unit supports */
    u32 dispatch;                                                 /* WS_dispatch_*; by warps there are three slots for two blocks */
    void (*retired)(struct sm *sm, u32 slot);
    u32 (*unissued)(const struct sm *sm, u32 block);
};

/* The rules that a defect wraps. */
extern struct oracle_rules whole;

/* Fails the test unless each is detected, under its row's name. */
void expect_violations(const struct defect *rows, size_t row_count);
