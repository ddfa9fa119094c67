/* Mutated machines and experiments: what is not refused in words, with file and line, is a machine or experiment like any other;
 * the sanitizer build sees the rest. Usage: test_config_fuzz [seed [cases]] */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "unit/config_files.h"
#include "warpsweep/experiment.h"

enum { MOST_BYTES = 1 << 16, MOST_EDITS = 4 };

static u64 seed = 1, cases = 1000;
static unsigned accepted, refused;

static u64 draw(u64 below)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed % below;
}

/* Pieces that YAML or the formats give a meaning. */
static const char *const pieces[] = {
    "- ",           ": ",  "\n",       "  ",  "{",   "}",  "[",    "]",        "&a ", "*a",          "!!str ", "---\n",
    "\"",           "'",   "#",        "|\n", "%",   "\t", "\xFF", "\xC3\xA9", "0",   "99999999999", "-1",     "name: x\n",
    "core.warps: ", "lwm", "axes: {}", "? ",  "<<: "};

static size_t edit(char *text, size_t length)
{
    const char *const piece = pieces[draw(sizeof pieces / sizeof *pieces)];
    const size_t size = strlen(piece), at = draw(length + 1);
    switch (draw(3)) {
    case 0:
        memmove(text + at + size, text + at, length - at);
        memcpy(text + at, piece, size);
        return length + size;
    case 1:
        if (at < length)
            text[at] = (char)draw(256);
        return length;
    default: {
        const size_t cut = draw(length - at + 1) % 40;
        memmove(text + at, text + at + cut, length - at - cut);
        return length - cut;
    }
    }
}

static void count(enum ws_status status, const struct ws_error *error)
{
    accepted += status == WS_STATUS_ok;
    refused += status != WS_STATUS_ok;
    if (status == WS_STATUS_ok)
        return;
    assert_true(status == WS_STATUS_bad_input || status == WS_STATUS_no_file);
    assert_int_equal(error->status, status);
    assert_int_equal(strncmp(error->message, "f.yaml:", 7), 0);
    assert_true(strlen(error->message) > 12);
}

static void load_machine(void)
{
    struct ws_machine_file file;
    struct ws_error error = {.message = ""};
    const enum ws_status status = ws_machine_load("f.yaml", &file, &error);
    count(status, &error);
    if (status == WS_STATUS_ok)
        ws_machine_check(&file.machine, NULL);
}

static void load_experiment(void)
{
    struct ws_experiment *experiment;
    struct ws_error error = {.message = ""};
    const enum ws_status status = ws_experiment_load("f.yaml", &experiment, &error);
    count(status, &error);
    if (status != WS_STATUS_ok)
        return;
    assert_true(experiment->point_count > 0 && experiment->trace_count > 0 && experiment->shards > 0);
    for (size_t n = 0; n < experiment->point_count; n++)
        assert_int_equal(ws_machine_check(&experiment->points[n].machine, NULL), WS_STATUS_ok);
    ws_experiment_free(experiment);
}

static void write_file(const char *text, size_t length)
{
    FILE *const file = fopen("f.yaml", "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void mutate(const char *path, void (*load)(void))
{
    static char text[MOST_BYTES];
    char *original;
    size_t original_length;
    assert_int_equal(ws_file_read(path, MOST_BYTES / 2, &original, &original_length, NULL), WS_STATUS_ok);
    accepted = refused = 0;
    for (u64 n = 0; n < cases; n++) {
        size_t length = original_length;
        memcpy(text, original, length);
        for (u64 edits = 1 + draw(MOST_EDITS); edits > 0; edits--)
            length = edit(text, length);
        write_file(text, length);
        load();
    }
    free(original);
    print_message("%s: %u accepted, %u refused\n", path, accepted, refused);
    assert_true(accepted > 0 && refused > 0);
}

static void machines_survive_mutation(void **state)
{
    (void)state;
    mutate(CONFIGS_FOLDER "/machines/narasiman2011.yaml", load_machine);
}

static void experiments_survive_mutation(void **state)
{
    (void)state;
    mutate(CONFIGS_FOLDER "/experiments/narasiman2011-fig10.yaml", load_experiment);
}

int main(int argc, char **argv)
{
    seed = argc > 1 ? strtoull(argv[1], NULL, 10) : seed;
    cases = argc > 2 ? strtoull(argv[2], NULL, 10) : cases;
    print_message("seed %llu\n", (unsigned long long)seed);
    seed = seed * 2 + 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machines_survive_mutation),
        cmocka_unit_test(experiments_survive_mutation),
    };
    return cmocka_run_group_tests(tests, files_enter, files_leave);
}
