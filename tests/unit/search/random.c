/* Random search: uniform over legal points, and complete. */
#include "kit.h"

#include "test.h"

/* Two thirds of a 6 x 6 grid. */
static bool below(void *context, const u32 *choice)
{
    (void)context;
    return choice[0] + choice[1] < 7;
}

TEST(every_legal_point_is_equally_likely)
{
    u32 hits[6][6] = {{0}};
    const u32 searches = 6000;
    for (u32 s = 0; s < searches; s++) {
        struct kit kit;
        kit_begin(&kit, (const u32[]){6, 6, 0});
        kit.space.legal = below;
        kit.seed = s;
        assert_int_equal(kit_generation(&kit, "random", 5), 5);
        for (u32 c = 0; c < kit.count; c++)
            hits[kit.candidate[c].choice[0]][kit.candidate[c].choice[1]]++;
        kit_end(&kit);
    }
    /* 26 legal points, each in 5 of 26 searches; the deviation of a count is 30. */
    const double expected = searches * 5 / 26.0;
    for (u32 x = 0; x < 6; x++) {
        for (u32 y = 0; y < 6; y++) {
            if (x + y < 7)
                assert_in_range(hits[x][y], (u32)expected - 150, (u32)expected + 150);
            else
                assert_int_equal(hits[x][y], 0);
        }
    }
}

TEST(a_space_is_searched_to_its_last_point)
{
    struct kit kit;
    kit_begin(&kit, (const u32[]){6, 6, 0});
    kit.space.legal = below;
    assert_int_equal(kit_generation(&kit, "random", 20), 20);
    assert_false(kit.last.exhausted);
    assert_int_equal(kit_generation(&kit, "random", 20), 6);
    assert_true(kit.last.exhausted);
    assert_int_equal(kit_generation(&kit, "random", 20), 0);
    assert_true(kit.last.exhausted);
    kit_end(&kit);
}

/* One point of 10^4. */
static bool rare(void *context, const u32 *choice)
{
    (void)context;
    return choice[0] == 3 && choice[1] == 1 && choice[2] == 4 && choice[3] == 1;
}

TEST(a_rare_legal_point_is_found)
{
    struct kit kit;
    kit_begin(&kit, (const u32[]){10, 10, 10, 10, 0});
    kit.space.legal = rare;
    assert_int_equal(kit_generation(&kit, "random", 3), 1);
    assert_true(kit.last.exhausted);
    kit_end(&kit);
}

static bool none(void *context, const u32 *choice)
{
    (void)context;
    (void)choice;
    return false;
}

TEST(a_large_space_without_legal_points_is_given_up)
{
    struct kit kit;
    kit_begin(&kit, (const u32[]){1000, 1000, 1000, 0});
    kit.space.legal = none;
    assert_int_equal(kit_generation(&kit, "random", 3), 0);
    assert_false(kit.last.exhausted);
    assert_true(kit.last.drawn > 1000000);
    kit_end(&kit);
}

TEST(points_differ_with_seed_and_generation)
{
    struct kit one, two;
    kit_begin(&one, (const u32[]){1000, 1000, 0});
    kit_begin(&two, (const u32[]){1000, 1000, 0});
    two.seed = 2;
    kit_generation(&one, "random", 10);
    kit_generation(&one, "random", 10);
    kit_generation(&two, "random", 10);
    assert_memory_not_equal(one.candidate[0].choice, one.candidate[10].choice, 2 * sizeof(u32));
    assert_memory_not_equal(one.candidate[0].choice, two.candidate[0].choice, 2 * sizeof(u32));
    kit_end(&one);
    kit_end(&two);
}

TEST(wrong_settings_are_named)
{
    struct kit kit;
    kit_begin(&kit, (const u32[]){4, 0});
    const struct ws_search_method *method = ws_search_method("random");
    struct ws_search_request request = {.space = &kit.space, .settings = {.population = 2}, .wanted = 1};
    struct ws_search_proposals proposals = {0};
    EXPECT_ERROR(ws_search_propose(method, &request, &proposals, &error), WS_STATUS_usage,
                 "population: 2 is too small; take at least 4");
    request.settings = (struct ws_search_settings){.reduction = 1};
    EXPECT_ERROR(ws_search_propose(method, &request, &proposals, &error), WS_STATUS_usage,
                 "reduction: 1 promotes every point; take at least 2");
    assert_null(ws_search_method("no such method"));
    kit_end(&kit);
}
