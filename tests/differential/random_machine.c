/* Random machines: small caches and queues, so that everything is full, evicted and missed often. */
#include <stdio.h>

#include "differential/random_case.h"
#include "oracle/image_build.h"

static void random_core(struct random *random, struct ws_machine *machine)
{
    const bool large = random_chance(random, 35), compacts = random_chance(random, 45);
    machine->core_depth = random_chance(random, 5) ? random_from(random, 1, 64) : random_from(random, 1, 10);
    machine->divergence_unit = large ? WS_divergence_lwm : compacts ? WS_divergence_tbc : WS_divergence_pdom;
    machine->core_warp_size = large ? random_power(random, 5, 9) : random_chance(random, 60) ? 32 : random_power(random, 2, 5);
    machine->core_simd_width = random_chance(random, 60) ? 32 : random_power(random, 2, 4);
    machine->core_warps = random_chance(random, 50) ? 32 : random_from(random, 1, 32);
    machine->core_blocks = random_chance(random, 50) ? 32 : random_from(random, 1, 4);
    machine->core_clock = random_chance(random, 70) ? 1000 : random_from(random, 500, 2500);
    machine->core_watchdog = 100000;
}

static void random_divergence(struct random *random, struct ws_machine *machine)
{
    machine->divergence_first_path = random_below(random, 2);
    machine->divergence_merge = random_below(random, 2);
    machine->divergence_stack_depth = random_chance(random, 12) ? random_from(random, 2, 8) : random_from(random, 64, 256);
    machine->divergence_refetch = random_chance(random, 25);
    machine->divergence_decode = random_chance(random, 25);
    if (machine->divergence_unit == WS_divergence_tbc && random_chance(random, 70))
        machine->divergence_compaction_block = machine->core_warp_size << random_below(random, 6);
}

static void random_schedule(struct random *random, struct ws_machine *machine)
{
    static const u32 timeouts[] = {0, 0, 1, 7, 40, 300};
    machine->schedule_policy = random_below(random, 3);
    machine->schedule_round_robin = random_below(random, 2);
    machine->schedule_fetch_group = random_chance(random, 30) ? random_from(random, 1, 32) : random_from(random, 1, 5);
    machine->schedule_timeout = timeouts[random_below(random, 6)];
    machine->schedule_timeout_unit = random_below(random, 2);
    if (machine->schedule_timeout_unit == WS_timeout_unit_thread)
        machine->schedule_timeout *= random_from(random, 1, 32);
}

static void random_caches(struct random *random, struct ws_machine *machine)
{
    static const u32 mshrs[] = {0, 0, 32, 33, 48};
    machine->memory_ideal = random_chance(random, 8);
    machine->memory_port =
        machine->divergence_unit != WS_divergence_lwm && random_chance(random, 40) ? WS_port_warp : WS_port_select;
    machine->memory_shared_banks = random_power(random, 0, 5);
    machine->l1_line = random_power(random, 5, 8);
    machine->l1_ways = random_power(random, 0, 4);
    machine->l1_size = random_power(random, 10, random_chance(random, 50) ? 13 : 17);
    while (machine->l1_size < machine->l1_ways * machine->l1_line)
        machine->l1_size *= 2;
    machine->l1_mshrs = mshrs[random_below(random, 5)];
    machine->l1_store = random_below(random, 2);
    machine->icache_line = random_power(random, 5, 8);
    machine->icache_ways = random_power(random, 0, 4);
    machine->icache_instruction_bytes = random_power(random, 2, 4);
    machine->icache_size = random_chance(random, 25) ? 0 : machine->icache_line * machine->icache_ways * random_power(random, 0, 3);
}

static void random_latencies(struct random *random, struct ws_machine *machine)
{
    const u32 kind = random_below(random, 100);
    machine->dram_row_hit = random_chance(random, 50) ? random_from(random, 1, 20) : random_from(random, 20, 100);
    machine->dram_row_conflict = machine->dram_row_hit + random_from(random, 0, random_chance(random, 70) ? 30 : 200);
    if (kind < 5) { /* nothing issues for as long as the watchdog allows */
        machine->dram_row_conflict = 2500;
        machine->icache_size = random_chance(random, 50) ? 0 : machine->icache_size;
        machine->core_watchdog = random_from(random, 1000, 2600);
    } else if (kind < 15) { /* a bank has later data sooner */
        machine->dram_row_hit = random_from(random, 50, 200);
        machine->dram_row_conflict = random_from(random, 1, 20);
    }
}

static void random_memory(struct random *random, struct ws_machine *machine)
{
    static const u32 bandwidths[] = {32000, 48000, 77777, 250000, 1000000, 10000000};
    machine->dram_banks = random_power(random, 0, 5);
    machine->dram_row_bytes = random_power(random, 8, 14);
    random_latencies(random, machine);
    machine->dram_bandwidth = bandwidths[random_below(random, 6)];
    machine->dram_mapping = random_below(random, 4);
    machine->dram_seed = (u32)random_next(random);
    machine->dram_queue = random_chance(random, 60) ? random_from(random, 64, 80) : random_from(random, 64, 1024);
}

/* Many warps that seldom wait for anything but data, so that they take turns for long. */
static void calm_machine(struct random *random, struct ws_machine *machine)
{
    machine->core_simd_width = machine->core_warps = machine->core_blocks = 32;
    machine->schedule_fetch_group = random_from(random, 1, 8);
    machine->schedule_timeout = 0;
    machine->icache_size = 0;
}

void random_machine(struct random *random, struct ws_machine *machine)
{
    machine_defaults(machine);
    random_core(random, machine);
    random_divergence(random, machine);
    random_schedule(random, machine);
    random_caches(random, machine);
    random_memory(random, machine);
    if (random_chance(random, 25))
        calm_machine(random, machine);
}

static void print_parameter(const char *group, const char *name, u32 value, u32 standard)
{
    if (value != standard)
        fprintf(stderr, "    %s.%s = %u\n", group, name, value);
}

void print_machine(const struct ws_machine *machine)
{
#define NUMBER(group, name, standard, least, most, unit, doc) print_parameter(#group, #name, machine->group##_##name, standard);
#define POWER(group, name, standard, least, most, unit, doc)  print_parameter(#group, #name, machine->group##_##name, standard);
#define CHOOSE(group, name, set, standard, doc)               print_parameter(#group, #name, machine->group##_##name, WS_##set##_##standard);
#include "shared/parameters.def"
#undef NUMBER
#undef POWER
#undef CHOOSE
}
