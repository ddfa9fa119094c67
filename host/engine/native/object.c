#include "engine/native/object.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fcntl.h>
#include <sys/file.h>

#include "base/error.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/process.h"
#include "base/text.h"
#include "embedded/ws_native_source.h"
#include "engine/compile/binary_cache.h"

/* name of the kernel in an object */
#define FUNCTION "ws_compiled_quantum"

enum { WORDS = 48, ROOM = 64 };

/* Compiles into a temporary file and renames it; a signal leaves no partial file. Arguments: object, temporary file, source, log,
 * command. */
static const char script[] = "object=$1 part=$2 source=$3 log=$4; shift 4; clean() { rm -f \"$part\" \"$source\"; }\n"
                             "for signal in INT TERM; do trap \"clean; trap - $signal; kill -$signal $$\" $signal; done\n"
                             "\"$@\" -o \"$part\" \"$source\" 2> \"$log\" && mv -f \"$part\" \"$object\"\n"
                             "code=$?; clean; [ -s \"$log\" ] || rm -f \"$log\"; [ $code -eq 0 ]";

/* The compiler of the build, or the user's. */
static const char *compiler(void)
{
    const char *const wanted = getenv("WARPSWEEP_CC");
    return wanted && *wanted ? wanted : WS_NATIVE_COMPILER;
}

/* Compiler options for a row, up to a NULL; returns their number. */
static size_t options(const struct ws_native_object *object, const char *words[WS_NATIVE_FLAGS + 1])
{
    size_t count = 0;
    for (; ws_native_flags_suit() && object->row->flags[count]; count++)
        words[count] = object->row->flags[count];
    if (object->quick || count == 0)
        words[count++] = object->quick ? "-Og" : "-O1";
    words[count] = NULL;
    return count;
}

/* Path of the object, to be freed; NULL without a cache. */
static char *path_of(const struct ws_native_object *object)
{
    const struct ws_native_row *const row = object->row;
    const char *words[WS_NATIVE_FLAGS + 1];
    struct ws_text how = {0}, path = {0};
    char *folder;
    if (ws_cache_folder("kernels", &folder, NULL) != WS_STATUS_ok)
        return NULL;
    ws_text_add(&how, "%s %s %s %u %s", row->pipeline_name, row->path_name, row->dispatch_name, row->words, compiler());
    options(object, words);
    for (u32 n = 0; words[n]; n++)
        ws_text_add(&how, " %s", words[n]);
    if (!how.failed) {
        const char *const texts[] = {ws_native_source, object->fixed, how.data};
        const struct ws_binary_key key = ws_binary_key(texts, sizeof texts / sizeof *texts);
        ws_text_add(&path, "%s/%016llx%016llx.so", folder, (unsigned long long)key.high, (unsigned long long)key.low);
    }
    ws_text_free(&how);
    free(folder);
    return path.data;
}

enum ws_status ws_native_object_init(struct ws_native_object *object, const struct ws_native_row *row, char *fixed, bool quick,
                                     struct ws_error *error)
{
    *object = (struct ws_native_object){.row = row, .fixed = fixed, .quick = quick};
    object->path = fixed ? path_of(object) : NULL;
    return object->path ? WS_STATUS_ok
                        : ws_fail(error, WS_STATUS_compiler,
                                  "no folder for compiled kernels; set XDG_CACHE_HOME to a folder that can be written");
}

void ws_native_object_free(struct ws_native_object *object)
{
    if (object->handle)
        dlclose(object->handle);
    free(object->fixed);
    free(object->path);
}

/* Puts the first line of a file into an error. */
static enum ws_status complain(const char *log, struct ws_error *error)
{
    char *text = NULL;
    size_t length;
    if (ws_file_read(log, 1 << 20, &text, &length, NULL) != WS_STATUS_ok || length == 0)
        ws_fail(error, WS_STATUS_compiler, "%s failed without a message; let WARPSWEEP_CC name a C compiler that works",
                compiler());
    else
        ws_fail(error, WS_STATUS_compiler, "%.*s", (int)strcspn(text, "\n"), text);
    free(text);
    return WS_STATUS_compiler;
}

/* Compiles the source into the object. */
static enum ws_status compile(const struct ws_native_object *object, const char *source, const char *part, const char *log,
                              struct ws_error *error)
{
    char row[4][ROOM];
    const char *words[WORDS] = {"sh", "-c",       script,  "sh",       object->path,
                                part, source,     log,     compiler(), "-std=c11",
                                "-w", "-DNDEBUG", "-fPIC", "-shared",  "-DWS_NATIVE_NAME=" FUNCTION};
    size_t count = 0;
    int code;
    snprintf(row[0], ROOM, "-DWS_PIPELINE_%s=1", object->row->pipeline_name);
    snprintf(row[1], ROOM, "-DWS_PATH_%s=1", object->row->path_name);
    snprintf(row[2], ROOM, "-DWS_DISPATCH_%s=1", object->row->dispatch_name);
    snprintf(row[3], ROOM, "-DWS_SLOT_WORDS=%u", object->row->words);
    while (words[count])
        count++;
    for (u32 n = 0; n < 4; n++)
        words[count++] = row[n];
    options(object, words + count);
    WS_TRY(ws_process_run(words, &code, error));
    return code == 0 ? WS_STATUS_ok : complain(log, error);
}

/* Writes the source and compiles it; leaves no incomplete file. */
static enum ws_status write_and_compile(const struct ws_native_object *object, struct ws_error *error)
{
    struct ws_text names[3] = {{0}}, source = {0};
    static const char *const ends[] = {"c", "part", "log"};
    for (u32 n = 0; n < 3; n++)
        ws_text_add(&names[n], "%s.%ld.%s", object->path, (long)getpid(), ends[n]);
    ws_text_add(&source, "%s", object->fixed);
    ws_text_bytes(&source, ws_native_source, sizeof ws_native_source - 1);
    enum ws_status status = WS_STATUS_ok;
    if (names[0].failed || names[1].failed || names[2].failed || source.failed)
        status = ws_fail(error, WS_STATUS_no_memory, "out of memory compiling kernels");
    if (status == WS_STATUS_ok)
        status = ws_file_write(names[0].data, source.data, source.length, error);
    if (status == WS_STATUS_ok)
        status = compile(object, names[0].data, names[1].data, names[2].data, error);
    if (names[2].data)
        unlink(names[2].data);
    for (u32 n = 0; n < 3; n++)
        ws_text_free(&names[n]);
    ws_text_free(&source);
    return status;
}

bool ws_native_object_look_up(struct ws_native_object *object)
{
    void *const handle = dlopen(object->path, RTLD_NOW | RTLD_LOCAL);
    void *const function = handle ? dlsym(handle, FUNCTION) : NULL;
    if (function) {
        object->handle = handle;
        memcpy(&object->quantum, &function, sizeof function); /* ISO C converts no object pointer to a function's */
    } else if (handle) {
        dlclose(handle);
    }
    return function != NULL;
}

enum ws_status ws_native_object_load(struct ws_native_object *object, struct ws_error *error)
{
    struct ws_text name = {0};
    enum ws_status status = WS_STATUS_ok;
    if (ws_native_object_look_up(object))
        return status;
    ws_text_add(&name, "%s.lock", object->path);
    const int file = name.failed ? -1 : open(name.data, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0)
        (void)!flock(file, LOCK_EX); /* without the lock two processes may both compile, which is harmless */
    if (!ws_native_object_look_up(object)) {
        status = write_and_compile(object, error);
        if (status == WS_STATUS_ok && !ws_native_object_look_up(object))
            status = ws_fail(error, WS_STATUS_compiler,
                             "%s cannot be loaded; remove it, and check that WARPSWEEP_CC compiles for this machine", object->path);
    }
    if (file >= 0) {
        unlink(name.data);
        close(file);
    }
    ws_text_free(&name);
    return status;
}
