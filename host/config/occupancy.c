/* How many blocks and warps of a launch an SM holds (docs/model.md 8, 9). */
#include "config/parameters.h"

/* Also of a unit of 0, as a results file of an earlier build may have it. */
static u64 round_up(u64 value, u32 unit)
{
    return unit == 0 ? value : (value + unit - 1) / unit * unit;
}

/* How many fit by a resource of which each takes `each` and the SM has total, 0 for no limit. */
static u32 fitting(u32 limit, u32 total, u64 each)
{
    return total == 0 || each == 0 || total / each > limit ? limit : (u32)(total / each);
}

/* Warps that fit by registers, each in one part of the register file. */
static u32 fitting_warps(const struct ws_machine *machine, u64 warp_registers)
{
    const u32 parts = ws_max(machine->core_register_parts, 1);
    if (machine->core_registers == 0 || warp_registers == 0)
        return machine->core_warps;
    return ws_min(machine->core_warps, parts * (u32)(machine->core_registers / parts / warp_registers));
}

struct ws_occupancy ws_machine_occupancy(const struct ws_machine *machine, const struct ws_demand *demand)
{
    struct ws_occupancy fits = {.warps = (demand->threads + machine->core_warp_size - 1) / machine->core_warp_size};
    if (fits.warps == 0)
        return fits;
    fits.slots = (u32)round_up(fits.warps, WS_SLICES(machine));
    fits.warp_registers = machine->core_warp_size * round_up(demand->registers, machine->core_register_unit);
    fits.block_registers =
        round_up(round_up(fits.warps, machine->core_block_warp_unit) * fits.warp_registers, machine->core_block_register_unit);
    fits.block_shared = round_up((u64)demand->shared_bytes + machine->core_shared_reserved, machine->core_shared_unit);
    fits.places = fitting_warps(machine, fits.warp_registers);
    fits.shared_blocks = fitting(machine->core_blocks, machine->core_shared_bytes, fits.block_shared);
    fits.blocks = ws_min(fits.shared_blocks, ws_min(machine->core_warps / fits.slots, fits.places / fits.warps));
    fits.blocks = fitting(fits.blocks, machine->core_registers, fits.block_registers);
    return fits;
}
