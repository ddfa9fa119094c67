#include "cli/program/quote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"

enum { MOST_BYTES = 64 << 20, MOST_QUOTED = 200 };

/* The line number at the start of the message, or 0. */
static unsigned long line_of(const char *message, const char *source)
{
    const size_t length = strlen(source);
    char *end;
    if (strncmp(message, source, length) != 0 || message[length] != ':')
        return 0;
    const unsigned long line = strtoul(message + length + 1, &end, 10);
    return *end == ':' ? line : 0;
}

/* The line of the text without the blanks around it; *length may be 0. */
static const char *find_line(const char *text, unsigned long line, size_t *length)
{
    while (--line > 0 && text)
        text = (text = strchr(text, '\n')) ? text + 1 : NULL;
    *length = 0;
    if (!text)
        return "";
    text += strspn(text, " \t");
    *length = strcspn(text, "\r\n");
    while (*length > 0 && (text[*length - 1] == ' ' || text[*length - 1] == '\t'))
        --*length;
    return text;
}

void cli_quote(const char *source, struct ws_error *error)
{
    const unsigned long line = line_of(error->message, source);
    char *text;
    size_t bytes, length;
    if (line == 0 || ws_file_read(source, MOST_BYTES, &text, &bytes, NULL) != WS_STATUS_ok)
        return;
    const char *const quoted = find_line(text, line, &length);
    const size_t said = strlen(error->message);
    if (length > 0)
        snprintf(error->message + said, sizeof error->message - said, "; the line is: %.*s",
                 length < MOST_QUOTED ? (int)length : MOST_QUOTED, quoted);
    free(text);
}
