/* Shared code of commands: tables and progress text. */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "cli/progress.h"
#include "cli/table.h"
#include "test.h"

static const struct {
    struct cli_done done;
    double seconds;
    const char *words;
} progress[] = {
    {{0, 1, 0, 0, 0}, 0.0, "0 warp instructions"},
    {{0, 1, 0, 999, 0}, 1.0, "999 warp instructions, 999/s"},
    {{0, 1, 0, 1234567, 0}, 2.0, "1.2 M warp instructions, 617.3 k/s"},
    {{0, 96, 0, 5000, 0}, 1.0, "0 of 96 jobs, 5.0 k warp instructions, 5.0 k/s"},
    {{12, 96, 0, 24000000000, 0.125}, 10.0, "12 of 96 jobs, 24.0 G warp instructions, 2.4 G/s, 1 min 10 s left"},
    {{95, 96, 0, 24000000000, 0.75}, 95.0, "95 of 96 jobs, 24.0 G warp instructions, 252.6 M/s, 32 s left"},
    {{1, 3601, 0, 1, 1.0 / 3601}, 2.0, "1 of 3601 jobs, 1 warp instructions, 0/s, 2 h 0 min left"},
    {{12, 96, 3, 24000000000, 0.125}, 10.0, "12 of 96 jobs, 3 failed, 24.0 G warp instructions, 2.4 G/s, 1 min 10 s left"},
    {{96, 96, 0, 1000, 0}, 1.0, "96 of 96 jobs, 1.0 k warp instructions, 1.0 k/s"},
};

TEST(progress_has_rate_and_time_left)
{
    for (size_t n = 0; n < sizeof progress / sizeof *progress; n++) {
        struct ws_text words = {0};
        cli_progress_words(&words, &progress[n].done, progress[n].seconds);
        assert_string_equal(words.data, progress[n].words);
        ws_text_free(&words);
    }
}

TEST(bars_fill_up)
{
    static const struct {
        struct cli_done done;
        size_t width;
        const char *bar;
    } bars[] = {{{0, 4, 0, 0, 0}, 10, "[........]"},
                {{1, 4, 0, 0, 0}, 10, "[##......]"},
                {{3, 4, 0, 0, 0}, 6, "[###.]"},
                {{4, 4, 0, 0, 0}, 10, "[########]"},
                {{1, 4, 0, 0, 0}, 1, "[]"}};
    for (size_t n = 0; n < sizeof bars / sizeof *bars; n++) {
        struct ws_text bar = {0};
        cli_progress_bar(&bar, &bars[n].done, bars[n].width);
        assert_string_equal(bar.data, bars[n].bar);
        ws_text_free(&bar);
    }
}

/* Earlier work, such as building traces, does not count in the rate. */
TEST(time_counts_from_the_last_note)
{
    struct cli_progress shown;
    cli_progress_start(&shown);
    const double started = shown.started;
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    cli_progress_note(&shown, "what begins now");
    assert_true(shown.started - started >= 0.002);
}

/* Two rows; the column b mixes words and numbers. */
static struct cli_table sample(void)
{
    struct cli_table table = {.columns = {"name", "n", "b", "about"}};
    cli_table_text(&table, "one");
    cli_table_number(&table, 5);
    cli_table_text(&table, "x");
    cli_table_text(&table, "first");
    cli_table_text(&table, "a longer one");
    cli_table_number(&table, 1234567);
    cli_table_real(&table, 2.0 / 3, 3);
    cli_table_text(&table, "");
    return table;
}

TEST(columns_are_aligned)
{
    struct cli_table table = sample();
    struct ws_text out = {0};
    cli_table_print(&table, &out);
    assert_string_equal(out.data, "name                n  b      about\n"
                                  "one                 5  x      first\n"
                                  "a longer one  1234567  0.667  \n");
    ws_text_free(&out);
    cli_table_free(&table);
}

/* Width in characters, not bytes: a wide one takes two columns, a combining one none, a malformed byte one. */
TEST(wide_characters_are_aligned)
{
    struct cli_table table = {.columns = {"name", "about"}};
    struct ws_text out = {0};
    static const char *const names[] = {"Процессор", "处理器", "e\xCC\x81t\xC3\xA9", "\xF0\x9F\x98\x80", "\xFF\xC3", "x"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        cli_table_text(&table, names[n]);
        cli_table_text(&table, "|");
    }
    cli_table_print(&table, &out);
    assert_string_equal(out.data, "name       about\n"
                                  "Процессор  |\n"
                                  "处理器     |\n"
                                  "e\xCC\x81t\xC3\xA9        |\n"
                                  "\xF0\x9F\x98\x80         |\n"
                                  "\xFF\xC3         |\n"
                                  "x          |\n");
    ws_text_free(&out);
    cli_table_free(&table);
}

TEST(rows_are_objects)
{
    struct cli_table table = {.columns = {"n", "r"}};
    struct ws_text out = {0};
    struct ws_json json = {.text = &out};
    cli_table_number(&table, UINT64_MAX);
    cli_table_real(&table, (double)NAN, 3);
    ws_json_object(&json, NULL);
    cli_table_json(&table, "rows", &json);
    ws_json_end_object(&json);
    assert_string_equal(out.data,
                        "{\n  \"rows\": [\n    {\n      \"n\": 18446744073709551615,\n      \"r\": null\n    }\n  ]\n}\n");
    ws_text_free(&out);
    cli_table_free(&table);
}

TEST(an_empty_table_has_its_columns)
{
    struct cli_table table = {.columns = {"a", "b"}};
    struct ws_text out = {0};
    cli_table_print(&table, &out);
    assert_string_equal(out.data, "a  b\n");
    ws_text_free(&out);
    cli_table_free(&table);
}
