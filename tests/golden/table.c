#define _DEFAULT_SOURCE /* strsep */
#include "golden/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/allocate.h"

static const char *const word_names[GOLDEN_WORDS] = {"workload", "machine", "mechanism"};
static const char trace_name[] = "trace";

/* The name of a counter or bin by its number. */
static void name_counter(u32 index, char name[GOLDEN_LONGEST])
{
    size_t counters;
    const struct ws_counter *counter = ws_counter_list(&counters);
    while (index >= counter->index + counter->bins)
        counter++;
    snprintf(name, GOLDEN_LONGEST, counter->bins > 1 ? "%s[%u]" : "%s", counter->name, index - counter->index);
}

/* WS_COUNTERS for unknown names. */
static u32 counter_of(const char *name)
{
    char other[GOLDEN_LONGEST];
    u32 index = 0;
    for (; index < WS_COUNTERS; index++) {
        name_counter(index, other);
        if (strcmp(other, name) == 0)
            break;
    }
    return index;
}

static void read_cells(struct golden_table *table, const char *name, char *cells)
{
    const u32 index = counter_of(name);
    for (size_t n = 0; n < table->count; n++) {
        struct golden_column *const column = &table->columns[n];
        const char *const cell = cells ? strsep(&cells, "\t") : "";
        for (u32 word = 0; word < GOLDEN_WORDS; word++)
            if (strcmp(name, word_names[word]) == 0)
                snprintf(column->words[word], GOLDEN_LONGEST, "%s", cell);
        if (strcmp(name, trace_name) == 0)
            column->trace = strtoull(cell, NULL, 16);
        if (index < WS_COUNTERS)
            column->counters[index] = strtoull(cell, NULL, 10);
    }
}

void golden_read(struct golden_table *table, const char *text)
{
    char *const copy = oracle_copy(text, strlen(text) + 1), *rest = copy;
    for (const char *at = text; *at && *at != '\n'; at++)
        table->count += *at == '\t';
    table->columns = oracle_allocate(table->count, sizeof *table->columns);
    for (char *row; (row = strsep(&rest, "\n"));) {
        const char *const name = strsep(&row, "\t");
        read_cells(table, name, row);
    }
    free(copy);
}

void golden_free(struct golden_table *table)
{
    free(table->columns);
}

static bool counts_anything(const struct golden_table *table, u32 index)
{
    for (size_t n = 0; n < table->count; n++)
        if (table->columns[n].counters[index] != 0)
            return true;
    return false;
}

void golden_write(struct ws_text *text, const struct golden_table *table)
{
    char name[GOLDEN_LONGEST];
    for (u32 word = 0; word < GOLDEN_WORDS; word++) {
        ws_text_add(text, "%s", word_names[word]);
        for (size_t n = 0; n < table->count; n++)
            ws_text_add(text, "\t%s", table->columns[n].words[word]);
        ws_text_add(text, "\n");
    }
    ws_text_add(text, "%s", trace_name);
    for (size_t n = 0; n < table->count; n++)
        ws_text_add(text, "\t%016" PRIx64, table->columns[n].trace);
    ws_text_add(text, "\n");
    for (u32 index = 0; index < WS_COUNTERS; index++) {
        if (!counts_anything(table, index))
            continue;
        name_counter(index, name);
        ws_text_add(text, "%s", name);
        for (size_t n = 0; n < table->count; n++)
            ws_text_add(text, "\t%" PRIu64, table->columns[n].counters[index]);
        ws_text_add(text, "\n");
    }
}

struct golden_column *golden_find(const struct golden_table *table, const struct golden_column *like)
{
    for (size_t n = 0; n < table->count; n++)
        if (memcmp(table->columns[n].words, like->words, sizeof like->words) == 0)
            return &table->columns[n];
    return NULL;
}

void golden_put(struct golden_table *table, const struct golden_column *column)
{
    struct golden_column *place = golden_find(table, column);
    if (!place) {
        size_t n = table->count;
        table->columns = realloc(table->columns, (table->count + 1) * sizeof *table->columns);
        if (!table->columns)
            abort();
        for (; n > 0 && strcmp(table->columns[n - 1].words[0], column->words[0]) > 0; n--)
            table->columns[n] = table->columns[n - 1];
        table->count++;
        place = &table->columns[n];
    }
    *place = *column;
}

static size_t compare(struct ws_text *out, const char *name, u64 expected, u64 found, bool shown)
{
    if (expected != found && shown)
        ws_text_add(out, "%s is %" PRIu64 ", in the table %" PRIu64 "\n", name, found, expected);
    return expected != found;
}

size_t golden_compare(struct ws_text *out, const struct golden_column *expected, const struct golden_column *found, size_t most)
{
    size_t differences = compare(out, trace_name, expected->trace, found->trace, most > 0);
    for (u32 index = 0; index < WS_COUNTERS; index++) {
        char name[GOLDEN_LONGEST];
        name_counter(index, name);
        differences += compare(out, name, expected->counters[index], found->counters[index], differences < most);
    }
    return differences;
}
