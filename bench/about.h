/* What a benchmark ran on. */
#pragma once

#include "base/documents/json.h"

unsigned bench_cores(void);

/* Prints processor, cores and their load, compiler and commit as a line, and adds them to the open object. */
void bench_about(struct ws_json *json, const char *commit);
