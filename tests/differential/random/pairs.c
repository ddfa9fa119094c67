#include "differential/random/pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/image_build.h"
#include "oracle/sm.h"
#include "test.h"
#include "warpsweep/experiment.h"

static const struct {
    const char *set;
    u32 value;
} values[] = {
#define CHOICE(set, name, value, doc) {#set, value},
#include "shared/choices.def"
#undef CHOICE
};

static const struct {
    const char *key, *set;
    size_t offset;
} parameters[] = {
#define NUMBER(group, name, standard, least, most, unit, doc)
#define POWER(group, name, standard, least, most, unit, doc)
#define CHOOSE(group, name, set, standard, doc) {#group "." #name, #set, offsetof(struct ws_machine, group##_##name)},
#include "shared/parameters.def"
#undef NUMBER
#undef POWER
#undef CHOOSE
};

enum { VALUES = sizeof values / sizeof *values, PARAMETERS = sizeof parameters / sizeof *parameters };

static struct {
    struct ws_machine *machines; /* the defaults and icache.size 0, with a row's choices */
    u32 count;
} rows;

static u32 *field(struct ws_machine *machine, u32 parameter)
{
    return (u32 *)(void *)((char *)machine + parameters[parameter].offset);
}

static u32 value_of(const struct ws_machine *machine, u32 parameter)
{
    return *(const u32 *)(const void *)((const char *)machine + parameters[parameter].offset);
}

u32 choices_count(void)
{
    return PARAMETERS;
}

static bool is_value(u32 parameter, u32 n)
{
    return strcmp(values[n].set, parameters[parameter].set) == 0;
}

u32 choice_values(u32 parameter)
{
    u32 count = 0;
    for (u32 n = 0; n < VALUES; n++)
        count += is_value(parameter, n);
    return count;
}

void choice_set(struct ws_machine *machine, u32 parameter, u32 n)
{
    for (u32 i = 0; i < VALUES; i++)
        if (is_value(parameter, i) && n-- == 0)
            *field(machine, parameter) = values[i].value;
}

struct pair *pairs_all(u32 *count)
{
    struct pair *all = NULL;
    *count = 0;
    for (u32 one = 0; one < PARAMETERS; one++)
        for (u32 other = one + 1; other < PARAMETERS; other++)
            for (u32 a = 0; a < VALUES; a++)
                for (u32 b = 0; b < VALUES; b++) {
                    if (!is_value(one, a) || !is_value(other, b))
                        continue;
                    all = oracle_grow(all, *count, sizeof *all);
                    all[(*count)++] = (struct pair){one, values[a].value, other, values[b].value};
                }
    return all;
}

bool pair_is_in(const struct pair *pair, const struct ws_machine *machine)
{
    return value_of(machine, pair->one) == pair->a && value_of(machine, pair->other) == pair->b;
}

void pair_set(const struct pair *pair, struct ws_machine *machine)
{
    *field(machine, pair->one) = pair->a;
    *field(machine, pair->other) = pair->b;
}

void pair_print(const struct pair *pair)
{
    fprintf(stderr, "  %s = %u with %s = %u\n", parameters[pair->one].key, pair->a, parameters[pair->other].key, pair->b);
}

/* The defaults, with an instruction cache that every path unit supports. */
static void set_numbers(struct ws_machine *machine)
{
    machine_defaults(machine);
    machine->icache_size = 0;
}

static bool is_legal(const struct ws_machine *machine)
{
    return ws_machine_check(machine, NULL) == WS_STATUS_ok;
}

static void set_choices(struct ws_machine *machine, const struct ws_machine *from)
{
    for (u32 parameter = 0; parameter < PARAMETERS; parameter++)
        *field(machine, parameter) = value_of(from, parameter);
}

static bool is_row(const struct ws_machine *machine)
{
    for (u32 row = 0; row < rows.count; row++)
        if (memcmp(&rows.machines[row], machine, sizeof *machine) == 0)
            return true;
    return false;
}

static void add_row(const struct ws_machine *machine)
{
    if (is_row(machine))
        return;
    rows.machines = oracle_grow(rows.machines, rows.count, sizeof *rows.machines);
    rows.machines[rows.count++] = *machine;
}

/* The choices of every point of an experiment that are legal with these numbers. */
static void add_experiment(const char *name)
{
    struct ws_experiment *experiment;
    EXPECT_OK(ws_experiment_load(name, &experiment, &error));
    for (size_t n = 0; n < experiment->point_count; n++) {
        struct ws_machine machine;
        set_numbers(&machine);
        set_choices(&machine, &experiment->points[n].machine);
        if (is_legal(&machine))
            add_row(&machine);
    }
    ws_experiment_free(experiment);
}

static bool stands_in_a_row(const struct pair *pair)
{
    for (u32 row = 0; row < rows.count; row++)
        if (pair_is_in(pair, &rows.machines[row]))
            return true;
    return false;
}

/* Sets one more parameter, from the first on, to a value that keeps the machine legal. */
static bool make_legal(struct ws_machine *machine, const struct pair *pair, u32 first, u32 changes)
{
    if (is_legal(machine))
        return true;
    for (u32 parameter = first; changes > 0 && parameter < PARAMETERS; parameter++) {
        const u32 before = value_of(machine, parameter);
        if (parameter == pair->one || parameter == pair->other)
            continue;
        for (u32 n = 0; n < choice_values(parameter); n++) {
            choice_set(machine, parameter, n);
            if (make_legal(machine, pair, parameter + 1, changes - 1))
                return true;
        }
        *field(machine, parameter) = before;
    }
    return false;
}

/* Number of a machine's pairs that no row has yet. */
static u32 new_pairs(const struct ws_machine *machine, const struct pair *all, const bool *covered, u32 count)
{
    u32 fresh = 0;
    for (u32 n = 0; n < count; n++)
        fresh += !covered[n] && pair_is_in(&all[n], machine);
    return fresh;
}

/* Chooses every parameter outside the pair so as to add the most new pairs. */
static void improve(struct ws_machine *machine, const struct pair *pair, const struct pair *all, const bool *covered, u32 count)
{
    for (u32 parameter = 0; parameter < PARAMETERS; parameter++) {
        struct ws_machine other = *machine;
        if (parameter == pair->one || parameter == pair->other)
            continue;
        for (u32 n = 0; n < choice_values(parameter); n++) {
            choice_set(&other, parameter, n);
            if (is_legal(&other) && new_pairs(&other, all, covered, count) > new_pairs(machine, all, covered, count))
                *machine = other;
        }
    }
}

static void mark(bool *covered, const struct pair *all, u32 count, const struct ws_machine *machine)
{
    for (u32 n = 0; n < count; n++)
        covered[n] |= pair_is_in(&all[n], machine);
}

/* Adds rows until every legal pair is in one. At most two other choices are changed for a pair. */
static void add_pairs(void)
{
    u32 count;
    struct pair *const all = pairs_all(&count);
    bool *const covered = oracle_allocate(count, sizeof *covered);
    for (u32 n = 0; n < count; n++)
        covered[n] = stands_in_a_row(&all[n]);
    for (u32 n = 0; n < count; n++) {
        struct ws_machine machine;
        if (covered[n])
            continue;
        set_numbers(&machine);
        pair_set(&all[n], &machine);
        if (!make_legal(&machine, &all[n], 0, 2))
            continue;
        improve(&machine, &all[n], all, covered, count);
        add_row(&machine);
        mark(covered, all, count, &machine);
    }
    free(covered);
    free(all);
}

static void make_rows(void)
{
    size_t count;
    const struct ws_experiment_row *const experiments = ws_experiments(&count);
    if (rows.count > 0)
        return;
    for (size_t n = 0; n < count; n++)
        add_experiment(experiments[n].name);
    add_pairs();
}

u32 pairs_count(void)
{
    make_rows();
    return rows.count;
}

void pairs_apply(u32 row, struct ws_machine *machine)
{
    make_rows();
    assert_true(row < rows.count);
    set_choices(machine, &rows.machines[row]);
}
