#include "unit/trace/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/recorder.h"
#include "test.h"

u64 random_next(u64 *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state * 0x2545F4914F6CDD1Dull >> 16;
}

u32 random_below(u64 *state, u32 limit)
{
    return (u32)(random_next(state) % limit);
}

u32 threads_of(const struct ws_launch *launch)
{
    return launch->block[0] * launch->block[1] * launch->block[2];
}

u32 blocks_of(const struct ws_launch *launch)
{
    return launch->grid[0] * launch->grid[1] * launch->grid[2];
}

/* Jumps and untaken branches lead forward: a thread that never takes a branch reaches the exit at the end. A backward branch
 * precedes it, to lengthen paths. Machine code has cache operators and copies in its text alone. */
static struct ws_instruction random_instruction(u64 *state, u32 pc, u32 count, bool has_code)
{
    struct ws_instruction made = {.dst = {1, 0xFF, 0xFF, 0xFF}, .src = {2, 3, 0xFF, 0xFF, 0xFF, 0xFF}, .reads = 2, .writes = 1};
    made.class_ = (u8)random_below(state, WS_CLASSES);
    made.line = pc + 10;
    if (pc == count - 1)
        made.class_ = WS_CLASS_exit;
    else if (pc == count - 2)
        made.class_ = WS_CLASS_branch;
    else if (made.class_ == WS_CLASS_exit && random_below(state, 16))
        made.class_ = WS_CLASS_load;
    if (made.class_ <= WS_CLASS_sfu)
        made.kind = (u8)random_below(state, WS_KINDS);
    if (made.class_ >= WS_CLASS_load && made.class_ <= WS_CLASS_atomic) {
        made.space = (u8)(1 + random_below(state, WS_SPACES - 1));
        made.bytes = (u8)(1u << random_below(state, 5));
    }
    if (!has_code && made.class_ == WS_CLASS_load && made.space == WS_SPACE_global)
        made.flags = (u8)(random_below(state, 4) * WS_BYPASS);
    if (!WS_IS_NEVER_GUARDED(made.class_) && pc != count - 1 && random_below(state, 3) == 0)
        made.flags |= WS_GUARDED;
    if (made.class_ == WS_CLASS_branch)
        made.target = (u16)random_below(state, pc == count - 2 ? pc / 2 + 1 : count - 1);
    if (made.class_ == WS_CLASS_jump)
        made.target = (u16)(pc + 1 + random_below(state, count - pc - 2));
    if (made.class_ == WS_CLASS_barrier && random_below(state, 2)) {
        made.flags = random_below(state, 2) ? WS_NAMED : WS_NAMED | WS_ARRIVES;
        made.bytes = (u8)random_below(state, WS_NAMED_BARRIERS);
        made.target = (u16)(1 + random_below(state, 1024));
    }
    made.reconverge = made.class_ == WS_CLASS_branch ? (u16)WS_PC_NONE : 0;
    return made;
}

void random_launch_make(u64 *state, struct random_launch *made)
{
    const u32 count = 1 + random_below(state, random_below(state, 8) ? 40 : 600);
    const bool has_code = random_below(state, 2);
    *made = (struct random_launch){.program = calloc(count, sizeof *made->program)};
    assert_non_null(made->program);
    for (u32 pc = 0; pc < count; pc++)
        made->program[pc] = random_instruction(state, pc, count, has_code);
    u64 base = 0x7f0000000000ull;
    const u32 segments = 1 + random_below(state, MOST_SEGMENTS);
    for (u32 n = 0; n < segments; n++) {
        made->segment[n] = (struct ws_segment){.base = base, .bytes = 64 + random_below(state, 200000)};
        base += (made->segment[n].bytes / 65536 + 1 + random_below(state, 3)) * 65536;
    }
    made->launch = (struct ws_launch){.kernel = "k",
                                      .source = "random",
                                      .grid = {1 + random_below(state, 4), 1 + random_below(state, 3), 1},
                                      .block = {1 + random_below(state, 50), 1 + random_below(state, 2), 1},
                                      .registers = 9,
                                      .shared_bytes = 4096,
                                      .instructions = count,
                                      .program = made->program,
                                      .segments = segments,
                                      .segment = made->segment,
                                      .digest = random_next(state)};
    if (has_code)
        made->launch.code = made->code = random_code_make(state, count);
}

void random_launch_free(struct random_launch *made)
{
    free(made->program);
    random_code_free(made->code);
}

static u64 random_address(u64 *state, const struct ws_launch *launch, const struct ws_instruction *instruction, u64 turn)
{
    const u32 bytes = instruction->bytes;
    if (instruction->space != WS_SPACE_global)
        return random_below(state, launch->shared_bytes / bytes) * (u64)bytes;
    const struct ws_segment *const segment = &launch->segment[instruction->line % launch->segments];
    const u32 units = (u32)(segment->bytes / bytes);
    return segment->base + (instruction->line % 3 ? turn % units : random_below(state, units)) * (u64)bytes;
}

static void make_room(struct path *path)
{
    if (path->decision_count < path->room && path->access_count < path->room)
        return;
    path->room = path->room ? path->room * 2 : 64;
    path->decisions = realloc(path->decisions, path->room);
    path->accesses = realloc(path->accesses, path->room * sizeof *path->accesses);
    assert_true(path->decisions && path->accesses);
}

/* One thread's path from the first instruction to an exit. */
static struct path random_path(u64 *state, const struct ws_launch *launch, u32 steps)
{
    struct path path = {0};
    for (u32 pc = 0;;) {
        const struct ws_instruction *const instruction = &launch->program[pc];
        const bool branch = instruction->class_ == WS_CLASS_branch, guarded = (instruction->flags & WS_GUARDED) != 0;
        u32 decision = 1;
        make_room(&path);
        path.instructions++;
        if (branch || guarded) {
            decision = path.instructions > steps ? 0 : random_below(state, branch && instruction->target <= pc ? 12 : 2) > 0;
            path.decisions[path.decision_count++] = (u8)decision;
        }
        if (instruction->space != WS_SPACE_none && decision)
            path.accesses[path.access_count++] =
                (struct access){.address = random_address(state, launch, instruction, path.instructions),
                                .space = instruction->space,
                                .atomic = instruction->class_ == WS_CLASS_atomic};
        if (instruction->class_ == WS_CLASS_exit && decision)
            return path;
        pc = instruction->class_ == WS_CLASS_jump || (branch && decision) ? instruction->target : pc + 1;
    }
}

struct path *random_paths(u64 *state, const struct ws_launch *launch, u32 steps)
{
    const u32 count = threads_of(launch) * blocks_of(launch);
    struct path *const paths = calloc(count, sizeof *paths);
    assert_non_null(paths);
    for (u32 n = 0; n < count; n++)
        paths[n] = random_path(state, launch, random_below(state, steps) + 1);
    return paths;
}

void random_paths_free(struct path *paths, const struct ws_launch *launch)
{
    for (u32 n = 0; n < threads_of(launch) * blocks_of(launch); n++) {
        free(paths[n].decisions);
        free(paths[n].accesses);
    }
    free(paths);
}

/* Recording state of a thread. The order of its decisions among its accesses, found by walking its path. */
struct recording {
    u32 pc;
    u64 decision, access;
    bool done;
};

static void record_one(const struct ws_launch *launch, const struct path *path, struct ws_recorder *recorder,
                       struct recording *recording)
{
    const struct ws_instruction *const instruction = &launch->program[recording->pc];
    const bool branch = instruction->class_ == WS_CLASS_branch;
    u32 decision = 1;
    if (branch || (instruction->flags & WS_GUARDED)) {
        decision = path->decisions[recording->decision++];
        assert_true(ws_record_decision(recorder, decision));
    }
    if (instruction->space != WS_SPACE_none && decision)
        assert_true(ws_record_access(recorder, path->accesses[recording->access++].address));
    recording->done = instruction->class_ == WS_CLASS_exit && decision;
    recording->pc = instruction->class_ == WS_CLASS_jump || (branch && decision) ? instruction->target : recording->pc + 1;
}

static void record_block(u64 *state, const struct ws_launch *launch, const struct path *paths, struct ws_recorder *recorders)
{
    const u32 threads = threads_of(launch);
    struct recording *const recordings = calloc(threads, sizeof *recordings);
    assert_non_null(recordings);
    for (u32 left = threads; left;) {
        const u32 thread = random_below(state, threads);
        u32 burst = 1 + random_below(state, random_below(state, 4) ? 8 : 5000);
        if (recordings[thread].done)
            continue;
        while (burst-- && !recordings[thread].done)
            record_one(launch, &paths[thread], &recorders[thread], &recordings[thread]);
        left -= recordings[thread].done ? 1 : 0;
    }
    free(recordings);
}

void random_record(u64 *state, const struct ws_launch *launch, const struct path *paths, const char *file)
{
    struct ws_trace_writer *writer;
    remove(file); /* a damaged trace is not recognized, and would not be replaced */
    EXPECT_OK(ws_trace_writer_open(file, launch, &writer, &error));
    for (u32 block = 0; block < blocks_of(launch); block++) {
        struct ws_recorder *const recorders = ws_recorders_begin(writer, block);
        assert_non_null(recorders);
        record_block(state, launch, paths + (size_t)block * threads_of(launch), recorders);
        u64 *const executed = calloc(launch->instructions, sizeof *executed);
        assert_non_null(executed);
        for (u32 thread = 0; thread < threads_of(launch); thread++)
            executed[0] += paths[(size_t)block * threads_of(launch) + thread].instructions;
        EXPECT_OK(ws_recorders_end(writer, executed, &error));
        free(executed);
    }
    EXPECT_OK(ws_trace_writer_close(writer, &error));
}
