#include "tables/lines.h"

#include <errno.h>
#include <string.h>

#include "base/documents/json.h"
#include "base/error.h"

static enum ws_status end_line(FILE *out, struct ws_error *error)
{
    if (fputc('\n', out) == EOF || ferror(out))
        return ws_fail(error, WS_STATUS_no_file, "the table cannot be written: %s", strerror(errno));
    return WS_STATUS_ok;
}

static void put_field(FILE *out, const char *text)
{
    if (!text)
        return;
    if (!text[strcspn(text, "\",\r\n")]) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

enum ws_status ws_lines_csv(void *out, const struct ws_results_row *row, struct ws_error *error)
{
    for (size_t n = 0; n < row->count; n++) {
        if (n > 0)
            fputc(',', out);
        put_field(out, row->values[n]);
    }
    return end_line(out, error);
}

/* JSON has null for NaN and infinities. */
static void add_value(struct ws_text *line, const char *value, bool number)
{
    if (!value)
        ws_text_add(line, "null");
    else if (number)
        ws_text_add(line, "%s", value);
    else
        ws_json_quote(line, value);
}

enum ws_status ws_lines_json(void *out, const struct ws_results_row *row, struct ws_error *error)
{
    struct ws_text line = {0};
    for (size_t n = 0; n < row->count; n++) {
        ws_text_add(&line, n > 0 ? ", " : "{");
        ws_json_quote(&line, row->names[n]);
        ws_text_add(&line, ": ");
        add_value(&line, row->values[n], row->numbers[n]);
    }
    ws_text_add(&line, "}");
    const bool failed = line.failed;
    if (!failed)
        fwrite(line.data, 1, line.length, out);
    ws_text_free(&line);
    return failed ? ws_no_memory(error) : end_line(out, error);
}
