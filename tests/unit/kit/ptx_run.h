/* Runs kernel bodies on tables of values: from instruction text to results. */
#pragma once

#include "shared/dialect.h"
#include "warpsweep/frontend.h"

enum { RUN_THREADS = 1024, RUN_WORDS = 4 };

/* A thread's values: four inputs, and as many outputs. */
typedef u64 run_row[RUN_WORDS];

/* Executes body in count threads of one block. The thread finds in[thread][n] in %x<n> (64 bits) and its low half in %w<n> (32
 * bits), and leaves %y<n> (64 bits, zero at first) in out[thread][n]. Declared are, 32 each: %p<> predicates, %h<> of 16 bits, %r<>
 * and %f<> of 32, %d<> and %e<> (.f64) of 64. %p0 is false. module stands before the kernel. */
enum ws_status run_body(const char *module, const char *body, const struct ws_frontend_options *options, run_row *in, run_row *out,
                        u32 count, struct ws_error *error);

/* The same with the defaults; fails the test on an error. */
void run_map(const char *body, run_row *in, run_row *out, u32 count);

/* Fails the test unless the body is refused, or stops, with a message that contains text. */
void run_refused(const char *module, const char *body, u32 lockstep, u32 count, const char *text);

/* Rows of edge cases of 32 and 64 bits, and of random numbers. */
void run_values(run_row *in, u32 count);
