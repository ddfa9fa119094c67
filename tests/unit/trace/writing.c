/* Misused writers and full disks: exact messages, and no file left. */
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/recorder.h"
#include "test.h"
#include "unit/trace/sample.h"

static const char folder[] = "trace_writing";
static const char file[] = "trace_writing/x.wst";

static u32 files_left(void)
{
    u32 count = 0;
    DIR *const entries = opendir(folder);
    assert_non_null(entries);
    for (const struct dirent *entry; (entry = readdir(entries));)
        count += entry->d_name[0] == '.' ? 0 : 1;
    closedir(entries);
    return count;
}

static int set_up(void **unused)
{
    (void)unused;
    unlink(file);
    rmdir(folder);
    return mkdir(folder, 0777);
}

static int tear_down(void **unused)
{
    (void)unused;
    unlink(file);
    return rmdir(folder);
}

static struct ws_trace_writer *open_sample(void)
{
    struct ws_trace_writer *writer;
    EXPECT_OK(ws_trace_writer_open(file, &sample_launch, &writer, &error));
    assert_int_equal(files_left(), 1);
    assert_int_equal(access(file, F_OK), -1);
    return writer;
}

/* Closing must fail with the message and leave no file. */
static void check_close(struct ws_trace_writer *writer, enum ws_status status, const char *message)
{
    struct ws_error error = {.message = ""};
    assert_int_equal(ws_trace_writer_close(writer, &error), status);
    assert_string_equal(error.message, message);
    assert_int_equal(files_left(), 0);
}

static void check_end(struct ws_trace_writer *writer, const u64 *executed, const char *message)
{
    EXPECT_ERROR(ws_recorders_end(writer, executed, &error), WS_STATUS_bad_trace, message);
    check_close(writer, WS_STATUS_bad_trace, message);
}

TEST_WITH(a_dropped_trace_leaves_nothing, set_up, tear_down)
{
    struct ws_trace_writer *const writer = open_sample();
    assert_non_null(ws_recorders_begin(writer, 0));
    ws_trace_writer_drop(writer);
    assert_int_equal(files_left(), 0);
    ws_trace_writer_drop(NULL);
}

TEST_WITH(a_trace_replaces_another_only_when_complete, set_up, tear_down)
{
    struct stat before, after;
    sample_write(file);
    assert_int_equal(stat(file, &before), 0);
    struct ws_trace_writer *writer;
    assert_int_equal(ws_trace_writer_open(file, &sample_launch, &writer, NULL), WS_STATUS_ok);
    ws_trace_writer_drop(writer);
    assert_int_equal(stat(file, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
    sample_write(file);
    assert_int_equal(stat(file, &after), 0);
    assert_int_not_equal(before.st_ino, after.st_ino);
    assert_int_equal(files_left(), 1);
}

TEST_WITH(places_that_cannot_be_written, set_up, tear_down)
{
    struct ws_trace_writer *writer;
    struct ws_launch launch = sample_launch;
    EXPECT_ERROR(ws_trace_writer_open("no_such_folder/x.wst", &launch, &writer, &error), WS_STATUS_no_file,
                 "no_such_folder/x.wst: cannot be written: No such file or directory");
    assert_null(writer);
    launch.instructions = 0;
    EXPECT_ERROR(ws_trace_writer_open(file, &launch, &writer, &error), WS_STATUS_bad_input,
                 "trace_writing/x.wst: program of 0 instructions: from 1 to 65534 are allowed");
    launch = sample_launch;
    launch.kernel = NULL;
    assert_int_equal(ws_trace_writer_open(file, &launch, &writer, NULL), WS_STATUS_bad_input);
    assert_int_equal(files_left(), 0);
}

TEST_WITH(blocks_out_of_order, set_up, tear_down)
{
    struct ws_trace_writer *writer = open_sample();
    assert_null(ws_recorders_begin(writer, 1));
    check_close(writer, WS_STATUS_bad_trace, "trace_writing/x.wst: closed after 0 of 2 blocks");
    writer = open_sample();
    assert_non_null(ws_recorders_begin(writer, 0));
    assert_null(ws_recorders_begin(writer, 1));
    check_close(writer, WS_STATUS_bad_trace, "trace_writing/x.wst: closed after 0 of 2 blocks");
}

/* A thread of the sample: guard false, one load, branch not taken, store. */
static void record_thread(struct ws_recorder *recorder, u64 address)
{
    assert_true(ws_record_decision(recorder, 0));
    assert_true(ws_record_access(recorder, address));
    assert_true(ws_record_decision(recorder, 0));
    assert_true(ws_record_access(recorder, 0));
}

TEST_WITH(paths_that_contradict_the_program, set_up, tear_down)
{
    struct ws_trace_writer *writer = open_sample();
    struct ws_recorder *recorders = ws_recorders_begin(writer, 0);
    record_thread(&recorders[0], 0x10000);
    record_thread(&recorders[1], 0x10000);
    assert_true(ws_record_decision(&recorders[1], 1));
    check_end(writer, NULL, "trace_writing/x.wst: block 0, thread 1, after 6 instructions: more is recorded than its path takes");

    writer = open_sample();
    recorders = ws_recorders_begin(writer, 0);
    record_thread(&recorders[1], 0x10000);
    check_end(writer, NULL,
              "trace_writing/x.wst: block 0, thread 0, after 1 instructions: "
              "the block ended before the thread's path came to an exit");

    writer = open_sample();
    recorders = ws_recorders_begin(writer, 0);
    record_thread(&recorders[0], 0x10002);
    check_end(writer, NULL,
              "trace_writing/x.wst: block 0, thread 0, after 6 instructions: "
              "an address before it is not a multiple of the bytes accessed");
}

TEST_WITH(counts_that_contradict_the_paths, set_up, tear_down)
{
    static const u64 executed[SAMPLE_INSTRUCTIONS] = {2, 2, 2, 2, 2, 3};
    struct ws_trace_writer *const writer = open_sample();
    struct ws_recorder *const recorders = ws_recorders_begin(writer, 0);
    record_thread(&recorders[0], 0x10000);
    record_thread(&recorders[1], 0x10000);
    check_end(writer, executed, "trace_writing/x.wst: block 0: 13 thread instructions were executed, the recorded paths have 12");
}

TEST_WITH(a_failure_while_recording_surfaces_at_the_end, set_up, tear_down)
{
    struct ws_trace_writer *const writer = open_sample();
    struct ws_recorder *const recorders = ws_recorders_begin(writer, 0);
    u32 recorded = 0;
    while (recorded < 1000000 && ws_record_decision(&recorders[0], 1))
        recorded++;
    assert_true(recorded < 1000000);
    assert_false(ws_record_decision(&recorders[0], 1));
    check_end(writer, NULL, "trace_writing/x.wst: block 0, thread 0, after 2 instructions: more is recorded than its path takes");
}

/* Loops with addresses that do not compress, up to a full disk (limit on the file size). */
TEST_WITH(a_full_disk, set_up, tear_down)
{
    const struct rlimit before = {.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
    const struct rlimit small = {.rlim_cur = 100000, .rlim_max = RLIM_INFINITY};
    signal(SIGXFSZ, SIG_IGN);
    struct ws_trace_writer *const writer = open_sample();
    struct ws_recorder *const recorders = ws_recorders_begin(writer, 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    assert_true(ws_record_decision(&recorders[0], 0));
    u64 address = 1;
    u32 turns = 0;
    while (turns < 10000000 && ws_record_access(&recorders[0], (address *= 0x5851F42D4C957F2Dull) & ~3ull) &&
           ws_record_decision(&recorders[0], 1))
        turns++;
    assert_true(turns < 10000000);
    EXPECT_ERROR(ws_recorders_end(writer, NULL, &error), WS_STATUS_no_file,
                 "trace_writing/x.wst: cannot be written: File too large");
    check_close(writer, WS_STATUS_no_file, "trace_writing/x.wst: cannot be written: File too large");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
}
