/* Alignments of random sequences, by every engine and lane form, against full tables (docs/limit.md). */
#include <stdlib.h>
#include <string.h>

#include "differential/random/random.h"
#include "limit/align.h"
#include "limit/trace_back.h"
#include "test.h"
#include "unit/limit/textbook.h"

enum { TOKENS = 7, LETTERS = 4, PAIRS = 120, WARPS = 40, ROWS_ROOM = TEXTBOOK_MOST };

/* Basic blocks of one to four instructions and barriers: what an alignment knows of a program. */
static u32 weights[TOKENS] = {1, 2, 3, 4, 1, 3, 2};
static const struct limit_code code = {.count = TOKENS, .weights = weights};
static struct ws_limit_options options;
static struct ws_error failure;

/* ---- Engines ---- */

static const struct ws_engine_options native = {WS_STRUCT(engine_options), .engine = "native", .threads = 2};
static const struct ws_engine_options loop = {WS_STRUCT(engine_options), .engine = "opencl", .device = "cpu", .lane_form = "loop"};
static const struct ws_engine_options group = {WS_STRUCT(engine_options), .engine = "opencl", .device = "cpu",
                                               .lane_form = "group"};

static struct ws_engine *open_engine(void **state)
{
    struct ws_engine *engine;
    EXPECT_OK(ws_engine_open(*state, &engine, &error));
    return engine;
}

static struct limit_aligner make_aligner(struct ws_engine *engine)
{
    ws_limit_defaults(&options);
    return (struct limit_aligner){.engine = engine, .code = &code, .options = &options};
}

/* ---- Random sequences ---- */

/* Some of few tokens, some of many, with or without barriers. */
static void make_path(struct random *random, u32 length, struct textbook *path)
{
    const u32 tokens = random_from(random, 1, TOKENS), barriers = random_below(random, 2) * random_below(random, 20);
    u32 segment = 0;
    path->length = length;
    for (u32 n = 0; n < length; n++) {
        path->tokens[n] = random_below(random, tokens);
        path->lanes[n] = 1;
        path->segment[n] = segment;
        segment += random_chance(random, barriers);
    }
}

/* A copy of a path with a few changes. */
static void vary(struct random *random, const struct textbook *from, struct textbook *path)
{
    const u32 percent = random_below(random, 40);
    path->length = 0;
    for (u32 n = 0; n < from->length; n++) {
        if (random_chance(random, percent))
            continue;
        path->tokens[path->length] = random_chance(random, percent) ? random_below(random, TOKENS) : from->tokens[n];
        path->lanes[path->length] = 1;
        path->segment[path->length++] = from->segment[n];
    }
    if (path->length == 0) {
        *path = *from;
        path->length = 1;
    }
}

static void make_pair(struct random *random, struct textbook *one, struct textbook *other)
{
    make_path(random, random_from(random, 1, 150), one);
    if (random_chance(random, 50))
        vary(random, one, other);
    else
        make_path(random, random_from(random, 1, 150), other);
}

/* ---- Tests ---- */

static u32 expected_row[ROWS_ROOM];

static void expect_row(void *owner, const u32 *row, u32 score)
{
    const u32 columns = *(const u32 *)owner;
    assert_memory_equal(row, expected_row, columns * sizeof *row);
    assert_int_equal(score, expected_row[columns - 1]);
}

/* Every word of the row, in both directions, for parts of two sequences. */
static void rows_are_those_of_the_table(void **state)
{
    struct limit_aligner aligner = make_aligner(open_engine(state));
    struct random random = {.state = 1};
    for (u32 n = 0; n < PAIRS; n++) {
        static struct textbook one, other, part, rest;
        make_path(&random, random_from(&random, 1, 150), &one);
        make_path(&random, random_from(&random, 1, 150), &other);
        memset(one.segment, 0, sizeof one.segment);
        memset(other.segment, 0, sizeof other.segment);
        struct limit_range range = {.first = random_below(&random, one.length), .second = random_below(&random, other.length)};
        range.first_end = random_from(&random, range.first + 1, one.length);
        range.second_end = random_from(&random, range.second + 1, other.length);
        const bool backward = n % 2;
        part.length = range.first_end - range.first;
        rest.length = range.second_end - range.second;
        for (u32 place = 0; place < part.length; place++)
            part.tokens[place] = one.tokens[backward ? range.first_end - 1 - place : range.first + place];
        for (u32 place = 0; place < rest.length; place++)
            rest.tokens[place] = other.tokens[backward ? range.second_end - 1 - place : range.second + place];
        for (u32 column = 0; column < rest.length; column++)
            expected_row[column] = textbook_score(weights, &part, part.length, &rest, column + 1);
        struct limit_batch batch = {.aligner = &aligner};
        struct limit_sequence first = textbook_sequence(&one), second = textbook_sequence(&other);
        const struct limit_place places[] = {limit_batch_place(&batch, &first), limit_batch_place(&batch, &second)};
        limit_batch_add(&batch, &places[0], &places[1], &range, backward, &rest.length);
        EXPECT_OK(limit_batch_run(&batch, expect_row, &error));
        limit_batch_free(&batch);
        limit_sequence_free(&first);
        limit_sequence_free(&second);
    }
    ws_engine_close(aligner.engine);
}

static void matches_are_those_of_the_table(void **state)
{
    struct limit_aligner aligner = make_aligner(open_engine(state));
    struct random random = {.state = 2};
    static struct textbook texts[PAIRS][2];
    static u32 matched[PAIRS][TEXTBOOK_MOST], expected[TEXTBOOK_MOST];
    struct limit_sequence sequences[PAIRS][2];
    struct limit_pair pairs[PAIRS];
    for (u32 n = 0; n < PAIRS; n++) {
        make_pair(&random, &texts[n][0], &texts[n][1]);
        for (u32 i = 0; i < 2; i++)
            sequences[n][i] = textbook_sequence(&texts[n][i]);
        pairs[n] = (struct limit_pair){&sequences[n][0], &sequences[n][1], matched[n]};
    }
    EXPECT_OK(limit_trace_back(&aligner, pairs, PAIRS, &error));
    for (u32 n = 0; n < PAIRS; n++) {
        textbook_match(weights, &texts[n][0], &texts[n][1], expected);
        assert_memory_equal(matched[n], expected, texts[n][0].length * sizeof(u32));
        limit_sequence_free(&sequences[n][0]);
        limit_sequence_free(&sequences[n][1]);
    }
    ws_engine_close(aligner.engine);
}

/* Threads of a warp: some equal, most similar. */
static u32 make_warp(struct random *random, struct textbook *threads)
{
    const u32 count = random_from(random, 1, random_chance(random, 20) ? WS_LANES : 6);
    make_path(random, random_from(random, 1, 40), &threads[0]);
    for (u32 lane = 1; lane < count; lane++) {
        if (random_chance(random, 30))
            threads[lane] = threads[random_below(random, lane)];
        else
            vary(random, &threads[random_below(random, lane)], &threads[lane]);
    }
    for (u32 lane = 0; lane < count; lane++)
        for (u32 n = 0; n < threads[lane].length; n++)
            threads[lane].lanes[n] = ws_bit(lane);
    return count;
}

static void expect_path(const struct limit_sequence *columns, u32 lane, const struct textbook *thread)
{
    u32 place = 0, segment = 0;
    for (u32 n = 0; n < columns->length; n++) {
        while (n >= columns->ends[segment])
            segment++;
        if (!(columns->lanes[n] >> lane & 1))
            continue;
        assert_true(place < thread->length);
        assert_int_equal(columns->tokens[n], thread->tokens[place]);
        assert_int_equal(segment, thread->segment[place]);
        place++;
    }
    assert_int_equal(place, thread->length);
}

/* Compares token by token and lane by lane; all warps at once, each thread's path unchanged. */
static void warps_are_those_of_the_tables(void **state)
{
    struct limit_aligner aligner = make_aligner(open_engine(state));
    struct random random = {.state = 3};
    static struct textbook threads[WARPS][WS_LANES], expected;
    struct limit_warp *const warps = calloc(WARPS, sizeof *warps);
    assert_non_null(warps);
    for (u32 n = 0; n < WARPS; n++) {
        warps[n].threads = make_warp(&random, threads[n]);
        for (u32 lane = 0; lane < warps[n].threads; lane++)
            warps[n].sequences[lane] = textbook_sequence(&threads[n][lane]);
        limit_warp_gather(&warps[n]);
    }
    EXPECT_OK(limit_align(&aligner, warps, WARPS, &error));
    for (u32 n = 0; n < WARPS; n++) {
        struct limit_sequence *const columns = &warps[n].sequences[0];
        assert_int_equal(warps[n].groups, 1);
        textbook_warp(weights, threads[n], warps[n].threads, &expected);
        assert_int_equal(columns->length, expected.length);
        assert_memory_equal(columns->tokens, expected.tokens, expected.length * sizeof(u32));
        assert_memory_equal(columns->lanes, expected.lanes, expected.length * sizeof(u32));
        for (u32 lane = 0; lane < warps[n].threads; lane++)
            expect_path(columns, lane, &threads[n][lane]);
        limit_sequence_free(columns);
    }
    free(warps);
    ws_engine_close(aligner.engine);
}

/* Replaces token t by as many letters of weight 1 as its weight. */
static void spell(const struct textbook *tokens, struct textbook *letters)
{
    letters->length = 0;
    for (u32 n = 0; n < tokens->length; n++) {
        for (u32 letter = 0; letter < weights[tokens->tokens[n]]; letter++) {
            letters->tokens[letters->length] = tokens->tokens[n] * LETTERS + letter;
            letters->segment[letters->length++] = tokens->segment[n];
        }
    }
}

/* Matching whole basic blocks loses nothing against single instructions ([limit.block]). */
static void blocks_match_as_well_as_instructions(void **state)
{
    struct random random = {.state = 4};
    static u32 ones[TOKENS * LETTERS];
    static struct textbook one, other, letters, more;
    (void)state;
    for (u32 n = 0; n < TOKENS * LETTERS; n++)
        ones[n] = 1;
    for (u32 n = 0; n < PAIRS; n++) {
        make_path(&random, random_from(&random, 1, 60), &one);
        vary(&random, &one, &other);
        spell(&one, &letters);
        spell(&other, &more);
        assert_int_equal(textbook_score(weights, &one, one.length, &other, other.length),
                         textbook_score(ones, &letters, letters.length, &more, more.length));
    }
}

/* Of two warps: 3 x 5 cells, nothing for the equal pair. One cell fewer is refused, and the message gives the numbers. */
static void cells_are_counted_and_limited(void **state)
{
    struct limit_aligner aligner = make_aligner(open_engine(state));
    const struct textbook one = {{0, 1, 2}, {1, 1, 1}, {0}, 3}, other = {{2, 1, 0, 1, 2}, {2, 2, 2, 2, 2}, {0}, 5};
    struct limit_warp *const warps = calloc(1, sizeof *warps);
    assert_non_null(warps);
    for (u64 most = 14; most <= 100; most += 86) {
        options.most_cells = most;
        aligner.cells = 0;
        warps->threads = 3;
        warps->sequences[0] = textbook_sequence(&one);
        warps->sequences[1] = textbook_sequence(&other);
        warps->sequences[2] = textbook_sequence(&one);
        limit_warp_gather(warps);
        assert_int_equal(warps->groups, 3);
        const enum ws_status status = limit_align(&aligner, warps, 1, &failure);
        assert_int_equal(status, most < 15 ? WS_STATUS_failed : WS_STATUS_ok);
        if (status != WS_STATUS_ok)
            assert_string_equal(failure.message, "aligning these threads takes at least 15 cells, at most 14 are allowed; fewer "
                                                 "threads or a smaller input take fewer");
        for (u32 lane = 0; lane < 3; lane++)
            limit_sequence_free(&warps->sequences[lane]);
    }
    free(warps);
    ws_engine_close(aligner.engine);
}

static bool stop(void *context)
{
    return (*(u32 *)context)-- > 0;
}

/* Between the score and the halves of the table. */
static void alignments_can_be_interrupted(void **state)
{
    struct limit_aligner aligner = make_aligner(open_engine(state));
    const struct textbook one = {{0, 1, 2}, {1, 1, 1}, {0}, 3}, other = {{2, 1, 0}, {2, 2, 2}, {0}, 3};
    for (u32 times = 0; times < 2; times++) {
        u32 left = times;
        struct limit_warp *const warp = calloc(1, sizeof *warp);
        assert_non_null(warp);
        options.go_on = stop;
        options.context = &left;
        warp->threads = 2;
        warp->sequences[0] = textbook_sequence(&one);
        warp->sequences[1] = textbook_sequence(&other);
        limit_warp_gather(warp);
        assert_int_equal(limit_align(&aligner, warp, 1, &failure), WS_STATUS_interrupted);
        assert_string_equal(failure.message, "stopped while aligning");
        limit_sequence_free(&warp->sequences[0]);
        limit_sequence_free(&warp->sequences[1]);
        free(warp);
    }
    ws_engine_close(aligner.engine);
}

#define ON(engine, test)                                                                                                           \
    {                                                                                                                              \
#test " (" #engine ")", test, NULL, NULL, (void *)(uintptr_t) & (engine)                                                   \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON(native, rows_are_those_of_the_table),
        ON(loop, rows_are_those_of_the_table),
        ON(group, rows_are_those_of_the_table),
        ON(native, matches_are_those_of_the_table),
        ON(loop, matches_are_those_of_the_table),
        ON(group, matches_are_those_of_the_table),
        ON(native, warps_are_those_of_the_tables),
        ON(loop, warps_are_those_of_the_tables),
        cmocka_unit_test(blocks_match_as_well_as_instructions),
        ON(native, cells_are_counted_and_limited),
        ON(native, alignments_can_be_interrupted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
