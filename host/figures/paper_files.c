#include "figures/paper_files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

#define PAPER_FILE(symbol, path)                                                                                                   \
    extern const char symbol[];                                                                                                    \
    extern const size_t symbol##_length;
#define PAPER(name)
#include "bundled_paper.def"
#undef PAPER_FILE
#undef PAPER

static const struct bundled {
    const char *path, *text;
    const size_t *length;
} files[] = {
#define PAPER_FILE(symbol, path) {path, symbol, &symbol##_length},
#define PAPER(name)
#include "bundled_paper.def"
#undef PAPER_FILE
#undef PAPER
};

static const char *const papers[] = {
#define PAPER_FILE(symbol, path)
#define PAPER(name) name,
#include "bundled_paper.def"
#undef PAPER_FILE
#undef PAPER
};

enum { FILES = sizeof files / sizeof *files, PAPERS = sizeof papers / sizeof *papers, MOST_BYTES = 4 << 20 };

const char *const *ws_paper_names(size_t *count)
{
    *count = PAPERS;
    return papers;
}

bool ws_paper_is_bundled(const char *paper)
{
    for (size_t n = 0; n < PAPERS; n++)
        if (strcmp(papers[n], paper) == 0)
            return true;
    return false;
}

/* Leaves the text NULL if there is no file. */
static enum ws_status copy_bundled(struct ws_paper_file *file, struct ws_error *error)
{
    for (size_t n = 0; n < FILES; n++) {
        if (strcmp(files[n].path, file->name) != 0)
            continue;
        file->length = *files[n].length;
        file->text = malloc(file->length + 1);
        if (!file->text)
            return ws_no_memory(error);
        memcpy(file->text, files[n].text, file->length + 1);
    }
    return WS_STATUS_ok;
}

enum ws_status ws_paper_file_read(const char *paper, const char *folder, const char *name, bool optional,
                                  struct ws_paper_file *file, struct ws_error *error)
{
    struct ws_text path = {0};
    *file = (struct ws_paper_file){0};
    if (folder && strcmp(folder, ".") == 0)
        ws_text_add(&path, "%s", name);
    else
        ws_text_add(&path, "%s/%s", folder ? folder : paper, name);
    if (path.failed)
        return ws_no_memory(error);
    file->name = path.data;
    enum ws_status status = WS_STATUS_ok;
    if (!folder)
        status = copy_bundled(file, error);
    else if (!optional || access(path.data, F_OK) == 0)
        status = ws_file_read(path.data, MOST_BYTES, &file->text, &file->length, error);
    if (status == WS_STATUS_ok && !file->text && !optional)
        status = ws_fail(error, WS_STATUS_no_file, "%s: does not exist, and the paper needs it", path.data);
    if (status != WS_STATUS_ok)
        ws_paper_file_close(file);
    return status;
}

void ws_paper_file_close(struct ws_paper_file *file)
{
    free(file->name);
    free(file->text);
    *file = (struct ws_paper_file){0};
}
