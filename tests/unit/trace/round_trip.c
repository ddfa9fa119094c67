/* Recorded paths are read back, thread by thread, as shared/image.h specifies. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/recorder.h"
#include "test.h"
#include "unit/trace/random.h"

enum { CASES = 150 };

static const char file[] = "trace_round_trip.wst";

/* The rule of ws_image_load in its simplest form. */
static u32 expected_word(const struct ws_launch *launch, const struct access *access)
{
    if (access->space != WS_SPACE_global)
        return (u32)(access->address / 4);
    const u32 word = access->atomic ? (u32)(access->address / 4 % 8) << WS_ATOMIC_WORD : 0;
    u64 granule = 0;
    for (u32 n = 0; n < launch->segments; n++) {
        const u64 offset = access->address - launch->segment[n].base;
        if (offset < launch->segment[n].bytes)
            return (u32)(granule + offset / 32) | word;
        granule += (launch->segment[n].bytes + 65535) / 65536 * 2048;
    }
    fail_msg("an address without a segment");
    return 0;
}

static void check_thread(const struct ws_launch *launch, const struct ws_image *image, const struct path *path,
                         const struct ws_group *group, u32 lane, u32 spaces)
{
    for (u64 n = 0; n < path->decision_count; n++) {
        const u64 at = group->decisions + n / 32 * 32 + lane;
        assert_true(at < image->word_count);
        assert_int_equal(image->words[at] >> (n % 32) & 1, path->decisions[n]);
    }
    u64 kept = 0;
    for (u64 n = 0; n < path->access_count; n++) {
        if (!(spaces >> path->accesses[n].space & 1))
            continue;
        const u64 at = group->accesses + kept++ * 32 + lane;
        assert_true(at < image->word_count);
        assert_int_equal(image->words[at], expected_word(launch, &path->accesses[n]));
    }
}

static void check_program(const struct ws_launch *launch, const struct ws_image *image, u32 spaces)
{
    assert_int_equal(image->instructions, launch->instructions);
    for (u32 pc = 0; pc < launch->instructions; pc++) {
        struct ws_instruction expected = launch->program[pc];
        if (expected.space != WS_SPACE_none && (spaces >> expected.space & 1))
            expected.flags |= WS_ADDRESSED;
        ws_instruction_complete(&expected);
        assert_memory_equal(&image->program[pc], &expected, sizeof expected);
    }
}

static void check_shard(struct ws_trace *trace, const struct ws_launch *launch, const struct path *paths, u32 shard, u32 of,
                        u32 spaces)
{
    struct ws_image *image;
    EXPECT_OK(ws_image_load(trace, shard, of, spaces, &image, &error));
    const u32 threads = threads_of(launch);
    u32 blocks = 0;
    u64 instructions = 0;
    check_program(launch, image, spaces);
    assert_int_equal((uintptr_t)image->words % 64, 0);
    assert_int_equal(image->groups_per_block, (threads + 31) / 32);
    for (u32 block = shard; block < blocks_of(launch); block += of, blocks++) {
        for (u32 thread = 0; thread < threads; thread++) {
            const struct path *const path = &paths[block * threads + thread];
            check_thread(launch, image, path, &image->groups[blocks * image->groups_per_block + thread / 32], thread % 32, spaces);
            instructions += path->instructions;
        }
    }
    assert_int_equal(image->blocks, blocks);
    assert_int_equal(image->block_threads, threads);
    assert_int_equal(image->registers, launch->registers);
    assert_int_equal(image->shared_bytes, launch->shared_bytes);
    assert_int_equal(image->thread_instructions, instructions);
    ws_image_free(image);
}

static void check_code(const struct ws_machine_code *read, const struct ws_machine_code *code)
{
    assert_int_equal(read->architecture, code->architecture);
    assert_string_equal(read->compiler, code->compiler);
    assert_int_equal(read->file_count, code->file_count);
    for (u32 n = 0; n < code->file_count; n++)
        assert_string_equal(read->files[n], code->files[n]);
    assert_int_equal(read->instruction_count, code->instruction_count);
    for (u32 n = 0; n < code->instruction_count; n++) {
        const struct ws_machine_instruction *const one = &read->instructions[n], *const other = &code->instructions[n];
        assert_int_equal(one->offset, other->offset);
        assert_int_equal(one->control, other->control);
        assert_int_equal(one->ptx_line, other->ptx_line);
        assert_int_equal(one->file, other->file);
        assert_string_equal(one->text, other->text);
        assert_string_equal(one->ptx, other->ptx);
        assert_int_equal(one->operand_count, other->operand_count);
        if (other->operand_count)
            assert_memory_equal(one->operands, other->operands, other->operand_count * sizeof *one->operands);
    }
}

static void check_launch(const struct ws_launch *read, const struct ws_launch *launch)
{
    assert_int_equal(read->code != NULL, launch->code != NULL);
    if (launch->code)
        check_code(read->code, launch->code);
    assert_string_equal(read->kernel, launch->kernel);
    assert_string_equal(read->source, launch->source);
    assert_memory_equal(read->grid, launch->grid, sizeof read->grid);
    assert_memory_equal(read->block, launch->block, sizeof read->block);
    assert_int_equal(read->registers, launch->registers);
    assert_int_equal(read->shared_bytes, launch->shared_bytes);
    assert_int_equal(read->instructions, launch->instructions);
    assert_memory_equal(read->program, launch->program, launch->instructions * sizeof *launch->program);
    assert_int_equal(read->segments, launch->segments);
    assert_memory_equal(read->segment, launch->segment, launch->segments * sizeof *launch->segment);
    assert_int_equal(read->digest, launch->digest);
}

static void check_info(struct ws_trace *trace, const struct ws_launch *launch, const struct path *paths)
{
    struct ws_trace_info info;
    EXPECT_OK(ws_trace_info(trace, &info, NULL, &error));
    u64 instructions = 0, decisions = 0, accesses = 0, by_class = 0;
    for (u32 n = 0; n < threads_of(launch) * blocks_of(launch); n++) {
        instructions += paths[n].instructions;
        decisions += paths[n].decision_count;
        accesses += paths[n].access_count;
    }
    for (u32 n = 0; n < WS_CLASSES; n++)
        by_class += info.class_instructions[n];
    assert_int_equal(info.thread_instructions, instructions);
    assert_int_equal(by_class, instructions);
    assert_int_equal(info.decisions, decisions);
    assert_int_equal(info.accesses, accesses);
    assert_int_equal(info.threads, threads_of(launch) * blocks_of(launch));
}

static void check_file(u64 *state, const struct ws_launch *launch, const struct path *paths)
{
    struct ws_trace *trace;
    EXPECT_OK(ws_trace_open(file, &trace, &error));
    check_launch(ws_trace_launch(trace), launch);
    check_shard(trace, launch, paths, 0, 1, 1u << WS_SPACE_global | 1u << WS_SPACE_shared);
    check_shard(trace, launch, paths, 0, 1, 0xFFFFFFFFu);
    const u32 of = 1 + random_below(state, blocks_of(launch));
    check_shard(trace, launch, paths, random_below(state, of), of, random_below(state, 64));
    check_info(trace, launch, paths);
    ws_trace_close(trace);
    unlink(file);
}

TEST(what_is_recorded_comes_back)
{
    for (u64 n = 1; n <= CASES; n++) {
        struct random_launch made;
        u64 random = n * 0x9E3779B97F4A7C15ull;
        random_launch_make(&random, &made);
        struct path *const paths = random_paths(&random, &made.launch, random_below(&random, 10) ? 200 : 20000);
        random_record(&random, &made.launch, paths, file);
        check_file(&random, &made.launch, paths);
        random_paths_free(paths, &made.launch);
        random_launch_free(&made);
    }
}

/* Paths of one block of 70 threads. */
static struct path *long_paths(u64 *state, struct random_launch *made, u64 *accesses)
{
    random_launch_make(state, made);
    made->launch.grid[0] = made->launch.grid[1] = made->launch.block[1] = 1;
    made->launch.block[0] = 70;
    struct path *const paths = random_paths(state, &made->launch, 60000);
    *accesses = 0;
    for (u32 n = 0; n < 70; n++)
        *accesses += paths[n].access_count;
    return paths;
}

/* The first random block with more accesses than a frame takes. */
TEST(a_long_block_takes_several_frames)
{
    u64 random = 4;
    for (bool found = false; !found;) {
        struct random_launch made;
        u64 accesses;
        struct path *const paths = long_paths(&random, &made, &accesses);
        found = accesses > 1 << 20;
        if (found) {
            random_record(&random, &made.launch, paths, file);
            check_file(&random, &made.launch, paths);
        }
        random_paths_free(paths, &made.launch);
        random_launch_free(&made);
    }
}

static u64 digest_of(u64 recording_seed)
{
    struct random_launch made;
    struct ws_trace *trace;
    struct ws_image *whole, *shard;
    u64 random = 77;
    random_launch_make(&random, &made);
    made.launch.grid[0] = 3;
    struct path *const paths = random_paths(&random, &made.launch, 100);
    random_record(&recording_seed, &made.launch, paths, file);
    assert_int_equal(ws_trace_open(file, &trace, NULL), WS_STATUS_ok);
    assert_int_equal(ws_image_load(trace, 0, 1, 2, &whole, NULL), WS_STATUS_ok);
    assert_int_equal(ws_image_load(trace, 0, 2, 2, &shard, NULL), WS_STATUS_ok);
    assert_int_not_equal(whole->digest, shard->digest);
    assert_int_not_equal(whole->digest, ws_trace_digest(trace));
    const u64 digest = whole->digest;
    ws_image_free(whole);
    ws_image_free(shard);
    ws_trace_close(trace);
    random_paths_free(paths, &made.launch);
    random_launch_free(&made);
    return digest;
}

TEST(digests_are_reproducible)
{
    assert_int_equal(digest_of(5), digest_of(5));
    unlink(file);
}
