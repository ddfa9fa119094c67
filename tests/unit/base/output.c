/* Which files outputs may replace (their own kind, never inputs), and cleanup by signals. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/inputs.h"
#include "base/output.h"
#include "test.h"

static const struct {
    const char *name, *mark;
    size_t bytes;
} kinds[] = {
#define OUTPUT(name, words, mark) {#name, mark, sizeof(mark) - 1},
#include "base/outputs.def"
#undef OUTPUT
};

enum { KINDS = sizeof kinds / sizeof *kinds, FOREIGN_BYTES = 40 };

static void assert_writes(const char *path, size_t kind, bool allowed)
{
    struct ws_error error = {.message = ""};
    char *before, *after;
    size_t length, length_after;
    assert_int_equal(ws_file_read(path, 1 << 20, &before, &length, NULL), WS_STATUS_ok);
    const enum ws_status status = ws_output_write(path, (enum ws_output_kind)kind, "new", 3, &error);
    if (status != (allowed ? WS_STATUS_ok : WS_STATUS_bad_input))
        fail_msg("%s into a file that begins with '%.20s': %s", kinds[kind].name, before, error.message);
    if (!allowed) {
        assert_non_null(strstr(error.message, path));
        assert_int_equal(ws_file_read(path, 1 << 20, &after, &length_after, NULL), WS_STATUS_ok);
        assert_int_equal(length_after, length);
        assert_memory_equal(before, after, length);
        free(after);
    }
    free(before);
}

TEST(a_kind_replaces_itself_alone)
{
    for (size_t there = 0; there < KINDS; there++)
        for (size_t kind = 0; kind < KINDS; kind++) {
            const bool marked = kinds[there].bytes > 0;
            const size_t length = marked ? kinds[there].bytes : 3;
            assert_int_equal(ws_file_write("f", marked ? kinds[there].mark : "\1\2\3", length, NULL), WS_STATUS_ok);
            assert_writes("f", kind, kind == WS_OUTPUT_private || (marked ? there == kind : kind == WS_OUTPUT_bytes));
        }
}

TEST(what_is_foreign_stays)
{
    assert_int_equal(ws_file_write("f", "abc", 3, NULL), WS_STATUS_ok);
    assert_writes("f", WS_OUTPUT_bytes, false); /* text, though of the size of the buffer */
    static const char foreign[FOREIGN_BYTES + 1] = "__kernel void k(void) {}  // 40 bytes   ";
    for (size_t kind = 1; kind < KINDS; kind++) {
        assert_int_equal(ws_file_write("f", foreign, FOREIGN_BYTES, NULL), WS_STATUS_ok);
        assert_writes("f", kind, false);
        assert_int_equal(ws_file_write("f", "", 0, NULL), WS_STATUS_ok);
        assert_writes("f", kind, true);
    }
}

/* Before any file is noted: noting begins halfway. */
TEST(no_input_is_replaced_under_any_name)
{
    static const char *const names[] = {"in", "./in", "folder/../in", "symbolic", "hard"};
    assert_int_equal(ws_file_write("in", "\x93NUMPY", 6, NULL), WS_STATUS_ok);
    ws_inputs_note("in");
    assert_writes("in", WS_OUTPUT_array, true); /* nobody watches */
    ws_inputs_watch();
    assert_int_equal(ws_file_write("in", "\x93NUMPY", 6, NULL), WS_STATUS_ok);
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_int_equal(symlink("in", "symbolic"), 0);
    assert_int_equal(link("in", "hard"), 0);
    ws_inputs_note("symbolic");
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        assert_writes(names[n], WS_OUTPUT_array, false);
    assert_int_equal(ws_file_write("empty", "", 0, NULL), WS_STATUS_ok);
    ws_inputs_note("empty");
    assert_writes("empty", WS_OUTPUT_trace, false);
}

TEST(an_output_is_written_once)
{
    assert_int_equal(ws_output_write("once", WS_OUTPUT_array, "\x93NUMPY", 6, NULL), WS_STATUS_ok);
    assert_int_equal(ws_output_write("once", WS_OUTPUT_array, "\x93NUMPY", 6, NULL), WS_STATUS_bad_input);
}

/* Neither has been moved to its path when the second one opens. */
TEST(two_open_outputs_are_two_files)
{
    struct ws_output first, second;
    assert_int_equal(ws_output_open(&first, "two", WS_OUTPUT_timeline, NULL), WS_STATUS_ok);
    assert_int_equal(ws_output_open(&second, "./two", WS_OUTPUT_intervals, NULL), WS_STATUS_bad_input);
    assert_int_equal(ws_output_open(&second, "two", WS_OUTPUT_private, NULL), WS_STATUS_ok); /* of a cache: any of them */
    assert_int_equal(ws_output_close(&second, false, NULL), WS_STATUS_ok);
    assert_int_equal(ws_output_close(&first, false, NULL), WS_STATUS_ok);
    assert_int_equal(ws_output_open(&second, "./two", WS_OUTPUT_intervals, NULL), WS_STATUS_ok);
    assert_int_equal(ws_output_close(&second, false, NULL), WS_STATUS_ok);
}

/* Whether an output may be written at path while standard output goes to a descriptor. */
static enum ws_status check_beside(int printed, const char *path)
{
    const int before = dup(STDOUT_FILENO);
    fflush(stdout);
    assert_true(before >= 0 && printed >= 0 && dup2(printed, STDOUT_FILENO) >= 0);
    const enum ws_status status = ws_output_check(path, WS_OUTPUT_intervals, 0, NULL);
    dup2(before, STDOUT_FILENO);
    close(before);
    return status;
}

TEST(what_is_printed_stays)
{
    int ends[2];
    const int printed = open("printed", O_WRONLY | O_CREAT, 0666);
    assert_int_equal(check_beside(printed, "printed"), WS_STATUS_bad_input);
    assert_int_equal(ws_output_check("printed", WS_OUTPUT_intervals, 0, NULL), WS_STATUS_ok);
    close(printed);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(check_beside(ends[1], "/dev/stdout"), WS_STATUS_bad_input);
    close(ends[0]);
    close(ends[1]);
}

TEST(a_signal_leaves_nothing)
{
    enum { MANY = 70 };
    static struct ws_output outputs[MANY];
    char name[20];
    for (int n = 0; n < MANY; n++) {
        snprintf(name, sizeof name, "open-%d", n);
        assert_int_equal(ws_output_open(&outputs[n], name, WS_OUTPUT_trace, NULL), WS_STATUS_ok);
        assert_int_equal(access(outputs[n].temporary, F_OK), 0);
    }
    ws_output_close(&outputs[0], false, NULL);
    ws_output_abandon_all();
    for (int n = 1; n < MANY; n++)
        assert_int_equal(access(outputs[n].temporary, F_OK), outputs[n].noted ? -1 : 0);
    assert_true(outputs[1].noted && outputs[60].noted);
    for (int n = 1; n < MANY; n++) {
        char *const taken = outputs[n].noted ? outputs[n].temporary : NULL; /* left to the signal handler */
        ws_output_close(&outputs[n], false, NULL);
        free(taken);
    }
}

static int in_a_folder(void **state)
{
    char *const folder = strdup("/tmp/warpsweep-outputs-XXXXXX");
    *state = folder;
    return folder && mkdtemp(folder) ? chdir(folder) : -1;
}

static int remove_folder(void **state)
{
    char command[100];
    snprintf(command, sizeof command, "rm -r '%s'", (char *)*state);
    free(*state);
    return system(command);
}

TESTS(in_a_folder, remove_folder)
