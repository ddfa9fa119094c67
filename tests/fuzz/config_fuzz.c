/* Mutated machines, experiments and launch files: each gives an error with file and line, or is valid; the sanitizer build checks
 * the rest. Usage: test_config_fuzz [seed [cases]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "fuzz/mutate.h"
#include "test.h"
#include "unit/kit/config_files.h"
#include "warpsweep/experiment.h"
#include "warpsweep/frontend.h"

enum { MOST_EDITS = 4 };

static u64 seed = 1, cases = 1000;
static struct mutant mutant;
static unsigned accepted, refused;

/* Tokens with a meaning in YAML or the formats. No number leads to sizes or counts that take long. */
static const char *const words[] = {"- ",    ": ",       "\n",    "  ",       "{",    "}",    "[",      "]",    "&a ",
                                    "*a",    "!!str ",   "---\n", "\"",       "'",    "#",    "|\n",    "%",    "\t",
                                    "\xFF",  "\xC3\xA9", "lwm",   "axes: {}", "? ",   "<<: ", "(",      ")",    " and ",
                                    " not ", " == ",     " <= ",  " / ",      "null", "true", "random", "iota", NULL};
static const char *const numbers[] = {
    "0",     "1",    "-1",  "2", "31", "33", "4096", "99999999999", "-99999999999", "18446744073709551616", "9223372036854775807",
    "1e999", "-1.5", "nan", NULL};
static const char *const lines[] = {"name: x\n",
                                    "core.warps: 4\n",
                                    "constraints: [core.warps / 0 == 1]\n",
                                    "  - core.warps * core.warps * core.warps * 4294967295 * 4294967295 > 1\n",
                                    "  - ((((((((((((((((((((((((((((((((((((core.warps\n",
                                    "  - {label: x, set: {}}\n",
                                    "  - {buffer: i32, count: 0}\n",
                                    "  - {scalar: f32, value: 1e39}\n",
                                    "label: '{core.warps'\n",
                                    "axes: {core.warps: {from: 1, to: 32}}\n",
                                    NULL};

static void count(enum ws_status status, const struct ws_error *error)
{
    accepted += status == WS_STATUS_ok;
    refused += status != WS_STATUS_ok;
    if (status == WS_STATUS_ok)
        return;
    assert_true(status == WS_STATUS_bad_input || status == WS_STATUS_no_file);
    assert_int_equal(error->status, status);
    mutant_expect_line(&mutant, "f.yaml:", error->message);
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

static void load_launch(void)
{
    struct ws_launch_file *file;
    struct ws_ndrange *launch;
    struct ws_error error = {.message = ""};
    const enum ws_status status = ws_launch_file_load("f.yaml", 1, &file, &error);
    count(status, &error);
    if (status != WS_STATUS_ok)
        return;
    for (u32 most = 0; most < 100 && ws_launch_file_next(file, &launch, &error) == WS_STATUS_ok && launch; most++) {
        for (u32 n = 0; n < 3; n++)
            assert_int_equal(launch->global[n] % launch->local[n], 0);
        for (u32 n = 0; n < launch->argument_count; n++)
            assert_true(launch->arguments[n].bytes > 0 || launch->arguments[n].kind == WS_ARGUMENT_BUFFER);
    }
    ws_launch_file_free(file);
}

static void write_file(const char *name, const char *text, size_t length)
{
    FILE *const file = fopen(name, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void mutate_file(const char *path, void (*load)(void))
{
    char *original;
    size_t length;
    assert_int_equal(ws_file_read(path, MUTANT_ROOM / 2, &original, &length, NULL), WS_STATUS_ok);
    accepted = refused = 0;
    for (u64 n = 0; n < cases; n++) {
        mutant.length = length;
        memcpy(mutant.text, original, length);
        for (u32 edits = random_from(&mutant.random, 0, MOST_EDITS); edits > 0; edits--)
            mutate(&mutant);
        write_file("f.yaml", mutant.text, mutant.length);
        load();
    }
    free(original);
    print_message("%s: %u accepted, %u refused\n", path, accepted, refused);
    assert_true(accepted > 0 && refused > 0);
}

TEST(machines_survive_mutation)
{
    mutate_file(CONFIGS_FOLDER "/machines/narasiman2011.yaml", load_machine);
}

TEST(experiments_survive_mutation)
{
    mutate_file(CONFIGS_FOLDER "/papers/narasiman2011/experiments/narasiman2011-fig10.yaml", load_experiment);
    mutate_file(FUZZ_FOLDER "/experiment.yaml", load_experiment);
}

TEST(launches_survive_mutation)
{
    write_file("sixteen.bin", "0123456789ABCDEF", 16);
    mutate_file(FUZZ_FOLDER "/launch.yaml", load_launch);
    mutate_file(FUZZ_FOLDER "/launch_steps.yaml", load_launch);
}

int main(int argc, char **argv)
{
    seed = argc > 1 ? strtoull(argv[1], NULL, 10) : seed;
    cases = argc > 2 ? strtoull(argv[2], NULL, 10) : cases;
    print_message("seed %llu\n", (unsigned long long)seed);
    mutant.random.state = mix(seed);
    mutant.words = words;
    mutant.numbers = numbers;
    mutant.lines = lines;
    return test_run(files_enter, files_leave);
}
