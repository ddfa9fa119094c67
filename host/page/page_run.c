/* Single simulations in a report's page. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/inputs.h"
#include "page/page.h"
#include "warpsweep/report.h"

enum { MOST_BYTES = 1 << 29 };

bool ws_report_is_run(const char *path)
{
    FILE *const file = fopen(path, "rb");
    int first = EOF;
    if (!file)
        return false;
    do
        first = fgetc(file);
    while (first == ' ' || first == '\n' || first == '\r' || first == '\t');
    fclose(file);
    return first == '{';
}

static void put_attribute(FILE *out, const char *text)
{
    for (; *text; text++)
        if (*text == '"')
            fputs("&quot;", out);
        else if (*text == '&')
            fputs("&amp;", out);
        else if (*text == '<')
            fputs("&lt;", out);
        else
            fputc(*text, out);
}

enum ws_status ws_page_run(const char *path, const char *name, FILE *out, struct ws_error *error)
{
    char *data;
    size_t length;
    ws_inputs_note(path);
    WS_TRY(ws_file_read(path, MOST_BYTES, &data, &length, error));
    fputs("<script type=\"application/json\" class=\"run\" data-file=\"", out);
    put_attribute(out, name);
    fputs("\">", out);
    ws_page_put(out, &(struct ws_text){.data = data, .length = length});
    fputs("</script>\n", out);
    free(data);
    return WS_STATUS_ok;
}
