/* Values shared by jobs, and the text for the compiler. */
#include <stdlib.h>
#include <string.h>

#include "engine/compile/fixed.h"
#include "test.h"
#include "warpsweep/machine.h"

/* Fails unless the text contains the line. */
static void has_line(const struct ws_fixed *fixed, const char *line)
{
    char *const text = ws_fixed_text(fixed);
    assert_non_null(text);
    const char *const found = strstr(text, line);
    if (!found || found[strlen(line)] != '\n' || (found > text && found[-1] != '\n'))
        fail_msg("no line '%s'", line);
    free(text);
}

TEST(one_machine_fixes_all)
{
    struct ws_machine machine;
    struct ws_fixed fixed = {.any = false};
    ws_machine_defaults(&machine);
    machine.dram_seed = 0xFFFFFFFFu;
    assert_true(ws_fixed_add(&fixed, &machine, 0));
    assert_false(ws_fixed_add(&fixed, &machine, 0));
    for (u32 n = 0; n < WS_FIXED_NUMBERS; n++)
        assert_false(fixed.varies[n]);
    has_line(&fixed, "#define WS_FIXED");
    has_line(&fixed, "#define FIXED_IS_core_depth 1");
    has_line(&fixed, "#define FIXED_core_depth 7u");
    has_line(&fixed, "#define FIXED_dram_seed 4294967295u");
    has_line(&fixed, "#define FIXED_IS_line_shift 1");
}

TEST(what_differs_and_what_follows_from_it_is_read)
{
    struct ws_machine machine, other;
    struct ws_fixed fixed = {.any = false};
    ws_machine_defaults(&machine);
    other = machine;
    other.l1_line = machine.l1_line * 2;
    ws_fixed_add(&fixed, &machine, 0);
    assert_true(ws_fixed_add(&fixed, &other, 0));
    assert_false(ws_fixed_add(&fixed, &machine, 0));
    has_line(&fixed, "#define FIXED_IS_l1_line 0");
    has_line(&fixed, "#define FIXED_IS_line_shift 0");
    has_line(&fixed, "#define FIXED_IS_cache_sets 0");
    has_line(&fixed, "#define FIXED_cache_sets(n) 0u");
    has_line(&fixed, "#define FIXED_IS_core_depth 1");
}

TEST(several_numbers_are_told_by_their_place)
{
    struct ws_machine machine;
    struct ws_fixed fixed = {.any = false};
    ws_machine_defaults(&machine);
    machine.l1_ways = 2;
    machine.icache_ways = 4;
    machine.constant_ways = 8;
    machine.texture_ways = 16;
    ws_fixed_add(&fixed, &machine, 0);
    has_line(&fixed, "#define FIXED_IS_cache_ways 1");
    has_line(&fixed, "#define FIXED_cache_ways(n) (n) == 0 ? 2u : (n) == 1 ? 4u : (n) == 2 ? 8u : (n) == 3 ? 16u : 8u");
}

TEST(what_is_recorded_is_fixed_too)
{
    struct ws_machine machine;
    struct ws_fixed fixed = {.any = false};
    ws_machine_defaults(&machine);
    assert_true(ws_fixed_add(&fixed, &machine, 5));
    assert_false(ws_fixed_add(&fixed, &machine, 5));
    has_line(&fixed, "#define FIXED_IS_recorded 1");
    has_line(&fixed, "#define FIXED_recorded 5u");
    assert_true(ws_fixed_add(&fixed, &machine, 0));
    assert_false(ws_fixed_add(&fixed, &machine, 5));
    has_line(&fixed, "#define FIXED_IS_recorded 0");
    has_line(&fixed, "#define FIXED_IS_core_depth 1");
}
