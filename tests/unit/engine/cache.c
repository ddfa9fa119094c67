/* The cache of program binaries returns what was stored, or nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder.h"
#include "engine/compile/binary_cache.h"
#include "test.h"

static const char binary[] = "the program of a device";

static struct ws_binary_key a_key(void)
{
    const char *const texts[] = {"source", "options"};
    return ws_binary_key(texts, 2);
}

static char *path_of(struct ws_binary_key key)
{
    char *folder, path[4096];
    assert_int_equal(ws_cache_folder("programs", &folder, NULL), WS_STATUS_ok);
    snprintf(path, sizeof path, "%s/%016llx%016llx.bin", folder, (unsigned long long)key.high, (unsigned long long)key.low);
    free(folder);
    return strdup(path);
}

static bool fetched(struct ws_binary_key key)
{
    void *found;
    size_t length;
    enum ws_self_test_result verdict;
    const bool there = ws_binary_fetch(key, &found, &length, &verdict);
    free(found);
    return there;
}

TEST(what_was_kept_comes_back)
{
    void *found;
    size_t length;
    enum ws_self_test_result verdict = WS_SELF_TEST_unknown;
    assert_true(ws_binary_keep(a_key(), binary, sizeof binary, WS_SELF_TEST_passed));
    assert_true(ws_binary_fetch(a_key(), &found, &length, &verdict));
    assert_int_equal(length, sizeof binary);
    assert_memory_equal(found, binary, sizeof binary);
    assert_int_equal(verdict, WS_SELF_TEST_passed);
    free(found);
    assert_true(ws_binary_keep(a_key(), binary, sizeof binary, WS_SELF_TEST_unknown));
    assert_true(ws_binary_fetch(a_key(), &found, &length, &verdict));
    assert_int_equal(verdict, WS_SELF_TEST_unknown);
    free(found);
}

TEST(keys_depend_on_every_text_and_its_place)
{
    const char *const texts[] = {"source", "options"}, *const moved[] = {"sourceo", "ptions"},
                      *const swapped[] = {"options", "source"};
    const struct ws_binary_key key = ws_binary_key(texts, 2);
    assert_true(key.low != ws_binary_key(moved, 2).low && key.high != ws_binary_key(moved, 2).high);
    assert_true(key.low != ws_binary_key(swapped, 2).low && key.low != ws_binary_key(texts, 1).low);
    assert_false(fetched(ws_binary_key(swapped, 2)));
}

/* Flips one bit of every byte in turn, then cuts the file at every length. */
TEST(damage_is_noticed)
{
    char *file;
    size_t length;
    assert_true(ws_binary_keep(a_key(), binary, sizeof binary, WS_SELF_TEST_passed));
    char *const path = path_of(a_key());
    assert_int_equal(ws_file_read(path, 4096, &file, &length, NULL), WS_STATUS_ok);
    for (size_t n = 0; n < length; n++) {
        file[n] ^= 0x10;
        assert_int_equal(ws_file_write(path, file, length, NULL), WS_STATUS_ok);
        assert_false(fetched(a_key()));
        file[n] ^= 0x10;
    }
    for (size_t n = 0; n < length; n++) {
        assert_int_equal(ws_file_write(path, file, n, NULL), WS_STATUS_ok);
        assert_false(fetched(a_key()));
    }
    assert_int_equal(ws_file_write(path, file, length, NULL), WS_STATUS_ok);
    assert_true(fetched(a_key()));
    free(file);
    free(path);
}

/* A file of another key under this key's name is ignored. */
TEST(a_renamed_file_is_not_taken)
{
    const char *const texts[] = {"another"};
    const struct ws_binary_key other = ws_binary_key(texts, 1);
    assert_true(ws_binary_keep(other, binary, sizeof binary, WS_SELF_TEST_passed));
    char *const from = path_of(other), *const to = path_of(a_key());
    assert_int_equal(rename(from, to), 0);
    assert_false(fetched(a_key()));
    unlink(to);
    free(from);
    free(to);
}
