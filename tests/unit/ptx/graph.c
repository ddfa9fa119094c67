/* Post-dominators: hand-made graphs, and random ones against the definition. */
#include <stdio.h>
#include <string.h>

#include "frontend/ptx/passes/kernel.h"
#include "kit.h"
#include "test.h"

enum { MOST_BLOCKS = 16, NONE = -1, STOP = -2 };

/* A block as {taken, next}: {STOP, x} exits, {NONE, next} continues. */
struct edges {
    int taken, next;
};

static void make_graph(struct ptx_block *blocks, const struct edges *edge, u32 count)
{
    for (u32 n = 0; n < count; n++) {
        blocks[n] = (struct ptx_block){.op_count = 1, .reachable = true, .end = PTX_END_BRANCH};
        blocks[n].taken = (u32)edge[n].taken;
        blocks[n].next = (u32)edge[n].next;
        if (edge[n].taken == NONE)
            blocks[n].end = PTX_END_JUMP;
        if (edge[n].taken == STOP)
            blocks[n].end = PTX_END_EXIT;
    }
}

static void expect(const struct edges *edge, u32 count, const int *expected)
{
    struct ptx_block blocks[MOST_BLOCKS];
    struct ws_arena arena = {0};
    struct ptx_kernel kernel = {.arena = &arena};
    const struct ptx_graph graph = {.blocks = blocks, .count = count};
    u32 *found;
    make_graph(blocks, edge, count);
    assert_int_equal(ptx_postdominators(&kernel, &graph, &found), WS_STATUS_ok);
    for (u32 n = 0; n < count; n++)
        if ((int)found[n] != expected[n])
            fail_msg("block %u: found %d, expected %d", n, (int)found[n], expected[n]);
    ws_arena_free(&arena);
}
#define EXPECT(edge, ...) expect(edge, sizeof(edge) / sizeof *(edge), (const int[]){__VA_ARGS__})

TEST(test_diamond)
{
    static const struct edges diamond[] = {{2, 1}, {NONE, 3}, {NONE, 3}, {STOP, 0}};
    EXPECT(diamond, 3, 3, 3, NONE);
}

TEST(test_two_exits)
{
    static const struct edges split[] = {{2, 1}, {STOP, 0}, {STOP, 0}};
    EXPECT(split, NONE, NONE, NONE);
}

TEST(test_loop)
{
    static const struct edges loop[] = {{NONE, 1}, {1, 2}, {STOP, 0}};
    EXPECT(loop, 1, 2, NONE);
}

/* The branch in block 3 reconverges at 1, earlier in the text. */
TEST(test_above)
{
    static const struct edges above[] = {{NONE, 1}, {4, 2}, {NONE, 3}, {1, 5}, {STOP, 0}, {NONE, 1}};
    EXPECT(above, 1, 4, 3, 1, NONE, 1);
}

/* Two entries into a loop. */
TEST(test_irreducible)
{
    static const struct edges irreducible[] = {{2, 1}, {NONE, 2}, {1, 3}, {STOP, 0}};
    EXPECT(irreducible, 2, 2, 3, NONE);
}

/* An endless loop: its last block counts as leading to the end, so branches inside still reconverge. */
TEST(test_endless)
{
    static const struct edges endless[] = {{NONE, 1}, {3, 2}, {NONE, 4}, {NONE, 4}, {NONE, 1}};
    EXPECT(endless, 1, 4, 4, 4, NONE);
}

/* ---- Random graphs ---- */

/* Whether `from` reaches an exit without passing `without`. */
static bool escapes(const struct edges *edge, u32 from, int without)
{
    bool seen[MOST_BLOCKS] = {false};
    int stack[MOST_BLOCKS * 2 + 2];
    u32 depth = 0;
    stack[depth++] = (int)from;
    while (depth) {
        const int at = stack[--depth];
        if (at < 0 || at == without || seen[at])
            continue;
        if (edge[at].taken == STOP)
            return true;
        seen[at] = true;
        stack[depth++] = edge[at].taken;
        stack[depth++] = edge[at].next;
    }
    return false;
}

/* The block on every path to an exit that precedes all others of these. */
static int by_definition(const struct edges *edge, u32 count, u32 block)
{
    for (u32 n = 0; n < count; n++) {
        if (n == block || escapes(edge, block, (int)n))
            continue;
        bool first = true;
        for (u32 other = 0; other < count && first; other++)
            first = other == n || other == block || escapes(edge, block, (int)other) || !escapes(edge, n, (int)other);
        if (first)
            return (int)n;
    }
    return NONE;
}

static bool all_end(const struct edges *edge, u32 count)
{
    for (u32 n = 0; n < count; n++)
        if (!escapes(edge, n, NONE))
            return false;
    return true;
}

TEST(test_random)
{
    u64 random = 0x5EED;
    u32 tried = 0;
    while (tried < 3000) {
        struct edges edge[MOST_BLOCKS];
        int expected[MOST_BLOCKS];
        const u32 count = 2 + kit_random(&random, MOST_BLOCKS - 2);
        for (u32 n = 0; n < count; n++) {
            const u32 kind = kit_random(&random, 8);
            edge[n].taken = kind == 0 ? STOP : kind < 3 ? NONE : (int)kit_random(&random, count);
            edge[n].next = (int)kit_random(&random, count);
        }
        if (!all_end(edge, count))
            continue;
        for (u32 n = 0; n < count; n++)
            expected[n] = by_definition(edge, count, n);
        expect(edge, count, expected);
        tried++;
    }
}
