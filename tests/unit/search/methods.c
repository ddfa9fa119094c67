/* Search methods on functions whose optima are known. */
#include <math.h>
#include <stdlib.h>

#include "kit.h"
#include "search/front.h"
#include "test.h"

static const char *const all[] = {"random", "latin_hypercube", "local", "nsga2", "model", "halving"};
enum { METHODS = sizeof all / sizeof all[0], FULL = 36 };

static bool below(void *context, const u32 *choice)
{
    (void)context;
    return choice[0] + choice[1] < 7;
}

static void bowl(const u32 *choice, u32 fidelity, double *objective, double *excess)
{
    (void)fidelity;
    (void)excess;
    objective[0] = pow((double)choice[0] - 2, 2) + pow((double)choice[1] - 3, 2);
}

/* 26 of 36 points are legal. */
TEST(every_method_proposes_every_legal_point_once)
{
    for (u32 m = 0; m < METHODS; m++) {
        struct kit kit;
        kit_begin(&kit, (const u32[]){6, 6, 0});
        kit.space.legal = below;
        kit.measure = bowl;
        u32 sum = 0;
        for (u32 g = 0; g < FULL; g++)
            sum += kit_generation(&kit, all[m], 5);
        assert_int_equal(sum, 26);
        assert_true(kit.last.exhausted);
        kit_end(&kit);
    }
}

TEST(every_method_accepts_a_history_of_failures_and_of_foreign_points)
{
    for (u32 m = 0; m < METHODS; m++) {
        struct kit kit;
        kit_begin(&kit, (const u32[]){6, 1, 6, 0});
        static const u32 foreign[] = {5, 0, 5};
        static const double value = 7;
        kit.candidate[kit.count++] = (struct ws_search_candidate){foreign, &value, 0, 0, 0};
        kit.candidate[kit.count++] = (struct ws_search_candidate){(const u32[]){1, 0, 1}, &value, (double)INFINITY, 0, 0};
        kit.generation = 1;
        assert_int_equal(kit_generation(&kit, all[m], 10), 10);
        kit_end(&kit);
    }
}

/* Ten points: each of five choices twice, each of twenty at most once, in different strata. */
TEST(a_latin_hypercube_has_every_choice_equally_often)
{
    for (u64 seed = 0; seed < 50; seed++) {
        struct kit kit;
        kit_begin(&kit, (const u32[]){5, 10, 20, 0});
        kit.seed = seed;
        assert_int_equal(kit_generation(&kit, "latin_hypercube", 10), 10);
        u32 five[5] = {0}, ten[10] = {0}, twenty[10] = {0};
        for (u32 c = 0; c < 10; c++) {
            five[kit.candidate[c].choice[0]]++;
            ten[kit.candidate[c].choice[1]]++;
            twenty[kit.candidate[c].choice[2] / 2]++;
        }
        for (u32 n = 0; n < 10; n++) {
            assert_int_equal(five[n / 2], 2);
            assert_int_equal(ten[n], 1);
            assert_in_range(twenty[n], 0, 2); /* strata are shifted at random */
        }
        kit_end(&kit);
    }
}

static bool odd(void *context, const u32 *choice)
{
    (void)context;
    return (choice[0] + choice[1]) % 2;
}

/* Exchanges keep the strata where half of the combinations are illegal. */
TEST(a_latin_hypercube_keeps_its_strata_under_constraints)
{
    u32 uneven = 0;
    for (u64 seed = 0; seed < 50; seed++) {
        struct kit kit;
        kit_begin(&kit, (const u32[]){8, 8, 0});
        kit.space.legal = odd;
        kit.seed = seed;
        assert_int_equal(kit_generation(&kit, "latin_hypercube", 16), 16);
        u32 hits[8] = {0};
        for (u32 c = 0; c < 16; c++)
            hits[kit.candidate[c].choice[0]]++;
        for (u32 n = 0; n < 8; n++)
            uneven += hits[n] != 2;
        kit_end(&kit);
    }
    assert_in_range(uneven, 0, 120); /* of 400; at random about 290 */
}

/* One objective with a local optimum of 1 at (9, any, 9) and the global one of 0 at (0, 2, 0), between them a ridge. */
static void two_basins(const u32 *choice, u32 fidelity, double *objective, double *excess)
{
    (void)fidelity;
    (void)excess;
    const double x = choice[0], y = choice[2];
    const double near = x + y + (choice[1] == 2 ? 0 : 3), far = 1 + (9 - x) + (9 - y);
    objective[0] = fmin(near * 2, far);
}

TEST(a_local_search_descends_and_restarts)
{
    for (u64 seed = 1; seed <= 10; seed++) {
        struct kit kit;
        kit_begin(&kit, (const u32[]){10, 4, 10, 0});
        kit.axis[1].ordered = false;
        kit.measure = two_basins;
        kit.seed = seed;
        double least = INFINITY;
        while (kit.count < 160 && least > 0) {
            const u32 before = kit.count;
            assert_true(kit_generation(&kit, "local", 8) == 8);
            for (u32 c = before; c < kit.count; c++)
                least = fmin(least, kit.candidate[c].objective[0]);
        }
        assert_true(least == 0);
        kit_end(&kit);
    }
}

/* A point that has been reached is followed by its neighbours, and a dominated one is not. */
TEST(a_local_search_proposes_neighbours_of_heads)
{
    struct kit kit;
    kit_begin(&kit, (const u32[]){30, 30, 0});
    kit.measure = bowl;
    static const u32 head[] = {10, 10}, dominated[] = {11, 10};
    static const double value[] = {113, 130};
    kit.candidate[kit.count++] = (struct ws_search_candidate){head, value, 0, 0, 0};
    kit.candidate[kit.count++] = (struct ws_search_candidate){dominated, value + 1, 0, 0, 0};
    kit.generation = 1;
    assert_int_equal(kit_generation(&kit, "local", 3), 3); /* no restarts among so few */
    for (u32 c = 2; c < 5; c++) {
        const u32 *choice = kit.candidate[c].choice;
        assert_int_equal(abs((int)choice[0] - 10) + abs((int)choice[1] - 10), 1);
    }
    kit_end(&kit);
}

/* Of the kind of ZDT1 (Zitzler, Deb, Thiele 2000) on indices: the front has all others at 0; a category of its own is free. */
static void zdt(const u32 *choice, u32 fidelity, double *objective, double *excess)
{
    (void)fidelity;
    (void)excess;
    const double f = choice[0] / 31.0;
    double g = choice[1] == 3 ? 0 : 0.5;
    for (u32 a = 2; a < 6; a++)
        g += choice[a] / 15.0;
    g = 1 + 9 * g / 5;
    objective[0] = f;
    objective[1] = g * (1 - sqrt(f / g));
}

static double volume(const struct kit *kit)
{
    double volume, excess[KIT_ROOM], objective[2 * KIT_ROOM / 8];
    assert_true(kit->count <= KIT_ROOM / 8);
    for (u32 c = 0; c < kit->count; c++) {
        memcpy(objective + 2 * c, kit->candidate[c].objective, 2 * sizeof *objective);
        excess[c] = kit->candidate[c].excess;
    }
    const struct ws_front_points points = {objective, excess, kit->count, 2};
    EXPECT_OK(ws_front_hypervolume(&points, (const double[]){1.1, 1.1}, &volume, &error));
    return volume;
}

/* The volume after so many of 32 * 5 * 16^4 = 10.5 million points. */
static double search_zdt(const char *method, u64 seed, u32 generations, u32 wanted)
{
    struct kit kit;
    kit_begin(&kit, (const u32[]){32, 5, 16, 16, 16, 16, 0});
    kit.axis[1].ordered = false;
    kit.space.objectives = 2;
    kit.measure = zdt;
    kit.seed = seed;
    for (u32 g = 0; g < generations; g++)
        assert_int_equal(kit_generation(&kit, method, wanted), wanted);
    const double found = volume(&kit);
    kit_end(&kit);
    return found;
}

TEST(a_front_of_ten_million_points_is_found_with_a_thousand)
{
    double truth = 0, last = 1.1;
    for (u32 n = 32; n-- > 0;) {
        truth += (last - n / 31.0) * (1.1 - (1 - sqrt(n / 31.0)));
        last = n / 31.0;
    }
    for (u64 seed = 1; seed <= 5; seed++) {
        assert_true(search_zdt("nsga2", seed, 25, 40) > 0.97 * truth);
        assert_true(search_zdt("random", seed, 25, 40) < 0.5 * truth);
    }
}

/* With 200 points the model of the points so far makes the difference. */
TEST(a_model_needs_fewer_points)
{
    for (u64 seed = 1; seed <= 3; seed++)
        assert_true(search_zdt("model", seed, 10, 20) > search_zdt("nsga2", seed, 10, 20));
}

/* Only a corner is within the limit, and the objective leads away from it. */
static void limited(const u32 *choice, u32 fidelity, double *objective, double *excess)
{
    (void)fidelity;
    objective[0] = -(double)choice[0] - choice[1] - choice[2];
    *excess = fmax(0, (double)choice[0] + choice[1] + choice[2] - 4);
}

TEST(constraints_are_met_first)
{
    for (u64 seed = 1; seed <= 6; seed++) {
        struct kit kit;
        kit_begin(&kit, (const u32[]){20, 20, 20, 0});
        kit.measure = limited;
        kit.seed = seed;
        double least = 0;
        for (u32 g = 0; g < 15; g++)
            kit_generation(&kit, seed % 2 ? "nsga2" : "model", 20);
        for (u32 c = 0; c < kit.count; c++) {
            if (kit.candidate[c].excess == 0)
                least = fmin(least, kit.candidate[c].objective[0]);
        }
        assert_true(least == -4);
        kit_end(&kit);
    }
}

/* Cheap sizes add an error to the objective; some points fail. */
static void sizes(const u32 *choice, u32 fidelity, double *objective, double *excess)
{
    const u64 hash = (choice[0] * 31u + choice[1] * 17u) % 7;
    objective[0] = pow((double)choice[0] - 20, 2) + pow((double)choice[1] - 30, 2) + (2.0 - fidelity) * (double)hash;
    *excess = choice[0] == 20 && choice[1] == 31 ? (double)INFINITY : 0;
}

TEST(halving_promotes_the_best_part_of_each_size)
{
    struct kit kit;
    kit_begin(&kit, (const u32[]){50, 50, 0});
    kit.space.fidelities = 3;
    kit.measure = sizes;
    u32 count[3] = {0};
    double least = INFINITY;
    for (u32 g = 0; g < 30; g++) {
        const u32 before = kit.count;
        assert_int_equal(kit_generation(&kit, "halving", 20), 20);
        for (u32 c = before; c < kit.count; c++) {
            const struct ws_search_candidate *candidate = &kit.candidate[c];
            count[candidate->fidelity]++;
            if (candidate->fidelity == 2 && isfinite(candidate->excess))
                least = fmin(least, candidate->objective[0]);
            bool promoted = candidate->fidelity == 0;
            for (u32 n = 0; n < before && !promoted; n++)
                promoted = kit.candidate[n].fidelity + 1 == candidate->fidelity && isfinite(kit.candidate[n].excess) &&
                           memcmp(kit.candidate[n].choice, candidate->choice, 2 * sizeof(u32)) == 0;
            assert_true(promoted);
        }
        if (g == 0)
            assert_int_equal(count[0], 20);
        if (g == 1)
            assert_int_equal(count[1], 5);
    }
    assert_true(least == 0);
    assert_true(count[2] >= 10 && count[2] < count[1] && count[1] < count[0] / 2);
    kit_end(&kit);
}

TEST(halving_lets_the_chosen_method_propose)
{
    struct kit kit;
    kit_begin(&kit, (const u32[]){10, 10, 0});
    kit.space.fidelities = 2;
    kit.measure = bowl;
    kit.settings.proposer = ws_search_method("latin_hypercube");
    assert_int_equal(kit_generation(&kit, "halving", 10), 10);
    u32 hits = 0;
    for (u32 c = 0; c < 10; c++)
        hits |= 1u << kit.candidate[c].choice[0];
    assert_int_equal(hits, 1023); /* each choice once: no other method does that */
    kit_end(&kit);
    kit.settings.proposer = ws_search_method("halving");
    const struct ws_search_request request = {.space = &kit.space, .settings = kit.settings, .wanted = 1};
    struct ws_search_proposals proposals = {0};
    EXPECT_ERROR(ws_search_propose(ws_search_method("halving"), &request, &proposals, &error), WS_STATUS_usage,
                 "proposer: halving cannot propose points for halving; take another method");
}

TEST(a_small_space_is_promoted_as_a_whole)
{
    struct kit kit;
    kit_begin(&kit, (const u32[]){3, 3, 0});
    kit.space.fidelities = 2;
    kit.measure = bowl;
    u32 sum = 0;
    for (u32 g = 0; g < 10; g++)
        sum += kit_generation(&kit, "halving", 4);
    assert_int_equal(sum, 18);
    assert_true(kit.last.exhausted);
    kit_end(&kit);
}
