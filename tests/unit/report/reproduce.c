/* Reproducing figures from made-up runs: tables, comparison.json, pictures, and what happens without gnuplot. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "report/figures.h"
#include "test.h"
#include "unit/results/fakes.h"
#include "warpsweep/report.h"

/* Text of a file, to be freed. */
static void read_file(const char *name, char **data)
{
    char path[200];
    size_t length;
    struct ws_error error;
    snprintf(path, sizeof path, "%s/%s", fake_folder, name);
    if (ws_file_read(path, 10 << 20, data, &length, &error) != WS_STATUS_ok)
        fail_msg("%s", error.message);
}

static bool exists(const char *name)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", fake_folder, name);
    return access(path, F_OK) == 0;
}

/* Reproduces what at a size; the tables go to *text. */
static enum ws_status reproduce_at(enum ws_size size, const char *what, char **text, struct ws_error *error)
{
    const struct ws_reproduce_options options = {WS_STRUCT(reproduce_options), .folder = fake_folder, .size = size};
    size_t length = 0;
    *text = NULL;
    FILE *const tables = open_memstream(text, &length);
    const enum ws_status status = ws_reproduce(what, &options, tables, error);
    fclose(tables);
    return status;
}

static enum ws_status reproduce(const char *what, char **text, struct ws_error *error)
{
    return reproduce_at(WS_SIZE_TINY, what, text, error);
}

static void assert_picture(const char *svg, const char *png)
{
    static const char *const words[] = {"<svg", "LWM 4x256 RR", "blackscholes", "paper", "</svg>"};
    char *data;
    read_file(svg, &data);
    for (size_t n = 0; n < sizeof words / sizeof *words; n++)
        assert_non_null(strstr(data, words[n]));
    free(data);
    read_file(png, &data);
    assert_memory_equal(data, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
    assert_int_equal((unsigned char)data[18] << 8 | (unsigned char)data[19], 2360);
    free(data);
}

static const char fig10_table[] =
    "narasiman2011/fig10: Effect of large-warp size (Narasiman et al., MICRO 2011, Figure 10 and section 5.2)\n"
    "\n"
    "IPC                blackjack     sort  viterbi   kmeans  decrypt  blackscholes  needleman  hotspot   matmul  reduction  "
    "histogram      bfs  geo. mean gain   ar. mean gain\n"
    "baseline 32x32 RR     11.178   11.083   11.066   11.127   11.167        11.178     11.110   11.144   11.116     11.088     "
    "11.144   11.178\n"
    "LWM 16x64 RR          11.591   11.488   11.470   11.536   11.578        11.591     11.518   11.554   11.524     11.494     "
    "11.554   11.591          +3.7 %          +3.7 %\n"
    "LWM 8x128 RR          12.035   11.924   11.904   11.976   12.022        12.035     11.956   11.995   11.963     11.930     "
    "11.995   12.035          +7.6 %          +7.6 %\n"
    "LWM 4x256 RR          13.034   12.903   12.880   12.964   13.018        13.034     12.941   12.987   12.948     12.910     "
    "12.987   13.034         +16.5 %         +16.5 %\n"
    "LWM 2x512 RR          12.035   11.924   11.904   11.976   12.022        12.035     11.956   11.995   11.963     11.930     "
    "11.995   12.035          +7.6 %          +7.6 %\n"
    "\n"
    "section  metric                      configuration                   over                      paper       ours  difference\n"
    "5.1      mean IPC gain               LWM 4x256 RR                    baseline 32x32 RR          +7.9      +16.5        +8.6  "
    "%\n"
    "5.2      best large-warp size        LWM RR                          sizes 64 128 256 512        256        256          +0  "
    "threads\n"
    "3.4      storage                     LWM                                                         224        224          +0  "
    "bytes\n"
    "\n"
    "Ours: 12 workloads, size tiny. Paper: 12 benchmarks.\n"
    "Run on made-up: no device, \"really\"\n";

TEST_WITH(a_figure, fake_set_up, fake_tear_down)
{
    char *text, expected[4000];
    struct ws_error error = {.message = ""};
    assert_int_equal(reproduce("narasiman2011/fig10", &text, &error), WS_STATUS_ok);
    snprintf(expected, sizeof expected, "%sPictures: %s/fig10.svg %s/fig10.png\n\n", fig10_table, fake_folder, fake_folder);
    assert_string_equal(text, expected);
    assert_picture("fig10.svg", "fig10.png");
    assert_false(exists("fig11.svg"));
    free(text);
}

static const char comparison[] = "{\n"
                                 "  \"schema\": 1,\n"
                                 "  \"paper\": \"narasiman2011\",\n"
                                 "  \"rows\": [\n"
                                 "    {\n"
                                 "      \"where\": \"5.1\",\n"
                                 "      \"metric\": \"mean IPC gain\",\n"
                                 "      \"configuration\": \"LWM 4x256 RR\",\n"
                                 "      \"versus\": \"baseline 32x32 RR\",\n"
                                 "      \"paper\": 7.9,\n"
                                 "      \"ours\": 16.514,\n"
                                 "      \"unit\": \"%\"\n"
                                 "    },\n"
                                 "    {\n"
                                 "      \"where\": \"5.2\",\n"
                                 "      \"metric\": \"best large-warp size\",\n"
                                 "      \"configuration\": \"LWM RR\",\n"
                                 "      \"versus\": \"sizes 64 128 256 512\",\n"
                                 "      \"paper\": 256,\n"
                                 "      \"ours\": 256,\n"
                                 "      \"unit\": \"threads\"\n"
                                 "    },\n"
                                 "    {\n"
                                 "      \"where\": \"3.4\",\n"
                                 "      \"metric\": \"storage\",\n"
                                 "      \"configuration\": \"LWM\",\n"
                                 "      \"versus\": \"\",\n"
                                 "      \"paper\": 224,\n"
                                 "      \"ours\": 224,\n"
                                 "      \"unit\": \"bytes\"\n"
                                 "    },\n"
                                 "    {\n"
                                 "      \"where\": \"5.1\",\n"
                                 "      \"metric\": \"mean IPC gain\",\n"
                                 "      \"configuration\": \"2Lev fetch group 8\",\n"
                                 "      \"versus\": \"baseline 32x32 RR\",\n"
                                 "      \"paper\": 9.9,\n"
                                 "      \"ours\": 7.116,\n"
                                 "      \"unit\": \"%\"\n"
                                 "    },\n"
                                 "    {\n"
                                 "      \"where\": \"5.3\",\n"
                                 "      \"metric\": \"best fetch-group size\",\n"
                                 "      \"configuration\": \"2Lev\",\n"
                                 "      \"versus\": \"sizes 8 16 32\",\n"
                                 "      \"paper\": 8,\n"
                                 "      \"ours\": 8,\n"
                                 "      \"unit\": \"warps\"\n"
                                 "    }\n"
                                 "  ]\n"
                                 "}\n";

TEST_WITH(comparison_is_exact, fake_set_up, fake_tear_down)
{
    char *text, *json;
    struct ws_error error;
    assert_int_equal(reproduce("narasiman2011/fig10", &text, &error), WS_STATUS_ok);
    free(text);
    assert_int_equal(reproduce("narasiman2011/fig11", &text, &error), WS_STATUS_ok);
    free(text);
    read_file("comparison.json", &json);
    assert_string_equal(json, comparison);
    free(json);
}

static bool is_shown(const char *paper)
{
    return strcmp(paper, "narasiman2011") == 0;
}

/* A note gives the numbers of one size: it stands in the Markdown of that size and of no other. One paper shows it. */
TEST_WITH(notes_belong_to_a_size, fake_set_up, fake_tear_down)
{
    static const struct {
        const char *paper, *size, *text;
    } notes[] = {
#define NOTE(paper, figure, size, text) {#paper, #size, text},
#include "report/notes.def"
#undef NOTE
    };
    enum { NOTES = sizeof notes / sizeof *notes };
    char *const path = strdup(getenv("PATH")), *text, *markdown;
    unsigned found[NOTES] = {0};
    struct ws_error error;
    setenv("PATH", "/nonexistent", 1); /* nothing is drawn */
    for (enum ws_size size = 0; size < WS_SIZES; size++) {
        reproduce_at(size, "narasiman2011/sensitivity", &text, &error);
        free(text);
        reproduce_at(size, "narasiman2011", &text, &error);
        free(text);
        read_file("comparison.md", &markdown);
        for (size_t n = 0; n < NOTES; n++) {
            const bool there = strstr(markdown, notes[n].text) != NULL;
            assert_int_equal(there, is_shown(notes[n].paper) && strcmp(notes[n].size, ws_size_name(size)) == 0);
            found[n] += there;
        }
        free(markdown);
    }
    setenv("PATH", path, 1);
    free(path);
    for (size_t n = 0; n < NOTES; n++)
        assert_int_equal(found[n], is_shown(notes[n].paper));
}

TEST_WITH(repeating_runs_nothing, fake_set_up, fake_tear_down)
{
    char *first, *again;
    struct ws_error error;
    assert_int_equal(reproduce("narasiman2011", &first, &error), WS_STATUS_ok);
    const unsigned ran = fake_engine.ran;
    assert_int_equal(ran, 12 * (5 + 3 + 2 + 4)); /* what figures have in common is run once */
    assert_int_equal(reproduce("narasiman2011", &again, &error), WS_STATUS_ok);
    assert_int_equal(fake_engine.ran, ran);
    assert_string_equal(first, again);
    free(first);
    free(again);
}

/* Limit studies are shown in a table, a picture, the comparison and the Markdown, and made once; their numbers are those of
 * results_fakes.h. */
TEST_WITH(limit_studies_are_made_once, fake_set_up, fake_tear_down)
{
    char *text, *markdown;
    struct ws_error error;
    assert_int_equal(reproduce("fung2007/fig8", &text, &error), WS_STATUS_ok);
    assert_int_equal(fake_engine.studied, 8);
    read_file("comparison.md", &markdown);
    assert_non_null(strstr(markdown, "\n| even_odd | 128 | 400 | 200 | 100 | 2.000 | 2010 | 1000 | 2.010 |\n"));
    assert_non_null(
        strstr(markdown, "| speedup, oracle reconvergence, the loop of Figure 7 | PDOM | +92.0 | +101.0 | +9.0 | % |\n"));
    assert_non_null(strstr(text, "+101.0"));
    assert_non_null(strstr(markdown, "\n| harmonic mean of IPC, real programs |   |   |   |   |   |   |   | 2.039 |\n"));
    free(markdown);
    free(text);
}

TEST_WITH(a_failed_study_leaves_a_gap, fake_set_up, fake_tear_down)
{
    char *text, *markdown;
    struct ws_error error;
    assert_int_equal(reproduce("fung2007/fig8", &text, &error), WS_STATUS_ok);
    free(text);
    fake_engine.studied = 0;
    fake_engine.ending = WS_STATUS_failed;
    fake_engine.ending_trace = "lu"; /* its job has run before */
    assert_int_equal(reproduce("fung2007/fig8", &text, &error), WS_STATUS_failed);
    assert_string_equal(error.message, "the limit study of lu: made-up reason");
    assert_int_equal(fake_engine.studied, 8);
    read_file("comparison.md", &markdown);
    assert_non_null(strstr(markdown, "\n| lu | 0 | 0 | 0 | 0 | - | 0 | 0 | - |\n"));
    assert_null(strstr(markdown, "real programs | PDOM | +2.6 | - |"));
    free(markdown);
    free(text);
}

/* A workload that fails leaves its cells and its share of the mean empty, and the status says so. */
TEST_WITH(a_failed_workload_leaves_gaps, fake_set_up, fake_tear_down)
{
    char *text;
    struct ws_error error;
    fake_engine.ending = WS_STATUS_deadlock;
    fake_engine.ending_trace = "bfs";
    assert_int_equal(reproduce("narasiman2011/fig11", &text, &error), WS_STATUS_failed);
    assert_string_equal(
        error.message,
        "narasiman2011-fig11: 4 of 48 jobs failed; the first: baseline 32x32 RR, bfs, shard 0/1: deadlock: made-up reason");
    assert_non_null(strstr(text, "11.088     11.144        -\n"));
    assert_non_null(strstr(text, "Ours: 11 of 12 workloads, size tiny. Paper: 12 benchmarks.\n"));
    assert_true(exists("fig11.png"));
    assert_true(exists("comparison.json"));
    free(text);
}

/* The pictures lie in the folder that was asked for, whatever its name means to gnuplot. */
TEST_WITH(a_folder_may_have_any_name, fake_set_up, fake_tear_down)
{
    char folder[sizeof fake_folder], *text, *svg;
    struct ws_error error;
    memcpy(folder, fake_folder, sizeof folder);
    assert_true(strlen(folder) + 12 < sizeof fake_folder);
    strcat(fake_folder, "/`ls`\"\\\n%s");
    const enum ws_status status = reproduce("narasiman2011/fig10", &text, &error);
    read_file("fig10.svg", &svg);
    static const char *const files[] = {"fig10.gp",        "fig10.svg",     "fig10.png",
                                        "comparison.json", "comparison.md", "narasiman2011-tiny.db"};
    for (size_t n = 0; n < sizeof files / sizeof *files; n++) {
        char path[200];
        snprintf(path, sizeof path, "%s/%s", fake_folder, files[n]);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(fake_folder), 0);
    memcpy(fake_folder, folder, sizeof folder);
    assert_int_equal(status, WS_STATUS_ok);
    free(text);
    free(svg);
}

TEST_WITH(without_gnuplot_the_tables_are_there, fake_set_up, fake_tear_down)
{
    char *text, expected[400], *const path = strdup(getenv("PATH"));
    struct ws_error error;
    setenv("PATH", "/nonexistent", 1);
    const enum ws_status status = reproduce("narasiman2011/fig10", &text, &error);
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(status, WS_STATUS_failed);
    snprintf(expected, sizeof expected,
             "gnuplot is not there: install it (Debian: gnuplot-nox fonts-dejavu-core) and draw with \"gnuplot %s/fig10.gp\"",
             fake_folder);
    assert_string_equal(error.message, expected);
    assert_int_equal(strncmp(text, fig10_table, sizeof fig10_table - 1), 0);
    assert_null(strstr(text, "Pictures"));
    assert_true(exists("comparison.json"));
    assert_false(exists("fig10.png"));
    free(text);
}

static const struct ws_figure *figure_of(const struct ws_target *target)
{
    size_t count;
    const struct ws_figure *const figure = ws_figures(&count);
    for (size_t n = 0; n < count; n++)
        if (ws_target_of(target, &figure[n]))
            return &figure[n];
    return NULL;
}

static bool has_point(const struct ws_experiment *experiment, const char *label)
{
    for (size_t n = 0; n < experiment->point_count; n++)
        if (strcmp(experiment->points[n].label, label) == 0)
            return true;
    return false;
}

static bool is_over_a_point(enum ws_target_kind kind)
{
    switch (kind) {
    case WS_TARGET_gain:
    case WS_TARGET_speedup:
    case WS_TARGET_fastest:
    case WS_TARGET_slowest:
    case WS_TARGET_kernels:
    case WS_TARGET_workload:
    case WS_TARGET_stalls:
    case WS_TARGET_harmonic:
    case WS_TARGET_loss:
        return true;
    default:
        return false;
    }
}

/* A figure that is about a point has it. */
TEST_WITH(figures_are_about_points_that_run, fake_set_up, fake_tear_down)
{
    size_t count;
    const struct ws_figure *const figure = ws_figures(&count);
    for (size_t n = 0; n < count; n++) {
        struct ws_experiment *experiment;
        struct ws_error error;
        if (ws_experiment_load(figure[n].experiment, &experiment, &error) != WS_STATUS_ok)
            fail_msg("%s", error.message);
        const char *const variation = experiment->points[0].variation;
        char label[200];
        snprintf(label, sizeof label, "%s%s%s", variation, *variation ? ": " : "", figure[n].point);
        assert_true(!*figure[n].point || has_point(experiment, label));
        ws_experiment_free(experiment);
    }
}

/* What a paper reports is compared with what its experiment runs: at a point that is there, over another that is. */
TEST_WITH(targets_are_what_experiments_run, fake_set_up, fake_tear_down)
{
    size_t count;
    const struct ws_target *const target = ws_targets(&count);
    for (size_t n = 0; n < count; n++) {
        struct ws_experiment *experiment;
        const struct ws_figure *const figure = figure_of(&target[n]);
        assert_non_null(figure);
        assert_int_equal(ws_experiment_load(figure->experiment, &experiment, NULL), WS_STATUS_ok);
        if (*target[n].point)
            assert_true(has_point(experiment, target[n].point));
        else
            assert_int_equal(target[n].kind, WS_TARGET_best);
        if (is_over_a_point(target[n].kind))
            assert_true(has_point(experiment, target[n].versus));
        ws_experiment_free(experiment);
    }
}

TEST_WITH(what_is_not_there_is_named, fake_set_up, fake_tear_down)
{
    static const char *const wrong[] = {"narasiman2012", "narasiman2011/fig12", "narasiman2011/", "narasiman", "", "fig10"};
    size_t count;
    const struct ws_figure *const figure = ws_figures(&count);
    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++) {
        char *text, expected[WS_MESSAGE_ROOM];
        struct ws_error error;
        assert_int_equal(reproduce(wrong[n], &text, &error), WS_STATUS_usage);
        int length = snprintf(expected, sizeof expected, "%s: no such paper or figure; there are ", wrong[n]);
        for (size_t row = 0; row < count; row++)
            length += snprintf(expected + length, sizeof expected - (size_t)length, "%s%s/%s", row > 0 ? ", " : "",
                               figure[row].paper, figure[row].name);
        assert_string_equal(error.message, expected);
        free(text);
    }
}
