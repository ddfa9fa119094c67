/* Message for a combination of choices without a compiled variant. */
#include <string.h>

#include "base/error.h"
#include "config/parameters.h"

enum { CHOICES = 4 };

static const size_t parameter_of[CHOICES] = {PARAMETER_core_pipeline, PARAMETER_divergence_unit, PARAMETER_schedule_policy,
                                             PARAMETER_core_dispatch};

static const char *chosen_of(const struct ws_variant *variant, size_t choice)
{
    const char *const chosen[CHOICES] = {variant->pipeline, variant->divergence, variant->policy, variant->dispatch};
    return chosen[choice];
}

static const char *key_of(size_t choice)
{
    size_t count;
    return ws_parameters(&count)[parameter_of[choice]].key;
}

static bool has(const struct ws_variant *variant, const struct ws_machine *machine, size_t choice)
{
    return strcmp(chosen_of(variant, choice), config_chosen(machine, parameter_of[choice])) == 0;
}

/* Whether a variant has the machine's value of every choice of a set. */
static bool has_all(const struct ws_variant *variant, const struct ws_machine *machine, unsigned set)
{
    for (size_t choice = 0; choice < CHOICES; choice++)
        if ((set >> choice & 1u) && !has(variant, machine, choice))
            return false;
    return true;
}

static bool exists(const struct ws_machine *machine, unsigned set)
{
    size_t count;
    const struct ws_variant *const variants = ws_variants(&count);
    for (size_t n = 0; n < count; n++)
        if (has_all(&variants[n], machine, set))
            return true;
    return false;
}

/* Adds the values of a choice in variants that match the machine's other choices of a set, each once. */
static void add_values(const struct ws_machine *machine, unsigned set, size_t choice, struct ws_text *text)
{
    size_t count;
    const struct ws_variant *const variants = ws_variants(&count);
    const char *separator = "";
    for (size_t n = 0; n < count; n++) {
        bool listed = !has_all(&variants[n], machine, set & ~(1u << choice));
        for (size_t before = 0; before < n && !listed; before++)
            listed = has_all(&variants[before], machine, set & ~(1u << choice)) &&
                     strcmp(chosen_of(&variants[before], choice), chosen_of(&variants[n], choice)) == 0;
        if (!listed) {
            ws_text_add(text, "%s%s", separator, chosen_of(&variants[n], choice));
            separator = ", ";
        }
    }
}

static unsigned size(unsigned set)
{
    unsigned count = 0;
    for (; set; set &= set - 1)
        count++;
    return count;
}

/* The smallest subset of the machine's choices that no variant combines. */
static unsigned conflict_of(const struct ws_machine *machine)
{
    unsigned smallest = (1u << CHOICES) - 1;
    for (unsigned set = 1; set < 1u << CHOICES; set++)
        if (size(set) < size(smallest) && !exists(machine, set))
            smallest = set;
    return smallest;
}

enum ws_status config_fail_variant(const struct ws_machine *machine, struct ws_error *error)
{
    const unsigned conflict = conflict_of(machine);
    struct ws_text text = {0};
    const char *separator = "";
    for (size_t choice = 0; choice < CHOICES; choice++)
        if (conflict >> choice & 1u) {
            ws_text_add(&text, "%s%s '%s'", separator, key_of(choice), config_chosen(machine, parameter_of[choice]));
            separator = " and ";
        }
    ws_text_add(&text, " do not go together; allowed instead: ");
    separator = "";
    for (size_t choice = 0; choice < CHOICES; choice++)
        if ((conflict >> choice & 1u) && exists(machine, conflict & ~(1u << choice))) {
            ws_text_add(&text, "%s%s ", separator, key_of(choice));
            add_values(machine, conflict, choice, &text);
            separator = "; or ";
        }
    const enum ws_status status = ws_fail(error, WS_STATUS_bad_input, "%s ('warpsweep list variants')",
                                          text.failed ? "choices do not go together" : text.data);
    ws_text_free(&text);
    return status;
}
