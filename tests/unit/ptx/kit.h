/* PTX programs for tests of the loader. */
#pragma once

#include "frontend/ptx/ir.h"

/* Loads PTX, failing the test with the message when it cannot be loaded. */
struct ws_program *kit_load(const char *text, const struct ws_frontend_options *options);

/* Loads a kernel k(.param .u64 p0, .param .u32 p1) with this body. Declared are, 16 each: %p<> predicates, %h<> of 16 bits, %r<>
 * and %f<> of 32, %d<> and %e<> (.f64) of 64. */
struct ws_program *kit_load_body(const char *body, const struct ws_frontend_options *options);

/* Options without if-conversion and guarded moves. */
struct ws_frontend_options kit_plain(void);

/* The kernel's operations as words: "mov add ?branch>0 exit"; ? marks a guard, ! a negated one, > the target of branches and jumps,
 * and : the reconvergence point of branches ("-" for none). room is for the text. */
void kit_words(const struct ws_kernel *kernel, char *text, size_t room);

/* Asserts that the kernel of that body reads so. */
void kit_expect(const char *body, const struct ws_frontend_options *options, const char *words);

/* Random numbers below limit, from a state that is not 0. */
u32 kit_random(u64 *state, u32 limit);
