/* A figure of made-up runs (results_fakes.h), and what tests expect of its numbers, table and picture. */
#pragma once

#include "report/render.h"
#include "unit/results/fakes.h"

extern struct ws_figure figure;
extern struct ws_measures measures;
extern struct ws_shown shown;

/* Runs the experiment and measures it for a figure, "Made-up runs", of which paper, kind, point and source are given. Returns what
 * became of the sweep. */
enum ws_status made_show(const struct ws_figure *given, const struct ws_experiment *what);

/* Tear-down of a test: that of the fakes, and measures are freed. */
int made_tear_down(void **state);

void assert_near(double found, double expected);

/* The table of the figure stands in its Markdown. */
void assert_markdown(const char *table);

/* The script draws without a complaint; the figure's title and source and these words, up to NULL, stand in the picture. */
void assert_drawn(const char *const *words);
#define ASSERT_DRAWN(...) assert_drawn((const char *const[]){__VA_ARGS__, NULL})

/* The target is answered with ours; NaN: not at all. */
void assert_target(const struct ws_target *target, double ours);

/* The same for targets of one paper. */
struct made_target {
    enum ws_target_kind kind;
    const char *point, *versus, *key;
    double ours;
};
void assert_targets(const char *paper, const struct made_target *targets, size_t count);
