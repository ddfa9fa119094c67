#include "frontend/recorded.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/error.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/text.h"

#define RECORDED(symbol, name)                                                                                                     \
    extern const char symbol[];                                                                                                    \
    extern const size_t symbol##_length;
#include "bundled_trace.def"
#undef RECORDED

static const struct recorded {
    const char *name, *bytes;
    const size_t *length;
} traces[] = {
#define RECORDED(symbol, name) {name, symbol, &symbol##_length},
#include "bundled_trace.def"
#undef RECORDED
};

/* Whether the file holds these bytes. */
static bool holds(const char *path, const struct recorded *trace)
{
    struct ws_error ignored;
    char *data = NULL;
    size_t length = 0;
    const bool same = ws_file_read(path, *trace->length, &data, &length, &ignored) == WS_STATUS_ok && length == *trace->length &&
                      memcmp(data, trace->bytes, length) == 0;
    free(data);
    return same;
}

static enum ws_status extract(const struct recorded *trace, char **path, struct ws_error *error)
{
    char *folder = NULL;
    struct ws_text text = {0};
    WS_TRY(ws_cache_folder("traces", &folder, error));
    ws_text_add(&text, "%s/%s-%016llx.wst", folder, trace->name, (unsigned long long)XXH3_64bits(trace->bytes, *trace->length));
    free(folder);
    enum ws_status status = text.failed ? ws_no_memory(error) : WS_STATUS_ok;
    if (status == WS_STATUS_ok && !holds(text.data, trace))
        status = ws_file_write(text.data, trace->bytes, *trace->length, error);
    if (status == WS_STATUS_ok)
        *path = text.data;
    else
        ws_text_free(&text);
    return status;
}

enum ws_status ws_recorded_locate(const char *name, char **path, struct ws_error *error)
{
    *path = NULL;
    for (size_t n = 0; n < sizeof traces / sizeof *traces; n++)
        if (strcmp(traces[n].name, name) == 0)
            return extract(&traces[n], path, error);
    return WS_STATUS_ok;
}
