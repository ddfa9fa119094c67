#include "kit.h"

#include <stdlib.h>

#include "test.h"

void kit_begin(struct kit *kit, const u32 *values)
{
    *kit = (struct kit){.seed = 1};
    u32 axes = 0;
    for (; values[axes]; axes++)
        kit->axis[axes] = (struct ws_search_axis){"axis", values[axes], true};
    kit->space = (struct ws_search_space){.axis = kit->axis, .axes = axes, .objectives = 1, .fidelities = 1};
    kit->candidate = calloc(KIT_ROOM, sizeof *kit->candidate);
    kit->choice = calloc((size_t)KIT_ROOM * KIT_AXES, sizeof *kit->choice);
    kit->objective = calloc((size_t)KIT_ROOM * KIT_AXES, sizeof *kit->objective);
    assert_true(kit->candidate && kit->choice && kit->objective);
}

void kit_end(struct kit *kit)
{
    free(kit->candidate);
    free(kit->choice);
    free(kit->objective);
}

static bool same(const struct kit *kit, const struct ws_search_candidate *candidate, const u32 *choice, u32 fidelity)
{
    return candidate->fidelity == fidelity && memcmp(candidate->choice, choice, kit->space.axes * sizeof *choice) == 0;
}

static void add(struct kit *kit, const u32 *choice, u32 fidelity)
{
    const u32 at = kit->count;
    for (u32 a = 0; a < kit->space.axes; a++)
        assert_in_range(choice[a], 0, kit->axis[a].values - 1);
    assert_true(!kit->space.legal || kit->space.legal(kit->space.context, choice));
    assert_in_range(fidelity, 0, kit->space.fidelities - 1);
    for (u32 c = 0; c < at; c++)
        assert_false(same(kit, &kit->candidate[c], choice, fidelity));
    u32 *const kept = kit->choice + (size_t)at * KIT_AXES;
    memcpy(kept, choice, kit->space.axes * sizeof *choice);
    double *const objective = kit->objective + (size_t)at * KIT_AXES;
    struct ws_search_candidate *candidate = &kit->candidate[kit->count++];
    *candidate = (struct ws_search_candidate){kept, objective, 0, fidelity, kit->generation};
    if (kit->measure)
        kit->measure(choice, fidelity, objective, &candidate->excess);
}

u32 kit_generation(struct kit *kit, const char *name, u32 wanted)
{
    const u32 axes = kit->space.axes;
    const struct ws_search_method *method = ws_search_method(name);
    assert_non_null(method);
    assert_true(kit->count + wanted <= KIT_ROOM);
    struct ws_search_proposals first = {.choice = calloc(wanted, axes * sizeof(u32)), .fidelity = calloc(wanted, sizeof(u32))};
    struct ws_search_proposals again = {.choice = calloc(wanted, axes * sizeof(u32)), .fidelity = calloc(wanted, sizeof(u32))};
    assert_true(first.choice && first.fidelity && again.choice && again.fidelity);
    const struct ws_search_request request = {.space = &kit->space,
                                              .history = {kit->candidate, kit->count},
                                              .settings = kit->settings,
                                              .seed = kit->seed,
                                              .generation = kit->generation,
                                              .wanted = wanted};
    EXPECT_OK(ws_search_propose(method, &request, &first, &error));
    EXPECT_OK(ws_search_propose(method, &request, &again, &error));
    assert_int_equal(first.count, again.count);
    assert_in_range(first.count, 0, wanted);
    assert_memory_equal(first.choice, again.choice, first.count * axes * sizeof(u32));
    assert_memory_equal(first.fidelity, again.fidelity, first.count * sizeof(u32));
    for (u32 p = 0; p < first.count; p++)
        add(kit, first.choice + (size_t)p * axes, first.fidelity[p]);
    kit->generation++;
    kit->last = first;
    free(first.choice);
    free(first.fidelity);
    free(again.choice);
    free(again.fidelity);
    return first.count;
}
