#include "worked/states.h"

#include "test.h"

void expect_state(const struct oracle_state *state, u32 pc, u32 mask, u32 depth)
{
    assert_int_equal(state->pc, pc);
    assert_int_equal(state->mask, mask);
    assert_int_equal(state->depth, depth);
}

void expect_entry(const struct oracle_entry *entry, u32 reconverge, u32 execute, u32 mask)
{
    assert_int_equal(entry->reconverge, reconverge);
    assert_int_equal(entry->execute, execute);
    assert_int_equal(entry->mask, mask);
}
