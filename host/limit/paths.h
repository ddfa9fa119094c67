/* The streams of an image, thread by thread. */
#ifndef WS_LIMIT_PATHS_H
#define WS_LIMIT_PATHS_H

#include "limit/sequence.h"

/* How far a thread has read its streams. */
struct limit_thread {
    const u32 *decisions, *accesses;
    u32 lane;
    u32 decided, accessed;
};

struct limit_thread limit_thread_begin(const struct ws_image *image, u32 block, u32 thread);

static inline u32 limit_thread_decide(struct limit_thread *thread)
{
    const u32 n = thread->decided++;
    return thread->decisions[(size_t)(n / 32) * WS_LANES + thread->lane] >> n % 32 & 1u;
}

static inline u32 limit_thread_access(struct limit_thread *thread)
{
    return thread->accesses[(size_t)thread->accessed++ * WS_LANES + thread->lane];
}

/* The path of a thread, its lanes a mask; path starts as {0}. *instructions receives how many instructions it executes. */
enum ws_status limit_path_read(const struct ws_image *image, const struct limit_code *code, u32 block, u32 thread, u32 lanes,
                               struct limit_sequence *path, u64 *instructions, struct ws_error *error);

#endif
