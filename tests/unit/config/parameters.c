/* Every row of the parameter table: default, bounds, values beyond them, choices. */
#include <stdio.h>
#include <string.h>

#include "base/names/old_names.h"
#include "test.h"
#include "unit/config/allowed.h"
#include "warpsweep/machine.h"

enum { TEXT = 256 };

static void get(const struct ws_machine *machine, size_t n, char text[TEXT])
{
    ws_machine_get(machine, n, text, TEXT);
}

static void assert_accepted(const struct ws_parameter *rows, size_t n, const char *value)
{
    struct ws_machine machine;
    char text[TEXT];
    ws_machine_defaults(&machine);
    EXPECT_OK(ws_machine_set(&machine, rows[n].key, value, &error));
    get(&machine, n, text);
    assert_string_equal(text, value);
}

/* The value is refused with its row's message, and the machine is unchanged. */
static void assert_refused(const struct ws_parameter *rows, size_t n, const char *value)
{
    struct ws_machine machine, before;
    struct ws_error error;
    char allowed[TEXT], message[2 * TEXT];
    ws_machine_defaults(&machine);
    before = machine;
    assert_int_equal(ws_machine_set(&machine, rows[n].key, value, &error), WS_STATUS_bad_input);
    ws_parameter_allowed(&rows[n], allowed, sizeof allowed);
    if (rows[n].set)
        snprintf(message, sizeof message, "%s: found '%s', allowed is one of %s", rows[n].key, value, allowed);
    else if (*rows[n].unit)
        snprintf(message, sizeof message, "%s: found '%s', allowed is %s (%s%s)", rows[n].key, value, allowed, rows[n].unit,
                 strcmp(rows[n].unit, "bytes") == 0 ? "; 1K is 1024" : "");
    else
        snprintf(message, sizeof message, "%s: found '%s', allowed is %s", rows[n].key, value, allowed);
    assert_memory_equal(error.message, message, strlen(message));
    assert_memory_equal(&machine, &before, sizeof machine);
}

static void assert_number_refused(const struct ws_parameter *rows, size_t n, uint64_t value)
{
    char text[TEXT];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    assert_refused(rows, n, text);
}

TEST(every_row_has_its_default)
{
    size_t count;
    const struct ws_parameter *const rows = ws_parameters(&count);
    struct ws_machine machine;
    char text[TEXT];
    ws_machine_defaults(&machine);
    assert_int_equal(count * sizeof(u32), sizeof machine);
    for (size_t n = 0; n < count; n++) {
        get(&machine, n, text);
        assert_accepted(rows, n, text);
        assert_true(strlen(rows[n].doc) > 0);
        assert_non_null(strchr(rows[n].key, '.'));
    }
    assert_int_equal(ws_machine_check(&machine, NULL), WS_STATUS_ok);
}

TEST(numbers_are_bounded)
{
    static const char *const never[] = {"",    "-1", "+8",  " 8",    "8 ",         "8.0",
                                        "0x8", "8k", "1e3", "eight", "4294967296", "18446744073709551616"};
    size_t count;
    const struct ws_parameter *const rows = ws_parameters(&count);
    for (size_t n = 0; n < count; n++) {
        char text[TEXT];
        if (rows[n].set)
            continue;
        assert_in_range(rows[n].standard, rows[n].least, rows[n].most);
        snprintf(text, sizeof text, "%u", rows[n].least);
        assert_accepted(rows, n, text);
        snprintf(text, sizeof text, "%u", rows[n].most);
        assert_accepted(rows, n, text);
        if (rows[n].least > 0)
            assert_number_refused(rows, n, rows[n].least - 1);
        assert_number_refused(rows, n, (uint64_t)rows[n].most + 1);
        if (rows[n].power && rows[n].most > 2)
            assert_number_refused(rows, n, rows[n].most - 1);
        for (size_t i = 0; i < sizeof never / sizeof *never; i++)
            assert_refused(rows, n, never[i]);
    }
}

/* Numbers with suffixes: accepted for units of bytes only. */
static const struct {
    const char *key, *value;
    u32 number; /* 0: refused */
} suffixes[] = {
    {"l1.size", "16K", 16384},
    {"l1.size", "16Ki", 16384},
    {"l1.size", "1M", 1 << 20},
    {"l1.size", "1Mi", 1 << 20},
    {"l2.size", "51K", 52224},
    {"l2.size", "16M", 1 << 24},
    {"l1.size", "3K", 0},
    {"l1.size", "2M", 0},
    {"l1.size", "1G", 0},
    {"l1.size", "4G", 0},
    {"l1.size", "4194304K", 0},
    {"l1.size", "4194320K", 0},
    {"l1.size", "4503599627370512K", 0},
    {"l1.size", "16k", 0},
    {"l1.size", "16KB", 0},
    {"l1.size", "16 K", 0},
    {"l1.size", "K", 0},
    {"l1.size", "16i", 0},
    {"l1.size", "16Kii", 0},
    {"l1.size", "16KM", 0},
    {"l1.size", "1.5K", 0},
    {"core.warps", "1K", 0},
    {"dram.bandwidth", "1K", 0},
    {"core.registers", "32K", 0},
    {"dram.seed", "1K", 0},
};

TEST(suffixes_are_of_bytes)
{
    size_t count;
    const struct ws_parameter *const rows = ws_parameters(&count);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t n = 0;
        while (strcmp(rows[n].key, suffixes[i].key) != 0)
            n++;
        if (suffixes[i].number == 0) {
            assert_refused(rows, n, suffixes[i].value);
            continue;
        }
        struct ws_machine machine;
        struct ws_error error;
        char text[TEXT], number[TEXT];
        ws_machine_defaults(&machine);
        assert_int_equal(ws_machine_set(&machine, suffixes[i].key, suffixes[i].value, &error), WS_STATUS_ok);
        ws_machine_get(&machine, n, text, sizeof text);
        snprintf(number, sizeof number, "%u", suffixes[i].number);
        assert_string_equal(text, number);
    }
}

TEST(choices_are_those_of_their_set)
{
    size_t count, choice_count;
    const struct ws_parameter *const rows = ws_parameters(&count);
    const struct ws_choice *const choices = ws_choices(&choice_count);
    for (size_t n = 0; n < count; n++) {
        size_t found = 0;
        if (!rows[n].set)
            continue;
        for (size_t c = 0; c < choice_count; c++) {
            if (strcmp(choices[c].set, rows[n].set) == 0) {
                assert_accepted(rows, n, choices[c].name);
                found++;
            }
        }
        assert_true(found > 0);
        assert_refused(rows, n, "");
        assert_refused(rows, n, "0");
        assert_refused(rows, n, "sesquipedalian");
    }
}

TEST(toggles_take_booleans)
{
    static const struct {
        const char *key, *value, *name; /* NULL: refused */
    } toggles[] = {{"memory.ideal", "true", "on"}, {"memory.ideal", "false", "off"}, {"divergence.merge", "false", "off"},
                   {"memory.ideal", "True", NULL}, {"memory.ideal", "yes", NULL},    {"l1.store", "true", NULL}};
    for (size_t n = 0; n < sizeof toggles / sizeof *toggles; n++) {
        size_t count, parameter = 0;
        struct ws_machine machine;
        struct ws_error error;
        char text[TEXT];
        while (strcmp(ws_parameters(&count)[parameter].key, toggles[n].key) != 0)
            parameter++;
        if (!toggles[n].name) {
            assert_refused(ws_parameters(&count), parameter, toggles[n].value);
            continue;
        }
        ws_machine_defaults(&machine);
        assert_int_equal(ws_machine_set(&machine, toggles[n].key, toggles[n].value, &error), WS_STATUS_ok);
        ws_machine_get(&machine, parameter, text, sizeof text);
        assert_string_equal(text, toggles[n].name);
    }
}

static void count_names(void *context, const struct ws_old_name *name)
{
    (void)name;
    ++*(size_t *)context;
}

/* The key of a parameter whose choices are the set. */
static const char *key_of_set(const char *set)
{
    size_t n = 0, count;
    const struct ws_parameter *const parameters = ws_parameters(&count);
    while (!parameters[n].set || strcmp(parameters[n].set, set) != 0)
        n++;
    return parameters[n].key;
}

TEST(old_names_mean_what_new_ones_do)
{
    size_t count, told = 0, used = 0;
    const struct ws_old_name *const names = ws_old_names(&count);
    ws_old_names_used(count_names, &told);
    assert_int_equal(told, 0);
    for (size_t n = 0; n < count; n++) {
        const bool is_value = names[n].kind == WS_NAME_value;
        const char *const key = is_value ? key_of_set(names[n].scope) : names[n].old;
        struct ws_machine by_old, by_new;
        struct ws_error error;
        size_t parameter = 0, parameters;
        char value[TEXT];
        if (!is_value && names[n].kind != WS_NAME_parameter)
            continue;
        ws_machine_defaults(&by_old);
        ws_machine_defaults(&by_new);
        while (!is_value && strcmp(ws_parameters(&parameters)[parameter].key, names[n].current) != 0)
            parameter++;
        ws_machine_get(&by_old, parameter, value, sizeof value);
        assert_int_equal(ws_machine_set(&by_old, key, is_value ? names[n].old : value, &error), WS_STATUS_ok);
        assert_int_equal(ws_machine_set(&by_new, is_value ? key : names[n].current, is_value ? names[n].current : value, &error),
                         WS_STATUS_ok);
        assert_memory_equal(&by_old, &by_new, sizeof by_old);
        used++;
    }
    assert_true(used > 0);
    ws_old_names_used(count_names, &told);
    assert_int_equal(told, used);
    ws_old_names_used(count_names, &told); /* each once */
    assert_int_equal(told, used);
}

static const struct {
    const char *key, *value, *message;
} refused[] = {
    {"core.wrap_size", "32", "no parameter is called 'core.wrap_size' (did you mean 'core.warp_size'?)"},
    {"warp_size", "32", "no parameter is called 'warp_size' (did you mean 'core.warp_size'?)"},
    {"line", "32", "no parameter is called 'line' (did you mean 'l1.line', 'icache.line', 'constant.line', 'texture.line'?)"},
    {"warp.size.of", "32", "no parameter is called 'warp.size.of'; 'warpsweep list parameters' lists them"},
    {"", "32", "no parameter is called ''; 'warpsweep list parameters' lists them"},
    {"core.warp_size", "33", "core.warp_size: found '33', allowed is a power of two from 4 to 512 (threads)"},
    {"core.depth", "65", "core.depth: found '65', allowed is a whole number from 1 to 64 (stages)"},
    {"dram.seed", "-1", "dram.seed: found '-1', allowed is a whole number from 0 to 4294967295"},
    {"divergence.unit", "lwn", "divergence.unit: found 'lwn', allowed is one of $divergence.unit (did you mean 'lwm'?)"},
    {"schedule.policy", "sesquipedalian", "schedule.policy: found 'sesquipedalian', allowed is one of $schedule.policy"},
};

TEST(refusals_say_what_is_allowed)
{
    for (size_t n = 0; n < sizeof refused / sizeof *refused; n++) {
        struct ws_machine machine;
        struct ws_error error;
        ws_machine_defaults(&machine);
        assert_int_equal(ws_machine_set(&machine, refused[n].key, refused[n].value, &error), WS_STATUS_bad_input);
        assert_allowed(error.message, refused[n].message);
    }
}
