/* The pool of dynamic warp formation (divergence.md) as its schedulers see it. */
#pragma once

#include "oracle/sm.h"

struct forming {
    struct forming *next; /* younger */
    u32 pc;
    struct thread *thread[WS_LANES]; /* in its place */
    u64 enters;                      /* first cycle in which it is selectable */
};

struct lut_entry {
    bool valid;
    u32 pc;
    struct forming *forming;
    u64 touched;
};

struct dwf {
    struct forming *pool;  /* oldest first */
    struct bundle *queue;  /* has returned and waits for the update */
    struct lut_entry *lut; /* set after set; without a limit, as many as there have been */
    u32 entries;
    u64 touches;
};

u32 forming_threads(const struct forming *forming);
bool forming_ready(const struct sm *sm, const struct forming *forming);

/* The oldest selectable one at a pc, or at any (ANY_PC); NULL if there is none. */
#define ANY_PC 0xFFFFFFFFu
struct forming *forming_oldest(const struct sm *sm, u32 pc);

/* Threads in the pool at that pc. */
u32 forming_threads_at(const struct sm *sm, u32 pc);

/* ---- dwf_lut.c ---- */
void lut_start(struct sm *sm, struct dwf *own);
/* The valid entry of a pc, or NULL. */
struct lut_entry *lut_find(const struct dwf *own, u32 pc);
void lut_touch(struct dwf *own, struct lut_entry *entry);
/* A LUT entry in the pc's set for a new warp. */
void lut_take(struct sm *sm, struct dwf *own, struct forming *forming);
/* The warp issues. */
void lut_invalidate(struct dwf *own, const struct forming *forming);

/* ---- dwf_check.c ---- */
void dwf_check(struct sm *sm);
