/* Sweeps: jobs run, records, and jobs not run again. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "test.h"
#include "unit/results/ask.h"
#include "unit/results/fakes.h"
#include "warpsweep/results.h"

static struct ws_sweep_options options(void)
{
    return (struct ws_sweep_options){WS_STRUCT(sweep_options), .results = fake_results, .size = WS_SIZE_SMALL};
}

#define WHOLE_TABLE "SELECT * FROM result ORDER BY experiment, point_position, trace_position, shard"

/* ---- Tests ---- */

TEST_WITH(everything_runs_once, fake_set_up, fake_tear_down)
{
    struct ws_sweep_options how = options();
    struct ws_sweep_summary summary;
    const struct ws_experiment *const experiment = fake_experiment(3, 2, 2);
    EXPECT_OK(ws_sweep(experiment, &how, &summary, &error));
    assert_int_equal(summary.jobs, 12);
    assert_int_equal(summary.before, 0);
    assert_int_equal(summary.ran, 12);
    assert_int_equal(summary.failed, 0);
    assert_int_equal(summary.warp_instructions, 12 * 800);
    assert_string_equal(summary.engine, "made-up");
    assert_answers(
        fake_results, NULL,
        "SELECT point, trace, shard, cycles, thread_instructions, core_depth FROM result WHERE shard = 1 AND point <> 'p1' "
        "ORDER BY point, trace",
        "p0|a|1|1807|20097|7|\np0|b|1|1808|20098|7|\np2|a|1|2007|20097|9|\np2|b|1|2008|20098|9|\n");
    EXPECT_OK(ws_sweep(experiment, &how, &summary, &error));
    assert_int_equal(summary.before, 12);
    assert_int_equal(summary.ran, 0);
    assert_string_equal(summary.engine, "");
    assert_int_equal(fake_engine.opened, 1);
    assert_int_equal(fake_engine.ran, 12);
}

TEST_WITH(parts_make_the_whole, fake_set_up, fake_tear_down)
{
    struct ws_sweep_options how = options();
    struct ws_sweep_summary summary;
    how.parts = 3;
    for (how.part = 0; how.part < 3; how.part++) {
        EXPECT_OK(ws_sweep(fake_experiment(5, 2, 1), &how, &summary, &error));
        assert_int_equal(summary.ran, how.part == 0 ? 4 : 3);
    }
    assert_answers(fake_results, NULL, "SELECT count(*), count(DISTINCT job_digest) FROM result", "10|10|\n");
    EXPECT_ERROR(ws_sweep(fake_experiment(5, 2, 1), &how, &summary, &error), WS_STATUS_usage,
                 "part 3/3: parts count from 0, the last is 2");
}

/* The sweep's lockstep makes other traces, except for a point that sets its own. */
TEST_WITH(lockstep_makes_other_traces, fake_set_up, fake_tear_down)
{
    struct ws_sweep_options how = options();
    struct ws_sweep_summary summary;
    struct ws_experiment *const experiment = fake_experiment(3, 2, 1);
    experiment->points[2].frontend = (char[]){"lockstep=4"};
    experiment->points[2].frontend_overrides = (struct ws_frontend_overrides){.sets_lockstep = true, .lockstep = 4};
    assert_int_equal(ws_sweep(experiment, &how, &summary, NULL), WS_STATUS_ok);
    assert_int_equal(summary.ran, 6);
    how.lockstep = 8;
    assert_int_equal(ws_sweep(experiment, &how, &summary, NULL), WS_STATUS_ok);
    assert_int_equal(summary.before, 2);
    assert_int_equal(summary.ran, 4);
}

TEST_WITH(a_dry_run_only_counts, fake_set_up, fake_tear_down)
{
    struct ws_sweep_options how = options();
    struct ws_sweep_summary summary;
    how.dry_run = true;
    assert_int_equal(ws_sweep(fake_experiment(3, 2, 1), &how, &summary, NULL), WS_STATUS_ok);
    assert_int_equal(summary.jobs, 6);
    assert_int_equal(summary.before, 0);
    assert_int_not_equal(access(fake_results, F_OK), 0);
    how.dry_run = false;
    assert_int_equal(ws_sweep(fake_experiment(3, 2, 1), &how, &summary, NULL), WS_STATUS_ok);
    how.dry_run = true;
    assert_int_equal(ws_sweep(fake_experiment(4, 3, 1), &how, &summary, NULL), WS_STATUS_ok);
    assert_int_equal(summary.jobs, 12);
    assert_int_equal(summary.before, 6);
    assert_answers(fake_results, NULL, "SELECT count(*) FROM job", "6|\n"); /* short simulations for the estimate leave nothing */
    assert_answers(fake_results, NULL, "SELECT count(*) FROM point", "3|\n");
}

TEST_WITH(a_dry_run_estimates, fake_set_up, fake_tear_down)
{
    struct ws_sweep_options how = options();
    struct ws_sweep_summary summary;
    struct ws_experiment *experiment = fake_experiment(3, 3, 1);
    how.dry_run = true;
    experiment->traces[2] = (char[]){"unbuilt"};
    experiment->points[1].machine.divergence_unit = WS_divergence_lwm;
    assert_int_equal(ws_sweep(experiment, &how, &summary, NULL), WS_STATUS_ok);
    assert_int_equal(summary.estimate.unbuilt, 1);
    assert_int_equal(summary.estimate.trace_bytes, 2 * 4000);
    assert_int_equal(summary.estimate.simulation_bytes, 9000);
    assert_int_equal(summary.estimate.recorded, 0);
    assert_true(summary.estimate.core_seconds > 2.99 && summary.estimate.core_seconds < 3.01); /* six jobs of half a second */
    size_t rows;
    const struct ws_variant *const variant = ws_variants(&rows);
    for (size_t n = 0; n < rows; n++)
        assert_int_equal(summary.estimate.variants[n], strcmp(variant[n].policy, "rr") != 0 ||
                                                               strcmp(variant[n].pipeline, "barrel") != 0 ||
                                                               strcmp(variant[n].dispatch, "block") != 0
                                                           ? 0
                                                       : strcmp(variant[n].divergence, "pdom") == 0 ? 6
                                                       : strcmp(variant[n].divergence, "lwm") == 0  ? 3
                                                                                                    : 0);
    how.dry_run = false;
    how.engine.engine = "native";
    assert_int_equal(ws_sweep(fake_experiment(1, 1, 1), &how, &summary, NULL), WS_STATUS_ok); /* half a second each */
    how.dry_run = true;
    assert_int_equal(ws_sweep(fake_experiment(3, 2, 1), &how, &summary, NULL), WS_STATUS_ok);
    assert_int_equal(summary.before, 1);
    assert_int_equal(summary.estimate.recorded, 2);
    assert_true(summary.estimate.core_seconds > 2.49 &&
                summary.estimate.core_seconds < 2.51); /* two of them recorded, three probed */
}

/* An experiment may change: unchanged jobs are not run again, removed ones are no longer shown. */
TEST_WITH(an_experiment_may_change, fake_set_up, fake_tear_down)
{
    struct ws_sweep_options how = options();
    struct ws_sweep_summary summary;
    assert_int_equal(ws_sweep(fake_experiment(3, 2, 1), &how, &summary, NULL), WS_STATUS_ok);
    struct ws_experiment *const changed = fake_experiment(4, 1, 1);
    changed->points[0].label = changed->points[1].label;
    changed->points++;
    changed->point_count = 3;
    for (size_t n = 0; n < 3; n++)
        changed->points[n].baseline = NULL;
    assert_int_equal(ws_sweep(changed, &how, &summary, NULL), WS_STATUS_ok);
    assert_int_equal(summary.before, 2);
    assert_int_equal(summary.ran, 1);
    assert_answers(fake_results, NULL, "SELECT point, trace FROM result ORDER BY point_position", "p1|a|\np2|a|\np3|a|\n");
    assert_answers(fake_results, NULL, "SELECT count(*) FROM job", "7|\n");
}

TEST_WITH(points_of_one_machine_are_one_job, fake_set_up, fake_tear_down)
{
    struct ws_sweep_options how = options();
    struct ws_sweep_summary summary;
    struct ws_experiment *const experiment = fake_experiment(3, 1, 1);
    experiment->points[2].machine = experiment->points[0].machine;
    assert_int_equal(ws_sweep(experiment, &how, &summary, NULL), WS_STATUS_ok);
    assert_int_equal(summary.ran, 2);
    assert_answers(fake_results, NULL, "SELECT point, core_depth FROM result ORDER BY point", "p0|7|\np1|8|\np2|7|\n");
}

TEST_WITH(a_deadlock_is_a_result, fake_set_up, fake_tear_down)
{
    struct ws_sweep_options how = options();
    struct ws_sweep_summary summary;
    fake_engine.ending = WS_STATUS_deadlock;
    fake_engine.ending_trace = "b";
    for (int n = 0; n < 2; n++) {
        EXPECT_ERROR(ws_sweep(fake_experiment(2, 3, 1), &how, &summary, &error), WS_STATUS_failed,
                     "made-up: 2 of 6 jobs failed; the first: p0, b, shard 0/1: deadlock: made-up reason");
        assert_int_equal(summary.failed, 2);
        assert_int_equal(summary.ran, n == 0 ? 6 : 0);
    }
    assert_answers(fake_results, NULL, "SELECT status, reason, cycles FROM result WHERE trace = 'b' AND point = 'p1'",
                   "deadlock|made-up reason|1898|\n");
    assert_answers(fake_results, NULL, "SELECT count(*) FROM kernel WHERE trace = 'b'", "0|\n");
    assert_answers(fake_results, NULL, "SELECT count(*) FROM kernel", "4|\n");
}

TEST_WITH(a_passing_failure_is_tried_again, fake_set_up, fake_tear_down)
{
    struct ws_sweep_options how = options();
    struct ws_sweep_summary summary;
    fake_engine.ending = WS_STATUS_no_memory;
    fake_engine.ending_trace = "a";
    EXPECT_ERROR(ws_sweep(fake_experiment(1, 2, 1), &how, &summary, &error), WS_STATUS_failed,
                 "made-up: 1 of 2 jobs failed; the first: p0, a, shard 0/1: no_memory: made-up reason");
    assert_answers(fake_results, NULL, "SELECT status, reason, cycles FROM result WHERE trace = 'a'",
                   "no_memory|made-up reason|NULL|\n");
    fake_engine.ending_trace = NULL;
    EXPECT_OK(ws_sweep(fake_experiment(1, 2, 1), &how, &summary, &error));
    assert_int_equal(summary.before, 1);
    assert_int_equal(summary.ran, 1);
    assert_answers(fake_results, NULL, "SELECT status, reason, cycles FROM result WHERE trace = 'a'", "ok|NULL|1797|\n");
}

TEST_WITH(an_image_that_fails_leaves_the_rest, fake_set_up, fake_tear_down)
{
    struct ws_sweep_options how = options();
    struct ws_sweep_summary summary;
    fake_engine.no_image = "b";
    EXPECT_ERROR(ws_sweep(fake_experiment(2, 3, 1), &how, &summary, &error), WS_STATUS_failed,
                 "made-up: 2 of 6 jobs failed; the first: p0, b, shard 0/1: bad_input: b: shard 0 has no block");
    assert_answers(fake_results, NULL, "SELECT trace, count(*) FROM result WHERE status = 'ok' GROUP BY trace", "a|2|\nc|2|\n");
}

TEST_WITH(images_that_all_fail_are_recorded, fake_set_up, fake_tear_down)
{
    struct ws_sweep_options how = options();
    struct ws_sweep_summary summary;
    fake_engine.no_image = "a";
    assert_int_equal(ws_sweep(fake_experiment(2, 1, 1), &how, &summary, NULL), WS_STATUS_failed);
    assert_answers(fake_results, NULL, "SELECT point, status, reason FROM result ORDER BY point",
                   "p0|bad_input|a: shard 0 has no block|\np1|bad_input|a: shard 0 has no block|\n");
}

/* A damaged trace fails its jobs each time, despite earlier results; repaired, it has its earlier results. */
TEST_WITH(a_trace_that_cannot_be_opened_leaves_the_rest, fake_set_up, fake_tear_down)
{
    struct ws_sweep_options how = options();
    struct ws_sweep_summary summary;
    assert_int_equal(ws_sweep(fake_experiment(1, 2, 1), &how, &summary, NULL), WS_STATUS_ok);
    fake_engine.no_header = "b";
    for (int n = 0; n < 2; n++) {
        EXPECT_ERROR(ws_sweep(fake_experiment(2, 3, 1), &how, &summary, &error), WS_STATUS_failed,
                     "made-up: 2 of 6 jobs failed; the first: p0, b, shard 0/1: bad_input: b: ends early");
        assert_int_equal(summary.jobs, 6);
        assert_int_equal(summary.before, n == 0 ? 1 : 4);
        assert_answers(fake_results, NULL,
                       "SELECT trace, status, reason, count(*) FROM result GROUP BY trace, status ORDER BY trace",
                       "a|ok|NULL|2|\nb|bad_input|b: ends early|2|\nc|ok|NULL|2|\n");
    }
    assert_int_equal(ws_sweep(fake_experiment(2, 3, 1), &how, &summary, NULL), WS_STATUS_failed);
    fake_engine.no_header = NULL;
    assert_int_equal(ws_sweep(fake_experiment(2, 3, 1), &how, &summary, NULL), WS_STATUS_ok);
    assert_int_equal(summary.before, 5);
    assert_answers(fake_results, NULL, "SELECT trace, count(*) FROM result WHERE status = 'ok' GROUP BY trace",
                   "a|2|\nb|2|\nc|2|\n");
}

TEST_WITH(little_memory_makes_small_batches, fake_set_up, fake_tear_down)
{
    struct ws_sweep_options how = options();
    struct ws_sweep_summary summary;
    how.image_bytes = 1;
    assert_int_equal(ws_sweep(fake_experiment(3, 4, 2), &how, &summary, NULL), WS_STATUS_ok);
    assert_int_equal(summary.ran, 24);
    assert_int_equal(summary.warp_instructions, 24 * 800);
    assert_answers(fake_results, NULL, "SELECT count(*) FROM result WHERE status = 'ok'", "24|\n");
}

TEST_WITH(wrong_experiments_are_refused, fake_set_up, fake_tear_down)
{
    struct ws_sweep_options how = options();
    struct ws_sweep_summary summary;
    EXPECT_ERROR(ws_sweep(fake_experiment(1, 0, 1), &how, &summary, &error), WS_STATUS_bad_input,
                 "made-up: an experiment needs a point, a trace and a shard");
    struct ws_experiment *const twice = fake_experiment(1, 2, 1);
    twice->traces[0] = (char[]){"bundled"};
    twice->traces[1] = (char[]){"bundled:small"};
    EXPECT_ERROR(ws_sweep(twice, &how, &summary, &error), WS_STATUS_bad_input,
                 "made-up: trace bundled:small is listed twice; remove one");
    struct ws_experiment *const missing = fake_experiment(1, 1, 1);
    missing->traces[0] = (char[]){"missing"};
    EXPECT_ERROR(ws_sweep(missing, &how, &summary, &error), WS_STATUS_no_file, "made-up: missing: no such trace");
    fake_engine.cannot_open = true;
    EXPECT_ERROR(ws_sweep(fake_experiment(1, 1, 1), &how, &summary, &error), WS_STATUS_no_device, "no device for the test");
    assert_int_equal(access(fake_results, F_OK), -1); /* its first job failed: there is no results file */
}

/* ---- Engine failures ---- */

/* Two of four points have large warps. */
static struct ws_experiment *with_large_warps(void)
{
    struct ws_experiment *const experiment = fake_experiment(4, 2, 1);
    for (size_t n = 1; n < 4; n += 2)
        experiment->points[n].machine.divergence_unit = WS_divergence_lwm;
    return experiment;
}

TEST_WITH(what_one_engine_fails_another_runs, fake_set_up, fake_tear_down)
{
    static const enum ws_status failures[] = {WS_STATUS_compiler, WS_STATUS_mismatch, WS_STATUS_no_memory, WS_STATUS_device,
                                              WS_STATUS_lost_device};
    for (size_t n = 0; n < sizeof failures / sizeof *failures; n++) {
        struct ws_sweep_options how = options();
        struct ws_sweep_summary summary;
        struct ws_error error = {.message = ""};
        how.force = n > 0;
        fake_engine.large_warps = failures[n];
        assert_int_equal(ws_sweep(with_large_warps(), &how, &summary, &error), WS_STATUS_ok);
        assert_int_equal(summary.ran, 8);
        assert_int_equal(summary.failed, 0);
        assert_string_equal(summary.engine, "made-up");
        assert_answers(fake_results, NULL, "SELECT point, status, reason, cycles FROM result WHERE trace = 'a' ORDER BY point",
                       "p0|ok|NULL|1797|\np1|ok|NULL|1865|\np2|ok|NULL|1997|\np3|ok|NULL|2065|\n");
        assert_answers(fake_results, NULL,
                       "SELECT group_concat(DISTINCT point) FROM (SELECT * FROM result WHERE run_engine = 'native' ORDER BY point)",
                       "p1,p3|\n");
    }
}

static void add_notes(void *context, const char *text)
{
    ws_text_add(context, "%s\n", text);
}

/* A message of maximum length: in the results file, and on the way to the next engine. */
TEST_WITH(long_reasons_stay_whole, fake_set_up, fake_tear_down)
{
    struct ws_sweep_options how = options();
    struct ws_sweep_summary summary;
    struct ws_text notes = {0};
    char reason[WS_MESSAGE_ROOM], said[WS_MESSAGE_ROOM + 100];
    memset(reason, 'x', sizeof reason - 1);
    reason[sizeof reason - 1] = '\0';
    fake_engine.large_warps = WS_STATUS_compiler;
    fake_engine.reason = reason;
    how.watch = (struct ws_sweep_watch){.context = &notes, .note = add_notes};
    assert_int_equal(ws_sweep(with_large_warps(), &how, &summary, NULL), WS_STATUS_ok);
    snprintf(said, sizeof said, "made-up failed: %s; 4 jobs continue on native", reason);
    assert_non_null(strstr(notes.data, said));
    ws_text_free(&notes);
    how.watch.note = NULL;
    how.engine.engine = "opencl";
    how.force = true;
    assert_int_equal(ws_sweep(with_large_warps(), &how, &summary, NULL), WS_STATUS_failed);
    snprintf(said, sizeof said, "%s|\n", reason);
    assert_answers(fake_results, NULL, "SELECT DISTINCT reason FROM result WHERE status = 'compiler'", said);
}

/* A job's own failure is its result: another engine would give the same. */
TEST_WITH(what_a_job_fails_no_engine_runs_again, fake_set_up, fake_tear_down)
{
    struct ws_sweep_options how = options();
    struct ws_sweep_summary summary;
    struct ws_error error;
    fake_engine.large_warps = WS_STATUS_bad_trace;
    assert_int_equal(ws_sweep(with_large_warps(), &how, &summary, &error), WS_STATUS_failed);
    assert_int_equal(fake_engine.ran, 8);
    assert_answers(fake_results, NULL, "SELECT run_engine AS engine, status, count(*) FROM result GROUP BY run_engine, status",
                   "made-up|bad_trace|4|\nmade-up|ok|4|\n");
}

/* Both failures in one batch: the first engine's reasons are freed before the next engine runs its part. */
TEST_WITH(a_job_fails_beside_one_that_its_engine_fails, fake_set_up, fake_tear_down)
{
    struct ws_sweep_options how = options();
    struct ws_sweep_summary summary;
    fake_engine.ending = WS_STATUS_deadlock;
    fake_engine.ending_trace = "a";
    fake_engine.large_warps = WS_STATUS_compiler;
    assert_int_equal(ws_sweep(with_large_warps(), &how, &summary, NULL), WS_STATUS_failed);
    assert_int_equal(summary.failed, 4);
    assert_answers(fake_results, NULL,
                   "SELECT point, run_engine AS engine, status, reason FROM result WHERE trace = 'a' ORDER BY point",
                   "p0|made-up|deadlock|made-up reason|\np1|native|deadlock|made-up reason|\n"
                   "p2|made-up|deadlock|made-up reason|\np3|native|deadlock|made-up reason|\n");
}

/* With a named engine there is no fallback: those jobs fail, the others do not. */
TEST_WITH(a_chosen_engine_is_not_replaced, fake_set_up, fake_tear_down)
{
    struct ws_sweep_options how = options();
    struct ws_sweep_summary summary;
    how.engine.engine = "opencl";
    fake_engine.large_warps = WS_STATUS_compiler;
    EXPECT_ERROR(ws_sweep(with_large_warps(), &how, &summary, &error), WS_STATUS_failed,
                 "made-up: 4 of 8 jobs failed; the first: p1, a, shard 0/1: compiler: made-up failure");
    assert_answers(fake_results, NULL, "SELECT status, count(*) FROM result GROUP BY status", "compiler|4|\nok|4|\n");
    fake_engine.large_warps = WS_STATUS_ok;
    EXPECT_OK(ws_sweep(with_large_warps(), &how, &summary, &error));
    assert_int_equal(summary.before, 4);
    assert_int_equal(summary.ran, 4);
}

TEST_WITH(after_a_lost_device_the_rest_goes_on, fake_set_up, fake_tear_down)
{
    struct ws_sweep_options how = options();
    struct ws_sweep_summary summary;
    how.image_bytes = 1; /* one batch per trace */
    fake_engine.lost_after = 3;
    EXPECT_OK(ws_sweep(fake_experiment(5, 2, 1), &how, &summary, &error));
    assert_int_equal(summary.ran, 10);
    assert_string_equal(summary.engine, "native");
    assert_answers(fake_results, NULL, "SELECT run_engine AS engine, count(*) FROM result WHERE status = 'ok' GROUP BY run_engine",
                   "made-up|3|\nnative|7|\n");
    how.results = "other.db";
    how.engine.engine = "opencl";
    EXPECT_ERROR(ws_sweep(fake_experiment(5, 2, 1), &how, &summary, &error), WS_STATUS_lost_device, "made-up loss of the device");
    char *const answer = ask("other.db", NULL, "SELECT status, reason, count(*) FROM result GROUP BY status");
    assert_string_equal(answer, "lost_device|made-up loss of the device|2|\nok|NULL|3|\n");
    free(answer);
    unlink("other.db");
}

TEST_WITH(force_runs_everything_again, fake_set_up, fake_tear_down)
{
    struct ws_sweep_options how = options();
    struct ws_sweep_summary summary;
    fake_engine.ending = WS_STATUS_deadlock;
    fake_engine.ending_trace = "a";
    assert_int_equal(ws_sweep(fake_experiment(2, 2, 1), &how, &summary, NULL), WS_STATUS_failed);
    fake_engine.ending_trace = NULL;
    assert_int_equal(ws_sweep(fake_experiment(2, 2, 1), &how, &summary, NULL), WS_STATUS_failed);
    how.force = true;
    assert_int_equal(ws_sweep(fake_experiment(2, 2, 1), &how, &summary, NULL), WS_STATUS_ok);
    assert_int_equal(summary.before, 0);
    assert_int_equal(summary.ran, 4);
    assert_answers(fake_results, NULL, "SELECT status, count(*) FROM job GROUP BY status", "ok|4|\n");
}

struct limit {
    size_t jobs;
    size_t seen;
};

static bool stop_after(void *context, const struct ws_sweep_progress *progress)
{
    struct limit *const limit = context;
    limit->seen = progress->jobs;
    return progress->done < limit->jobs;
}

TEST_WITH(an_interrupted_sweep_goes_on, fake_set_up, fake_tear_down)
{
    struct ws_sweep_options how = options();
    struct ws_sweep_summary summary;
    struct limit limit = {.jobs = 4};
    how.watch.context = &limit;
    how.watch.progress = stop_after;
    EXPECT_ERROR(ws_sweep(fake_experiment(5, 2, 1), &how, &summary, &error), WS_STATUS_interrupted,
                 "interrupted; run the same command again for the remaining 6 jobs");
    assert_answers(fake_results, NULL, "SELECT count(*) FROM result", "4|\n");
    limit.jobs = 100;
    EXPECT_OK(ws_sweep(fake_experiment(5, 2, 1), &how, &summary, &error));
    assert_int_equal(limit.seen, 6);
    assert_int_equal(summary.ran, 6);
}

/* ---- Killed and concurrent processes ---- */

static pid_t start(const char *file, u32 part, u32 parts)
{
    const pid_t child = fork();
    if (child == 0) {
        struct ws_sweep_options how = {WS_STRUCT(sweep_options), .results = file, .part = part, .parts = parts};
        struct ws_sweep_summary summary;
        fake_engine.microseconds = 300;
        _exit(ws_sweep(fake_experiment(40, 4, 2), &how, &summary, NULL) == WS_STATUS_ok ? 0 : 1);
    }
    assert_true(child > 0);
    return child;
}

TEST_WITH(a_killed_sweep_ends_as_an_undisturbed_one, fake_set_up, fake_tear_down)
{
    char whole[128];
    unsigned seed = 12345;
    snprintf(whole, sizeof whole, "%.100s.whole", fake_results);
    assert_int_equal(end_of(start(whole, 0, 1)), 0);
    for (int n = 0; n < 50; n++) {
        const pid_t child = start(fake_results, 0, 1);
        seed = seed * 1103515245u + 12345u;
        const struct timespec pause = {.tv_nsec = (long)(seed >> 8) % 40000000};
        nanosleep(&pause, NULL);
        kill(child, SIGKILL);
        end_of(child);
    }
    assert_int_equal(end_of(start(fake_results, 0, 1)), 0);
    char *const expected = ask(whole, NULL, WHOLE_TABLE), *const table = ask(fake_results, NULL, WHOLE_TABLE);
    assert_string_equal(table, expected);
    assert_true(strlen(table) > 320 * 200);
    free(expected);
    free(table);
    assert_answers(fake_results, NULL, "PRAGMA integrity_check", "ok|\n");
    assert_answers(fake_results, NULL, "PRAGMA journal_mode", "delete|\n");
}

TEST_WITH(two_processes_write_one_file, fake_set_up, fake_tear_down)
{
    for (u32 same = 0; same < 2; same++) {
        const pid_t one = start(fake_results, 0, same ? 1 : 2), other = start(fake_results, same ? 0 : 1, same ? 1 : 2);
        assert_int_equal(end_of(one), 0);
        assert_int_equal(end_of(other), 0);
        assert_answers(fake_results, NULL, "SELECT count(*), count(DISTINCT job_digest) FROM result WHERE status = 'ok'",
                       "320|320|\n");
        assert_answers(fake_results, NULL, "PRAGMA journal_mode", "delete|\n");
        unlink(fake_results);
    }
}
