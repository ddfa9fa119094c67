#include "limit/paths.h"

#include "base/error.h"
#include "model/streams.h"

/* The basic block after one with the given last instruction; after a barrier or plain code, the next one. */
static u32 next_token(const struct limit_code *code, struct ws_streams *thread, u32 token)
{
    const struct ws_instruction *const last = limit_code_last(code, token);
    if (last->class_ == WS_CLASS_jump || (last->class_ == WS_CLASS_branch && ws_streams_decide(thread, 1)))
        return code->at[last->target];
    return token + 1;
}

static bool ends(const struct ws_instruction *last, struct ws_streams *thread)
{
    return last->class_ == WS_CLASS_exit && (!(last->flags & WS_GUARDED) || ws_streams_decide(thread, 1));
}

enum ws_status limit_path_read(const struct ws_image *image, const struct limit_code *code, u32 block, u32 thread, u32 lanes,
                               struct limit_sequence *path, u64 *instructions, struct ws_error *error)
{
    struct ws_streams reader = ws_streams_of(image, block, thread);
    u32 token = 0;
    bool ended = false;
    *instructions = 0;
    while (!ended && !path->failed) {
        limit_sequence_add(path, token, lanes);
        *instructions += code->weights[token];
        reader.decision[0] += code->guards[token];
        ended = ends(limit_code_last(code, token), &reader);
        if (ended || limit_code_is_barrier(code, token))
            limit_sequence_cut(path);
        if (!ended)
            token = next_token(code, &reader, token);
    }
    if (path->failed)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory for the path of thread %u of block %u", thread, block);
    if (*instructions > UINT32_MAX / WS_LANES)
        return ws_fail(error, WS_STATUS_bad_input, "thread %u of block %u executes %llu instructions, allowed are %u", thread,
                       block, (unsigned long long)*instructions, UINT32_MAX / WS_LANES);
    return WS_STATUS_ok;
}
