/* What results files answer. A row is its values, each followed by a bar: "a|1|NULL|\n". Omits columns run_*, which describe the
 * execution. */
#pragma once

#include <sys/types.h>

/* The answer, to be freed. run: as ws_results_choose_run takes it; NULL for the newest. */
char *ask(const char *file, const char *run, const char *sql);

/* The first value of the answer. */
unsigned long ask_number(const char *file, const char *sql);

/* Fails the test unless that is the answer. */
void assert_answers(const char *file, const char *run, const char *sql, const char *expected);

/* Waits for a process; returns its exit code, -1 if a signal ended it. */
int end_of(pid_t child);
