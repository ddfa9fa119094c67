/* Coverage of random machines, generated from the tables: every number, every choice, every compatible pair of choices, every
 * variant, and more warps than bits in a word. */
#include <string.h>

#include "differential/random/random_case.h"
#include "engine/variant.h"
#include "test.h"
#include "warpsweep/machine.h"

enum { MACHINES = 20000, CASES = 2000, CASES_OF_VARIANT = 300, OFTEN = 10, MOST_CHOICES = 256, MOST_PARAMETERS = 256 };

static const struct case_size tiny_size = {.blocks = 2, .block_threads = 64, .statements = 8, .thread_instructions = 200};

/* A choice of a parameter. */
struct pick {
    size_t parameter;
    u32 value;
    const char *name;
};

static size_t list_picks(struct pick picks[MOST_CHOICES])
{
    size_t parameters, choices, count = 0;
    const struct ws_parameter *const rows = ws_parameters(&parameters);
    const struct ws_choice *const choice = ws_choices(&choices);
    for (size_t n = 0; n < parameters; n++)
        for (size_t c = 0; rows[n].set && c < choices; c++)
            if (strcmp(choice[c].set, rows[n].set) == 0) {
                assert_true(count < MOST_CHOICES);
                picks[count++] = (struct pick){n, choice[c].value, choice[c].name};
            }
    return count;
}

static u32 *value_of(struct ws_machine *machine, size_t parameter)
{
    return (u32 *)machine + parameter;
}

/* Whether machines with the two choices, and defaults otherwise, are legal. */
static bool go_together(const struct pick *one, const struct pick *other)
{
    struct ws_machine machine;
    ws_machine_defaults(&machine);
    machine.icache_size = 0; /* with which every path unit runs */
    *value_of(&machine, one->parameter) = one->value;
    *value_of(&machine, other->parameter) = other->value;
    return *value_of(&machine, one->parameter) == one->value && ws_machine_check(&machine, NULL) == WS_STATUS_ok;
}

static void mark(const struct pick *picks, size_t count, struct ws_machine *machine, bool drawn[][MOST_CHOICES])
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count && *value_of(machine, picks[i].parameter) == picks[i].value; j++)
            if (*value_of(machine, picks[j].parameter) == picks[j].value)
                drawn[i][j] = true;
}

TEST(every_pair_of_choices_is_drawn)
{
    static struct pick picks[MOST_CHOICES];
    static bool drawn[MOST_CHOICES][MOST_CHOICES];
    size_t parameters;
    const struct ws_parameter *const rows = ws_parameters(&parameters);
    const size_t count = list_picks(picks);
    for (u64 seed = 1; seed <= MACHINES; seed++) {
        struct random random = {.state = mix(seed)};
        struct ws_machine machine;
        random_machine(&random, seed, NULL, &machine);
        mark(picks, count, &machine, drawn);
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j <= i; j++)
            if (!drawn[i][j] && go_together(&picks[i], &picks[j]))
                fail_msg("%s=%s with %s=%s is not drawn", rows[picks[i].parameter].key, picks[i].name, rows[picks[j].parameter].key,
                         picks[j].name);
}

TEST(every_number_is_drawn)
{
    static bool differs[MOST_PARAMETERS];
    size_t count;
    const struct ws_parameter *const rows = ws_parameters(&count);
    assert_true(count <= MOST_PARAMETERS);
    for (u64 seed = 1; seed <= CASES; seed++) {
        struct random_case made;
        random_case_make(&made, seed, &tiny_size);
        assert_int_equal(ws_machine_check(&made.machine, NULL), WS_STATUS_ok);
        for (size_t n = 0; n < count; n++)
            differs[n] |= *value_of(&made.machine, n) != rows[n].standard;
        random_case_free(&made);
    }
    for (size_t n = 0; n < count; n++)
        if (!rows[n].set && !differs[n])
            fail_msg("%s is always %u", rows[n].key, rows[n].standard);
}

/* Variants that no machine selects. */
static u32 predecoded_variants(void)
{
    u32 count = 0;
    for (u32 n = 0; n < WS_VARIANTS; n++)
        count += ws_tuples()[n].divergence == WS_divergence_predecoded;
    return count;
}

/* Each variant, however rare, occurs at least OFTEN times. */
TEST(every_variant_is_drawn_often)
{
    const u32 cases = CASES_OF_VARIANT * (WS_VARIANTS - predecoded_variants());
    u32 times[WS_VARIANTS + 1] = {0};
    for (u64 seed = 1; seed <= cases; seed++) {
        struct random random = {.state = mix(seed)};
        struct ws_machine machine;
        random_machine(&random, seed, NULL, &machine);
        times[ws_variant_of(&machine)]++;
    }
    for (u32 n = 0; n < WS_VARIANTS; n++)
        if (ws_tuples()[n].divergence != WS_divergence_predecoded && times[n] < OFTEN)
            fail_msg("%s: %u of %u machines", ws_tuples()[n].name, times[n], cases);
}

/* Machines of each pipeline and path unit, by words of their slot sets: at least a sixteenth has more than one, where possible. */
TEST(many_warps_are_drawn_often)
{
    enum { MOST_WORDS = 8 };
    u32 drawn[WS_PIPELINES][WS_VARIANTS][MOST_WORDS + 1] = {{{0}}}, machines[WS_PIPELINES][WS_VARIANTS] = {{0}};
    for (u64 seed = 1; seed <= MACHINES; seed++) {
        struct random random = {.state = mix(seed)};
        struct ws_machine machine;
        random_machine(&random, seed, NULL, &machine);
        const struct ws_tuple *const tuple = &ws_tuples()[ws_variant_of(&machine)];
        drawn[tuple->pipeline][tuple->divergence][tuple->words]++;
        machines[tuple->pipeline][tuple->divergence]++;
    }
    for (u32 n = 0; n < WS_VARIANTS; n++) {
        const struct ws_tuple *const tuple = &ws_tuples()[n];
        if (tuple->divergence == WS_divergence_predecoded) /* no machine's */
            continue;
        const u32 wide = drawn[tuple->pipeline][tuple->divergence][tuple->words],
                  all = machines[tuple->pipeline][tuple->divergence];
        if (16 * wide < all)
            fail_msg("%s: %u of %u machines", tuple->name, wide, all);
    }
}
