/* Helpers of every part: growing text, nearest words, JSON, files that appear whole. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/documents/json.h"
#include "base/error.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/output.h"
#include "base/process.h"
#include "base/utf8.h"
#include "test.h"
#include "unit/kit/config_files.h"

TEST(text_grows)
{
    struct ws_text text = {0};
    for (int n = 0; n < 5000; n++)
        ws_text_add(&text, "%d,", n % 10);
    ws_text_bytes(&text, "a\0b", 3);
    assert_false(text.failed);
    assert_int_equal(text.length, 10003);
    assert_memory_equal(text.data + 9996, "8,9,a\0b", 8);
    ws_text_free(&text);
    assert_null(text.data);
}

static const struct {
    const char *word, *nearest;
} words[] = {
    {"core.warp_size", "core.warp_size"},
    {"core.wrap_size", "core.warp_size"},
    {"core.warps", "core.warps"},
    {"lmw", "lwm"},
    {"lwn", "lwm"},
    {"pdmo", "pdom"},
    {"x", NULL},
    {"", NULL},
    {"gto", NULL},
};

TEST(the_nearest_word_is_found)
{
    static const char *const known[] = {"core.warp_size", "core.warps", "pdom", "lwm"};
    char longest[200];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    for (size_t n = 0; n < sizeof words / sizeof *words; n++) {
        struct ws_nearest nearest = {.word = words[n].word};
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            ws_nearest_offer(&nearest, known[k]);
        if (words[n].nearest)
            assert_string_equal(nearest.best, words[n].nearest);
        else
            assert_null(nearest.best);
    }
    struct ws_nearest nearest = {.word = longest};
    ws_nearest_offer(&nearest, longest);
    assert_null(nearest.best);
}

static void assert_names(const char *word, const char *const *known, const char *expected)
{
    struct ws_names names = {.nearest = {.word = word}};
    for (size_t n = 0; known[n]; n++)
        ws_names_offer(&names, known[n]);
    assert_string_equal(ws_names_text(&names), expected);
    assert_string_equal(ws_names_text(&names), expected);
    ws_names_free(&names);
}

TEST(known_words_are_listed)
{
    static const char *const none[] = {NULL}, *const units[] = {"pdom", "lwm", NULL};
    assert_names("lmw", units, "pdom, lwm (did you mean 'lwm'?)");
    assert_names("other", units, "pdom, lwm");
    assert_names("other", none, "none");
}

TEST(json_is_written)
{
    static const uint64_t numbers[] = {0, UINT64_MAX};
    struct ws_text text = {0};
    struct ws_json json = {.text = &text};
    ws_json_object(&json, NULL);
    ws_json_text(&json, "t", "a\"b\\c\n\x01\x7F\xC3\xA9\xFF.");
    ws_json_unsigned(&json, "u", UINT64_MAX);
    ws_json_real(&json, "r", 0.1);
    ws_json_real(&json, "third", 1.0 / 3.0);
    ws_json_real(&json, "nan", (double)NAN);
    ws_json_bool(&json, "b", true);
    ws_json_null(&json, "n");
    ws_json_numbers(&json, "s", numbers, 2);
    ws_json_array(&json, "empty");
    ws_json_end_array(&json);
    ws_json_array(&json, "list");
    ws_json_object(&json, NULL);
    ws_json_end_object(&json);
    ws_json_text(&json, NULL, "x");
    ws_json_end_array(&json);
    ws_json_end_object(&json);
    assert_string_equal(text.data, "{\n"
                                   "  \"t\": \"a\\\"b\\\\c\\n\\u0001\\u007f\xC3\xA9\\ufffd.\",\n"
                                   "  \"u\": 18446744073709551615,\n"
                                   "  \"r\": 0.1,\n"
                                   "  \"third\": 0.33333333333333331,\n"
                                   "  \"nan\": null,\n"
                                   "  \"b\": true,\n"
                                   "  \"n\": null,\n"
                                   "  \"s\": [0, 18446744073709551615],\n"
                                   "  \"empty\": [],\n"
                                   "  \"list\": [\n"
                                   "    {},\n"
                                   "    \"x\"\n"
                                   "  ]\n"
                                   "}\n");
    ws_text_free(&text);
}

static void assert_holds(const char *path, const char *expected)
{
    char *data;
    size_t length;
    assert_int_equal(ws_file_read(path, 100, &data, &length, NULL), WS_STATUS_ok);
    assert_int_equal(length, strlen(expected));
    assert_string_equal(data, expected);
    free(data);
}

TEST(files_are_read_up_to_a_limit)
{
    char *data;
    size_t length;
    files_write("f", "12345");
    EXPECT_OK(ws_file_read("f", 5, &data, &length, &error));
    free(data);
    EXPECT_ERROR(ws_file_read("f", 4, &data, &length, &error), WS_STATUS_bad_input, "f: larger than the 4 bytes that are allowed");
    assert_null(data);
}

TEST(files_appear_whole_or_not_at_all)
{
    struct ws_output output;
    assert_int_equal(ws_file_write("f", "old", 3, NULL), WS_STATUS_ok);
    assert_int_equal(ws_output_open(&output, "f", WS_OUTPUT_private, NULL), WS_STATUS_ok);
    fputs("new", output.stream);
    assert_holds("f", "old");
    assert_int_equal(ws_output_close(&output, false, NULL), WS_STATUS_ok);
    assert_holds("f", "old");
    assert_int_equal(ws_file_write("f", "new", 3, NULL), WS_STATUS_ok);
    assert_holds("f", "new");
    EXPECT_ERROR(ws_file_write("none/f", "new", 3, &error), WS_STATUS_no_file,
                 "none/f: cannot be written: No such file or directory");
    assert_int_equal(mkdir("folder", 0777), 0);
    EXPECT_ERROR(ws_file_write("folder", "new", 3, &error), WS_STATUS_no_file, "folder: cannot be written: Is a directory");
    assert_int_equal(rmdir("folder"), 0);
}

TEST(links_stay_and_devices_are_written_as_they_are)
{
    struct stat there;
    EXPECT_OK(ws_file_write("f", "old", 3, &error));
    assert_int_equal(symlink("f", "link"), 0);
    EXPECT_OK(ws_file_write("link", "new", 3, &error));
    assert_holds("f", "new");
    assert_int_equal(lstat("link", &there), 0);
    assert_true(S_ISLNK(there.st_mode));
    assert_int_equal(unlink("link"), 0);
    EXPECT_OK(ws_file_write("/dev/null", "new", 3, &error));
    assert_int_equal(stat("/dev/null", &there), 0);
    assert_true(S_ISCHR(there.st_mode));
    EXPECT_ERROR(ws_file_write("/dev/full", "new", 3, &error), WS_STATUS_no_file,
                 "/dev/full: cannot be written: No space left on device");
}

TEST(probing_leaves_nothing)
{
    struct ws_error error;
    assert_int_equal(ws_output_probe("probed", WS_OUTPUT_private, &error), WS_STATUS_ok);
    assert_int_equal(access("probed", F_OK), -1);
    assert_int_equal(ws_output_probe("none/probed", WS_OUTPUT_private, &error), WS_STATUS_no_file);
    assert_int_equal(ws_output_probe(".", WS_OUTPUT_private, &error), WS_STATUS_no_file);
    assert_string_equal(error.message, ".: cannot be written: Is a directory");
    assert_int_equal(ws_output_probe("", WS_OUTPUT_private, &error), WS_STATUS_no_file);
    assert_string_equal(error.message, ": cannot be written: No such file or directory");
}

/* A probe for a folder does not hide why it cannot be created. */
TEST(folders_are_made_or_say_why_not)
{
    EXPECT_OK(ws_folder_make("one/two/", &error));
    EXPECT_OK(ws_folder_make("one/two", &error));
    assert_int_equal(rmdir("one/two"), 0);
    assert_int_equal(rmdir("one"), 0);
    assert_int_equal(symlink("nowhere", "link"), 0);
    EXPECT_ERROR(ws_folder_make("link", &error), WS_STATUS_no_file,
                 "link: is a link to nothing, allowed is a folder. Name another folder, or remove it");
    assert_int_equal(unlink("link"), 0);
}

/* By leading numbers of any length, then by name. Hidden and other files are ignored. */
TEST(files_of_a_folder_are_in_their_order)
{
    static const char *const made[] = {"100000-a.wst", "99999-z.wst", "00002-b.wst", "00010-a.wst",
                                       "00002-a.wst",  "x.txt",       ".1.wst",      ".wst"},
                             *const expected[] = {"00002-a.wst", "00002-b.wst", "00010-a.wst", "99999-z.wst", "100000-a.wst"};
    struct ws_paths paths;
    char path[64];
    EXPECT_OK(ws_folder_make("many", &error));
    EXPECT_ERROR(ws_folder_list("many/", ".wst", &paths, &error), WS_STATUS_no_file, "many/: has no file *.wst");
    for (size_t n = 0; n < sizeof made / sizeof *made; n++) {
        snprintf(path, sizeof path, "many/%s", made[n]);
        EXPECT_OK(ws_file_write(path, "", 0, &error));
    }
    for (unsigned slash = 0; slash < 2; slash++) {
        EXPECT_OK(ws_folder_list(slash ? "many/" : "many", ".wst", &paths, &error));
        assert_int_equal(paths.count, sizeof expected / sizeof *expected);
        for (size_t n = 0; n < paths.count; n++) {
            snprintf(path, sizeof path, "many/%s", expected[n]);
            assert_string_equal(paths.path[n], path);
        }
        ws_paths_free(&paths);
    }
    for (size_t n = 0; n < sizeof made / sizeof *made; n++) {
        snprintf(path, sizeof path, "many/%s", made[n]);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir("many"), 0);
    EXPECT_ERROR(ws_folder_list("many", ".wst", &paths, &error), WS_STATUS_no_file,
                 "many: cannot be read: No such file or directory");
}

TEST(programs_are_run)
{
    const char *const exits[] = {"sh", "-c", "exit 3", NULL}, *const none[] = {"no-such-program-anywhere", NULL},
                      *const stopped[] = {"sh", "-c", "kill -INT $$", NULL}, *const killed[] = {"sh", "-c", "kill -KILL $$", NULL};
    struct ws_error error;
    int code;
    assert_int_equal(ws_process_run(exits, &code, &error), WS_STATUS_ok);
    assert_int_equal(code, 3);
    assert_int_equal(ws_process_run(none, &code, &error), WS_STATUS_no_file);
    assert_string_equal(error.message, "no-such-program-anywhere: cannot be started: No such file or directory");
    assert_int_equal(ws_process_run(stopped, &code, &error), WS_STATUS_interrupted);
    assert_int_equal(ws_process_run(killed, &code, &error), WS_STATUS_failed);
    assert_string_equal(error.message, "sh: ended by signal 9");
}

/* ---- Messages ---- */

/* text had `length` bytes of this character and is now shorter: whole characters, then the number of omitted bytes. */
static void assert_shortened(const char *text, const char *character, size_t length, size_t room)
{
    char note[64];
    const size_t kept = strspn(text, character);
    assert_int_equal(kept % strlen(character), 0);
    snprintf(note, sizeof note, "... (%zu bytes more)", length - kept);
    assert_string_equal(text + kept, note);
    assert_true(strlen(text) < room && strlen(text) + 40 > room);
}

TEST(texts_are_shortened_between_characters)
{
    static const char *const characters[] = {"x", "\u00e9", "\u20ac", "\U0001d11e"};
    enum { LENGTH = 1200, ROOM = 100 };
    for (size_t n = 0; n < sizeof characters / sizeof *characters; n++) {
        char text[LENGTH + 1], whole[LENGTH + 1];
        const size_t bytes = strlen(characters[n]);
        for (size_t at = 0; at < LENGTH; at += bytes)
            memcpy(text + at, characters[n], bytes + 1);
        memcpy(whole, text, sizeof whole);
        ws_utf8_shorten(text, LENGTH, LENGTH + 1);
        assert_string_equal(text, whole);
        for (size_t shift = 0; shift < 4; shift++) {
            memcpy(text, whole, sizeof whole);
            ws_utf8_shorten(text, LENGTH, ROOM + shift);
            assert_shortened(text, characters[n], LENGTH, ROOM + shift);
        }
    }
}

TEST(messages_say_what_is_left_out)
{
    char longest[3000];
    struct ws_error error;
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    ws_fail(&error, WS_STATUS_failed, "%s", longest);
    assert_shortened(error.message, "x", sizeof longest - 1, WS_MESSAGE_ROOM);
    longest[WS_MESSAGE_ROOM - 3] = '\0';
    ws_fail(&error, WS_STATUS_failed, "%s", longest);
    assert_string_equal(error.message, longest);
    assert_int_equal(ws_fail_in(&error, "xx"), WS_STATUS_failed);
    assert_int_equal(strspn(error.message, "x"), WS_MESSAGE_ROOM - 1);
    ws_fail_in(&error, "x");
    assert_shortened(error.message, "x", WS_MESSAGE_ROOM, WS_MESSAGE_ROOM);
}

TESTS(files_enter, files_leave)
