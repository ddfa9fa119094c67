/* A test for each workload of the table, named after both. */
#pragma once

#include "test.h"
#include "warpsweep/frontend.h"

struct workload_rows {
    struct CMUnitTest test[512];
    char name[512][64];
    size_t count;
};

/* Adds a row for each workload: *state is its struct ws_workload. */
void workload_rows_add(struct workload_rows *rows, const char *what, CMUnitTestFunction test);

/* Runs all rows; the program's exit code. */
int workload_rows_run(const struct workload_rows *rows, const char *group);
