/* Every mutant of mutants.def, run in a copy of the kernels, must be detected by a random case, first of any machine, then of
 * machines with its pipeline, path unit and scheduler: by a counter, time or status that differs from the oracle's, runaway cycles,
 * or a crash. An endless loop within a quantum counts only if the unchanged kernel needs less than a tenth of the mutant's time.
 * WS_MUTANT=TEXT judges those with the text in their names or rules, or those of the pipeline TEXT, and reports each. For mutants
 * that no early case detects, late.def names a case that does, which runs first; the others follow. WS_LATE_WRITE=1 rewrites it;
 * rows of mutants that were not judged stay. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "base/file.h"
#include "base/folder.h"
#include "differential/judge/judge.h"
#include "differential/judge/kernel_run.h"
#include "differential/mutants/library.h"
#include "differential/mutants/processes.h"
#include "engine/variant.h"
#include "oracle/allocate.h"
#include "test.h"

enum {
    FIRST_SEED = 1,
    SECOND_CASES = 4000, /* for a mutant that no case of all machines has detected */
    LONGEST_PATH = 1000,
    TENTHS = 10,         /* in seconds of processor time, for one case */
    ORACLE_TENTHS = 300, /* the same for the oracle on a case made for a mutant; a slower case is skipped */
    NO_LIMIT = 0,
    SLICE = 1777,
    ORDERS = 3,
    SLOW_CASES = 8 /* skipped for one mutant, because the unchanged kernel is too slow for them, too */
};

/* Outcome of a mutant. */
enum outcome { DIFFERS, RUNS_AWAY, CRASHES, LOOPS, SURVIVES, SLOW, BROKEN, NO_PLACE, OUTCOMES };
static const char *const outcome_words[OUTCOMES] = {
    [DIFFERS] = "differs",         [RUNS_AWAY] = "runs away",
    [CRASHES] = "crashes",         [LOOPS] = "loops",
    [SURVIVES] = "is not caught",  [SLOW] = "runs out of time, and so may the unchanged kernel",
    [BROKEN] = "does not compile", [NO_PLACE] = "has no place (test differential_places)",
};

static bool is_caught(enum outcome outcome)
{
    return outcome <= LOOPS;
}

/* Cases and their expected results. */
struct judged_set {
    u32 count;
    const struct case_size *size;
    struct random_case *cases;
    struct verdict *verdicts;
};

static struct judged_set of_loop = {.count = 1600, .size = &whole_size}, of_lanes = {.count = 250, .size = &small_size};

static struct {
    const struct mutant **mutants; /* the chosen ones */
    u32 count;
    struct plant *plants;   /* of each */
    u32 *library;           /* of each: the first mutant of the same library, */
    struct source *sources; /* which has the source */
    enum outcome *found;    /* of each */
    u32 *reached;           /* of each, in shared memory: the turn that it reached */
} trials;

/* The path unit that a machine for the mutant selects. */
static u32 unit_of(const struct mutant *mutant)
{
    return mutant->divergence == WS_divergence_predecoded ? (u32)WS_divergence_pdom : mutant->divergence;
}

static bool is_for(const struct mutant *mutant, const struct random_case *random_case)
{
    const struct ws_tuple *const tuple = &ws_tuples()[ws_variant_of(&random_case->machine)];
    return tuple->pipeline == mutant->pipeline && tuple->divergence == unit_of(mutant) && tuple->dispatch == mutant->dispatch &&
           tuple->words == mutant->words;
}

static const struct judged_set *set_of(const struct mutant *mutant)
{
    return strcmp(mutant->form, "LOOP") == 0 ? &of_loop : &of_lanes;
}

/* Whether a chosen mutant runs the case of the set. */
static bool is_wanted(const struct judged_set *set, const struct random_case *random_case)
{
    for (u32 n = 0; n < trials.count; n++)
        if (set_of(trials.mutants[n]) == set && is_for(trials.mutants[n], random_case))
            return true;
    return false;
}

static void make_set(struct judged_set *set)
{
    set->cases = oracle_allocate(set->count, sizeof *set->cases);
    set->verdicts = oracle_allocate(set->count, sizeof *set->verdicts);
    for (u32 i = 0; i < set->count; i++) {
        random_case_make(&set->cases[i], FIRST_SEED + i, set->size);
        if (is_wanted(set, &set->cases[i]))
            verdict_make(&set->cases[i], &set->verdicts[i]);
    }
}

static void free_set(struct judged_set *set)
{
    for (u32 i = 0; i < set->count; i++) {
        random_case_free(&set->cases[i]);
        verdict_free(&set->verdicts[i]);
    }
    free(set->cases);
    free(set->verdicts);
}

static void choose(void)
{
    const char *const only = getenv("WS_MUTANT");
    for (u32 n = 0; n < mutant_count; n++)
        if (!only || strstr(mutants[n].name, only) || strstr(mutants[n].rule, only) || strcmp(mutants[n].pipeline_name, only) == 0)
            trials.mutants[trials.count++] = &mutants[n];
}

static int set_up(void **state)
{
    struct ws_error error;
    (void)state;
    assert_int_equal(ws_folder_make(WS_BINARY_DIR "/mutants", &error), WS_STATUS_ok);
    trials.mutants = oracle_allocate(mutant_count, sizeof *trials.mutants);
    trials.plants = oracle_allocate(mutant_count, sizeof *trials.plants);
    trials.library = oracle_allocate(mutant_count, sizeof *trials.library);
    trials.sources = oracle_allocate(mutant_count, sizeof *trials.sources);
    trials.found = oracle_allocate(mutant_count, sizeof *trials.found);
    trials.reached = mmap(NULL, mutant_count * sizeof *trials.reached, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(trials.reached != MAP_FAILED);
    choose();
    make_set(&of_loop);
    make_set(&of_lanes);
    for (u32 n = 0; n < trials.count; n++) {
        const struct mutant *const mutant = trials.mutants[n];
        while (!mutants_alike(trials.mutants[trials.library[n]], mutant))
            trials.library[n]++;
        if (trials.library[n] == n)
            library_source(mutant, &trials.sources[n]);
        trials.plants[n] = (struct plant){n + 1, .replacement = mutant->replacement};
        trials.found[n] = source_find(&trials.sources[trials.library[n]], mutant, &trials.plants[n].spot) ? SURVIVES : NO_PLACE;
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free_set(&of_loop);
    free_set(&of_lanes);
    for (u32 n = 0; n < trials.count; n++)
        source_free(&trials.sources[n]);
    free(trials.mutants);
    free(trials.plants);
    free(trials.library);
    free(trials.sources);
    free(trials.found);
    munmap(trials.reached, mutant_count * sizeof *trials.reached);
    return 0;
}

static void path_of(u32 n, char *path)
{
    const struct mutant *const mutant = trials.mutants[n];
    snprintf(path, LONGEST_PATH, "%s/mutants/%s_%s_%s_%u_%s.so", WS_BINARY_DIR, mutant->pipeline_name, mutant->unit,
             mutant->dispatch_name, mutant->words, mutant->form);
}

static bool is_first(u32 n)
{
    return trials.library[n] == n;
}

static bool survives(u32 n)
{
    return trials.found[n] == SURVIVES;
}

static bool is_out_of_time(u32 n)
{
    return trials.found[n] == LOOPS;
}

/* Compiles the library of a mutant that is its first. */
static int compile(u32 n)
{
    struct plant *const plants = oracle_allocate(trials.count, sizeof *plants);
    char path[LONGEST_PATH];
    u32 count = 0;
    for (u32 other = n; other < trials.count; other++)
        if (trials.library[other] == n && survives(other))
            plants[count++] = trials.plants[other];
    path_of(n, path);
    const bool compiled = library_compile(path, trials.mutants[n], &trials.sources[n], plants, count);
    free(plants);
    return compiled ? (int)trials.found[n] : BROKEN;
}

/* Ends the process by SIGPROF after this much processor time; NO_LIMIT: never. */
static void limit_time(u32 tenths)
{
    const struct itimerval limit = {.it_value = {.tv_sec = tenths / 10, .tv_usec = tenths % 10 * 100000}};
    setitimer(ITIMER_PROF, &limit, NULL);
}

/* Runs a case, in several lane orders if there are any, and compares it with the expected result. */
static enum outcome run_case(const struct library *library, const struct mutant *mutant, const struct random_case *random_case,
                             const struct verdict *verdict, u32 tenths)
{
    struct ws_machine machine;
    struct ws_image *packets;
    limit_time(tenths);
    if (!kernel_case(random_case, mutant->divergence, &machine, &packets))
        return SURVIVES;
    for (u64 order = 0; order < (library->seed ? ORDERS : 1); order++) {
        struct ws_job_result result;
        if (library->seed)
            library->seed(mix(random_case->seed ^ order << 32));
        kernel_run(random_case, packets, library->advance, SLICE, verdict_most_cycles(verdict), &result);
        const bool ended = result.status != WS_STATUS_running;
        const bool agrees = verdict_agrees(verdict, &result, false) && !(library->diverged && library->diverged());
        ws_job_result_free(&result);
        if (!agrees) {
            ws_predecoded_free(packets);
            return ended ? DIFFERS : RUNS_AWAY;
        }
    }
    ws_predecoded_free(packets);
    return SURVIVES;
}

/* Opens the library with a mutant active; false on failure. */
static bool open_planted(u32 n, unsigned planted, struct library *library)
{
    char path[LONGEST_PATH];
    path_of(n, path);
    if (!library_open(path, trials.mutants[n], library))
        return false;
    *library->planted = planted;
    return true;
}

/* The scheduler whose file contains the n-th mutant; ANY_POLICY for mutants outside of schedulers. */
static u32 policy_of(u32 n)
{
    const struct source *const source = &trials.sources[trials.library[n]];
#define POLICY(name, value, doc)                                                                                                   \
    if (source_is_of(source, trials.plants[n].spot.begin, "/" #name ".h"))                                                         \
        return value;
#include "shared/policies.def"
    return ANY_POLICY;
}

/* The seed that late.def lists for a mutant; 0: none. */
static u32 late_seed(const char *name)
{
#define LATE(mutant, seed)                                                                                                         \
    if (strcmp(name, #mutant) == 0)                                                                                                \
        return seed;
#include "differential/mutants/late.def"
    return 0;
}

/* The case to run when mutant n is tried for the turn-th time: first the one listed in late.def, then all in order. */
static u32 case_of(u32 n, u32 turn)
{
    const u32 late = late_seed(trials.mutants[n]->name);
    return turn != 0 ? turn - 1 : late != 0 ? late - FIRST_SEED : 0;
}

/* Runs a case of the set, or one of the following cases made for the n-th mutant. */
static enum outcome judge_case(const struct library *library, u32 n, u32 i, u32 tenths)
{
    const struct mutant *const mutant = trials.mutants[n];
    const struct judged_set *const set = set_of(mutant);
    const struct wanted wanted = {.pipeline = mutant->pipeline,
                                  .divergence = unit_of(mutant),
                                  .policy = policy_of(n),
                                  .by_warps = mutant->dispatch == WS_dispatch_warp};
    enum outcome outcome = SURVIVES;
    struct random_case random_case;
    struct verdict verdict;
    if (i < set->count)
        return is_for(mutant, &set->cases[i]) ? run_case(library, mutant, &set->cases[i], &set->verdicts[i], tenths) : SURVIVES;
    limit_time(ORACLE_TENTHS);
    random_case_make_of(&random_case, FIRST_SEED + i, set->size, &wanted);
    if (is_for(mutant, &random_case)) {
        verdict_make(&random_case, &verdict);
        outcome = run_case(library, mutant, &random_case, &verdict, tenths);
        verdict_free(&verdict);
    }
    random_case_free(&random_case);
    return outcome;
}

static int judge(u32 n)
{
    const struct judged_set *const set = set_of(trials.mutants[n]);
    struct library library;
    if (!open_planted(n, n + 1, &library))
        return BROKEN;
    for (u32 turn = trials.reached[n]; turn <= set->count + SECOND_CASES; turn++) {
        trials.reached[n] = turn;
        const enum outcome outcome = judge_case(&library, n, case_of(n, turn), TENTHS);
        if (outcome != SURVIVES)
            return outcome;
    }
    return SURVIVES;
}

/* For a mutant that ran out of time: LOOPS if the unchanged kernel needs less than a tenth of it on the same case. */
static int judge_unchanged(u32 n)
{
    struct library library;
    if (!open_planted(n, 0, &library))
        return SLOW;
    return judge_case(&library, n, case_of(n, trials.reached[n]), TENTHS / 10) == SURVIVES ? LOOPS : SLOW;
}

/* Continues mutants after a slow case with the next one; returns their number. */
static u32 pass_over_slow_cases(void)
{
    u32 passed = 0;
    for (u32 n = 0; n < trials.count; n++)
        if (trials.found[n] == SLOW) {
            trials.found[n] = SURVIVES;
            trials.reached[n]++;
            passed++;
        }
    return passed;
}

static enum outcome outcome_of(int status, enum outcome out_of_time)
{
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGPROF ? out_of_time : CRASHES;
    return (enum outcome)WEXITSTATUS(status);
}

/* Runs a step for its mutants, each in a separate process. */
static void step(bool (*wanted)(u32 n), int (*work)(u32 n), enum outcome out_of_time)
{
    int *const status = oracle_allocate(trials.count, sizeof *status);
    u32 *const chosen = oracle_allocate(trials.count, sizeof *chosen), count = 0;
    for (u32 n = 0; n < trials.count; n++)
        if (wanted(n))
            chosen[count++] = n;
    in_processes(chosen, count, work, status);
    for (u32 i = 0; i < count; i++)
        trials.found[chosen[i]] = outcome_of(status[i], out_of_time);
    free(chosen);
    free(status);
}

static void tell(u32 n)
{
    const struct mutant *const mutant = trials.mutants[n];
    fprintf(stderr, "  %s [%s] %s", mutant->name, mutant->rule, outcome_words[trials.found[n]]);
    if (is_caught(trials.found[n]))
        fprintf(stderr, " in the case of seed %u", FIRST_SEED + case_of(n, trials.reached[n]));
    fprintf(stderr, "\n");
}

/* The seed to list for a mutant, or 0. */
static u32 seed_to_list(const struct mutant *mutant)
{
    for (u32 n = 0; n < trials.count; n++)
        if (trials.mutants[n] == mutant)
            return is_caught(trials.found[n]) && case_of(n, trials.reached[n]) >= set_of(mutant)->count
                       ? FIRST_SEED + case_of(n, trials.reached[n])
                       : 0;
    return late_seed(mutant->name);
}

static void write_late(void)
{
    struct ws_text text = {0};
    struct ws_error error;
    ws_text_add(&text,
                "/* LATE(name, seed of a case that catches it), for mutants that no case of any machine catches: rewritten by\n"
                " * WS_LATE_WRITE=1. Without a row the test takes longer. */\n");
    for (u32 n = 0; n < mutant_count; n++)
        if (seed_to_list(&mutants[n]) != 0)
            ws_text_add(&text, "LATE(%s, %u)\n", mutants[n].name, seed_to_list(&mutants[n]));
    assert_int_equal(ws_file_write(WS_SOURCE_DIR "/tests/differential/mutants/late.def", text.data, text.length, &error),
                     WS_STATUS_ok);
    ws_text_free(&text);
}

TEST(every_mutant_is_caught)
{
    u32 times[OUTCOMES] = {0}, missed = 0;
    assert_true(trials.count > 0);
    step(is_first, compile, BROKEN);
    for (u32 n = 0; n < trials.count; n++)
        if (trials.found[trials.library[n]] == BROKEN)
            trials.found[n] = BROKEN;
    for (u32 slow = 0; slow == 0 || (slow < SLOW_CASES && pass_over_slow_cases() != 0); slow++) {
        step(survives, judge, LOOPS);
        step(is_out_of_time, judge_unchanged, SLOW);
    }
    for (u32 n = 0; n < trials.count; n++) {
        times[trials.found[n]]++;
        missed += !is_caught(trials.found[n]);
        if (!is_caught(trials.found[n]) || getenv("WS_MUTANT"))
            tell(n);
    }
    fprintf(stderr, "%u mutants: %u differ, %u run away, %u crash, %u loop, %u not caught\n", trials.count, times[DIFFERS],
            times[RUNS_AWAY], times[CRASHES], times[LOOPS], missed);
    if (getenv("WS_LATE_WRITE"))
        write_late();
    assert_int_equal(missed, 0);
}

/* Runs the unchanged kernel of a library on the cases that its mutants reached; `trials.reached[n]` is the first disagreement. */
static int agree_without(u32 n)
{
    struct library library;
    if (!open_planted(n, 0, &library))
        return BROKEN;
    for (u32 other = n; other < trials.count; other++) {
        if (trials.library[other] != n || judge_case(&library, other, case_of(other, trials.reached[other]), NO_LIMIT) == SURVIVES)
            continue;
        trials.reached[n] = case_of(other, trials.reached[other]) + 1;
        return DIFFERS;
    }
    return SURVIVES;
}

/* A detecting case must agree with the unchanged kernels. */
TEST(without_a_mutant_all_agree)
{
    u32 different = 0;
    for (u32 n = 0; n < trials.count; n++)
        trials.found[n] = SURVIVES;
    step(is_first, agree_without, SLOW);
    for (u32 n = 0; n < trials.count; n++) {
        different += trials.found[n] != SURVIVES;
        if (trials.found[n] != SURVIVES)
            fprintf(stderr, "  %s, %s, %s, %u words: unchanged, %s in the case of seed %u\n", trials.mutants[n]->pipeline_name,
                    trials.mutants[n]->unit, trials.mutants[n]->form, trials.mutants[n]->words, outcome_words[trials.found[n]],
                    FIRST_SEED + case_of(n, trials.reached[n]));
    }
    assert_int_equal(different, 0);
}

TESTS(set_up, tear_down)
