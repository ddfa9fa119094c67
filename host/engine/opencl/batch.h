/* A batch: jobs of one variant whose traces lie on the device together. Some of them are in flight, each in a slot of its own; a
 * job that ends makes room for the next. Slices advance half of the slots each in turn: while one half runs, the host takes results
 * from the other and fills it again. */
#pragma once

#include "engine/opencl/trace_buffer.h"

/* How much may be on the device at once. */
struct ws_limits {
    u64 memory;     /* bytes in all */
    u64 allocation; /* bytes of one buffer */
    u64 trace;      /* bytes of traces of a batch */
    u32 slots;
    u32 at_once; /* simulations that the device runs at the same time: fewer are not worth a launch of their own */
};

/* What a call of ws_engine_run needs everywhere, and how far it is. */
struct ws_run {
    struct ws_cl *cl;
    const struct ws_engine_watch *watch;
    u32 quantum; /* cycles */
    bool quantum_adapts, times;
    size_t done, jobs;
    u64 warp_instructions;
    struct ws_cl_buffer
        *traces; /* of all jobs, and its bytes; NULL where they do not fit together: each batch loads its own then */
    u64 trace_bytes;
};

/* Tells whoever watches how far the run is; WS_STATUS_interrupted when it is to stop. */
enum ws_status ws_run_progress(const struct ws_run *run, struct ws_error *error);

/* Slots that one launch advances. */
struct ws_half {
    u32 first, slots, in_flight;
    struct ws_cl_commands running;
    double began; /* seconds: its launch */
};

struct ws_batch {
    struct ws_run *run;
    const struct ws_device_program *program;
    struct ws_task *tasks;
    size_t count, next; /* tasks; the next one to enter */
    u32 slots, in_flight;
    struct ws_half half[2];
    u32 halves;                     /* 1 where there are too few slots for two, or too few jobs left */
    u32 at_once;                    /* of the limits */
    double ended;                   /* seconds: the last launch */
    u32 state_words, timeline_room; /* of a slot */
    u64 times_words;                /* of a slot */
    struct ws_cl_buffer *traces;    /* its own, else NULL */
    struct ws_cl_buffer *jobs, *state, *records, *heads_buffer;
    struct ws_task **slot;  /* the task in each, or NULL */
    struct ws_job *entered; /* what was written when it entered */
    struct ws_head *heads;  /* as read after the last quantum, or as written before the first; in heads_buffer */
    struct ws_event *events;
};

/* Makes slots, and loads the traces of the tasks unless the run has them. WS_STATUS_no_memory when the device has too little for
 * these limits; no task has started then. The batch is to be closed in every case. */
enum ws_status ws_batch_open(struct ws_batch *batch, struct ws_run *run, const struct ws_device_program *program,
                             struct ws_task *tasks, size_t count, const struct ws_limits *limits, struct ws_error *error);

/* Runs until all tasks have ended. Otherwise those that have not are as if they had not begun, and may enter another batch:
 * WS_STATUS_no_memory may come up here too, where a driver claims memory when it is used. After WS_STATUS_interrupted they keep the
 * counters that they have reached. */
enum ws_status ws_batch_run(struct ws_batch *batch, struct ws_error *error);

void ws_batch_close(struct ws_batch *batch);

/* What to try after the batch lacked memory: half its slots, then one trace at a time. False when it was one job alone. */
bool ws_batch_shrink(const struct ws_batch *batch, struct ws_limits *limits);
