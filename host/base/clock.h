/* Time for durations. */
#pragma once

#include <time.h>

/* Seconds since an arbitrary start; monotonic. */
static inline double ws_seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
