/* Files of a capture that are stored once, by a digest of their contents. */
#pragma once

#include "base/text.h"
#include "warpsweep/status.h"

/* Writes bytes to FOLDER/HASH SUFFIX of the capture unless they are there, and adds that name, relative to the capture, to *name.
 */
enum ws_status capture_contents(const char *folder, const char *suffix, const void *bytes, size_t length, struct ws_text *name,
                                struct ws_error *error);

/* Adds a number of a type of launch files ("i32", "f64", ...) that is finite to *out. */
void capture_number(struct ws_text *out, const char *element, const unsigned char *bytes, size_t size);

/* Whether the number has digits: no NaN, no infinity. */
bool capture_is_finite(const char *element, const unsigned char *bytes, size_t size);
