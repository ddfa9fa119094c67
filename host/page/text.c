/* The answers of a results file as text. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "page/outcome.h"
#include "warpsweep/report.h"

enum { MOST_LINES = 20, MOST_EFFECTS = 8, CELL = 48, VALUE_WIDTH = 20 };

struct printing {
    struct ws_results *results;
    FILE *out;
    size_t experiments;
};

/* Effects below it are left out. */
#define LEAST_SHARE 0.0005

/* Up to it every whole number is printed in full. */
#define MOST_WHOLE 1e15

/* ---- The front ---- */

/* Whole numbers in full: of two points that differ by a few cycles one is better. From 1000 on others as a whole number, too. */
static void write_number(char cell[CELL], double value)
{
    const bool whole = value == floor(value) || fabs(value) >= 1000;
    snprintf(cell, CELL, whole && fabs(value) < MOST_WHOLE ? "%.0f" : "%.4g", value + 0.0);
}

/* "24.62 (+11.2 %)" beside a base; NaN for none. */
static void write_value(char cell[CELL], double value, double base)
{
    write_number(cell, value);
    const size_t length = strlen(cell);
    if (isfinite(base) && base != 0)
        snprintf(cell + length, CELL - length, " (%+.1f %%)", 100 * (value - base) / fabs(base));
}

static double base_of(const struct ws_outcome *outcome, u32 objective)
{
    return outcome->base == UINT32_MAX ? NAN : outcome->point[outcome->base].value[objective];
}

/* A value of an axis: JSON of a number or a name. */
static void print_level(const struct ws_outcome_axis *axis, u32 n, FILE *out)
{
    const char *const value = axis->value[n];
    const size_t length = strlen(value);
    if (value[0] == '"')
        fwrite(value + 1, 1, length - 2, out);
    else
        fputs(value, out);
}

static u32 count_changes(const struct ws_outcome *outcome, const struct ws_outcome_point *point)
{
    u32 changes = 0;
    for (u32 n = 0; outcome->reference && n < outcome->axes; n++)
        changes += point->choice[n] != outcome->reference[n];
    return changes;
}

/* What a point changes against the baseline; its label without one. */
static void print_changes(const struct ws_outcome *outcome, const struct ws_outcome_point *point, FILE *out)
{
    u32 left = count_changes(outcome, point);
    if (left == 0)
        fputs(outcome->reference ? "nothing: the baseline" : point->label, out);
    for (u32 n = 0; left > 0; n++) {
        const struct ws_outcome_axis *const axis = &outcome->axis[n];
        if (point->choice[n] == outcome->reference[n])
            continue;
        fprintf(out, "%s ", axis->key);
        print_level(axis, outcome->reference[n], out);
        fputs(" -> ", out);
        print_level(axis, point->choice[n], out);
        fputs(--left > 0 ? ", " : "", out);
    }
}

static int width_of(const struct ws_outcome *outcome, u32 objective)
{
    const size_t length = strlen(outcome->objective[objective].name);
    return length > VALUE_WIDTH ? (int)length : VALUE_WIDTH;
}

static bool are_equal(const struct ws_outcome *outcome, u32 a, u32 b)
{
    for (u32 m = 0; m < outcome->objectives; m++)
        if (outcome->point[a].value[m] != outcome->point[b].value[m])
            return false;
    return true;
}

/* The number of members from the n-th on that are equal to it, and the one of them with the fewest changes. */
static u32 find_equals(const struct ws_outcome *outcome, u32 n, u32 *least)
{
    u32 count = 0;
    for (*least = outcome->front[n]; n + count < outcome->members; count++) {
        const u32 member = outcome->front[n + count];
        if (!are_equal(outcome, outcome->front[n], member))
            break;
        if (count_changes(outcome, &outcome->point[member]) < count_changes(outcome, &outcome->point[*least]))
            *least = member;
    }
    return count;
}

/* Whether the front bends: it has three different members or more. */
static bool has_knee(const struct ws_outcome *outcome)
{
    u32 different = 0, least;
    for (u32 n = 0; n < outcome->members && different < 3; different++)
        n += find_equals(outcome, n, &least);
    return outcome->objectives > 1 && different == 3;
}

static void print_member(const struct ws_outcome *outcome, u32 member, u32 equals, bool knee, FILE *out)
{
    fprintf(out, "  %-6s", knee && are_equal(outcome, member, outcome->knee) ? "knee" : "");
    for (u32 m = 0; m < outcome->objectives; m++) {
        char cell[CELL];
        write_value(cell, outcome->point[member].value[m], base_of(outcome, m));
        fprintf(out, "%-*s  ", width_of(outcome, m), cell);
    }
    print_changes(outcome, &outcome->point[member], out);
    if (equals > 1)
        fprintf(out, " (and %" PRIu32 " equal point%s with as many changes or more)", equals - 1, equals == 2 ? "" : "s");
    fputc('\n', out);
}

/* Members with equal objectives share a line. */
static void print_members(const struct ws_outcome *outcome, FILE *out)
{
    const bool knee = has_knee(outcome);
    u32 n = 0;
    fprintf(out, "        ");
    for (u32 m = 0; m < outcome->objectives; m++)
        fprintf(out, "%-*s  ", width_of(outcome, m), outcome->objective[m].name);
    fprintf(out, "%s%s\n", outcome->reference ? "changes against " : "point", outcome->reference ? outcome->baseline : "");
    for (u32 lines = 0; n < outcome->members && lines < MOST_LINES; lines++) {
        u32 least;
        const u32 equals = find_equals(outcome, n, &least);
        print_member(outcome, least, equals, knee, out);
        n += equals;
    }
    if (n < outcome->members)
        fprintf(out, "  and %" PRIu32 " more: the page of `warpsweep report -o OUTDIR` lists them\n", outcome->members - n);
}

static void print_list(const char *const *text, u32 count, const char *between, FILE *out)
{
    for (u32 n = 0; n < count; n++)
        fprintf(out, "%s%s", n > 0 ? between : "", text[n]);
}

/* What restricts the front, and what its numbers leave out. */
static void print_conditions(const struct ws_outcome *outcome, FILE *out)
{
    const u32 beyond = outcome->beyond;
    if (outcome->limits > 0) {
        fprintf(out, "Limits: ");
        print_list(outcome->limit, outcome->limits, "; ", out);
        fprintf(out, " (%" PRIu32 " of %" PRIu32 " points %s beyond)\n", beyond, outcome->points, beyond == 1 ? "is" : "are");
    }
    if (outcome->unlimited_count > 0) {
        fprintf(out, "Unlimited, so counted as 0 bits of storage: ");
        print_list(outcome->unlimited, outcome->unlimited_count, ", ", out);
        fputc('\n', out);
    }
}

/* Without a front: why, and the point that is nearest to one. */
static void print_none(const struct ws_outcome *outcome, FILE *out)
{
    if (outcome->points == 0) {
        fprintf(out, "No point has a value of every objective.\n");
        return;
    }
    const struct ws_outcome_point *nearest = &outcome->point[0];
    for (u32 n = 1; n < outcome->points; n++)
        nearest = outcome->point[n].excess < nearest->excess ? &outcome->point[n] : nearest;
    fprintf(out, "No point has a value of every objective within the limits. Nearest, with relative excesses of %.4g in all: %s\n",
            nearest->excess, nearest->label);
}

static void print_front(const struct ws_outcome *outcome, FILE *out)
{
    if (outcome->members == 0) {
        print_none(outcome, out);
        return;
    }
    fprintf(out, "%s: %" PRIu32 " of %" PRIu32 " points (", outcome->objectives > 1 ? "Pareto front" : "Best", outcome->members,
            outcome->points);
    for (u32 m = 0; m < outcome->objectives; m++)
        fprintf(out, "%s%s: %s is better", m > 0 ? "; " : "", outcome->objective[m].name,
                outcome->objective[m].more ? "more" : "less");
    fprintf(out, ")\n");
    print_members(outcome, out);
}

/* ---- What matters ---- */

struct effect {
    struct ws_estimate share;
    u32 a, b; /* equal: one axis alone */
};

static int by_share(const void *a, const void *b)
{
    const double x = ((const struct effect *)a)->share.value, y = ((const struct effect *)b)->share.value;
    return (x < y) - (x > y);
}

static void print_effect(const struct ws_outcome *outcome, const struct effect *effect, FILE *out)
{
    struct ws_text name = {0};
    ws_text_add(&name, "%s%s%s", outcome->axis[effect->a].key, effect->a == effect->b ? "" : " with ",
                effect->a == effect->b ? "" : outcome->axis[effect->b].key);
    fprintf(out, "  %-44s %5.1f %%  (%.1f to %.1f %%)\n", name.failed ? "" : name.data, 100 * effect->share.value,
            100 * effect->share.low, 100 * effect->share.high);
    ws_text_free(&name);
}

static enum ws_status print_effects(struct ws_outcome *outcome, u32 objective, const struct ws_effects *effects, FILE *out,
                                    struct ws_error *error)
{
    const u32 axes = outcome->axes;
    struct effect *const effect = ws_arena_array(&outcome->arena, (size_t)axes * (axes + 1) / 2, sizeof *effect);
    u32 count = 0;
    if (!effect)
        return ws_no_memory(error);
    for (u32 a = 0; a < axes; a++)
        for (u32 b = a; b < axes; b++)
            effect[count++] = (struct effect){a == b ? effects->main[a] : effects->pair[ws_effects_pair(axes, a, b)], a, b};
    qsort(effect, count, sizeof *effect, by_share);
    fprintf(out,
            "\nWhat explains %s: share of its variance over the space, alone or as a pair beyond that (95 %% intervals from %d "
            "resamples of %" PRIu32 " points, seed %d)\n",
            outcome->objective[objective].name, WS_OUTCOME_RESAMPLES, effects->check.points, WS_OUTCOME_SEED);
    for (u32 n = 0; n < count && n < MOST_EFFECTS && (n == 0 || effect[n].share.value >= LEAST_SHARE); n++)
        print_effect(outcome, &effect[n], out);
    fprintf(out, "  Held-out check of the model over %" PRIu32 " points: R2 %.2f, rank correlation %.2f%s\n", effects->check.points,
            effects->check.r2, effects->check.rank,
            effects->check.r2 < WS_OUTCOME_GOOD_R2 ? ": too little to rely on these shares; simulate more points" : "");
    return WS_STATUS_ok;
}

static enum ws_status explain(struct ws_outcome *outcome, FILE *out, struct ws_error *error)
{
    for (u32 n = 0; ws_outcome_has_effects(outcome) && n < outcome->objectives; n++) {
        struct ws_effects effects;
        enum ws_status status = ws_outcome_effects(outcome, n, &effects, error);
        WS_THEN(status, print_effects(outcome, n, &effects, out, error));
        ws_effects_free(&effects);
        WS_TRY(status);
    }
    return WS_STATUS_ok;
}

/* ---- The course of a search ---- */

/* When the search had 90 and 99 % of what it found: of the hypervolume, or all of the best value. */
static enum ws_status print_course(struct ws_outcome *outcome, FILE *out, struct ws_error *error)
{
    static const double shares[] = {0.9, 0.99};
    struct ws_outcome_step *steps;
    u32 count;
    WS_TRY(ws_outcome_steps(outcome, &steps, &count, error));
    if (count == 0)
        return WS_STATUS_ok;
    fprintf(out, "\nCourse of the search (one seed: %" PRIu64 "), against what it found in the end:\n", outcome->seed);
    for (size_t n = 0; outcome->objectives > 1 && n < sizeof shares / sizeof *shares; n++) {
        u32 at = 0;
        while (at + 1 < count && steps[at].share < shares[n])
            at++;
        fprintf(out, "  %.0f %% of the hypervolume after %" PRIu64 " of %" PRIu64 " simulations\n", 100 * shares[n],
                steps[at].simulations, outcome->spent);
    }
    for (u32 m = 0; m < outcome->objectives; m++) {
        u32 at = 0;
        char cell[CELL];
        while (at + 1 < count && steps[at].best[m] != steps[count - 1].best[m])
            at++;
        write_number(cell, steps[at].best[m]);
        fprintf(out, "  best %s, %s, after %" PRIu64 " simulations\n", outcome->objective[m].name, cell, steps[at].simulations);
    }
    return WS_STATUS_ok;
}

/* ---- Cheaper fidelities ---- */

/* Values of an objective at a cheaper fidelity, and of the same points at the full one. */
struct pairs {
    struct ws_outcome *outcome;
    FILE *out;
    const char *objective, *size;
    double *cheap, *whole;
    u32 count;
    size_t cheap_room, whole_room;
    bool headed;
};

static enum ws_status print_pairs(struct pairs *pairs, struct ws_error *error)
{
    struct ws_estimate rank;
    if (pairs->count < 3)
        return WS_STATUS_ok;
    WS_TRY(ws_rank_estimate(pairs->cheap, pairs->whole, pairs->count, &rank, error));
    if (!pairs->headed)
        fprintf(pairs->out,
                "\nRank correlation with the full size, over points simulated at both (95 %% intervals). They were promoted "
                "because they were good, and among good points ranks correlate less\n");
    pairs->headed = true;
    fprintf(pairs->out, "  %s at %s: %.2f (%.2f to %.2f, %" PRIu32 " points)\n", pairs->objective, pairs->size, rank.value,
            rank.low, rank.high, pairs->count);
    return WS_STATUS_ok;
}

static enum ws_status take_pair(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    struct pairs *const pairs = context;
    struct ws_arena *const arena = &pairs->outcome->arena;
    if (!pairs->size || strcmp(pairs->objective, row->values[0]) != 0 || strcmp(pairs->size, row->values[1]) != 0) {
        WS_TRY(print_pairs(pairs, error));
        pairs->objective = ws_arena_text(arena, row->values[0], strlen(row->values[0]));
        pairs->size = ws_arena_text(arena, row->values[1], strlen(row->values[1]));
        pairs->count = 0;
    }
    pairs->cheap = ws_arena_grow(arena, pairs->cheap, pairs->count, &pairs->cheap_room, sizeof *pairs->cheap);
    pairs->whole = ws_arena_grow(arena, pairs->whole, pairs->count, &pairs->whole_room, sizeof *pairs->whole);
    if (!pairs->objective || !pairs->size || !pairs->cheap || !pairs->whole)
        return ws_no_memory(error);
    pairs->cheap[pairs->count] = strtod(row->values[2], NULL);
    pairs->whole[pairs->count++] = strtod(row->values[3], NULL);
    return WS_STATUS_ok;
}

static enum ws_status print_fidelities(struct ws_results *results, struct ws_outcome *outcome, FILE *out, struct ws_error *error)
{
    struct pairs pairs = {.outcome = outcome, .out = out};
    WS_TRY(ws_results_query(
        results,
        "SELECT objective, cheaper.size, a.value, b.value FROM selected JOIN search_experiment AS own USING (experiment_id) JOIN "
        "search_point AS whole USING (search_id, fidelity) JOIN search_point AS cheap ON cheap.search_id = whole.search_id AND "
        "cheap.choice = whole.choice AND cheap.fidelity < whole.fidelity JOIN search_experiment AS cheaper ON cheaper.search_id = "
        "whole.search_id AND cheaper.fidelity = cheap.fidelity JOIN search_value AS a ON a.search_point_id = cheap.search_point_id "
        "JOIN search_value AS b ON b.search_point_id = whole.search_point_id AND b.search_objective_id = a.search_objective_id "
        "JOIN search_objective ON search_objective.search_objective_id = a.search_objective_id WHERE selected.experiment = ?1 AND "
        "whole.status IN ('ok', 'over') AND cheap.status IN ('ok', 'over') ORDER BY cheap.fidelity, search_objective.position, "
        "whole.ordinal",
        (const char *const[]){outcome->experiment, NULL}, take_pair, &pairs, error));
    return print_pairs(&pairs, error);
}

static void print_head(const struct ws_outcome *outcome, FILE *out)
{
    if (outcome->search) {
        fprintf(out, "search %s: method %s, seed %" PRIu64 ", %" PRIu64 " simulations", outcome->search, outcome->method,
                outcome->seed, outcome->spent);
        if (outcome->budget)
            fprintf(out, " of %" PRIu64, outcome->budget);
        fprintf(out, "%s%s\n", outcome->ended ? ", ended: " : ", not ended", outcome->ended ? outcome->ended : "");
    } else {
        fprintf(out, "sweep %s\n", outcome->experiment);
    }
    fprintf(out, "%" PRIu32 " of %" PRIu32 " points have all values, on %" PRIu32 " workload%s\n\n", outcome->points, outcome->all,
            outcome->traces, outcome->traces == 1 ? "" : "s");
}

static enum ws_status print_answer(struct ws_results *results, struct ws_outcome *outcome, FILE *out, struct ws_error *error)
{
    print_head(outcome, out);
    print_front(outcome, out);
    print_conditions(outcome, out);
    WS_TRY(explain(outcome, out, error));
    if (!outcome->search)
        return WS_STATUS_ok;
    WS_TRY(print_course(outcome, out, error));
    return print_fidelities(results, outcome, out, error);
}

static enum ws_status print_experiment(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    struct printing *const printing = context;
    struct ws_outcome outcome;
    enum ws_status status = ws_outcome_load(printing->results, row->values[0], &outcome, error);
    if (status == WS_STATUS_ok && printing->experiments++ > 0)
        fputc('\n', printing->out);
    WS_THEN(status, print_answer(printing->results, &outcome, printing->out, error));
    ws_outcome_free(&outcome);
    return status;
}

/* Without the cheaper sizes of searches, whose values only guide the search. */
static const char experiments[] =
    "SELECT experiment FROM selected WHERE experiment_id NOT IN (SELECT experiment_id FROM search_experiment JOIN search USING "
    "(search_id) WHERE fidelity + 1 < fidelities) ORDER BY experiment_id";

/* The experiment with the full size of the newest run of a search, whatever has been added under its name since. */
static const char search_experiment[] =
    "SELECT experiment FROM selected JOIN search_experiment USING (experiment_id) JOIN search USING (search_id) WHERE search_id = "
    "(SELECT max(search_id) FROM search WHERE search = ?1) AND fidelity + 1 = fidelities";

/* Prints the experiments that a query names. */
static enum ws_status print_all(const char *file, const char *run, const char *query, const char *const *parameters, FILE *out,
                                struct ws_error *error)
{
    struct printing printing = {.out = out};
    WS_TRY(ws_results_open(file, WS_RESULTS_READ, &printing.results, error));
    enum ws_status status = run ? ws_results_choose_run(printing.results, run, error) : WS_STATUS_ok;
    WS_THEN(status, ws_results_query(printing.results, query, parameters, print_experiment, &printing, error));
    ws_results_close(printing.results, NULL);
    if (status == WS_STATUS_ok && printing.experiments == 0)
        return ws_fail(error, WS_STATUS_bad_input, "%s: has no experiment; run a sweep or search into it first", file);
    return status;
}

enum ws_status ws_report_text(const char *file, const char *run, FILE *out, struct ws_error *error)
{
    return print_all(file, run, experiments, NULL, out, error);
}

enum ws_status ws_report_search_text(const char *file, const char *search, FILE *out, struct ws_error *error)
{
    return print_all(file, "all", search_experiment, (const char *const[]){search, NULL}, out, error);
}
