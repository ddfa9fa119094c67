#include "differential/mutants/overlay.h"

#include <dlfcn.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/folder.h"
#include "differential/mutants/plant.h"
#include "oracle/allocate.h"

enum { MOST_BYTES = 1 << 20, MOST_OPEN_FOLDERS = 16 };

/* What the kernels are made of. */
static const char *const folders[] = {WS_SOURCE_DIR "/kernels/", WS_SOURCE_DIR "/include/"};

/* A file of a folder. */
struct file {
    char *path; /* in the folder */
    char *text;
};

static struct {
    size_t folder_length; /* of the folder that is read */
    struct file *file;
    u32 count;
} kernels;

static int read_file(const char *path, const struct stat *stat, int type, struct FTW *ftw)
{
    struct ws_error error;
    size_t length;
    (void)stat;
    (void)ftw;
    if (type != FTW_F)
        return 0;
    kernels.file = oracle_grow(kernels.file, kernels.count, sizeof *kernels.file);
    struct file *const file = &kernels.file[kernels.count];
    if (ws_file_read(path, MOST_BYTES, &file->text, &length, &error) != WS_STATUS_ok)
        return -1;
    file->path = strdup(path + kernels.folder_length);
    kernels.count++;
    return 0;
}

void overlay_open(void)
{
    for (size_t n = 0; n < sizeof folders / sizeof *folders; n++) {
        const u32 before = kernels.count;
        kernels.folder_length = strlen(folders[n]);
        assert_int_equal(nftw(folders[n], read_file, MOST_OPEN_FOLDERS, FTW_PHYS), 0);
        assert_true(kernels.count > before);
    }
}

void overlay_close(void)
{
    for (u32 i = 0; i < kernels.count; i++) {
        free(kernels.file[i].path);
        free(kernels.file[i].text);
    }
    free(kernels.file);
}

/* Whether a path ends in the words of a shorter one. */
static bool ends_in(const char *path, const char *end)
{
    const size_t length = strlen(path), shorter = strlen(end);
    if (length < shorter || strcmp(path + length - shorter, end) != 0)
        return false;
    return length == shorter || path[length - shorter - 1] == '/';
}

static const struct file *file_of(const struct mutant *mutant)
{
    const struct file *found = NULL;
    for (u32 i = 0; i < kernels.count; i++) {
        if (!ends_in(kernels.file[i].path, mutant->file))
            continue;
        if (found)
            return NULL;
        found = &kernels.file[i];
    }
    return found;
}

enum overlay_place overlay_place(const struct mutant *mutant)
{
    const struct file *const file = file_of(mutant);
    if (!file)
        return OVERLAY_NO_FILE;
    if (!plant_occurs(file->text, mutant->text))
        return OVERLAY_NO_TEXT;
    return plant_within_function(file->text, mutant->text) ? OVERLAY_IN_FUNCTION : OVERLAY_ELSEWHERE;
}

static bool is_member(const struct mutant *mutant, const struct mutant *of)
{
    return mutants_alike(mutant, of) && overlay_place(mutant) == OVERLAY_IN_FUNCTION;
}

/* The file's text with the mutants that belong to it. */
static void plant_file(const struct file *file, const struct mutant *mutant, bool alone, struct ws_text *out)
{
    struct plant *const plants = oracle_allocate(mutant_count, sizeof *plants);
    u32 count = 0;
    for (u32 n = 0; !alone && n < mutant_count; n++)
        if (is_member(&mutants[n], mutant) && file_of(&mutants[n]) == file)
            plants[count++] = (struct plant){n + 1, mutants[n].text, mutants[n].replacement};
    if (alone && file_of(mutant) == file)
        plant_alone(file->text, &(struct plant){0, mutant->text, mutant->replacement}, out);
    else
        plant_clones(file->text, plants, count, out);
    free(plants);
}

static bool write_file(const char *folder, const struct file *file, const struct ws_text *planted)
{
    struct ws_text path = {0};
    struct ws_error error;
    ws_text_add(&path, "%s/%s", folder, file->path);
    char *const slash = strrchr(path.data, '/');
    *slash = 0;
    bool written = ws_folder_make(path.data, &error) == WS_STATUS_ok;
    *slash = '/';
    written = written && !planted->failed && ws_file_write(path.data, planted->data, planted->length, &error) == WS_STATUS_ok;
    ws_text_free(&path);
    return written;
}

static bool is_fibers(const struct mutant *mutant)
{
    return strcmp(mutant->form, "LOOP") != 0;
}

/* Compiles what lies in a folder. The functions of a library of many mutants are seldom inlined, so that the optimiser is quick. */
static bool compile(const char *folder, const struct mutant *mutant)
{
    static const char fibers[] = WS_SOURCE_DIR "/tests/differential/fiber_kernel.c " WS_SOURCE_DIR "/tests/differential/fiber.c";
    static const char loop[] = WS_SOURCE_DIR "/host/engine/native/native_kernel.c";
    struct ws_text command = {0};
    ws_text_add(&command,
                WS_CC " -std=c11 -O1 -w -shared -fPIC -D_XOPEN_SOURCE=700 -DWS_NATIVE_NAME=mutant -DWS_FIBER_NAME=mutant"
                      " -DWS_NATIVE_PLAN=mutant_plan -DWS_LANES_%s -DWS_PIPELINE_%s=1 -DWS_PATH_%s=1 -DWS_DISPATCH_%s=1"
                      " -DWS_SLOT_WORDS=%u -I'%s' -I" WS_SOURCE_DIR "/host -I" WS_SOURCE_DIR "/tests %s -o '%s/library.so'",
                mutant->form, mutant->pipeline_name, mutant->unit, mutant->dispatch_name, mutant->words, folder,
                is_fibers(mutant) ? fibers : loop, folder);
    const bool compiled = !command.failed && system(command.data) == 0;
    ws_text_free(&command);
    return compiled;
}

bool overlay_compile(const char *folder, const struct mutant *mutant, bool alone)
{
    bool written = true;
    for (u32 i = 0; written && i < kernels.count; i++) {
        struct ws_text planted = {0};
        plant_file(&kernels.file[i], mutant, alone, &planted);
        written = write_file(folder, &kernels.file[i], &planted);
        ws_text_free(&planted);
    }
    return written && compile(folder, mutant);
}

static bool find_symbol(void *handle, const char *name, void *function)
{
    void *const symbol = dlsym(handle, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol;
}

bool library_open(const char *folder, const struct mutant *mutant, struct library *library)
{
    struct ws_text path = {0};
    ws_text_add(&path, "%s/library.so", folder);
    void *const handle = path.failed ? NULL : dlopen(path.data, RTLD_NOW);
    ws_text_free(&path);
    *library = (struct library){0};
    if (!handle)
        return false;
    const bool has_lanes =
        find_symbol(handle, "fibers_seed", &library->seed) && find_symbol(handle, "fibers_parted", &library->parted);
    find_symbol(handle, "planted", &library->planted);
    return find_symbol(handle, "mutant", &library->advance) && has_lanes == is_fibers(mutant);
}
