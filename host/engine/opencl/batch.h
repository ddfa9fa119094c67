/* A batch: jobs of one variant whose traces are on the device together. Some are in flight, each in a slot; when a job ends, the
 * next takes its slot. Slots are double-buffered: while a quantum runs on one half, the host takes results from the other half and
 * refills it. */
#pragma once

#include "engine/opencl/trace_buffer.h"

/* Limits of what may be on the device at once. */
struct ws_limits {
    u64 memory;     /* bytes in total */
    u64 allocation; /* bytes of one buffer */
    u64 trace;      /* bytes of traces of a batch */
    u32 slots;
    u32 at_once; /* simulations that the device runs concurrently: fewer do not justify a launch of their own */
};

/* State and progress of a call of ws_engine_run. */
struct ws_run {
    struct ws_cl *cl;
    const struct ws_engine_watch *watch;
    u32 quantum; /* cycles */
    bool quantum_adapts, times;
    size_t done, jobs;
    u64 warp_instructions;
    struct ws_cl_buffer *traces; /* of all jobs, and their bytes; NULL if they do not fit together: each batch then loads its own */
    u64 trace_bytes;
};

/* Reports progress to the watch; WS_STATUS_interrupted if the run must stop. */
enum ws_status ws_run_progress(const struct ws_run *run, struct ws_error *error);

/* Slots that one launch advances. */
struct ws_half {
    u32 first, slots, in_flight;
    struct ws_cl_commands running;
    double began; /* start of its launch, in seconds */
};

struct ws_batch {
    struct ws_run *run;
    const struct ws_device_program *program;
    struct ws_task *tasks;
    size_t count, next; /* tasks; index of the next one to enter */
    u32 slots, in_flight;
    struct ws_half half[2];
    u32 halves;                     /* 1 with too few slots for two halves, or too few remaining jobs */
    u32 at_once;                    /* of the limits */
    double ended;                   /* end of the last launch, in seconds */
    u32 state_words, timeline_room; /* of a slot */
    u64 times_words;                /* of a slot */
    struct ws_cl_buffer *traces;    /* its own, else NULL */
    struct ws_cl_buffer *jobs, *state, *records, *heads_buffer;
    struct ws_task **slot;  /* the task in each, or NULL */
    struct ws_job *entered; /* as written at entry */
    struct ws_head *heads;  /* as read after the last quantum, or as written before the first; in heads_buffer */
    struct ws_event *events;
};

/* Allocates slots, and loads the traces of the tasks unless the run has them. WS_STATUS_no_memory if the device has too little for
 * these limits; no task has started then. Close the batch in every case. */
enum ws_status ws_batch_open(struct ws_batch *batch, struct ws_run *run, const struct ws_device_program *program,
                             struct ws_task *tasks, size_t count, const struct ws_limits *limits, struct ws_error *error);

/* Runs until all tasks have ended. On failure the unfinished tasks are reset and may enter another batch; WS_STATUS_no_memory is
 * possible here too, with drivers that allocate on first use. After WS_STATUS_interrupted they keep their counters. */
enum ws_status ws_batch_run(struct ws_batch *batch, struct ws_error *error);

void ws_batch_close(struct ws_batch *batch);

/* Reduces the limits after lack of memory: half the slots, then one trace at a time. False if the batch was a single job. */
bool ws_batch_shrink(const struct ws_batch *batch, struct ws_limits *limits);
