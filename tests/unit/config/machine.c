/* Machine files, overrides and the combinations that are refused. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "unit/config/allowed.h"
#include "unit/kit/config_files.h"
#include "warpsweep/machine.h"

static size_t parameter(const char *key)
{
    size_t count, n = 0;
    const struct ws_parameter *const rows = ws_parameters(&count);
    while (n < count && strcmp(rows[n].key, key) != 0)
        n++;
    assert_true(n < count);
    return n;
}

TEST(a_file_sets_what_it_names)
{
    struct ws_machine_file file;
    struct ws_machine standard;
    files_write("m.yaml", "name: mine\nabout: Small\ncore:\n  warp_size: 16\n  # comment\n  warps: 8\ndivergence: {merge: off}\n");
    assert_int_equal(ws_machine_load("m.yaml", &file, NULL), WS_STATUS_ok);
    ws_machine_defaults(&standard);
    assert_string_equal(file.name, "mine");
    assert_string_equal(file.about, "Small");
    assert_int_equal(file.machine.core_warp_size, 16);
    assert_int_equal(file.machine.divergence_merge, WS_toggle_off);
    assert_string_equal(file.source[parameter("core.warp_size")], "m.yaml:4");
    assert_string_equal(file.source[parameter("core.warps")], "m.yaml:6");
    assert_string_equal(file.source[parameter("divergence.merge")], "m.yaml:7");
    assert_string_equal(file.source[parameter("core.depth")], "default");
    file.machine.core_warp_size = standard.core_warp_size;
    file.machine.core_warps = standard.core_warps;
    file.machine.divergence_merge = standard.divergence_merge;
    assert_memory_equal(&file.machine, &standard, sizeof standard);
}

/* Parameters that a file omits, of pipelines and path units that it does not use, have their defaults. */
TEST(bundled_machines_load)
{
    size_t machine_count, count;
    const struct ws_machine_row *const machines = ws_machines(&machine_count);
    ws_parameters(&count);
    assert_true(machine_count > 0);
    for (size_t m = 0; m < machine_count; m++) {
        struct ws_machine_file file;
        struct ws_error error;
        char prefix[80];
        EXPECT_DONE(ws_machine_load(machines[m].name, &file, &error), &error);
        assert_string_equal(file.name, machines[m].name);
        assert_string_equal(file.about, machines[m].about);
        assert_int_equal(ws_machine_check(&file.machine, NULL), WS_STATUS_ok);
        snprintf(prefix, sizeof prefix, "%s.yaml:", machines[m].name);
        for (size_t n = 0; n < count; n++)
            if (strcmp(file.source[n], "default") != 0)
                assert_memory_equal(file.source[n], prefix, strlen(prefix));
    }
}

/* Rogers et al., 2015, Table 1 and section 2, as far as they give numbers; bytes per memory cycle are bandwidth over clock. */
TEST(rogers2015_is_table_1)
{
    struct ws_machine_file file;
    assert_int_equal(ws_machine_load("rogers2015", &file, NULL), WS_STATUS_ok);
    const struct ws_machine *const machine = &file.machine;
    assert_int_equal(machine->core_issue_ports, 1);
    assert_int_equal(machine->core_buffer, 1);
    assert_int_equal(machine->core_warp_size, 32);
    assert_int_equal(machine->core_simd_width, 32);
    assert_int_equal(machine->core_warps, 32);
    assert_int_equal(machine->core_shared_bytes, 48 * 1024);
    assert_int_equal(machine->schedule_policy, WS_policy_gto);
    assert_int_equal(machine->l1_size, 64 * 1024);
    assert_int_equal(machine->l2_size, 128 * 1024);
    assert_int_equal(machine->l1_ways, 8);
    assert_int_equal(machine->l2_ways, 8);
    assert_int_equal(machine->l1_line, 128);
    assert_int_equal(machine->dram_bandwidth, 32 * machine->core_clock);
    assert_int_equal(machine->unit_collect + machine->latency_fp32_mad + machine->unit_writeback, 10);
    assert_int_equal(machine->latency_int_add, machine->latency_fp32_mad);
    static const char *const sizes[][2] = {
        {"core.warp_size=16", "core.warps=64"}, {"core.warp_size=8", "core.warps=128"}, {"core.warp_size=4", "core.warps=256"}};
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
        for (size_t i = 0; i < 2; i++)
            assert_int_equal(ws_machine_override(&file, sizes[n][i], NULL), WS_STATUS_ok);
        assert_int_equal(ws_machine_check(machine, NULL), WS_STATUS_ok);
    }
}

/* Table 1, as far as it gives numbers. */
TEST(narasiman2011_is_table_1)
{
    struct ws_machine_file file;
    assert_int_equal(ws_machine_load("narasiman2011", &file, NULL), WS_STATUS_ok);
    const struct ws_machine *const machine = &file.machine;
    assert_int_equal(machine->core_depth, 7);
    assert_int_equal(machine->core_warp_size * machine->core_warps, 1024);
    assert_int_equal(machine->icache_size, 4 * 1024);
    assert_int_equal(machine->l1_size, 128 * 1024);
    assert_int_equal(machine->l1_ways, 4);
    assert_int_equal(machine->l1_line, 128);
    assert_int_equal(machine->dram_banks, 8);
    assert_int_equal(machine->dram_row_bytes, 4 * 1024);
    assert_int_equal(machine->dram_row_hit, 100);
    assert_int_equal(machine->dram_row_conflict, 300);
    assert_int_equal(machine->dram_bandwidth, 32000);
}

/* Shared levels have a 46th of the chip's size and bandwidth in Accel-Sim's configuration. */
TEST(rtx3070_is_a_46th_of_the_chip)
{
    enum { SMS = 46, CHANNELS = 16, SLICES = 32, SLICE_SETS = 64, LINE = 128, SLICE_MSHRS = 192, CHANNEL_QUEUE = 64 };
    struct ws_machine_file file;
    assert_int_equal(ws_machine_load("rtx3070", &file, NULL), WS_STATUS_ok);
    const struct ws_machine *const machine = &file.machine;
    const u32 set = machine->l2_ways * machine->l1_line, l2 = SLICES * SLICE_SETS * LINE * 16;
    assert_int_equal(machine->l2_size, l2 / SMS / set * set);
    assert_int_equal(machine->l2_mshrs, (SLICES * SLICE_MSHRS + SMS - 1) / SMS);
    assert_int_equal(machine->dram_window, CHANNELS * CHANNEL_QUEUE / SMS);
    assert_int_equal(machine->dram_bandwidth, (u32)(CHANNELS * 2 * 4 * 3500.5 / SMS));
    assert_int_equal(machine->core_warp_size * machine->core_warps, 1536);
}

static const struct {
    const char *text, *message;
} refused_files[] = {
    {"about: x\n", "m.yaml:1: the key 'name' is missing"},
    {"- name\n", "m.yaml:1: found a list, allowed is a mapping of keys to values"},
    {"name: x\nabout: []\n", "m.yaml:2: about: found a list, allowed is a value"},
    {"name:\n", "m.yaml:1: name: the value is missing"},
    {"name: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n",
     "m.yaml:1: name: found 64 bytes, allowed are at most 63"},
    {"name: x\ncores: {warps: 8}\n",
     "m.yaml:2: cores: unknown key 'cores', allowed are name, about, sms, core, dispatch, divergence, "
     "dwf, vws, schedule, pro, unit, subcore, latency, "
     "interval, memory, l1, icache, constant, texture, l2, dram (did you mean 'core'?)"},
    {"name: x\ncore: 32\n", "m.yaml:2: core: found '32', allowed is a mapping of keys to values"},
    {"name: x\ncore:\n  wraps: 8\n", "m.yaml:3: no parameter is called 'core.wraps' (did you mean 'core.warps'?)"},
    {"name: x\ncore:\n  warps: 9999\n", "m.yaml:3: core.warps: found '9999', allowed is $core.warps"},
    {"name: x\ncore:\n  warps:\n", "m.yaml:3: core.warps: the value is missing"},
    {"name: x\ncore:\n  warps: [8]\n", "m.yaml:3: core.warps: found a list, allowed is a value"},
    {"name: x\ndivergence:\n  unit: sesquipedalian\n",
     "m.yaml:3: divergence.unit: found 'sesquipedalian', allowed is one of $divergence.unit"},
    {"name: x\ncore: {warps: 8}\ncore: {warps: 8}\n", "m.yaml:3: the key 'core' is given twice, first in line 2; remove one"},
};

TEST(broken_files_are_refused)
{
    for (size_t n = 0; n < sizeof refused_files / sizeof *refused_files; n++) {
        struct ws_machine_file file;
        struct ws_error error;
        files_write("m.yaml", refused_files[n].text);
        assert_int_equal(ws_machine_load("m.yaml", &file, &error), WS_STATUS_bad_input);
        assert_allowed(error.message, refused_files[n].message);
    }
}

TEST(names_that_are_nothing_are_refused)
{
    struct ws_machine_file file;
    EXPECT_ERROR(ws_machine_load("narasiman2012", &file, &error), WS_STATUS_no_file,
                 "found 'narasiman2012', which is no file and no bundled machine; bundled are listed by "
                 "'warpsweep list machines' (did you mean 'narasiman2011'?)");
    EXPECT_ERROR(ws_machine_load("none.yaml", &file, &error), WS_STATUS_no_file,
                 "none.yaml: cannot be read: No such file or directory");
}

TEST(long_paths_keep_their_end)
{
    struct ws_machine_file file;
    char path[160];
    memset(path, '/', sizeof path);
    memcpy(path, ".", 1);
    strcpy(path + sizeof path - sizeof "m.yaml", "m.yaml");
    files_write("m.yaml", "name: x\ncore: {warps: 8}\n");
    assert_int_equal(ws_machine_load(path, &file, NULL), WS_STATUS_ok);
    const char *const source = file.source[parameter("core.warps")];
    assert_int_equal(strlen(source), sizeof file.source[0] - 1);
    assert_string_equal(source + strlen(source) - 8, "m.yaml:2");
}

TEST(overrides_are_noted)
{
    struct ws_machine_file file;
    struct ws_error error;
    assert_int_equal(ws_machine_load("narasiman2011", &file, NULL), WS_STATUS_ok);
    assert_int_equal(ws_machine_override(&file, "core.warps=4", NULL), WS_STATUS_ok);
    assert_int_equal(file.machine.core_warps, 4);
    assert_string_equal(file.source[parameter("core.warps")], "override");
    assert_int_equal(ws_machine_override(&file, "core.warps", &error), WS_STATUS_usage);
    assert_string_equal(error.message, "found 'core.warps', allowed is an override of the form KEY=VALUE");
    assert_int_equal(ws_machine_override(&file, "core.wrap=4", &error), WS_STATUS_bad_input);
    assert_string_equal(error.message, "no parameter is called 'core.wrap' (did you mean 'core.warps'?)");
    assert_int_equal(ws_machine_override(&file, "core.warps=0", &error), WS_STATUS_bad_input);
    assert_allowed(error.message, "core.warps: found '0', allowed is $core.warps");
    assert_int_equal(file.machine.core_warps, 4);
}

/* Combinations of the bundled machine with these overrides; NULL messages are accepted. */
static const struct {
    const char *overrides[5];
    const char *message;
} combinations[] = {
    {{"core.warp_size=4"}, NULL},
    {{"core.warp_size=64"}, "core.warp_size: found 64, allowed are at most 32 threads unless divergence.unit is lwm"},
    {{"divergence.unit=lwm", "core.warp_size=64"}, NULL},
    {{"divergence.unit=lwm", "core.warp_size=512"}, NULL},
    {{"divergence.unit=lwm", "core.warp_size=16"},
     "core.warp_size: found 16, allowed are 32 to 512 threads where divergence.unit is lwm"},
    {{"core.warps=256"}, NULL},
    {{"divergence.unit=tbc", "core.warps=64"}, NULL},
    {{"divergence.unit=tbc", "core.warps=65"}, "core.warps: found 65, allowed are at most 64 where divergence.unit is tbc"},
    {{"divergence.unit=lwm", "core.warps=33"}, "core.warps: found 33, allowed are at most 32 where divergence.unit is lwm"},
    {{"memory.data_port=warp"}, NULL},
    {{"divergence.unit=lwm", "memory.data_port=warp"},
     "memory.data_port: found 'warp', allowed is select where divergence.unit is lwm"},
    {{"divergence.unit=lwm", "memory.data_port=banks"},
     "memory.data_port: found 'banks', allowed is select where divergence.unit is lwm"},
    {{"divergence.unit=lwm", "l1.latency=1"}, "l1.latency: found 1, allowed is 0 where divergence.unit is lwm"},
    {{"core.dispatch=warp"}, NULL},
    {{"core.dispatch=warp", "core.pipeline=scoreboard"}, NULL},
    {{"divergence.unit=lwm", "core.dispatch=warp"},
     "divergence.unit 'lwm' and core.dispatch 'warp' do not go together; allowed instead: divergence.unit pdom; or "
     "core.dispatch block ('warpsweep list variants')"},
    {{"divergence.unit=dwf", "schedule.policy=majority", "icache.size=0", "core.dispatch=warp"},
     "divergence.unit 'dwf' and core.dispatch 'warp' do not go together; allowed instead: divergence.unit pdom; or "
     "core.dispatch block ('warpsweep list variants')"},
    {{"core.pipeline=scoreboard", "divergence.unit=vws", "schedule.policy=gto", "core.warp_size=4"}, NULL},
    {{"core.pipeline=scoreboard", "divergence.unit=vws", "schedule.policy=lpc", "core.issue_ports=2"},
     "core.issue_ports: found 2, allowed is 1 where divergence.unit is vws, whose slices are its issue ports"},
    {{"core.pipeline=scoreboard", "divergence.unit=vws", "schedule.policy=lrr", "core.warp_size=4", "core.warps=100"},
     "core.warps: found 100, allowed are multiples of 32 / core.warp_size = 8 where divergence.unit is vws"},
    {{"core.pipeline=scoreboard", "divergence.unit=vws", "schedule.policy=gto", "core.issue_port_order=rotate"},
     "core.issue_port_order: found 'rotate', allowed is fixed where divergence.unit is vws"},
    {{"core.pipeline=scoreboard", "divergence.unit=vws", "schedule.policy=gto", "vws.l0=96"},
     "vws.l0: found 96, allowed are 0 (none) and powers of two from 64 to 1024 bytes"},
    {{"l1.mshrs=32"}, NULL},
    {{"l1.mshrs=31"}, "l1.mshrs: found 31, allowed are 0 (no limit) or at least 32: one access may need as many"},
    {{"l1.size=1024", "l1.ways=8", "l1.line=128"}, NULL},
    {{"l1.size=1024", "l1.ways=16", "l1.line=128"}, "l1.size: found 1024, allowed are at least l1.ways x l1.line = 2048 bytes"},
    {{"icache.size=0", "icache.ways=16", "icache.line=256"}, NULL},
    {{"icache.size=512"}, NULL},
    {{"icache.size=256"}, "icache.size: found 256, allowed are at least icache.ways x icache.line = 512 bytes"},
    {{"icache.size=3000"}, "icache.size: found 3000, allowed is a power of two, or 0 for a cache that always hits"},
    {{"dram.row_hit=300", "dram.row_conflict=100"}, NULL},
    {{"schedule.policy=two_level", "core.warps=4", "schedule.fetch_group=32"}, NULL},
};

TEST(combinations_are_checked)
{
    for (size_t n = 0; n < sizeof combinations / sizeof *combinations; n++) {
        struct ws_machine_file file;
        struct ws_error error;
        assert_int_equal(ws_machine_load("narasiman2011", &file, NULL), WS_STATUS_ok);
        for (size_t i = 0; i < 5 && combinations[n].overrides[i]; i++)
            assert_int_equal(ws_machine_override(&file, combinations[n].overrides[i], NULL), WS_STATUS_ok);
        const enum ws_status status = ws_machine_check(&file.machine, &error);
        if (combinations[n].message) {
            assert_int_equal(status, WS_STATUS_bad_input);
            assert_string_equal(error.message, combinations[n].message);
        } else {
            assert_int_equal(status, WS_STATUS_ok);
        }
    }
}

/* Path units other than pdom and vws require the barrel pipeline (docs/model/, score.units). */
TEST(the_scoreboard_runs_pdom_and_slices)
{
    static const u32 units[] = {WS_divergence_pdom, WS_divergence_lwm, WS_divergence_tbc};
    for (size_t n = 0; n < sizeof units / sizeof *units; n++) {
        struct ws_machine machine;
        ws_machine_defaults(&machine);
        machine.divergence_unit = units[n];
        assert_int_equal(ws_machine_check(&machine, NULL), WS_STATUS_ok);
        machine.core_pipeline = WS_pipeline_scoreboard;
        assert_int_equal(ws_machine_check(&machine, NULL), n == 0 ? WS_STATUS_ok : WS_STATUS_bad_input);
    }
}

/* A machine built through the API is checked like a file. */
TEST(values_out_of_range_are_refused)
{
    struct ws_machine machine;
    struct ws_error error;
    ws_machine_defaults(&machine);
    machine.dram_banks = 3;
    assert_int_equal(ws_machine_check(&machine, &error), WS_STATUS_bad_input);
    assert_string_equal(error.message, "dram.banks: found '3', allowed is a power of two from 1 to 32 (banks)");
    ws_machine_defaults(&machine);
    machine.divergence_unit = 77;
    assert_int_equal(ws_machine_check(&machine, &error), WS_STATUS_bad_input);
    assert_allowed(error.message, "divergence.unit: found '77', allowed is one of $divergence.unit");
}

TESTS(files_enter, files_leave)
