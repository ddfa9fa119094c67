#include "unit/variant_pairs.h"

#include "shared/dialect.h"

enum { CHOICES = 4 }; /* beside the pipeline */

/* Whether two variants agree in the pipeline and in a choice. */
static bool share(u32 one, u32 other, u32 choice)
{
    const struct ws_tuple *const a = &ws_tuples()[one], *const b = &ws_tuples()[other];
    const u32 of_a[CHOICES] = {a->divergence, a->policy, a->dispatch, a->words};
    const u32 of_b[CHOICES] = {b->divergence, b->policy, b->dispatch, b->words};
    return a->pipeline == b->pipeline && of_a[choice] == of_b[choice];
}

/* Pairs of a variant that none of the chosen has. */
static u32 new_pairs(u32 variant, const u32 *chosen, u32 count)
{
    u32 fresh = 0;
    for (u32 choice = 0; choice < CHOICES; choice++) {
        u32 n = 0;
        while (n < count && !share(variant, chosen[n], choice))
            n++;
        fresh += n == count;
    }
    return fresh;
}

u32 variant_pairs(u32 variants[WS_VARIANTS])
{
    for (u32 count = 0;; count++) {
        u32 most = 0;
        for (u32 n = 0; n < WS_VARIANTS; n++) {
            const u32 fresh = new_pairs(n, variants, count);
            if (fresh > most)
                variants[count] = n;
            most = ws_max(most, fresh);
        }
        if (most == 0)
            return count;
    }
}

bool in_variant_pairs(const struct ws_machine *machine)
{
    static u32 variants[WS_VARIANTS], count;
    const u32 variant = ws_variant_of(machine);
    if (count == 0)
        count = variant_pairs(variants);
    for (u32 n = 0; n < count; n++)
        if (variants[n] == variant)
            return true;
    return false;
}
