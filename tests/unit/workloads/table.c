/* The table of the bundled workloads. */
#include <string.h>

#include "unit/workloads/rows.h"

/* Narasiman et al., MICRO 2011, Table 2. */
static void test_order_is_the_papers(void **state)
{
    (void)state;
    static const char *const names[] = {"blackjack", "sort",    "viterbi", "kmeans",    "decrypt",   "blackscholes",
                                        "needleman", "hotspot", "matmul",  "reduction", "histogram", "bfs"};
    const struct ws_workload *workload = ws_workload_find(names[0]);
    assert_non_null(workload);
    for (u32 n = 0; n < sizeof names / sizeof *names; n++, workload++) {
        assert_string_equal(workload->name, names[n]);
        assert_string_equal(workload->paper, "narasiman2011");
        assert_int_equal(workload->place, n + 1);
    }
}

/* Anantpur and Govindarajan, 2015, Table II: thread blocks of each kernel, in its order. */
static void test_blocks_are_the_papers(void **state)
{
    (void)state;
    static const u32 blocks[] = {257,   256,  256, 100,   168,  1400, 2800, 280, 512, 384, 4096, 4096, 6000,
                                 10000, 1849, 463, 18432, 9216, 4370, 64,   240, 256, 128, 256,  128};
    for (const struct ws_workload *row = ws_workloads(); row->name; row++) {
        struct ws_ndrange launch;
        struct ws_error error;
        if (!row->paper || strcmp(row->paper, "anantpur2015") != 0)
            continue;
        assert_in_range(row->place, 1, sizeof blocks / sizeof *blocks);
        assert_int_equal(row->prepare(WS_SIZE_PAPER, 1, &launch, &error), WS_STATUS_ok);
        u32 found = 1;
        for (u32 d = 0; d < 3; d++)
            found *= launch.global[d] / launch.local[d];
        if (found != blocks[row->place - 1])
            fail_msg("%s has %u blocks instead of %u", row->name, found, blocks[row->place - 1]);
        row->release(&launch);
    }
}

/* Fung et al., MICRO 2007: the seven in the order of Figure 12, then Figure 7's loop; at paper size each of 8 cores has a
 * work-group and 256 threads (Table 2). */
static void test_threads_fill_the_papers_machine(void **state)
{
    (void)state;
    static const char *const names[] = {"hmmer_viterbi", "lbm_d3q19", "black", "bitonic", "fft", "lu", "matrix", "even_odd"};
    const struct ws_workload *workload = ws_workload_find(names[0]);
    assert_non_null(workload);
    for (u32 n = 0; n < sizeof names / sizeof *names; n++, workload++) {
        struct ws_ndrange launch;
        struct ws_error error;
        assert_string_equal(workload->name, names[n]);
        assert_string_equal(workload->paper, "fung2007");
        assert_int_equal(workload->place, n + 1);
        assert_int_equal(workload->prepare(WS_SIZE_PAPER, 1, &launch, &error), WS_STATUS_ok);
        const u32 threads = launch.global[0] * launch.global[1], items = launch.local[0] * launch.local[1];
        if (threads < 8 * 256 || threads / items % 8 != 0 || 256 % items != 0)
            fail_msg("%s has %u threads in work-groups of %u", workload->name, threads, items);
        workload->release(&launch);
    }
}

/* Xiang et al., 2014, Table 2: warps and registers of a block in its order, its misprints corrected (CT, PF,
 * NN), Figure 1's microbenchmark, and blocks of one warp (section 6.3). */
static void test_resources_are_the_papers(void **state)
{
    (void)state;
    enum { MICROBENCHMARK = 14, WARP_BLOCKS = 15 };
    static const u32 warps[] = {6, 12, 16, 16, 8, 8, 16, 32, 6, 8, 8, 16, 16};
    static const u32 registers[] = {4608, 7680, 11776, 8704, 8960, 3328, 2560, 17408, 12288, 6144, 6144, 5632, 10240};
    u32 seen = 0;
    for (const struct ws_workload *row = ws_workloads(); row->name; row++) {
        struct ws_ndrange launch;
        struct ws_error error;
        if (!row->paper || strcmp(row->paper, "xiang2014") != 0)
            continue;
        assert_in_range(row->place, 1, WARP_BLOCKS);
        seen |= 1u << (row->place - 1);
        assert_int_equal(row->prepare(WS_SIZE_PAPER, 1, &launch, &error), WS_STATUS_ok);
        const u32 items = launch.local[0] * launch.local[1] * launch.local[2], found = (items + 31) / 32;
        if (row->place == WARP_BLOCKS)
            assert_int_equal(items, 32);
        else if (row->place == MICROBENCHMARK)
            assert_int_equal(launch.registers, 32);
        else if (found != warps[row->place - 1] || found * 32 * launch.registers != registers[row->place - 1])
            fail_msg("%s has %u warps a block and %u registers a thread", row->name, found, launch.registers);
        row->release(&launch);
    }
    assert_int_equal(seen, (1u << WARP_BLOCKS) - 1);
}

/* Rogers et al., 2015: those of the five divergent, convergent and insensitive applications, and of section 7.1, that are no other
 * paper's workloads. Warps are full, and at paper size there are threads for the SM's 1024. */
static void test_applications_are_the_papers(void **state)
{
    (void)state;
    static const struct {
        u32 place;
        const char *name;
    } rows[] = {{0, "ray_render"},     {2, "comd_force"},       {3, "object_cascade"}, {4, "lighting"},
                {5, "game_physics"},   {0, "radix_blocks"},     {0, "radix_scatter"},  {0, "matrix_tiles"},
                {8, "image_register"}, {9, "feature_detect"},   {10, "shade_texture"}, {0, "stencil_columns"},
                {0, "scalar_product"}, {0, "histogram256"},     {0, "conv_rows"},      {15, "nbody"},
                {16, "merge_runs"},    {17, "nearest_records"}, {0, "bfs_step"}};
    for (u32 n = 0; n < sizeof rows / sizeof *rows; n++) {
        const struct ws_workload *const row = ws_workload_find(rows[n].name);
        struct ws_ndrange launch;
        struct ws_error error;
        assert_non_null(row);
        if (rows[n].place == 0)
            continue;
        assert_string_equal(row->paper, "rogers2015");
        assert_int_equal(row->place, rows[n].place);
        assert_int_equal(row->prepare(WS_SIZE_PAPER, 1, &launch, &error), WS_STATUS_ok);
        assert_int_equal(launch.local[0] * launch.local[1] % 32, 0);
        assert_true(launch.global[0] * launch.global[1] >= 1024);
        row->release(&launch);
    }
}

/* By paper and place; those without a paper last, by name. */
static void test_rows_are_sorted(void **state)
{
    (void)state;
    for (const struct ws_workload *row = ws_workloads(), *next = row + 1; next->name; row = next++) {
        assert_int_equal(next->place > 0, next->paper != NULL);
        const int papers = strcmp(row->paper ? row->paper : "~", next->paper ? next->paper : "~");
        assert_true(papers < 0 || (papers == 0 && (row->place < next->place || strcmp(row->name, next->name) < 0)));
    }
}

/* FIPS 197, appendix C.1: what its example encrypts to. */
static void test_decrypt_is_aes(void **state)
{
    (void)state;
    static const u8 example[16] = {0x69, 0xC4, 0xE0, 0xD8, 0x6A, 0x7B, 0x04, 0x30, 0xD8, 0xCD, 0xB7, 0x80, 0x70, 0xB4, 0xC5, 0x5A};
    struct ws_ndrange launch;
    const struct ws_workload *decrypt = ws_workload_find("decrypt");
    EXPECT_OK(decrypt->prepare(WS_SIZE_TINY, 1, &launch, &error));
    assert_string_equal(launch.arguments[0].name, "cipher");
    assert_memory_equal(launch.arguments[0].data, example, sizeof example);
    decrypt->release(&launch);
}

static void test_unknown_names(void **state)
{
    (void)state;
    assert_null(ws_workload_find("no_such_workload"));
    assert_null(ws_workload_find(""));
    assert_null(ws_size_name(WS_SIZES));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_is_the_papers),
        cmocka_unit_test(test_blocks_are_the_papers),
        cmocka_unit_test(test_threads_fill_the_papers_machine),
        cmocka_unit_test(test_resources_are_the_papers),
        cmocka_unit_test(test_applications_are_the_papers),
        cmocka_unit_test(test_rows_are_sorted),
        cmocka_unit_test(test_decrypt_is_aes),
        cmocka_unit_test(test_unknown_names),
    };
    return cmocka_run_group_tests_name("workloads_table", tests, NULL, NULL);
}
