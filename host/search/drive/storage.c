#include <string.h>

#include "search/drive/expression.h"

static const struct {
    const char *name, *sql;
} parts[] = {
#define STORAGE(name, expression, doc, source) {#name, expression},
#include "search/drive/storage.def"
#undef STORAGE
};

enum { PARTS = sizeof parts / sizeof *parts };

static const char all[] = "storage_bits";

const char *ws_storage_name(size_t n)
{
    return n < PARTS ? parts[n].name : n == PARTS ? all : NULL;
}

bool ws_storage_sql(const char *name, struct ws_text *sql)
{
    const bool sum = strcmp(name, all) == 0;
    bool found = false;
    for (size_t n = 0; n < PARTS; n++)
        if (sum || strcmp(parts[n].name, name) == 0) {
            ws_text_add(sql, "%s(%s)", found ? " + " : "(", parts[n].sql);
            found = true;
        }
    if (found)
        ws_text_add(sql, ")");
    return found;
}
