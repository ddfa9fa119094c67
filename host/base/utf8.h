#pragma once

#include <stddef.h>

/* Number of leading bytes of text that are well-formed UTF-8 (Unicode 15, table 3-7); length when all are. */
size_t ws_utf8_span(const char *text, size_t length);

/* Shortens a text of length bytes (of which text holds at least the first room - 1) to fewer than room, between two characters. Its
 * end gives the number of omitted bytes: "... (123 bytes more)". room is at least 64. A text that fits is unchanged. */
void ws_utf8_shorten(char *text, size_t length, size_t room);

/* Copies a text into room, shortened if it does not fit. */
void ws_utf8_copy(char *text, size_t room, const char *whole);

/* Columns of a terminal for a text: two for a wide East Asian character, none for a combining mark, one for any other character or
 * malformed byte. */
size_t ws_utf8_columns(const char *text);
