/* The expected output of `warpsweep list NAME --format json`, from the tables alone: detects dropped and changed rows. Usage:
 * tables NAME. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool filled; /* something stands before the next object */

static void text(const char *key, const char *value)
{
    printf("%s\n      \"%s\": \"", strcmp(key, "name") == 0 || strcmp(key, "pipeline") == 0 ? "" : ",", key);
    for (; *value; value++)
        printf(strchr("\\\"", *value) ? "\\%c" : "%c", *value);
    printf("\"");
}

static void begin(const char *key, const char *value)
{
    printf("%s\n    {", filled ? "," : "");
    filled = true;
    text(key, value);
}

static void number(const char *key, unsigned long value)
{
    printf(",\n      \"%s\": %lu", key, value);
}

static void end(void)
{
    printf("\n    }");
}

/* ---- Parameters, and the policies among their choices ---- */

struct choice {
    const char *set, *name, *doc;
};

static const struct choice choices[] = {
#define CHOICE(set, name, value, doc) {#set, #name, doc},
#include "shared/choices.def"
#undef CHOICE
    {NULL, NULL, NULL},
};

static void print_number(const char *key, unsigned long standard, unsigned long least, unsigned long most, bool power,
                         const char *unit, const char *doc)
{
    char allowed[100];
    snprintf(allowed, sizeof allowed, "%s from %lu to %lu", power ? "a power of two" : "a whole number", least, most);
    begin("name", key);
    number("default", standard);
    text("allowed", allowed);
    text("unit", unit);
    text("about", doc);
    end();
}

static void print_choice(const char *key, const char *set, const char *standard, const char *doc)
{
    char allowed[1000] = "";
    for (const struct choice *choice = choices; choice->set; choice++)
        if (strcmp(choice->set, set) == 0)
            snprintf(allowed + strlen(allowed), sizeof allowed - strlen(allowed), "%s%s", *allowed ? ", " : "", choice->name);
    begin("name", key);
    text("default", standard);
    text("allowed", allowed);
    text("unit", "");
    text("about", doc);
    end();
}

static void print_parameters(void)
{
#define NUMBER(group, name, standard, least, most, unit, doc)                                                                      \
    print_number(#group "." #name, standard, least, most, false, unit, doc);
#define POWER(group, name, standard, least, most, unit, doc) print_number(#group "." #name, standard, least, most, true, unit, doc);
#define CHOOSE(group, name, set, standard, doc)              print_choice(#group "." #name, #set, #standard, doc);
#include "shared/parameters.def"
#undef NUMBER
#undef POWER
#undef CHOOSE
}

/* The choices of a parameter that selects a variant. */
static void print_set(const char *key, const char *set)
{
    static const char *const sets[] = {"pipeline", "divergence", "policy", "dispatch"};
    bool chosen = false;
    for (size_t n = 0; n < sizeof sets / sizeof *sets; n++)
        chosen = chosen || strcmp(sets[n], set) == 0;
    for (const struct choice *choice = choices; chosen && choice->set; choice++) {
        if (strcmp(choice->set, set) != 0)
            continue;
        begin("name", choice->name);
        text("parameter", key);
        text("about", choice->doc);
        end();
    }
}

static void print_policies(void)
{
#define NUMBER(group, name, standard, least, most, unit, doc)
#define POWER(group, name, standard, least, most, unit, doc)
#define CHOOSE(group, name, set, standard, doc) print_set(#group "." #name, #set);
#include "shared/parameters.def"
#undef NUMBER
#undef POWER
#undef CHOOSE
}

static void print_variant(const char *pipeline, const char *divergence, const char *policy, const char *allowed)
{
    static const char *const dispatches[] = {
#define DISPATCH(name, value, doc) #name,
#include "shared/dispatches.def"
    };
    for (size_t n = 0; n < sizeof dispatches / sizeof *dispatches; n++) {
        if (strcmp(allowed, "all") != 0 && strcmp(allowed, dispatches[n]) != 0)
            continue;
        begin("pipeline", pipeline);
        text("divergence", divergence);
        text("policy", policy);
        text("dispatch", dispatches[n]);
        end();
    }
}

/* Every combination. */
static void print_variants_of(const char *pipeline, const char *divergence, const char *schedulers, const char *allowed)
{
    const bool warps = strcmp(schedulers, "warps") == 0, pool = strcmp(schedulers, "pool") == 0,
               slices = strcmp(schedulers, "slices") == 0;
#define POLICY(name, value, doc)                                                                                                   \
    if (warps || strcmp(schedulers, #name) == 0)                                                                                   \
        print_variant(pipeline, divergence, #name, allowed);
#define POOL_POLICY(name, value, doc)                                                                                              \
    if (pool)                                                                                                                      \
        print_variant(pipeline, divergence, #name, allowed);
#define SLICES(name)                                                                                                               \
    if (slices)                                                                                                                    \
        print_variant(pipeline, divergence, #name, allowed);
#include "shared/policies.def"
}

static void print_variants(void)
{
#define RUNS(pipeline, path, slots, schedulers, dispatches) print_variants_of(#pipeline, #path, #schedulers, #dispatches);
#include "shared/runs.def"
#undef RUNS
}

/* ---- Counters and metrics ---- */

static void print_counter(const char *name, unsigned long bins, const char *unit, const char *doc)
{
    begin("name", name);
    number("bins", bins);
    text("unit", unit);
    text("about", doc);
    end();
}

static void print_counters(void)
{
#define COUNTER(name, accumulate, unit, doc, rules, reading) print_counter(#name, 1, unit, doc);
#define HISTOGRAM(name, bins, unit, doc, rules, reading)     print_counter(#name, bins, unit, doc);
#include "shared/results/counters.def"
#undef COUNTER
#undef HISTOGRAM
}

static void print_metrics(void)
{
#define METRIC(name, expression, unit, doc)                                                                                        \
    begin("name", #name);                                                                                                          \
    text("unit", unit);                                                                                                            \
    text("about", doc);                                                                                                            \
    end();
#include "results/schema/metrics.def"
#undef METRIC
}

static void print_gauges(void)
{
#define GAUGE(name, value, unit, doc)                                                                                              \
    begin("name", #name);                                                                                                          \
    text("unit", unit);                                                                                                            \
    text("about", doc);                                                                                                            \
    end();
#include "shared/results/gauges.def"
#undef GAUGE
}

/* ---- Energy ---- */

static void real(const char *key, double value)
{
    printf(",\n      \"%s\": %.15g", key, value);
}

static void print_energy(void)
{
#define ENERGY(name, part, scale, gpuwattch322, balanced, least, most, per, source, ...)                                           \
    begin("name", #name);                                                                                                          \
    text("part", #part);                                                                                                           \
    text("per", per);                                                                                                              \
    real("gpuwattch322", gpuwattch322);                                                                                            \
    real("balanced", balanced);                                                                                                    \
    real("least", least);                                                                                                          \
    real("most", most);                                                                                                            \
    text("source", source);                                                                                                        \
    end();
#include "warpsweep/energy.def"
}

int main(int count, char **arguments)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } lists[] = {
        {"parameters", print_parameters}, {"policies", print_policies}, {"variants", print_variants}, {"counters", print_counters},
        {"metrics", print_metrics},       {"gauges", print_gauges},     {"energy", print_energy},
    };
    for (size_t n = 0; count == 2 && n < sizeof lists / sizeof *lists; n++) {
        if (strcmp(lists[n].name, arguments[1]) != 0)
            continue;
        printf("{\n  \"schema\": 1,\n  \"%s\": [", lists[n].name);
        lists[n].print();
        printf("\n  ]\n}\n");
        return 0;
    }
    fprintf(stderr, "usage: tables parameters|policies|variants|counters|metrics|gauges|energy\n");
    return 2;
}
