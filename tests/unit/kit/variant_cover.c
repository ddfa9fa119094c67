#include "unit/kit/variant_cover.h"

#include <stdlib.h>

#include "engine/jobs/predecode.h"
#include "shared/dialect.h"

enum { CHOICES = 4, WIDEST = 8 };

static bool replays(u32 variant)
{
    return ws_tuples()[variant].divergence == WS_divergence_predecoded;
}

/* Schedulers that only dwf has: a program for each, unless they count as one. */
static bool are_schedulers_of_dwf(const struct ws_tuple *a, const struct ws_tuple *b)
{
    return !getenv("WS_EVERY_SCHEDULER") && a->divergence == WS_divergence_dwf && b->divergence == WS_divergence_dwf;
}

/* Whether two variants share a choice; a path unit counts together with its pipeline. A pre-decoded variant covers only itself: no
 * machine selects it. */
static bool share(u32 one, u32 other, u32 choice)
{
    const struct ws_tuple *const a = &ws_tuples()[one], *const b = &ws_tuples()[other];
    if (choice > 0 && replays(other))
        return false;
    switch (choice) {
    case 0:
        return a->pipeline == b->pipeline && a->divergence == b->divergence;
    case 1:
        return a->policy == b->policy || are_schedulers_of_dwf(a, b);
    case 2:
        return a->dispatch == b->dispatch;
    default:
        return a->words == b->words;
    }
}

/* Choices of a variant that no chosen variant covers. */
static u32 new_choices(u32 variant, const u32 *chosen, u32 count)
{
    u32 fresh = 0;
    for (u32 choice = 0; choice < (replays(variant) ? 1 : CHOICES); choice++) {
        u32 n = 0;
        while (n < count && !share(variant, chosen[n], choice))
            n++;
        fresh += n == count;
    }
    return fresh;
}

/* The widest sets take a driver minutes to compile with the longest pipeline: such variants cover nothing. */
static bool takes_minutes(u32 variant)
{
    return ws_tuples()[variant].words == WIDEST && ws_tuples()[variant].pipeline == WS_pipeline_scoreboard;
}

/* The first; among equally good variants the last one with sets as narrow. */
u32 variant_cover(u32 variants[WS_VARIANTS])
{
    for (u32 count = 0;; count++) {
        u32 most = 0, words = 0;
        for (u32 n = 0; n < WS_VARIANTS; n++) {
            const u32 fresh = takes_minutes(n) ? 0 : new_choices(n, variants, count), width = ws_tuples()[n].words;
            if (fresh > most || (count > 0 && fresh == most && width == words && width < WIDEST)) {
                variants[count] = n;
                words = width;
            }
            most = ws_max(most, fresh);
        }
        if (most == 0)
            return count;
    }
}

bool is_in_variant_cover(const struct ws_machine *machine)
{
    static u32 variants[WS_VARIANTS], count;
    const u32 variant = ws_variant_of(machine);
    if (count == 0)
        count = variant_cover(variants);
    for (u32 n = 0; n < count; n++)
        if (variants[n] == variant)
            return true;
    return false;
}

bool is_replayed_in_variant_cover(const struct ws_machine *machine)
{
    struct ws_machine replayed = *machine;
    struct ws_predecoding predecoding;
    replayed.divergence_unit = WS_divergence_predecoded;
    return ws_predecoding_of(machine, &predecoding) && is_in_variant_cover(&replayed);
}
