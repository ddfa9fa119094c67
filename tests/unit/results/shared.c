/* One results file for several sweeps: runs of an experiment accumulate; concurrent sweeps share jobs. After any kill, resume,
 * merge or concurrent run, nothing is lost and nothing recorded twice. WS_SEQUENCES random sequences, else a few. */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/random.h"
#include "base/text.h"
#include "test.h"
#include "unit/results/ask.h"
#include "unit/results/fakes.h"
#include "unit/results/run_sql.h"
#include "warpsweep/results.h"

/* Combined actions of a test's processes. */
static struct shared {
    atomic_uint ran, elsewhere, waited;
} * shared;

/* None of these runs has all points and traces of another; they share jobs. */
static const struct variant {
    size_t points, traces;
    u32 shards;
} variants[] = {{10, 2, 1}, {6, 3, 1}, {14, 1, 1}};

enum { VARIANTS = sizeof variants / sizeof *variants, SEQUENCES = 12, STEPS = 6, MOST_AT_ONCE = 3 };

/* ---- Processes ---- */

static void count_waits(void *context, const char *text)
{
    (void)context;
    if (strstr(text, "waiting for their results"))
        shared->waited++;
}

static pid_t start(const char *file, const struct variant *variant, u32 part, u32 parts, unsigned microseconds)
{
    const pid_t child = fork();
    if (child == 0) {
        struct ws_sweep_options how = {WS_STRUCT(sweep_options), .results = file, .part = part, .parts = parts,
                                       .watch = {.note = count_waits}};
        struct ws_sweep_summary summary;
        struct ws_error error = {.message = ""};
        fake_engine.microseconds = microseconds;
        const enum ws_status status =
            ws_sweep(fake_experiment(variant->points, variant->traces, variant->shards), &how, &summary, &error);
        shared->ran += (unsigned)summary.ran;
        shared->elsewhere += (unsigned)summary.elsewhere;
        const bool all = summary.before + summary.ran + summary.elsewhere == summary.jobs;
        if (status != WS_STATUS_ok || !all)
            fprintf(stderr, "a sweep failed: %s; %zu jobs, %zu before, %zu ran, %zu elsewhere\n", error.message, summary.jobs,
                    summary.before, summary.ran, summary.elsewhere);
        _exit(status == WS_STATUS_ok && all ? 0 : 1);
    }
    assert_true(child > 0);
    return child;
}

static void pause_for(long nanoseconds)
{
    const struct timespec pause = {.tv_nsec = nanoseconds};
    nanosleep(&pause, NULL);
}

/* ---- Runs ---- */

static void sweep(const struct variant *variant, unsigned run, size_t ran)
{
    const struct ws_sweep_options how = {WS_STRUCT(sweep_options), .results = fake_results};
    struct ws_sweep_summary summary;
    assert_int_equal(ws_sweep(fake_experiment(variant->points, variant->traces, variant->shards), &how, &summary, NULL),
                     WS_STATUS_ok);
    assert_int_equal(summary.run, run);
    assert_int_equal(summary.ran, ran);
}

TEST_WITH(runs_accumulate, fake_set_up, fake_tear_down)
{
    static const char count[] = "SELECT experiment, count(*), count(DISTINCT point), count(DISTINCT trace) FROM result GROUP BY 1";
    sweep(&(struct variant){3, 2, 1}, 1, 6);
    sweep(&(struct variant){5, 1, 1}, 2, 2);
    assert_answers(fake_results, NULL, count, "made-up|5|5|1|\n");
    assert_answers(fake_results, "2", count, "made-up|5|5|1|\n");
    assert_answers(fake_results, "1", count, "made-up|6|3|2|\n");
    assert_answers(fake_results, "all", count, "made-up|5|5|1|\nmade-up (run 1)|6|3|2|\n");
    assert_answers(fake_results, "1", "SELECT count(*) FROM speedup", "6|\n");
    assert_answers(fake_results, NULL, "SELECT experiment, run, name, points, traces, jobs FROM run ORDER BY run",
                   "made-up|1|made-up (run 1)|3|2|6|\nmade-up|2|made-up|5|1|5|\n");
    assert_answers(fake_results, NULL, "SELECT experiment, count(*) FROM all_kernel GROUP BY 1",
                   "made-up|5|\nmade-up (run 1)|6|\n");
    sweep(&(struct variant){5, 1, 1}, 2, 0); /* resumed */
    sweep(&(struct variant){5, 2, 1}, 2, 2); /* all of run 2, and more */
    sweep(&(struct variant){3, 2, 1}, 3, 0); /* as run 1, less than run 2 */
    assert_answers(fake_results, "all", count, "made-up|6|3|2|\nmade-up (run 1)|6|3|2|\nmade-up (run 2)|10|5|2|\n");
}

TEST_WITH(a_run_that_is_not_there_is_refused, fake_set_up, fake_tear_down)
{
    static const char *const wrong[] = {"0", "2", "", "-1", "1x", "99999999999", "latest"};
    struct ws_results *results;
    sweep(&(struct variant){1, 1, 1}, 1, 1);
    assert_int_equal(ws_results_open(fake_results, WS_RESULTS_READ, &results, NULL), WS_STATUS_ok);
    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++) {
        EXPECT_ERROR_HAS(ws_results_choose_run(results, wrong[n], &error), WS_STATUS_usage, "allowed are all and runs from 1 to 1");
    }
    assert_int_equal(ws_results_close(results, NULL), WS_STATUS_ok);
}

/* A file of layout 3 has no runs: each of its experiments is run 1, for reading and for writing. */
TEST_WITH(files_without_runs_have_one, fake_set_up, fake_tear_down)
{
    sweep(&(struct variant){2, 1, 1}, 1, 2);
    run_sql(fake_results,
            "DROP VIEW all_result; DROP VIEW all_kernel; DROP VIEW all_speedup; DROP VIEW run; DROP VIEW result; "
            "DROP VIEW kernel; DROP VIEW speedup; DROP VIEW block; DROP VIEW warp; DROP VIEW sort; DROP VIEW selected; "
            "DROP TABLE claim; ALTER TABLE experiment DROP COLUMN run; ALTER TABLE experiment DROP COLUMN earlier_of; "
            "UPDATE meta SET value = 'older' WHERE key = 'schema'; PRAGMA user_version = 3");
    assert_answers(fake_results, "1", "SELECT experiment, count(*) FROM result GROUP BY 1", "made-up|2|\n");
    sweep(&(struct variant){1, 2, 1}, 2, 1);
    assert_answers(fake_results, "all", "SELECT experiment, count(*) FROM result GROUP BY 1", "made-up|2|\nmade-up (run 1)|2|\n");
}

/* ---- Concurrent sweeps ---- */

TEST_WITH(a_second_sweep_waits_for_the_first, fake_set_up, fake_tear_down)
{
    const struct variant whole = {40, 4, 1};
    const pid_t one = start(fake_results, &whole, 0, 1, 5000);
    pause_for(200000000);
    const pid_t other = start(fake_results, &whole, 0, 1, 5000);
    assert_int_equal(end_of(one), 0);
    assert_int_equal(end_of(other), 0);
    assert_int_equal(shared->ran, 160);
    assert_true(shared->elsewhere > 0);
    assert_int_equal(shared->waited, 1);
    assert_int_equal(ask_number(fake_results, "SELECT count(*) FROM claim"), 0);
}

TEST_WITH(a_dead_sweep_is_not_waited_for, fake_set_up, fake_tear_down)
{
    const struct variant whole = {40, 4, 1};
    const pid_t one = start(fake_results, &whole, 0, 1, 10000);
    pause_for(300000000);
    const pid_t other = start(fake_results, &whole, 0, 1, 100);
    pause_for(300000000);
    kill(one, SIGKILL);
    assert_int_equal(end_of(one), -1);
    assert_int_equal(end_of(other), 0);
    assert_int_equal(ask_number(fake_results, "SELECT count(*) FROM result WHERE status = 'ok'"), 160);
    assert_int_equal(ask_number(fake_results, "SELECT count(*) FROM claim"), 0);
}

/* A claim of a machine whose processes are not visible here is valid for two minutes. */
TEST_WITH(claims_of_other_machines_end, fake_set_up, fake_tear_down)
{
    sweep(&(struct variant){1, 1, 1}, 1, 1);
    run_sql(fake_results, "INSERT INTO claim (process, started, place, seen, jobs) SELECT 1, 1, 'elsewhere', unixepoch() - 300, "
                          "zeroblob(8)");
    sweep(&(struct variant){3, 1, 1}, 1, 2);
    assert_int_equal(ask_number(fake_results, "SELECT count(*) FROM claim"), 0);
}

/* ---- Random sequences ---- */

#define TABLE "SELECT * FROM result ORDER BY experiment, point_position, trace_position, shard"
#define JOBS  "SELECT job_digest, status, cycles, warp_instructions FROM job ORDER BY job_digest"

struct sequence {
    u64 seed;
    bool kills; /* and merges */
    char other[128], whole[128];
    bool complete[VARIANTS];
};

static u32 draw(struct sequence *sequence, u32 most)
{
    return (u32)ws_random_range(&sequence->seed, 0, most);
}

/* Several sweeps into one file at once; some are killed. */
static void sweep_at_once(struct sequence *sequence, const char *file)
{
    const size_t count = 1 + draw(sequence, MOST_AT_ONCE - 1);
    pid_t children[MOST_AT_ONCE];
    size_t what[MOST_AT_ONCE];
    bool part[MOST_AT_ONCE];
    for (size_t n = 0; n < count; n++) {
        what[n] = draw(sequence, VARIANTS - 1);
        part[n] = draw(sequence, 3) == 0;
        children[n] = start(file, &variants[what[n]], part[n] ? draw(sequence, 1) : 0, part[n] ? 2 : 1, draw(sequence, 1500));
        pause_for((long)draw(sequence, 5000000));
    }
    for (size_t n = 0; n < count; n++) {
        const bool killed = sequence->kills && draw(sequence, 1) == 0;
        if (killed) {
            pause_for((long)draw(sequence, 30000000));
            kill(children[n], SIGKILL);
        }
        const int end = end_of(children[n]);
        assert_true(end == 0 || killed);
        if (end == 0 && !part[n] && file == fake_results)
            sequence->complete[what[n]] = true;
    }
}

/* Experiments that differ are a conflict, which changes nothing. */
static void merge(struct sequence *sequence)
{
    const char *const inputs[] = {sequence->other};
    struct ws_merge_counts counts[1];
    struct ws_error error;
    size_t kept, jobs;
    if (access(sequence->other, F_OK) != 0)
        return;
    const enum ws_status status = ws_results_merge(fake_results, inputs, 1, NULL, counts, &kept, &jobs, &error);
    if (status != WS_STATUS_ok && !strstr(error.message, "nothing is merged") && !strstr(error.message, "not a results file"))
        fail_msg("%s", error.message);
}

/* Every line of one text is in the other. */
static void assert_lines_in(char *some, const char *all)
{
    char *place;
    for (char *line = strtok_r(some, "\n", &place); line; line = strtok_r(NULL, "\n", &place))
        if (!strstr(all, line))
            fail_msg("%s is in no undisturbed run", line);
}

static void check(struct sequence *sequence)
{
    const size_t last = draw(sequence, VARIANTS - 1);
    assert_int_equal(end_of(start(fake_results, &variants[last], 0, 1, 0)), 0);
    sequence->complete[last] = true;
    for (size_t n = 0; n < VARIANTS; n++)
        assert_int_equal(end_of(start(sequence->whole,
                                      &variants[n == VARIANTS - 1 ? last
                                                : n == last       ? VARIANTS - 1
                                                                  : n],
                                      0, 1, 0)),
                         0);
    char *const table = ask(fake_results, NULL, TABLE), *const expected = ask(sequence->whole, NULL, TABLE);
    assert_string_equal(table, expected);
    char *const jobs = ask(fake_results, NULL, JOBS), *const all = ask(sequence->whole, NULL, JOBS);
    assert_lines_in(jobs, all);
    for (size_t n = 0; n < VARIANTS; n++) {
        char complete[200];
        const size_t of = variants[n].points * variants[n].traces;
        snprintf(complete, sizeof complete, "SELECT count(*) FROM run WHERE points = %zu AND traces = %zu AND jobs = %zu",
                 variants[n].points, variants[n].traces, of);
        assert_true(!sequence->complete[n] || ask_number(fake_results, complete) > 0);
    }
    assert_int_equal(ask_number(fake_results, "SELECT count(*) - count(DISTINCT job_digest) FROM job"), 0);
    assert_int_equal(ask_number(fake_results, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"), 0);
    assert_answers(fake_results, NULL, "PRAGMA journal_mode", "delete|\n");
    free(table);
    free(expected);
    free(jobs);
    free(all);
}

/* A sweep killed at its start may have left an empty file. */
static unsigned long jobs_of(const char *file)
{
    struct ws_results *results;
    const bool there = ws_results_open(file, WS_RESULTS_READ, &results, NULL) == WS_STATUS_ok;
    if (there)
        ws_results_close(results, NULL);
    return there ? ask_number(file, "SELECT count(*) FROM job") : 0;
}

static void run_sequence(u64 seed)
{
    struct sequence sequence = {.seed = seed, .kills = seed % 2 == 1};
    snprintf(sequence.other, sizeof sequence.other, "%.100s.other", fake_results);
    snprintf(sequence.whole, sizeof sequence.whole, "%.100s.whole", fake_results);
    shared->ran = 0;
    unsigned long before = 0;
    for (size_t step = 0; step < STEPS; step++) {
        const bool apart = sequence.kills && draw(&sequence, 3) == 0;
        sweep_at_once(&sequence, apart ? sequence.other : fake_results);
        if (sequence.kills && draw(&sequence, 2) == 0)
            merge(&sequence);
        const unsigned long jobs = jobs_of(fake_results);
        assert_true(jobs >= before);                        /* nothing is lost */
        assert_true(sequence.kills || jobs == shared->ran); /* nothing runs twice */
        before = jobs;
    }
    check(&sequence);
    unlink(fake_results);
    unlink(sequence.other);
    unlink(sequence.whole);
}

TEST_WITH(nothing_is_lost_and_nothing_twice, fake_set_up, fake_tear_down)
{
    const char *const many = getenv("WS_SEQUENCES"), *const first = getenv("WS_SEED");
    const u64 count = many ? strtoull(many, NULL, 10) : SEQUENCES, seed = first ? strtoull(first, NULL, 10) : 0;
    for (u64 n = seed; n < seed + count; n++) {
        printf("sequence %llu\n", (unsigned long long)n);
        fflush(stdout);
        run_sequence(n);
    }
}

int main(void)
{
    FILE *const file = tmpfile();
    if (!file || ftruncate(fileno(file), sizeof *shared) != 0)
        return 1;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    if (shared == MAP_FAILED)
        return 1;
    return test_run(NULL, NULL);
}
