#ifndef WS_BASE_UTF8_H
#define WS_BASE_UTF8_H

#include <stddef.h>

/* Number of bytes at the start of text that are well-formed UTF-8 (Unicode 15, table 3-7): length when all is. */
size_t ws_utf8_span(const char *text, size_t length);

#endif
