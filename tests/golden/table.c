#include "golden/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NAME_ROOM = 64, NAME_WIDTH = 20, COLUMN_WIDTH = 19 };

static void add_row(struct ws_text *table, const char *name, u32 index, const struct ws_job_result *results, size_t count)
{
    u64 any = 0;
    for (size_t n = 0; n < count; n++)
        any |= results[n].counters[index];
    if (!any)
        return;
    ws_text_add(table, "%-*s", NAME_WIDTH, name);
    for (size_t n = 0; n < count; n++)
        ws_text_add(table, " %*" PRIu64, COLUMN_WIDTH, results[n].counters[index]);
    ws_text_add(table, "\n");
}

void golden_table(struct ws_text *table, const char *title, u64 digest, const char *const *columns,
                  const struct ws_job_result *results, size_t count)
{
    size_t counters;
    const struct ws_counter *const counter = ws_counter_list(&counters);
    ws_text_add(table, "# %s\ntrace %016" PRIx64 "\n%-*s", title, digest, NAME_WIDTH, "counter");
    for (size_t n = 0; n < count; n++)
        ws_text_add(table, " %*s", COLUMN_WIDTH, columns[n]);
    ws_text_add(table, "\n");
    for (size_t n = 0; n < counters; n++) {
        for (u32 bin = 0; bin < counter[n].bins; bin++) {
            char name[NAME_ROOM];
            snprintf(name, sizeof name, counter[n].bins > 1 ? "%s[%u]" : "%s", counter[n].name, bin);
            add_row(table, name, counter[n].index + bin, results, count);
        }
    }
}

/* ---- Comparing ---- */

struct line {
    const char *text;
    size_t length, name; /* name is how many bytes the first word has */
};

/* The line at *text, which moves behind it; false at the end. */
static bool next_line(const char **text, struct line *line)
{
    line->text = *text;
    line->length = strcspn(*text, "\n");
    line->name = strcspn(*text, " \n");
    *text += line->length + ((*text)[line->length] == '\n');
    return *line->text != 0;
}

/* The line with the same first word; without one its length is 0. */
static struct line find(const char *table, const struct line *wanted)
{
    struct line line;
    while (next_line(&table, &line))
        if (line.name == wanted->name && memcmp(line.text, wanted->text, line.name) == 0)
            return line;
    return (struct line){.text = ""};
}

static void add_difference(struct ws_text *out, const struct line *expected, const struct line *found)
{
    ws_text_add(out, "- %.*s\n+ %.*s\n", (int)expected->length, expected->text, (int)found->length, found->text);
}

/* Rows of expected that found has otherwise or lacks; rows that only found has come in the second round, with sides exchanged. */
size_t golden_compare(struct ws_text *out, const char *expected, const char *found, size_t most)
{
    size_t differences = 0;
    struct line line;
    for (const char *rest = expected; next_line(&rest, &line);) {
        const struct line other = find(found, &line);
        const bool same = other.length == line.length && memcmp(other.text, line.text, line.length) == 0;
        if (!same && differences++ < most)
            add_difference(out, &line, &other);
    }
    for (const char *rest = found; next_line(&rest, &line);) {
        const struct line other = find(expected, &line);
        if (other.length == 0 && differences++ < most)
            add_difference(out, &other, &line);
    }
    return differences;
}
