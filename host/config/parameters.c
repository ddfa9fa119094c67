#include "config/parameters.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/names/old_names.h"
#include "shared/instruction.h"
#include "shared/variants.h"

static const struct ws_parameter parameters[] = {
#define ROW(group, name, unit, doc, set, standard, least, most, power, kind)                                                       \
    {#group "." #name, unit, doc, set, standard, least, most, power, WS_PARAMETER_##kind},
#define NUMBER(group, name, standard, least, most, unit, doc) ROW(group, name, unit, doc, NULL, standard, least, most, false, plain)
#define POWER(group, name, standard, least, most, unit, doc)  ROW(group, name, unit, doc, NULL, standard, least, most, true, plain)
#define CHOOSE(group, name, set, standard, doc)               ROW(group, name, "", doc, #set, WS_##set##_##standard, 0, 0, false, plain)
#define LIMIT(group, name, standard, least, most, unit, doc, slack)                                                                \
    ROW(group, name, unit, doc, NULL, standard, least, most, false, limit)
#define PLANNED(group, name, standard, least, most, unit, doc)                                                                     \
    ROW(group, name, unit, doc, NULL, standard, least, most, false, planned)
#include "shared/parameters.def"
#undef NUMBER
#undef POWER
#undef CHOOSE
#undef ROW
};

static const struct ws_choice choices[] = {
#define CHOICE(set, name, value, doc) {#set, #name, doc, value},
#include "shared/choices.def"
#undef CHOICE
};

static_assert(sizeof parameters / sizeof *parameters == PARAMETERS, "one row a parameter");
static_assert(sizeof(struct ws_machine) == PARAMETERS * sizeof(u32), "the n-th parameter is the n-th word of a machine");
static_assert(PARAMETERS <= sizeof((struct ws_machine_file *)0)->source / sizeof((struct ws_machine_file *)0)->source[0],
              "a machine file has room for every parameter's source");

enum { CHOICES = sizeof choices / sizeof *choices };

const struct ws_parameter *ws_parameters(size_t *count)
{
    *count = PARAMETERS;
    return parameters;
}

int ws_limit_compare(const struct ws_parameter *limit, u32 a, u32 b)
{
    const bool a_none = limit->least == 0 && a == 0, b_none = limit->least == 0 && b == 0;
    return a_none || b_none ? a_none - b_none : (a > b) - (a < b);
}

const struct ws_choice *ws_choices(size_t *count)
{
    *count = CHOICES;
    return choices;
}

/* Path units supported by each pipeline. */
static const struct {
    const char *pipeline, *path, *schedulers, *dispatches;
    u32 pipeline_value, path_value, slots;
} runs[] = {
#define RUNS(pipeline, path, slots, schedulers, dispatches)                                                                        \
    {#pipeline, #path, #schedulers, #dispatches, WS_pipeline_##pipeline, WS_divergence_##path, slots},
#include "shared/runs.def"
#undef RUNS
};

/* Schedulers, and their kind in runs.def. */
static const struct {
    const char *name, *kind;
} schedulers[] = {
#define POLICY(name, value, doc)      {#name, "warps"},
#define POOL_POLICY(name, value, doc) {#name, "pool"},
#include "shared/policies.def"
};

static const char *const of_slices[] = {
#define SLICES(name) #name,
#include "shared/policies.def"
};

static const char *const dispatches[] = {
#define DISPATCH(name, value, doc) #name,
#include "shared/dispatches.def"
};

enum {
    VARIANTS = 0
#define RUNS(pipeline, path, slots, schedulers, dispatches) +WS_SCHEDULERS_##schedulers *WS_DISPATCHES_##dispatches
#include "shared/runs.def"
#undef RUNS
};

static struct ws_variant variants[VARIANTS];

static bool schedules_slices(const char *name)
{
    for (size_t n = 0; n < WS_SCHEDULERS_slices; n++)
        if (strcmp(of_slices[n], name) == 0)
            return true;
    return false;
}

/* Whether a row of runs.def applies to the n-th scheduler. */
static bool is_meant(const char *meant, size_t n)
{
    return strcmp(meant, schedulers[n].kind) == 0 || strcmp(meant, schedulers[n].name) == 0 ||
           (strcmp(meant, "slices") == 0 && schedules_slices(schedulers[n].name));
}

static void make_variants(void)
{
    size_t count = 0;
    for (size_t run = 0; run < WS_RUNS; run++)
        for (size_t n = 0; n < sizeof schedulers / sizeof *schedulers; n++) {
            if (!is_meant(runs[run].schedulers, n))
                continue;
            for (size_t dispatch = 0; dispatch < WS_DISPATCHES_all; dispatch++)
                if (strcmp(runs[run].dispatches, "all") == 0 || strcmp(runs[run].dispatches, dispatches[dispatch]) == 0)
                    variants[count++] = (struct ws_variant){.dispatch = dispatches[dispatch],
                                                            .policy = schedulers[n].name,
                                                            .divergence = runs[run].path,
                                                            .pipeline = runs[run].pipeline};
        }
}

const struct ws_variant *ws_variants(size_t *count)
{
    static pthread_once_t made = PTHREAD_ONCE_INIT;
    pthread_once(&made, make_variants);
    *count = VARIANTS;
    return variants;
}

u32 ws_machine_slots(const struct ws_machine *machine)
{
    for (size_t n = 0; n < WS_RUNS; n++)
        if (runs[n].pipeline_value == machine->core_pipeline && runs[n].path_value == machine->divergence_unit)
            return runs[n].slots;
    return 0;
}

u32 ws_machine_spaces(const struct ws_machine *machine)
{
    enum {
#define SPACE(name, value, doc) name = 1 << (value),
#include "shared/classes.def"
#undef SPACE
    };
    switch (machine->core_pipeline) {
#define PIPELINE(name, value, ports, buffers, retires, levels, registers, spaces, doc)                                             \
    case value:                                                                                                                    \
        return spaces;
#include "shared/pipelines.def"
#undef PIPELINE
    default:
        return 0;
    }
}

size_t config_find(const char *key)
{
    size_t n = 0;
    key = ws_current_name(WS_NAME_parameter, "", key);
    while (n < PARAMETERS && strcmp(parameters[n].key, key) != 0)
        n++;
    return n;
}

u32 config_value(const struct ws_machine *machine, size_t n)
{
    u32 value;
    memcpy(&value, (const char *)machine + n * sizeof value, sizeof value);
    return value;
}

void config_put(struct ws_machine *machine, size_t n, u32 value)
{
    memcpy((char *)machine + n * sizeof value, &value, sizeof value);
}

void ws_machine_defaults(struct ws_machine *machine)
{
    for (size_t n = 0; n < PARAMETERS; n++)
        config_put(machine, n, parameters[n].standard);
}

/* The first choice of each parameter's set; rows of a set are adjacent. */
static const struct ws_choice *first_choices[PARAMETERS];

static void find_first_choices(void)
{
    for (size_t n = 0; n < PARAMETERS; n++) {
        const struct ws_choice *choice = choices;
        while (parameters[n].set && strcmp(choice->set, parameters[n].set) != 0)
            choice++;
        first_choices[n] = choice;
    }
}

static const struct ws_choice *choice_of_value(size_t n, u32 value)
{
    static pthread_once_t found = PTHREAD_ONCE_INIT;
    const struct ws_choice *choice;
    pthread_once(&found, find_first_choices);
    for (choice = first_choices[n]; choice < choices + CHOICES && strcmp(choice->set, parameters[n].set) == 0; choice++)
        if (choice->value == value)
            return choice;
    return NULL;
}

bool config_within(size_t n, u32 value)
{
    const struct ws_parameter *const parameter = &parameters[n];
    if (parameter->set)
        return choice_of_value(n, value) != NULL;
    return value >= parameter->least && value <= parameter->most && !(parameter->power && (value & (value - 1)) != 0);
}

const char *config_chosen(const struct ws_machine *machine, size_t n)
{
    const struct ws_choice *const choice = choice_of_value(n, config_value(machine, n));
    return choice ? choice->name : "";
}

void ws_machine_get(const struct ws_machine *machine, size_t n, char *text, size_t room)
{
    const u32 value = config_value(machine, n);
    const struct ws_choice *const choice = parameters[n].set ? choice_of_value(n, value) : NULL;
    if (choice)
        snprintf(text, room, "%s", choice->name);
    else
        snprintf(text, room, "%u", value);
}

static void add_choices(struct ws_text *text, const char *set)
{
    const char *separator = "";
    for (size_t n = 0; n < CHOICES; n++) {
        if (strcmp(choices[n].set, set) != 0)
            continue;
        ws_text_add(text, "%s%s", separator, choices[n].name);
        separator = ", ";
    }
}

static void add_range(struct ws_text *text, const struct ws_parameter *parameter)
{
    ws_text_add(text, "%s from %u to %u", parameter->power ? "a power of two" : "a whole number", parameter->least,
                parameter->most);
}

void ws_parameter_allowed(const struct ws_parameter *parameter, char *text, size_t room)
{
    struct ws_text allowed = {0};
    if (parameter->set)
        add_choices(&allowed, parameter->set);
    else
        add_range(&allowed, parameter);
    snprintf(text, room, "%s", allowed.failed ? "" : allowed.data);
    ws_text_free(&allowed);
}

void config_add_allowed(struct ws_text *text, size_t n)
{
    const struct ws_parameter *const parameter = &parameters[n];
    if (parameter->set) {
        ws_text_add(text, "one of ");
        add_choices(text, parameter->set);
        return;
    }
    add_range(text, parameter);
    if (*parameter->unit)
        ws_text_add(text, " (%s%s)", parameter->unit, strcmp(parameter->unit, "bytes") == 0 ? "; 1K is 1024" : "");
}
