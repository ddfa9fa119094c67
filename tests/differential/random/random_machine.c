/* Random machines, drawn from the tables of parameters and choices: new rows are included automatically. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "differential/random/pairs.h"
#include "differential/random/random_case.h"
#include "warpsweep/machine.h"

enum { TRIES = 100 }; /* for numbers that depend on choices, before others are chosen */

/* Common properties of a machine's parameters. */
enum mood {
    USUAL,
    CALM,     /* many warps that rarely wait for anything but data, and therefore alternate for long */
    STARVED,  /* nothing issues for as long as the watchdog allows */
    REVERSED, /* a bank has later data sooner */
    CROWDED   /* memory has no room */
};

static enum mood random_mood(struct random *random)
{
    const u32 kind = random_below(random, 100);
    return kind < 25 ? CALM : kind < 30 ? STARVED : kind < 38 ? REVERSED : kind < 48 ? CROWDED : USUAL;
}

static u32 bits_of(u32 value)
{
    u32 bits = 0;
    while (bits < 32 && value >> bits != 0)
        bits++;
    return bits;
}

static u32 power_from(struct random *random, u32 least, u32 most)
{
    return random_power(random, bits_of(least - 1), bits_of(most) - 1);
}

/* All magnitudes above the minimum are equally likely. */
static u32 magnitude_from(struct random *random, u32 least, u32 most)
{
    const u32 range = most - least, bits = random_from(random, 0, bits_of(range));
    const u32 reach = bits < bits_of(range) ? (1u << bits) - 1 : range;
    return reach == 0xFFFFFFFFu ? (u32)random_next(random) : random_from(random, least, least + reach);
}

/* A choice of the set with a value in the range. */
static u32 choice_from(struct random *random, const char *set, u32 least, u32 most)
{
    size_t count;
    const struct ws_choice *const choices = ws_choices(&count);
    u32 chosen = least, found = 0;
    for (size_t n = 0; n < count; n++) {
        const u32 value = choices[n].value;
        const bool fits = strcmp(choices[n].set, set) == 0 && value >= least && value <= most;
        if (fits && random_below(random, ++found) == 0)
            chosen = value;
    }
    return chosen;
}

/* By the table of the parameter. */
static u32 anything(struct random *random, const struct ws_parameter *row)
{
    if (row->power)
        return power_from(random, row->least, row->most);
    return random_chance(random, 30) ? row->standard : magnitude_from(random, row->least, row->most);
}

u32 random_value(struct random *random, const struct ws_parameter *row)
{
    return row->set ? choice_from(random, row->set, 0, 0xFFFFFFFFu) : anything(random, row);
}

static bool issues_threads(const struct ws_machine *machine)
{
    return ws_path_issues(machine->divergence_unit) == WS_ISSUES_threads;
}

static bool has_buffers(const struct ws_machine *machine)
{
    return ws_pipeline_facts(machine->core_pipeline).buffers;
}

static bool has_levels(const struct ws_machine *machine)
{
    return ws_pipeline_facts(machine->core_pipeline).levels;
}

#define IS(group, name) (n == offsetof(struct ws_machine, group##_##name) / sizeof(u32))

/* Draws parameter n; machine has those drawn before. */
static u32 draw(struct random *random, const struct ws_parameter *row, size_t n, const struct ws_machine *machine, enum mood mood,
                const struct wanted *wanted)
{
    if (wanted && IS(core, pipeline))
        return wanted->pipeline;
    if (wanted && IS(core, dispatch))
        return wanted->by_warps ? WS_dispatch_warp : WS_dispatch_block;
    if (wanted && IS(divergence, unit))
        return wanted->divergence;
    if (strncmp(row->key, "subcore.", sizeof "subcore") == 0 && machine->core_pipeline != WS_pipeline_subcore)
        return row->standard;
    if (wanted && wanted->policy != ANY_POLICY && IS(schedule, policy))
        return wanted->policy;
#define DRAW(group, name, when, percent, from, to)                                                                                 \
    if (IS(group, name) && (when) && random_chance(random, percent))                                                               \
        return row->set     ? choice_from(random, row->set, from, to)                                                              \
               : row->power ? power_from(random, from, to)                                                                         \
                            : random_from(random, from, to);
#define DRAW_POWER(group, name, when, percent, from, to)                                                                           \
    if (IS(group, name) && (when) && random_chance(random, percent))                                                               \
        return power_from(random, from, to);
#define DRAW_GROUP(group, when, percent, from, to)                                                                                 \
    if (strncmp(row->key, #group ".", sizeof #group) == 0 && (when) && random_chance(random, percent))                             \
        return random_from(random, from, to);
#define DRAW_OF(group, name, value)                                                                                                \
    if (IS(group, name))                                                                                                           \
        return value;
#include "differential/draws.def"
#undef DRAW_OF
#undef DRAW
#undef DRAW_POWER
#undef DRAW_GROUP
    return random_value(random, row);
}

/* Draws the choices, or the numbers. */
static void draw_all(struct random *random, bool choices, enum mood mood, const struct wanted *wanted, struct ws_machine *machine)
{
    size_t count;
    const struct ws_parameter *const rows = ws_parameters(&count);
    for (size_t n = 0; n < count; n++)
        if ((rows[n].set != NULL) == choices)
            ((u32 *)machine)[n] = draw(random, &rows[n], n, machine, mood, wanted);
}

/* The machines of the first seeds use the rows of pairs.h, unless choices are requested. */
static void choose(struct random *random, u64 seed, enum mood mood, const struct wanted *wanted, struct ws_machine *machine)
{
    draw_all(random, true, mood, wanted, machine);
    if (!wanted && seed - 1 < pairs_count())
        pairs_apply((u32)(seed - 1), machine);
}

void random_machine(struct random *random, u64 seed, const struct wanted *wanted, struct ws_machine *machine)
{
    const enum mood mood = random_mood(random);
    ws_machine_defaults(machine);
    for (u32 tries = 0; tries == 0 || ws_machine_check(machine, NULL) != WS_STATUS_ok; tries++) {
        if (tries % TRIES == 0)
            choose(random, seed, mood, wanted, machine);
        draw_all(random, false, mood, wanted, machine);
    }
}

void print_machine(const struct ws_machine *machine)
{
    size_t count;
    const struct ws_parameter *const rows = ws_parameters(&count);
    char text[64];
    for (size_t n = 0; n < count; n++) {
        if (((const u32 *)machine)[n] == rows[n].standard)
            continue;
        ws_machine_get(machine, n, text, sizeof text);
        fprintf(stderr, "    %s = %s\n", rows[n].key, text);
    }
}
