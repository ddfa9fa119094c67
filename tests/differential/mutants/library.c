#define _POSIX_C_SOURCE 200809L /* popen */
#include "differential/mutants/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "test.h"

/* Includes and conditions are processed once; macros are left to the compiler of the planted text. */
#define COMPILER                                                                                                                   \
    WS_CC " -std=c11 -w -D_XOPEN_SOURCE=700 -fdirectives-only -I" WS_SOURCE_DIR "/kernels -I" WS_SOURCE_DIR                        \
          "/include -I" WS_SOURCE_DIR "/host -I" WS_SOURCE_DIR "/tests"

static bool is_fibers(const struct mutant *mutant)
{
    return strcmp(mutant->form, "LOOP") != 0;
}

void library_source(const struct mutant *mutant, struct source *source)
{
    struct ws_text command = {0}, text = {0};
    char bytes[1 << 12];
    ws_text_add(&command,
                COMPILER " -E -DWS_NATIVE_NAME=mutant -DWS_FIBER_NAME=mutant -DWS_LANES_%s"
                         " -DWS_PIPELINE_%s=1 -DWS_PATH_%s=1 -DWS_DISPATCH_%s=1 -DWS_SLOT_WORDS=%u " WS_SOURCE_DIR "/%s",
                mutant->form, mutant->pipeline_name, mutant->unit, mutant->dispatch_name, mutant->words,
                is_fibers(mutant) ? "tests/differential/fiber_kernel.c" : "host/engine/native/native_kernel.c");
    assert_false(command.failed);
    FILE *const compiler = popen(command.data, "r");
    assert_non_null(compiler);
    for (size_t length; (length = fread(bytes, 1, sizeof bytes, compiler)) > 0;)
        ws_text_bytes(&text, bytes, length);
    assert_int_equal(pclose(compiler), 0);
    assert_false(text.failed);
    ws_text_free(&command);
    source_read(source, text.data);
}

bool library_compile(const char *path, const struct mutant *mutant, const struct source *source, const struct plant *plants,
                     u32 count)
{
    struct ws_text planted = {0}, file = {0}, command = {0};
    struct ws_error error;
    plant_all(source, plants, count, &planted);
    ws_text_add(&file, "%s.i", path);
    ws_text_add(&command, COMPILER " -O1 -shared -fPIC -o '%s' '%s' %s", path, file.data,
                is_fibers(mutant) ? WS_SOURCE_DIR "/tests/differential/fiber.c" : "");
    const bool compiled = !planted.failed && !command.failed &&
                          ws_file_write(file.data, planted.data, planted.length, &error) == WS_STATUS_ok &&
                          system(command.data) == 0;
    ws_text_free(&planted);
    ws_text_free(&file);
    ws_text_free(&command);
    return compiled;
}

static bool find_symbol(void *handle, const char *name, void *function)
{
    void *const symbol = dlsym(handle, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol;
}

bool library_open(const char *path, const struct mutant *mutant, struct library *library)
{
    void *const handle = dlopen(path, RTLD_NOW);
    *library = (struct library){0};
    if (!handle)
        return false;
    const bool has_lanes =
        find_symbol(handle, "fibers_seed", &library->seed) && find_symbol(handle, "fibers_parted", &library->diverged);
    return find_symbol(handle, "planted", &library->planted) && find_symbol(handle, "mutant", &library->advance) &&
           has_lanes == is_fibers(mutant);
}
