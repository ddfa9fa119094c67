/* Control bits of programs without machine code: docs/model/subcore.md, "Assigned control bits". */
#include "test.h"
#include "warpsweep/trace.h"

enum { MOST = 32, PREDICATE = WS_FIRST_PREDICATE };

static struct ws_instruction program[MOST];
static struct ws_operands operands[MOST];
static u32 count;

static void begin(void)
{
    count = 0;
}

/* Registers of 0 are none. */
static void add(u32 class_, u32 kind, u32 dst, u32 src)
{
    program[count++] = (struct ws_instruction){.class_ = (u8)class_,
                                               .kind = (u8)kind,
                                               .space = class_ == WS_CLASS_load || class_ == WS_CLASS_store ? WS_SPACE_global : 0,
                                               .dst = {(u8)dst},
                                               .src = {(u8)src},
                                               .writes = dst != 0,
                                               .reads = src != 0};
}

static void assign(void)
{
    for (u32 n = 0; n < count; n++)
        operands[n] = ws_operands_of(&program[n]);
    ws_operands_assign(program, count, operands);
}

static u32 stall(u32 n)
{
    return WS_CONTROL_STALL(operands[n].control);
}

/* The counter of the barrier, as a mask. */
static u32 raises(u32 n)
{
    return 1u << WS_CONTROL_WRITES(operands[n].control);
}

static u32 waits(u32 n)
{
    return WS_CONTROL_WAITS(operands[n].control);
}

/* FFMA to FFMA 4 cycles, to an integer 5: an independent instruction in between takes one. */
TEST(stalls_are_those_of_the_classes)
{
    begin();
    add(WS_CLASS_fp32, WS_KIND_fma, 1, 2);
    add(WS_CLASS_fp32, WS_KIND_fma, 3, 1);
    add(WS_CLASS_fp32, WS_KIND_fma, 4, 2);
    add(WS_CLASS_int, WS_KIND_add, 5, 3);
    add(WS_CLASS_exit, 0, 0, 0);
    assign();
    assert_int_equal(stall(0), 4);
    assert_int_equal(stall(1), 1);
    assert_int_equal(stall(2), 4);
    assert_int_equal(stall(3), 1);
}

/* A predicate reaches a branch after 13 cycles. */
TEST(predicates_take_thirteen)
{
    begin();
    add(WS_CLASS_int, WS_KIND_other, PREDICATE, 2);
    add(WS_CLASS_branch, 0, 0, PREDICATE);
    add(WS_CLASS_exit, 0, 0, 0);
    assign();
    assert_int_equal(stall(0), 13);
}

/* The use waits for the load's counter, which is seen two cycles after the load issues. */
TEST(a_use_waits_for_its_load)
{
    begin();
    add(WS_CLASS_load, 0, 1, 2);
    add(WS_CLASS_int, WS_KIND_add, 3, 1);
    add(WS_CLASS_int, WS_KIND_add, 4, 1);
    add(WS_CLASS_exit, 0, 0, 0);
    assign();
    assert_int_equal(stall(0), 2);
    assert_int_equal(waits(1), raises(0));
    assert_int_equal(waits(2), 0);
}

/* The address may be overwritten once it has been read. */
TEST(a_writer_waits_for_variable_readers)
{
    begin();
    add(WS_CLASS_store, 0, 0, 2);
    add(WS_CLASS_int, WS_KIND_add, 3, 4);
    add(WS_CLASS_int, WS_KIND_add, 2, 4);
    add(WS_CLASS_exit, 0, 0, 0);
    assign();
    assert_int_equal(WS_CONTROL_WRITES(operands[0].control), WS_SUB_NO_BARRIER);
    assert_int_equal(waits(1), 0);
    assert_int_equal(waits(2), 1u << WS_CONTROL_READS(operands[0].control));
}

/* The last instruction of a block stalls for its results, the first of the next waits for all counters. */
TEST(blocks_end_with_everything_there)
{
    begin();
    add(WS_CLASS_fp32, WS_KIND_fma, 1, 2);
    add(WS_CLASS_jump, 0, 0, 0);
    program[1].target = 2;
    add(WS_CLASS_int, WS_KIND_add, 3, 1);
    add(WS_CLASS_exit, 0, 0, 0);
    assign();
    assert_int_equal(stall(0) + stall(1), 7);
    assert_int_equal(waits(2), 63);
    assert_int_equal(waits(3), 0);
}

/* So does a barrier with a result: the slowest reader, a matrix product, comes 7 cycles later. */
TEST(barriers_stall_for_their_results)
{
    begin();
    add(WS_CLASS_barrier, 0, 1, 0);
    add(WS_CLASS_exit, 0, 0, 0);
    assign();
    assert_int_equal(stall(0), 7);
}

static void add_with(u32 class_, u32 space, u32 flags, u32 bytes)
{
    add(class_, WS_KIND_other, class_ == WS_CLASS_load ? 1 : 0, 2);
    program[count - 1].space = (u8)space;
    program[count - 1].flags = (u8)flags;
    program[count - 1].bytes = (u8)bytes;
}

static void add_copy(void)
{
    add_with(WS_CLASS_load, WS_SPACE_global, WS_ASYNC, 4);
    add_with(WS_CLASS_store, WS_SPACE_shared, WS_ASYNC, 4);
    program[count - 1].src[1] = 1; /* the load's result */
    program[count - 1].reads = 2;
}

/* A commit raises the sixth counter, for which nothing but a DEPBAR waits; the copy's store does not wait for its load. */
TEST(groups_of_copies_have_a_counter)
{
    enum { GROUPS = 5 };
    begin();
    add_copy();
    add_with(WS_CLASS_int, WS_SPACE_none, WS_ASYNC, 0);
    add_with(WS_CLASS_int, WS_SPACE_none, WS_AWAITS, 3);
    for (u32 n = 0; n < 8; n++)
        add(WS_CLASS_load, WS_KIND_other, 3 + n, 2);
    add(WS_CLASS_exit, 0, 0, 0);
    assign();
    assert_int_equal(waits(0), 31);
    assert_int_equal(waits(1), 0);
    assert_int_equal(operands[0].flags, WS_OPERANDS_COPY);
    assert_int_equal(raises(2), 1 << GROUPS);
    assert_int_equal(operands[2].flags, WS_OPERANDS_COMMIT);
    assert_true(stall(2) >= 2);
    assert_int_equal(operands[3].flags, WS_OPERANDS_DEPBAR);
    assert_int_equal(operands[3].counter, GROUPS);
    assert_int_equal(operands[3].limit, 3);
    for (u32 n = 4; n < 12; n++) {
        assert_true(raises(n) < 1 << GROUPS);
        assert_int_equal(waits(n) >> GROUPS, 0);
    }
}

/* Without commits, as with an mbarrier, a copy is a load and a store. */
TEST(copies_without_groups_are_loads_and_stores)
{
    begin();
    add_copy();
    add(WS_CLASS_exit, 0, 0, 0);
    assign();
    assert_int_equal(waits(0), 63);
    assert_int_equal(waits(1), raises(0));
    assert_int_equal(operands[0].flags, WS_OPERANDS_RESULT);
}

TESTS(NULL, NULL)
