#include "differential/random/random_case.h"

#include <stdlib.h>

#include "oracle/allocate.h"
#include "warpsweep/machine.h"

enum { MOST_BLOCKS = 300 }; /* more than block slots */

const struct case_size whole_size = {.blocks = 4, .block_threads = 1024, .statements = 50, .thread_instructions = 12000};
const struct case_size small_size = {.blocks = 3, .block_threads = 400, .statements = 30, .thread_instructions = 2500};

static u32 at_most(u32 value, u32 most)
{
    return value < most ? value : most;
}

static u32 at_least(u32 value, u32 least)
{
    return value > least ? value : least;
}

/* Awkward numbers of threads: partial warps and partial rows. */
static u32 random_block_threads(struct random *random, u32 most)
{
    const u32 kind = random_below(random, 10);
    if (kind < 2)
        return random_from(random, 1, at_most(most, 40));
    if (kind < 6)
        return random_from(random, 1, at_most(most, 300));
    if (kind < 9)
        return at_most(most, 32 * random_from(random, 1, 16));
    return random_from(random, 1, most);
}

/* As many threads as the largest case has, in blocks of this size. */
static u32 many_blocks(const struct case_size *size, u32 threads)
{
    return at_most(size->blocks * size->block_threads / threads, MOST_BLOCKS);
}

static u32 round_up(u32 value, u32 unit)
{
    return (value + unit - 1) / unit * unit;
}

/* Sometimes registers and shared memory limit resident blocks; with warp dispatch, also the number of partial blocks. */
static void limit_resources(struct random *random, struct random_case *random_case)
{
    struct image_build *build = &random_case->build;
    struct ws_machine *machine = &random_case->machine;
    const bool by_warps = machine->core_dispatch == WS_dispatch_warp;
    const u32 warps = (build->block_threads + machine->core_warp_size - 1) / machine->core_warp_size;
    const u32 warp = machine->core_warp_size * round_up(build->registers, machine->core_register_unit);
    const u32 block = round_up(round_up(warps, machine->core_block_warp_unit) * warp, machine->core_block_register_unit);
    const u32 parts = machine->core_register_parts, shared = build->shared_bytes + machine->core_shared_reserved;
    if (random_chance(random, by_warps ? 60 : 30))
        machine->core_registers =
            at_least(block * random_from(random, 1, 3) + random_below(random, by_warps ? block : 9), round_up(warps, parts) * warp);
    if (random_chance(random, 30))
        machine->core_shared_bytes =
            round_up(shared, machine->core_shared_unit) * random_from(random, 1, 3) + random_below(random, 9);
    if (by_warps && machine->dispatch_stops == WS_stops_all && machine->dispatch_threshold < warps)
        machine->dispatch_threshold = 0;
}

void random_case_make_of(struct random_case *random_case, u64 seed, const struct case_size *size, const struct wanted *wanted)
{
    struct random random = {.state = mix(seed)};
    struct behaviour *behaviour = oracle_allocate(MOST_INSTRUCTIONS, sizeof *behaviour);
    u32 distance[MOST_INSTRUCTIONS];
    random_case->seed = seed;
    struct ws_machine *machine = &random_case->machine;
    random_machine(&random, seed, wanted, machine);
    const u32 threads = random_block_threads(&random, at_most(size->block_threads, machine->core_warps * machine->core_warp_size));
    const u32 many = machine->core_warps > 32 || machine->schedule_policy == WS_policy_pro ? 60 : 15;
    const u32 blocks = random_from(&random, 1, random_chance(&random, many) ? many_blocks(size, threads) : size->blocks);
    image_build_start(&random_case->build, blocks, threads);
    const bool waits_in_part = machine->divergence_unit == WS_divergence_pdom || machine->divergence_unit == WS_divergence_vws;
    const bool named = waits_in_part && !(wanted && wanted->no_named) && random_chance(&random, 40);
    random_program(&random, size->statements, ws_machine_spaces(machine), named, &random_case->build, behaviour);
    limit_resources(&random, random_case);
    make_exits_reachable(&random_case->build, distance);
    const u32 budget =
        random_chance(&random, 10) ? 4 * size->thread_instructions : size->thread_instructions >> random_below(&random, 6);
    if (machine->core_pipeline == WS_pipeline_subcore)
        random_operands(&random, &random_case->build);
    random_threads(seed, behaviour, distance, at_most(budget / (blocks * threads) + 5, 1000), &random_case->build);
    random_case->image = image_build_finish(&random_case->build);
    free(behaviour);
}

void random_case_make(struct random_case *random_case, u64 seed, const struct case_size *size)
{
    random_case_make_of(random_case, seed, size, NULL);
}

void random_case_free(struct random_case *random_case)
{
    image_free(random_case->image);
    image_build_free(&random_case->build);
}

bool has_named_barriers(const struct ws_image *image)
{
    for (u32 pc = 0; pc < image->instructions; pc++)
        if (image->program[pc].flags & WS_NAMED)
            return true;
    return false;
}
