/* What a benchmark ran on. */
#ifndef WS_BENCH_ABOUT_H
#define WS_BENCH_ABOUT_H

#include "base/documents/json.h"

unsigned bench_cores(void);

/* Prints processor, cores and their load, compiler and commit as a line, and adds them to the open object. */
void bench_about(struct ws_json *json, const char *commit);

#endif
