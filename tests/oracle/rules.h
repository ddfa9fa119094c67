/* Interfaces of the oracle: a struct of functions for each choice of a machine. An optional function is NULL if missing. Each part
 * keeps its state private: allocated in start, freed in finish, with a pointer in struct sm. */
#pragma once

#include <stdbool.h>

#include "shared/dialect.h"

struct sm;
struct packet;
struct event;
struct level;
struct request;
struct bundle;
struct forming;
struct thread;
struct tags;
struct line;

/* Whether a warp holds decode: no; has threads to pack next; has none and steps aside; has none and keeps decode. */
enum decode { DECODE_FREE, DECODE_PACKS, DECODE_STEPS_ASIDE, DECODE_KEPT };

/* A path unit: decides which threads share a pc. It knows nothing of fetch, ports and stall slots. */
struct oracle_path {
    void (*start)(struct sm *sm);
    void (*finish)(struct sm *sm);
    void (*enter)(struct sm *sm, u32 slot);       /* the warp in the slot has all its threads, at pc 0: assigns rows and lanes */
    bool (*ready)(const struct sm *sm, u32 slot); /* the running warp has something to issue */
    void (*peek)(const struct sm *sm, u32 slot, struct packet *packet); /* its next packet, written into a zeroed one */
    void (*take)(struct sm *sm, struct packet *packet);                 /* the packet starts or continues its instruction */
    void (*completed)(struct sm *sm, const struct packet *packet);      /* effect on the path (barrel: after its data) */
    void (*places)(const struct sm *sm, u32 slot);                      /* invariants_place for every place of a thread */
    bool home_lanes;                                                    /* a thread issues only in the lane of its number */
    bool mixes;                                                         /* a packet may have threads of several warps */
    /* May be missing. */
    void (*advance)(struct sm *sm);                       /* after all completions of a cycle */
    enum decode (*decode)(const struct sm *sm, u32 slot); /* missing: each instruction is one packet */
    void (*step_aside)(struct sm *sm, u32 slot);
    bool (*waits)(const struct sm *sm, u32 slot); /* for other warps of its group */
    void (*released)(struct sm *sm, u32 slot);    /* from a barrier */
    const struct oracle_pool *pool;               /* threads issue, not warps: only start, finish, enter and advance are called */
};

/* Interface of a path unit of threads to the pipeline, which keeps threads in flight or held at barriers. Returning threads have
 * their next pc. */
struct oracle_pool {
    bool (*any)(const struct sm *sm);                                      /* something can be selected */
    void (*select)(const struct sm *sm, struct bundle *bundle);            /* the next packet, written into a zeroed bundle */
    void (*issued)(struct sm *sm, const struct bundle *bundle);            /* it has */
    void (*completed)(struct sm *sm, const struct bundle *bundle);         /* threads come out of the pipeline */
    void (*line)(struct sm *sm, struct thread *const *threads, u32 count); /* a line has arrived for threads out of the pipeline */
    void (*released)(struct sm *sm, const struct bundle *bundle);          /* from a barrier, as they were held */
    bool (*stalls)(const struct sm *sm);                                   /* no packet issues, although some could; NULL: never */
    bool (*queued)(const struct sm *sm);                                   /* some returned threads are not yet in the pool */
    void (*places)(const struct sm *sm, u32 slot);                         /* as for a path, for the threads it holds */
    void (*check)(struct sm *sm);                                          /* its invariants, at the start of a cycle */
    u32 (*entry)(const struct sm *sm, const struct bundle *bundle);        /* cycles over which the register file makes it enter */
    u32 (*stages)(const struct sm *sm);                                    /* added to the pipeline */
    bool one_pc;                                                           /* a bundle's threads share their pc */
};

/* A scheduler: of warps, for each issue port, or of the forming warps of a pool. ready tells for each slot whether it is
 * selectable. */
struct oracle_policy {
    void (*start)(struct sm *sm);
    void (*finish)(struct sm *sm);
    u32 (*choose)(const struct sm *sm, u32 port, const bool *ready); /* a slot of the port or NO_WARP */
    /* May be missing. */
    void (*chosen)(struct sm *sm, u32 slot);                /* the selection takes effect, even if the slot stalls */
    void (*begun)(struct sm *sm, u32 slot);                 /* an instruction */
    void (*executed)(struct sm *sm, u32 slot, u32 threads); /* so many thread instructions */
    void (*issued)(struct sm *sm, const struct packet *packet);
    void (*event)(struct sm *sm, const struct event *event);
    void (*tick)(struct sm *sm); /* in the rotate step of each cycle, before any port */
    void (*rotate)(struct sm *sm, u32 port);
    bool (*looks_at)(const struct sm *sm, u32 slot); /* for the class of a stall slot; missing: any */
    /* For pools, which call only start, finish and the following. */
    struct forming *(*pick)(const struct sm *sm);       /* a selectable one; there is one */
    void (*joins)(struct sm *sm, u32 pc, u32 threads);  /* the pool at once; may be missing */
    void (*leaves)(struct sm *sm, u32 pc, u32 threads); /* it, while issuing; may be missing */
};

struct flight;

/* A pipeline: order of a cycle, fetch, issue, completion, and the classes of stall slots. */
struct oracle_pipeline {
    void (*start)(struct sm *sm);
    void (*finish)(struct sm *sm);
    void (*cycle)(struct sm *sm);
    void (*data_arrives)(struct sm *sm, u32 ticket);
    void (*code_arrives)(struct sm *sm, u32 ticket);
    bool (*awaits)(const struct sm *sm, u32 slot); /* in the sense of schedulers.md */
    u32 (*in_flight)(const struct sm *sm);         /* packets with waiting instructions */
    u32 (*reads)(const struct sm *sm);             /* of memory with waiting accesses */
    bool retires;                                  /* an ended warp: the pipeline decides when, not the path unit */
    /* May be missing. */
    void (*results)(struct sm *sm, struct flight *flight); /* starts, perhaps later, on a unit other than LD/ST */
    void (*check)(struct sm *sm);                          /* its invariants, at the start of a cycle */
    void (*check_end)(struct sm *sm);                      /* after a successful run */
};

/* How blocks get their resources. */
struct oracle_dispatch {
    void (*start)(struct sm *sm);
    void (*finish)(struct sm *sm);
    bool (*possible)(const struct sm *sm); /* a block fits into an empty SM */
    void (*enter)(struct sm *sm);          /* the fitting blocks enter */
    bool (*all_entered)(const struct sm *sm);
    void (*warp_ended)(struct sm *sm, u32 slot);
    void (*warp_retired)(struct sm *sm, u32 slot); /* called when it retires */
    /* May be missing. */
    u32 (*unissued)(const struct sm *sm, u32 block); /* its last warps, which wait for a place */
    void (*check)(struct sm *sm);                    /* its invariants, at the start of a cycle */
    void (*check_end)(struct sm *sm);                /* after a successful run */
};

/* A level of memory. Levels chain: a level requests a line from the one below and gets a ticket, with which the line returns. */
struct oracle_level {
    void (*start)(struct sm *sm, struct level *level);
    void (*finish)(struct level *level);
    /* Whether all requests of an access find room; changes nothing. */
    bool (*fits)(const struct sm *sm, const struct level *level, const struct request *requests, u32 count);
    u32 (*ask)(struct sm *sm, struct level *level, const struct request *request); /* ticket that it waits for, or NO_TICKET */
    u32 (*reads)(const struct level *level);                                       /* in flight */
    /* May be missing. */
    void (*arrives)(struct sm *sm, struct level *level, u32 ticket); /* its requests to the level below */
    void (*cycle)(struct sm *sm, struct level *level);               /* the fill step */
};

/* Victim of a set. */
struct oracle_replacement {
    /* From a set without invalid ways, one that is not reserved; there is one. A line at a granule is requested. */
    struct line *(*victim)(const struct tags *tags, struct line *set, u32 granule);
    /* May be missing. */
    void (*fills)(struct tags *tags, struct line *set, struct line *way, bool replaces); /* a line takes the way */
    void (*touches)(struct tags *tags, struct line *line);
};

/* The choices of a machine. */
struct oracle_rules {
    const struct oracle_path *path;
    const struct oracle_policy *policy;
    const struct oracle_pipeline *pipeline;
    const struct oracle_dispatch *dispatch;
};
