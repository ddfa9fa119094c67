/* Each thread's actions: of a trace, read by docs/trace-format.md alone, and of a generated or recorded launch. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "shared/instruction.h"

/* An instruction executed with a true guard, other than a branch, jump or exit. */
struct event {
    u8 class_, kind, space, bytes; /* space and bytes of accesses */
    u64 address;                   /* of an access, in the form of a trace */
};

struct events {
    struct event *event;
    size_t count, room;
};

/* Threads of a launch, block after block. */
struct paths {
    struct events *thread;
    size_t threads;
};

void paths_make(struct paths *paths, size_t threads);
void paths_add(struct paths *paths, size_t thread, struct event event);
void paths_free(struct paths *paths);

/* Of a trace file of at most 64 frames. Fails the running test if it is malformed. */
void paths_read(const char *trace, struct paths *paths);

/* Fails the running test at the first difference. */
void paths_compare(const struct paths *found, const struct paths *expected);
