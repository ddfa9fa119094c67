#include "unit/results/ask.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/text.h"
#include "test.h"
#include "warpsweep/results.h"

static enum ws_status add_row(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    (void)error;
    for (size_t n = 0; n < row->count; n++)
        if (strncmp(row->names[n], "run_", 4) != 0)
            ws_text_add(context, "%s|", row->values[n] ? row->values[n] : "NULL");
    ws_text_add(context, "\n");
    return WS_STATUS_ok;
}

char *ask(const char *file, const char *run, const char *sql)
{
    struct ws_results *results;
    struct ws_text text = {0};
    EXPECT_OK(ws_results_open(file, WS_RESULTS_READ, &results, &error));
    if (run)
        EXPECT_OK(ws_results_choose_run(results, run, &error));
    ws_text_add(&text, "%s", "");
    EXPECT_OK(ws_results_query(results, sql, NULL, add_row, &text, &error));
    EXPECT_OK(ws_results_close(results, &error));
    return text.data;
}

unsigned long ask_number(const char *file, const char *sql)
{
    char *const answer = ask(file, NULL, sql);
    const unsigned long value = strtoul(answer, NULL, 10);
    free(answer);
    return value;
}

void assert_answers(const char *file, const char *run, const char *sql, const char *expected)
{
    char *const answer = ask(file, run, sql);
    assert_string_equal(answer, expected);
    free(answer);
}

int end_of(pid_t child)
{
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
