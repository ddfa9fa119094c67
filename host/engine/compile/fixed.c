#include "engine/compile/fixed.h"

#include <stddef.h>

#include "base/text.h"
#include "engine/plan.h"

/* A value, or an array of values, that kernels read. */
static const struct number {
    const char *name;
    size_t at; /* in struct ws_fixed */
    u32 count; /* number of values; 0: not an array */
} numbers[WS_FIXED_NUMBERS] = {
#define NUMBER(group, name, standard, least, most, unit, doc)                                                                      \
    {#group "_" #name, offsetof(struct ws_fixed, machine.group##_##name), 0},
#define POWER(group, name, standard, least, most, unit, doc)                                                                       \
    {#group "_" #name, offsetof(struct ws_fixed, machine.group##_##name), 0},
#define CHOOSE(group, name, set, standard, doc) {#group "_" #name, offsetof(struct ws_fixed, machine.group##_##name), 0},
#define PLANNED(group, name, standard, least, most, unit, doc)
#include "shared/parameters.def"
#undef NUMBER
#undef POWER
#undef CHOOSE
#define DERIVED(name, doc)             {#name, offsetof(struct ws_fixed, plan.name), 0},
#define DERIVED_EACH(name, count, doc) {#name, offsetof(struct ws_fixed, plan.name), count},
#include "shared/plan.def"
};

static const u32 *values(const struct ws_fixed *fixed, const struct number *number)
{
    return (const u32 *)((const char *)fixed + number->at);
}

static bool same(const struct number *number, const struct ws_fixed *one, const struct ws_fixed *other)
{
    const u32 *const a = values(one, number), *const b = values(other, number);
    bool equal = a[0] == b[0];
    for (u32 n = 1; n < number->count; n++)
        equal = equal && a[n] == b[n];
    return equal;
}

bool ws_fixed_add(struct ws_fixed *fixed, const struct ws_machine *machine, u32 recorded)
{
    struct ws_fixed other = {.any = true, .recorded = recorded, .machine = *machine};
    bool less = !fixed->any;
    ws_plan_derive(machine, &other.plan);
    if (!fixed->any)
        *fixed = other;
    if (!fixed->recorded_varies && fixed->recorded != recorded)
        less = fixed->recorded_varies = true;
    for (u32 n = 0; n < WS_FIXED_NUMBERS; n++)
        if (!fixed->varies[n] && !same(&numbers[n], fixed, &other))
            less = fixed->varies[n] = true;
    return less;
}

char *ws_fixed_text(const struct ws_fixed *fixed)
{
    struct ws_text text = {0};
    ws_text_add(&text, "#define WS_FIXED\n#define FIXED_IS_recorded %d\n#define FIXED_recorded %uu\n", !fixed->recorded_varies,
                fixed->recorded);
    for (u32 n = 0; n < WS_FIXED_NUMBERS; n++) {
        const struct number *const number = &numbers[n];
        const u32 *const value = values(fixed, number);
        ws_text_add(&text, "#define FIXED_IS_%s %d\n#define FIXED_%s%s ", number->name, !fixed->varies[n], number->name,
                    number->count == 0 ? "" : "(n)");
        for (u32 k = 0; !fixed->varies[n] && k + 1 < number->count; k++)
            ws_text_add(&text, "(n) == %u ? %uu : ", k, value[k]);
        ws_text_add(&text, "%uu\n", fixed->varies[n] ? 0 : value[number->count == 0 ? 0 : number->count - 1]);
    }
    if (text.failed)
        ws_text_free(&text);
    return text.data;
}

char *ws_fixed_scheduler_text(u32 scheduler)
{
    struct ws_fixed fixed = {.any = true, .recorded_varies = true, .machine.schedule_policy = scheduler};
    for (u32 n = 0; n < WS_FIXED_NUMBERS; n++)
        fixed.varies[n] = numbers[n].at != offsetof(struct ws_fixed, machine.schedule_policy);
    return ws_fixed_text(&fixed);
}
