/* Energy by events: hand calculation, totals, the same in SQL, and the table of docs/energy.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/random.h"
#include "base/text.h"
#include "shared/instruction.h"
#include "test.h"
#include "unit/results/fakes.h"
#include "unit/results/run_sql.h"
#include "warpsweep/energy.h"
#include "warpsweep/machine.h"
#include "warpsweep/results.h"

#define LANES(class_, kind) (WS_COUNT_lane_operations + 8 * WS_CLASS_##class_ + WS_KIND_##kind)

static struct ws_machine fermi(void)
{
    struct ws_machine machine;
    ws_machine_defaults(&machine);
    machine.core_clock = 700;
    return machine;
}

static double sum(const double *part)
{
    double all = 0;
    for (size_t n = 0; n < WS_ENERGY_PARTS; n++)
        all += part[n];
    return all;
}

static void assert_close(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-9 * fabs(expected)))
        fail_msg("%.12g is not %.12g", found, expected);
}

/* ---- By hand ---- */

/* Counters of one job, and the resulting energy of its part with either profile. */
struct sample {
    const char *change; /* of the machine, "key value", or "" */
    u32 sms;
    enum ws_energy_part part;
    struct {
        u32 counter;
        u64 value;
    } counters[4];
    double picojoules[WS_ENERGY_PROFILES];
};

static const struct sample samples[] = {
    {"", 1, WS_ENERGY_fetch, {{WS_COUNT_icache_hits, 10}, {WS_COUNT_icache_misses, 2}}, {630 + 4340, 600 + 4000}},
    {"", 1, WS_ENERGY_decode, {{WS_COUNT_warp_instructions, 10}}, {36, 700}},
    {"", 1, WS_ENERGY_issue, {{WS_COUNT_warp_instructions, 10}}, {550, 550}},
    {"", 1, WS_ENERGY_pipeline, {{WS_COUNT_warp_instructions, 10}}, {12100, 10000}},
    {"", 1, WS_ENERGY_registers, {{WS_COUNT_operand_reads, 3}, {WS_COUNT_operand_writes, 2}}, {1083, 920}},
    {"core.warp_size 8", 1, WS_ENERGY_registers, {{WS_COUNT_operand_reads, 4}}, {233, 200}},
    {"core.warp_size 64", 1, WS_ENERGY_registers, {{WS_COUNT_operand_reads, 1}}, {233, 200}},
    /* 64 lanes, 40 active: 24 idle ones at half the energy of an active one, with gpuwattch322 */
    {"", 1, WS_ENERGY_alu, {{LANES(int, add), 40}, {WS_COUNT_warp_class + WS_CLASS_int, 2}}, {67 * 52, 45 * 40}},
    {"", 1, WS_ENERGY_fpu, {{LANES(fp32, fma), 32}, {WS_COUNT_warp_class + WS_CLASS_fp32, 1}}, {53 * 32, 50 * 32}},
    {"", 1, WS_ENERGY_fpu, {{LANES(fp64, add), 24}, {WS_COUNT_warp_class + WS_CLASS_fp64, 1}}, {30 * 28, 100 * 24}},
    /* 30 of 60 available lanes active, so as many idle ones, at 3/4 */
    {"core.warp_size 4",
     1,
     WS_ENERGY_sfu,
     {{LANES(sfu, other), 20}, {LANES(sfu, div), 10}, {WS_COUNT_warp_class + WS_CLASS_sfu, 15}},
     {1.75 * (580 * 20 + 1440 * 10), 600 * 20 + 1400 * 10}},
    {"", 1, WS_ENERGY_tensor, {{WS_COUNT_tensor_operations, 40}, {WS_COUNT_warp_class + WS_CLASS_tensor, 2}}, {110 * 40, 110 * 40}},
    /* of a class, whatever the kind: 8 of 32 lanes idle, a third of the 24; one kind is the SP's, the other the SFU's */
    {"",
     1,
     WS_ENERGY_alu,
     {{LANES(int, other), 12}, {LANES(int, mad), 12}, {WS_COUNT_warp_class + WS_CLASS_int, 1}},
     {12 * 67 * (1 + 0.5 / 3) + 12 * 193 * (1 + 0.75 / 3), 12 * 45 + 12 * 120}},
    /* more lanes than a packet of the class has (mimd): none is idle */
    {"", 1, WS_ENERGY_alu, {{LANES(int, add), 40}, {WS_COUNT_warp_class + WS_CLASS_int, 1}}, {67 * 40, 45 * 40}},
    {"", 1, WS_ENERGY_shared, {{WS_COUNT_shared_accesses, 3}, {WS_COUNT_shared_conflicts, 4}}, {2120 * 7, 700 * 7}},
    {"",
     1,
     WS_ENERGY_l1,
     {{WS_COUNT_l1_hits, 1}, {WS_COUNT_l1_misses, 10}, {WS_COUNT_l1_store_hits, 100}, {WS_COUNT_l1_store_misses, 1000}},
     {2935 + 22250 + 22000 + 2600000, 2000 * 1111}},
    {"l1.line 64", 1, WS_ENERGY_l1, {{WS_COUNT_private_accesses, 5}, {WS_COUNT_l1_writebacks, 5}}, {6 * 2935, 6 * 2000}},
    {"l1.line 256", 1, WS_ENERGY_l2, {{WS_COUNT_l2_store_hits, 1}, {WS_COUNT_l2_hits, 1}}, {1.8 * 16655, 1.8 * 7500}},
    {"", 1, WS_ENERGY_l2, {{WS_COUNT_l2_misses, 3}, {WS_COUNT_l2_store_misses, 1}}, {306 + 15020, 300 + 5000}},
    {"", 1, WS_ENERGY_constant, {{WS_COUNT_constant_hits, 3}, {WS_COUNT_constant_misses, 1}}, {4 * 1470, 4 * 600}},
    {"", 1, WS_ENERGY_texture, {{WS_COUNT_texture_hits, 3}, {WS_COUNT_texture_misses, 1}}, {4 * 1350, 4 * 1350}},
    {"", 1, WS_ENERGY_network, {{WS_COUNT_network_flits, 7}}, {7 * 1939, 7 * 600}},
    /* three requests of 128 bytes are six of 64 */
    {"",
     1,
     WS_ENERGY_dram,
     {{WS_COUNT_dram_reads, 2}, {WS_COUNT_dram_writes, 1}, {WS_COUNT_dram_bytes, 384}, {WS_COUNT_row_conflicts, 1}},
     {4 * 26950 + 2 * 15860 + 4230, 4 * 22000 + 2 * 16000 + 4200}},
    {"", 1, WS_ENERGY_static, {{WS_COUNT_cycles, 1000}}, {5467e3, 6667e3}},
    {"core.clock 1400", 3, WS_ENERGY_static, {{WS_COUNT_cycles, 1000}}, {1.5 * 5467e3, 1.5 * 6667e3}},
};

TEST(every_part_is_worked_by_hand)
{
    bool done[WS_ENERGY_PARTS] = {false};
    for (size_t n = 0; n < sizeof samples / sizeof *samples; n++) {
        const struct sample *const sample = &samples[n];
        struct ws_machine machine = fermi();
        u64 counters[WS_COUNTERS] = {0};
        char key[32], value[32];
        if (sscanf(sample->change, "%31s %31s", key, value) == 2)
            assert_int_equal(ws_machine_set(&machine, key, value, NULL), WS_STATUS_ok);
        for (size_t c = 0; c < 4; c++)
            if (sample->counters[c].value > 0)
                counters[sample->counters[c].counter] = sample->counters[c].value;
        for (enum ws_energy_profile profile = 0; profile < WS_ENERGY_PROFILES; profile++) {
            double part[WS_ENERGY_PARTS];
            ws_energy_by_part(&machine, counters, sample->sms, profile, part);
            assert_close(part[sample->part], sample->picojoules[profile]);
            if (counters[WS_COUNT_warp_instructions] == 0) /* which count in three parts */
                assert_close(sum(part), part[sample->part]);
        }
        done[sample->part] = true;
    }
    for (size_t n = 0; n < WS_ENERGY_PARTS; n++)
        assert_true(done[n]);
}

/* ---- Totals ---- */

/* A million cycles with one warp instruction per cycle: 2.5 operands, 45 % int, 25 % fp and 2 % sfu with 29 of 32 lanes, 8 % shared
 * memory with 1.2 passes, 17 % global memory, 70 % of it loads, with 1.5 lines, half of which hit in L1, and half of the rest in
 * L2. */
static const struct {
    u32 counter;
    u64 value;
} mix[] = {
    {WS_COUNT_cycles, 1000000},        {WS_COUNT_icache_hits, 500000},     {WS_COUNT_warp_instructions, 1000000},
    {WS_COUNT_operand_reads, 1750000}, {WS_COUNT_operand_writes, 750000},  {LANES(int, add), 13000000},
    {LANES(fp32, add), 2900000},       {LANES(fp32, mad), 4300000},        {LANES(sfu, other), 580000},
    {WS_COUNT_shared_accesses, 80000}, {WS_COUNT_shared_conflicts, 16000}, {WS_COUNT_l1_hits, 89000},
    {WS_COUNT_l1_misses, 89000},       {WS_COUNT_l1_store_misses, 77000},  {WS_COUNT_l2_hits, 45000},
    {WS_COUNT_l2_misses, 44000},       {WS_COUNT_l2_store_hits, 76000},    {WS_COUNT_network_flits, 990000},
    {WS_COUNT_dram_reads, 124500},     {WS_COUNT_dram_writes, 41500},      {WS_COUNT_dram_bytes, 166000 * 64},
    {WS_COUNT_row_conflicts, 21000},
};

TEST(fifteen_sms_take_what_a_card_takes)
{
    static const double dynamic[] = {119, 85}, leaks[] = {57.4, 70};
    const struct ws_machine machine = fermi();
    const double watts = 15 * 700e6 / 1e6 * 1e-12; /* pJ in the million cycles */
    u64 counters[WS_COUNTERS] = {0};
    for (size_t n = 0; n < sizeof mix / sizeof *mix; n++)
        counters[mix[n].counter] = mix[n].value;
    for (enum ws_energy_profile profile = 0; profile < WS_ENERGY_PROFILES; profile++) {
        double part[WS_ENERGY_PARTS];
        ws_energy_by_part(&machine, counters, 1, profile, part);
        const double leaked = watts * part[WS_ENERGY_static], rest = watts * sum(part) - leaked;
        if (!(fabs(leaked - leaks[profile]) < 0.05 && fabs(rest - dynamic[profile]) < 1.5))
            fail_msg("%s: %.2f W and %.2f W", ws_energy_profile_names[profile], rest, leaked);
    }
}

/* ---- The table ---- */

TEST(coefficients_lie_in_their_range)
{
    size_t count;
    const struct ws_energy_event *const event = ws_energy_events(&count);
    assert_true(count > 20);
    for (size_t n = 0; n < count; n++)
        for (size_t profile = 0; profile < WS_ENERGY_PROFILES; profile++)
            if (!(event[n].least <= event[n].picojoules[profile] && event[n].picojoules[profile] <= event[n].most))
                fail_msg("%s of %s", event[n].name, ws_energy_profile_names[profile]);
}

/* Each kind of arithmetic counts in one event. */
TEST(every_lane_counts_once)
{
    static const u32 counted[] = {
#define COUNT(name)                                                                      WS_COUNT_cycles
#define ENERGY(name, part, scale, gpuwattch322, balanced, least, most, doc, source, ...) __VA_ARGS__,
#include "warpsweep/energy.def"
#undef COUNT
    };
    for (u32 bin = WS_COUNT_lane_operations; bin <= WS_COUNT_lane_operations_last; bin++) {
        unsigned events = 0;
        for (size_t n = 0; n < sizeof counted / sizeof *counted; n++)
            events += counted[n] == bin;
        if (events != 1)
            fail_msg("bin %u of lane_operations counts in %u events", bin - WS_COUNT_lane_operations, events);
    }
}

/* docs/energy.md has a row for every event, as generated from the table. */
TEST(the_page_has_the_table)
{
    size_t count, length;
    const struct ws_energy_event *const event = ws_energy_events(&count);
    char *page;
    assert_int_equal(ws_file_read(DOCS_FOLDER "/energy.md", 1 << 20, &page, &length, NULL), WS_STATUS_ok);
    for (size_t n = 0; n < count; n++) {
        char row[400];
        snprintf(row, sizeof row, "\n| %s | %s | %s | %g | %g | %g to %g | %s |\n", event[n].name,
                 ws_energy_part_names[event[n].part], event[n].per, event[n].picojoules[0], event[n].picojoules[1], event[n].least,
                 event[n].most, event[n].source);
        if (!strstr(page, row))
            fail_msg("docs/energy.md has no row%s", row);
    }
    free(page);
}

/* ---- The same in SQL ---- */

enum { POINTS = 4, TRACES = 3, SHARDS = 2 };

static u64 counted[POINTS][TRACES][SHARDS][WS_COUNTERS];
static struct ws_experiment *experiment;

/* Every counter has a different value; the last trace has no lanes and no requests. */
static void count(const struct ws_machine *machine, const char *trace, u32 shard, struct ws_job_result *result)
{
    const u32 point = machine->core_depth - 7, number = (u32)(trace[0] - 'a');
    u64 random = 1 + point + POINTS * (number + TRACES * shard);
    for (size_t n = 0; n < WS_COUNTERS; n++)
        result->counters[n] = ws_random(&random) % 1000;
    for (u32 n = 0; number == TRACES - 1 && n < 32; n++)
        result->counters[WS_COUNT_lane_operations + n] = 0;
    if (number == TRACES - 1)
        result->counters[WS_COUNT_dram_reads] = result->counters[WS_COUNT_dram_writes] = 0;
    memcpy(counted[point][number][shard], result->counters, sizeof result->counters);
}

static void run_sweep(void)
{
    const struct ws_sweep_options options = {WS_STRUCT(sweep_options), .results = fake_results};
    struct ws_sweep_summary summary;
    experiment = fake_experiment(POINTS, TRACES, SHARDS);
    for (size_t n = 0; n < POINTS; n++) {
        struct ws_machine *const machine = &experiment->points[n].machine;
        machine->core_clock = (u32)(700 + 300 * n);
        machine->core_warp_size = 8u << n;
        machine->l1_line = 32u << n;
    }
    fake_engine.alter = count;
    assert_int_equal(ws_sweep(experiment, &options, &summary, NULL), WS_STATUS_ok);
}

/* Adds a shard's counters; cycles are those of the slowest. */
static void fold(u64 *counters, const u64 *shard)
{
    const u64 slowest = shard[WS_COUNT_cycles] > counters[WS_COUNT_cycles] ? shard[WS_COUNT_cycles] : counters[WS_COUNT_cycles];
    for (size_t n = 0; n < WS_COUNTERS; n++)
        counters[n] += shard[n];
    counters[WS_COUNT_cycles] = slowest;
}

/* Columns: point, trace, shard (or NULL), then by profile energy and static share, then energy an instruction. */
static enum ws_status check(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    const size_t point = strtoul(row->values[0], NULL, 10), trace = strtoul(row->values[1], NULL, 10);
    u64 counters[WS_COUNTERS] = {0};
    (void)error;
    for (size_t shard = 0; shard < SHARDS; shard++)
        if (!row->values[2] || strtoul(row->values[2], NULL, 10) == shard)
            fold(counters, counted[point][trace][shard]);
    for (enum ws_energy_profile profile = 0; profile < WS_ENERGY_PROFILES; profile++) {
        double part[WS_ENERGY_PARTS];
        ws_energy_by_part(&experiment->points[point].machine, counters, row->values[2] ? 1 : SHARDS, profile, part);
        assert_close(strtod(row->values[3 + 2 * profile], NULL), 1e-6 * sum(part));
        assert_close(strtod(row->values[4 + 2 * profile], NULL), part[WS_ENERGY_static] / sum(part));
        if (profile == WS_ENERGY_PROFILE_gpuwattch322)
            assert_close(strtod(row->values[7], NULL), sum(part) / (double)counters[WS_COUNT_thread_instructions]);
    }
    ++*(size_t *)context;
    return WS_STATUS_ok;
}

static void ask(const char *sql, size_t rows)
{
    struct ws_results *results;
    size_t found = 0;
    EXPECT_OK(ws_results_open(fake_results, WS_RESULTS_WRITE, &results, &error));
    EXPECT_OK(ws_results_query(results, sql, NULL, check, &found, &error));
    ws_results_close(results, NULL);
    assert_int_equal(found, rows);
}

#define METRICS "energy, static_share, energy_balanced, static_share_balanced, energy_per_instruction"

TEST_WITH(metrics_are_the_same_sums, fake_set_up, fake_tear_down)
{
    run_sweep();
    ask("SELECT point_position, trace_position, shard, " METRICS " FROM result", POINTS * TRACES * SHARDS);
    ask("SELECT point_position, trace_position, NULL, " METRICS " FROM kernel", POINTS * TRACES);
}

static enum ws_status take_text(void *context, const struct ws_results_row *row, struct ws_error *error)
{
    (void)error;
    snprintf(context, 32, "%s", row->values[0]);
    return WS_STATUS_ok;
}

/* A file of a build without one of the counters has NULL instead of too little energy. */
TEST_WITH(without_a_counter_there_is_no_energy, fake_set_up, fake_tear_down)
{
    static const char *const counters[] = {"lane_operations_9", "warp_class_1", "dram_bytes", "operand_reads", "cycles"};
    for (size_t n = 0; n < sizeof counters / sizeof *counters; n++) {
        struct ws_results *results;
        char sql[100], answer[32] = "";
        run_sweep();
        snprintf(sql, sizeof sql, "UPDATE job SET %s = NULL WHERE shard = 1", counters[n]);
        run_sql(fake_results, sql);
        assert_int_equal(ws_results_open(fake_results, WS_RESULTS_READ, &results, NULL), WS_STATUS_ok);
        assert_int_equal(
            ws_results_query(results, "SELECT count(*) || ' ' || count(energy) FROM kernel", NULL, take_text, answer, NULL),
            WS_STATUS_ok);
        ws_results_close(results, NULL);
        assert_string_equal(answer, "12 0");
        assert_int_equal(remove(fake_results), 0);
    }
}
