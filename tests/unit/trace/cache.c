/* Traces by name: building, caching and finding them. The front end and its workloads are invented. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/folder.h"
#include "test.h"
#include "warpsweep/frontend.h"

/* ---- A made-up front end ---- */

static unsigned built, released;
static bool wrong_result, unreadable;
static char ptx[32];

static enum ws_status prepare(enum ws_size size, u64 seed, struct ws_ndrange *launch, struct ws_error *error)
{
    static u64 data[2];
    static struct ws_argument argument = {.kind = WS_ARGUMENT_BUFFER, .bytes = sizeof data, .data = data};
    (void)error;
    data[0] = size;
    data[1] = seed;
    *launch =
        (struct ws_ndrange){.kernel = "k", .global = {64, 1, 1}, .local = {64, 1, 1}, .argument_count = 1, .arguments = &argument};
    return WS_STATUS_ok;
}

static void release(struct ws_ndrange *launch)
{
    (void)launch;
    released++;
}

const struct ws_workload *ws_workloads(void)
{
    static struct ws_workload workloads[] = {{.name = "first"}, {.name = "second"}, {0}};
    for (size_t n = 0; n < 2; n++)
        workloads[n] = (struct ws_workload){
            .name = workloads[n].name, .ptx = ptx, .ptx_length = strlen(ptx), .prepare = prepare, .release = release};
    return workloads;
}

const struct ws_workload *ws_workload_find(const char *name)
{
    const struct ws_workload *row = ws_workloads();
    while (row->name && strcmp(row->name, name) != 0)
        row++;
    return row->name ? row : NULL;
}

const char *ws_size_name(enum ws_size size)
{
    static const char *const names[] = {"tiny", "small", "paper"};
    return names[size];
}

void ws_frontend_defaults(struct ws_frontend_options *options)
{
    *options = (struct ws_frontend_options){.if_convert = 4};
}

enum ws_status ws_workload_trace(const struct ws_workload *workload, enum ws_size size, u64 seed,
                                 const struct ws_frontend_options *options, const char *path, u64 *thread_instructions,
                                 struct ws_error *error)
{
    (void)workload;
    (void)size;
    (void)seed;
    (void)options;
    (void)thread_instructions;
    if (wrong_result)
        return ws_fail(error, WS_STATUS_mismatch, "first: element 7 differs");
    built++;
    return ws_file_write(path, "trace", 5, error);
}

/* A trace is intact if it equals the output of ws_workload_trace. */
enum ws_status ws_trace_check(const char *path, struct ws_error *error)
{
    char *data;
    size_t length;
    if (unreadable)
        return ws_fail(error, WS_STATUS_no_file, "cannot be read at byte 0: made-up fault");
    assert_int_equal(ws_file_read(path, 100, &data, &length, error), WS_STATUS_ok);
    const bool sound = strcmp(data, "trace") == 0;
    free(data);
    return sound ? WS_STATUS_ok : ws_fail(error, WS_STATUS_bad_input, "it is made-up damage");
}

/* ---- Folders ---- */

static char folder[64], cache[400];

static void remove_all(const char *path)
{
    DIR *const stream = opendir(path);
    for (const struct dirent *entry; stream && (entry = readdir(stream));) {
        char inner[800];
        snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && unlink(inner) != 0)
            remove_all(inner);
    }
    if (stream)
        closedir(stream);
    rmdir(path);
}

static size_t files(const char *path)
{
    size_t count = 0;
    DIR *const stream = opendir(path);
    for (const struct dirent *entry; stream && (entry = readdir(stream));)
        count += entry->d_name[0] != '.';
    if (stream)
        closedir(stream);
    return count;
}

static int set_up(void **state)
{
    char here[300];
    (void)state;
    built = released = 0;
    wrong_result = unreadable = false;
    snprintf(ptx, sizeof ptx, "// a program");
    snprintf(folder, sizeof folder, "trace-cache-XXXXXX");
    if (!mkdtemp(folder) || !getcwd(here, sizeof here))
        return -1;
    snprintf(cache, sizeof cache, "%s/%s/deep/cache", here, folder);
    return setenv("XDG_CACHE_HOME", cache, 1);
}

static int tear_down(void **state)
{
    (void)state;
    remove_all(folder);
    return 0;
}

static char *locate_with(const char *text, enum ws_size standard, u64 seed, const struct ws_frontend_options *options)
{
    char *path;
    EXPECT_OK(ws_trace_locate(text, standard, seed, options, &path, &error));
    assert_int_equal(access(path, R_OK), 0);
    return path;
}

static char *locate(const char *text, enum ws_size standard, u64 seed)
{
    return locate_with(text, standard, seed, NULL);
}

static void assert_refused(const char *text, enum ws_status status, const char *message)
{
    char *path;
    struct ws_error error;
    assert_int_equal(ws_trace_locate(text, WS_SIZE_TINY, 0, NULL, &path, &error), status);
    assert_null(path);
    assert_string_equal(error.message, message);
}

/* ---- Tests ---- */

TEST_WITH(a_trace_is_built_once, set_up, tear_down)
{
    char *const first = locate("first", WS_SIZE_SMALL, 0), *const again = locate("first:small", WS_SIZE_TINY, 0);
    assert_string_equal(first, again);
    assert_int_equal(strncmp(first, cache, strlen(cache)), 0);
    assert_non_null(strstr(first, "/warpsweep/traces/first-small-"));
    assert_int_equal(built, 1);
    assert_int_equal(released, 2);
    free(first);
    free(again);
}

TEST_WITH(what_changes_a_trace_makes_another, set_up, tear_down)
{
    enum { TRACES = 8 };
    const struct ws_frontend_options unconverted = {0}, moves = {.if_convert = 4, .guarded_moves = true},
                                     lockstep = {.if_convert = 4, .lockstep = 32};
    char *paths[TRACES];
    paths[0] = locate("first", WS_SIZE_TINY, 0);
    paths[1] = locate("first:small", WS_SIZE_TINY, 0);
    paths[2] = locate("first", WS_SIZE_TINY, 1);
    paths[3] = locate("second", WS_SIZE_TINY, 0);
    paths[4] = locate_with("first", WS_SIZE_TINY, 0, &unconverted);
    paths[5] = locate_with("first", WS_SIZE_TINY, 0, &moves);
    snprintf(ptx, sizeof ptx, "// another program");
    paths[6] = locate("first", WS_SIZE_TINY, 0);
    paths[7] = locate_with("first", WS_SIZE_TINY, 0, &lockstep);
    assert_int_equal(built, TRACES);
    for (size_t n = 0; n < TRACES; n++) {
        for (size_t other = 0; other < n; other++)
            assert_string_not_equal(paths[n], paths[other]);
    }
    for (size_t n = 0; n < TRACES; n++)
        free(paths[n]);
}

TEST_WITH(the_limit_of_instructions_changes_no_trace, set_up, tear_down)
{
    const struct ws_frontend_options limited = {.if_convert = 4, .most_instructions = 1000};
    char *const first = locate("first", WS_SIZE_TINY, 0), *const again = locate_with("first", WS_SIZE_TINY, 0, &limited);
    assert_string_equal(first, again);
    assert_int_equal(built, 1);
    free(first);
    free(again);
}

TEST_WITH(a_wrong_result_is_not_kept, set_up, tear_down)
{
    char traces[500];
    snprintf(traces, sizeof traces, "%s/warpsweep/traces", cache);
    wrong_result = true;
    assert_refused("first", WS_STATUS_mismatch, "first: element 7 differs");
    assert_int_equal(files(traces), 0);
    assert_int_equal(released, 1);
    wrong_result = false;
    free(locate("first", WS_SIZE_TINY, 0));
    assert_int_equal(files(traces), 1);
}

struct notes {
    unsigned count;
    char last[100];
};

static void take_note(void *context, const char *text)
{
    struct notes *const notes = context;
    notes->count++;
    snprintf(notes->last, sizeof notes->last, "%s", text);
}

TEST_WITH(a_damaged_trace_is_built_again, set_up, tear_down)
{
    struct notes notes = {0};
    const struct ws_frontend_options options = {.note = take_note, .context = &notes};
    char *const first = locate_with("first", WS_SIZE_TINY, 0, &options), *found;
    assert_int_equal(ws_file_write(first, "trice", 5, NULL), WS_STATUS_ok);
    assert_int_equal(ws_trace_find("first", WS_SIZE_TINY, 0, &options, &found, NULL), WS_STATUS_ok);
    assert_null(found);
    assert_int_equal(built, 1);
    assert_int_equal(notes.count, 0);
    char *const again = locate_with("first", WS_SIZE_TINY, 0, &options);
    assert_string_equal(first, again);
    assert_int_equal(built, 2);
    assert_int_equal(notes.count, 1);
    assert_string_equal(notes.last, "the trace is built again: it is made-up damage");
    assert_int_equal(ws_trace_check(again, NULL), WS_STATUS_ok);
    assert_int_equal(ws_file_write(first, "trice", 5, NULL), WS_STATUS_ok);
    free(locate_with("first", WS_SIZE_TINY, 0, &(struct ws_frontend_options){0})); /* nobody listens */
    assert_int_equal(built, 3);
    free(first);
    free(again);
}

TEST_WITH(a_fault_in_reading_builds_nothing, set_up, tear_down)
{
    free(locate("first", WS_SIZE_TINY, 0));
    unreadable = true;
    assert_refused("first", WS_STATUS_no_file, "cannot be read at byte 0: made-up fault");
    assert_int_equal(built, 1);
}

TEST_WITH(files_are_taken_as_they_are, set_up, tear_down)
{
    char file[128];
    snprintf(file, sizeof file, "%s/some.wst", folder);
    EXPECT_OK(ws_file_write(file, "damage", 6, &error));
    char *const path = locate(file, WS_SIZE_TINY, 0);
    assert_string_equal(path, file);
    assert_int_equal(built, 0);
    free(path);
}

/* Written when it is missing, and again when it is damaged. */
TEST_WITH(a_recorded_trace_is_a_file_of_the_cache, set_up, tear_down)
{
    static const char mark[] = "\x89WST\r\n";
    struct ws_error error;
    char traces[500];
    snprintf(traces, sizeof traces, "%s/warpsweep/traces", cache);
    for (u32 n = 0; n < 2; n++) {
        char *const path = locate("hardware.max_iops", WS_SIZE_TINY, 0), *data;
        size_t length;
        assert_int_equal(ws_file_read(path, 1 << 20, &data, &length, &error), WS_STATUS_ok);
        assert_in_range(length, 1000, 1 << 20);
        assert_memory_equal(data, mark, sizeof mark - 1);
        assert_int_equal(files(traces), 1);
        assert_int_equal(ws_file_write(path, "damage", 6, &error), WS_STATUS_ok);
        free(data);
        free(path);
    }
    assert_int_equal(built, 0);
}

TEST_WITH(what_is_not_there_is_named, set_up, tear_down)
{
    assert_refused("third", WS_STATUS_no_file,
                   "found 'third', which is no trace file and no bundled workload; workloads are first, second");
    assert_refused("first:huge", WS_STATUS_bad_input, "first:huge: found size 'huge', allowed are tiny, small, paper");
    assert_refused("first:", WS_STATUS_bad_input, "first:: found size '', allowed are tiny, small, paper");
    assert_refused("", WS_STATUS_no_file, "found '', which is no trace file and no bundled workload; workloads are first, second");
}

TEST_WITH(the_cache_needs_a_folder, set_up, tear_down)
{
    char blocked[160], expected[500];
    struct ws_error error;
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    setenv("TMPDIR", "/proc", 1);
    snprintf(expected, sizeof expected, "/proc/warpsweep-%lu: the folder cannot be made: No such file or directory",
             (unsigned long)geteuid());
    assert_refused("first", WS_STATUS_no_file, expected);
    setenv("XDG_CACHE_HOME", "relative", 1);
    assert_refused("first", WS_STATUS_no_file, expected);
    unsetenv("TMPDIR");
    setenv("HOME", cache, 1);
    char *const path = locate("first", WS_SIZE_TINY, 0);
    assert_non_null(strstr(path, "/deep/cache/.cache/warpsweep/traces/first-tiny-"));
    free(path);
    snprintf(blocked, sizeof blocked, "%s/file", folder);
    assert_int_equal(ws_file_write(blocked, "", 0, &error), WS_STATUS_ok);
    assert_int_equal(ws_folder_make("", &error), WS_STATUS_no_file);
    strcat(blocked, "/inner");
    assert_int_equal(ws_folder_make(blocked, &error), WS_STATUS_no_file);
    snprintf(expected, sizeof expected, "%s/file: is a file, allowed is a folder. Name another folder, or remove it", folder);
    assert_string_equal(error.message, expected);
}
