/* Every byte of a small file changed, every length cut: an error that names the file. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "unit/trace/container.h"
#include "unit/trace/sample.h"

static const char file[] = "trace_damage.wst";
static const u32 all_spaces = 0xFFFFFFFFu;

/* The undamaged sample. */
static struct {
    u8 *bytes;
    size_t length;
    struct ws_image *image;
    u64 digest;
} sound;

static void set_up_file(void (*write)(const char *path))
{
    struct ws_trace *trace;
    write(file);
    sound.bytes = bytes_read(file, &sound.length);
    assert_int_equal(ws_trace_open(file, &trace, NULL), WS_STATUS_ok);
    assert_int_equal(ws_image_load(trace, 0, 1, all_spaces, &sound.image, NULL), WS_STATUS_ok);
    sound.digest = ws_trace_digest(trace);
    ws_trace_close(trace);
}

static int set_up(void **unused)
{
    (void)unused;
    set_up_file(sample_write);
    return 0;
}

static int set_up_code(void **unused)
{
    (void)unused;
    set_up_file(sample_write_code);
    return 0;
}

static int tear_down(void **unused)
{
    (void)unused;
    free(sound.bytes);
    ws_image_free(sound.image);
    unlink(file);
    return 0;
}

static void check_same(const struct ws_trace *trace, const struct ws_image *image)
{
    assert_int_equal(ws_trace_digest(trace), sound.digest);
    assert_int_equal(image->digest, sound.image->digest);
    assert_int_equal(image->word_count, sound.image->word_count);
    assert_memory_equal(image->words, sound.image->words, image->word_count * sizeof *image->words);
    assert_memory_equal(image->program, sound.image->program, image->instructions * sizeof *image->program);
}

/* Loads the file; true if that fails with a proper message; otherwise the contents must be the undamaged ones. */
static bool refused(void)
{
    struct ws_error error = {.message = ""};
    struct ws_trace *trace;
    struct ws_image *image;
    struct ws_trace_info info;
    enum ws_status status = ws_trace_open(file, &trace, &error);
    if (status == WS_STATUS_ok) {
        status = ws_image_load(trace, 0, 1, all_spaces, &image, &error);
        if (status == WS_STATUS_ok) {
            check_same(trace, image);
            assert_int_equal(ws_trace_info(trace, &info, NULL, NULL), WS_STATUS_ok);
            ws_image_free(image);
        } else {
            assert_null(image);
        }
        ws_trace_close(trace);
    } else {
        assert_null(trace);
    }
    if (status == WS_STATUS_ok)
        return false;
    assert_int_equal(status, WS_STATUS_bad_input);
    assert_int_equal(error.status, status);
    assert_int_equal(strncmp(error.message, "trace_damage.wst: ", 18), 0);
    return true;
}

/* Whether a check without decoding finds the damage, with a proper message. */
static bool damaged(void)
{
    struct ws_error error = {.message = ""};
    const enum ws_status status = ws_trace_check(file, &error);
    if (status == WS_STATUS_ok)
        return false;
    assert_int_equal(status, WS_STATUS_bad_input);
    assert_int_equal(strncmp(error.message, "trace_damage.wst: ", 18), 0);
    return true;
}

static void check_every_byte(void)
{
    static const u8 changes[] = {0x01, 0x80, 0xFF, 0x10};
    for (size_t at = 0; at < sound.length; at++) {
        for (u32 n = 0; n < sizeof changes; n++) {
            sound.bytes[at] ^= changes[n];
            bytes_write(file, sound.bytes, sound.length);
            assert_true(refused());
            assert_true(damaged());
            sound.bytes[at] ^= changes[n];
        }
    }
}

TEST_WITH(every_changed_byte_is_noticed, set_up, tear_down)
{
    check_every_byte();
}

TEST_WITH(every_changed_byte_of_code_is_noticed, set_up_code, tear_down)
{
    check_every_byte();
}

TEST_WITH(every_missing_end_is_noticed, set_up_code, tear_down)
{
    for (size_t length = 0; length < sound.length; length++) {
        bytes_write(file, sound.bytes, length);
        assert_true(refused());
        assert_true(damaged());
    }
}

TEST_WITH(bytes_behind_the_end_are_noticed, set_up_code, tear_down)
{
    u8 *const longer = calloc(sound.length + 40, 1);
    assert_non_null(longer);
    memcpy(longer, sound.bytes, sound.length);
    for (size_t more = 1; more <= 40; more++) {
        bytes_write(file, longer, sound.length + more);
        assert_true(refused());
        assert_true(damaged());
    }
    free(longer);
}

/* The tests' format equals the library's: the same contents with other compression are the same trace. */
TEST_WITH(a_container_put_together_anew_is_read, set_up_code, tear_down)
{
    struct container container;
    bytes_write(file, sound.bytes, sound.length);
    container_read(file, &container);
    assert_int_equal(container.sections, 1);
    assert_int_equal(container.frames, 3);
    container_write(file, &container);
    assert_false(refused());
    assert_false(damaged());
    container.section[0].blocks = 1;
    container_write(file, &container);
    assert_true(refused());
    container_free(&container);
}
