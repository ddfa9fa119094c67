/* Blocks and warps of a launch that an SM can hold (docs/model/dispatch.md). */
#include <string.h>

#include "base/text.h"
#include "config/parameters.h"
#include "warpsweep/trace.h"

/* Handles a unit of 0, which results files of earlier builds may have. */
static u64 round_up(u64 value, u32 unit)
{
    return unit == 0 ? value : (value + unit - 1) / unit * unit;
}

/* Number that fit a resource of size total (0: no limit), if each takes `each`. */
static u32 fitting(u32 limit, u32 total, u64 each)
{
    return total == 0 || each == 0 || total / each > limit ? limit : (u32)(total / each);
}

/* Warps that fit by registers, each within one part of the register file. */
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

/* ---- Suggested settings ---- */

/* The least registers for a block: warps spread over parts, and all warps together. */
static u64 registers_needed(const struct ws_machine *machine, const struct ws_occupancy *fits)
{
    const u32 parts = ws_max(machine->core_register_parts, 1);
    const u64 spread = parts * ((fits->warps + parts - 1) / parts) * fits->warp_registers;
    return spread > fits->block_registers ? spread : fits->block_registers;
}

/* Raises a parameter to the needed value (the next power of two if required), and adds the setting. False: not legal. */
static bool raise_to(struct ws_machine *machine, size_t parameter, u64 needed, struct ws_text *settings)
{
    size_t count;
    const struct ws_parameter *const row = &ws_parameters(&count)[parameter];
    u64 value = row->power ? 1 : needed;
    while (value < needed)
        value *= 2;
    if (value > UINT32_MAX || !config_within(parameter, (u32)value))
        return false;
    config_put(machine, parameter, (u32)value);
    ws_text_add(settings, " -s %s=%u", row->key, (u32)value);
    return true;
}

void ws_machine_advise(const struct ws_machine *machine, const struct ws_image *image, struct ws_error *error)
{
    const struct ws_demand demand = {
        .threads = image->block_threads, .registers = image->registers, .shared_bytes = image->shared_bytes};
    struct ws_machine raised = *machine;
    struct ws_text text = {0};
    struct ws_occupancy fits = ws_machine_occupancy(&raised, &demand);
    bool legal = fits.warps > 0 && (fits.slots > raised.core_warps || fits.blocks == 0);
    const bool registers = machine->core_registers > 0 && registers_needed(machine, &fits) > machine->core_registers;
    ws_text_add(&text, "; it fits with");
    if (legal && fits.slots > raised.core_warps)
        legal = raise_to(&raised, PARAMETER_core_warps, fits.slots, &text);
    if (legal && fits.shared_blocks == 0)
        legal = raise_to(&raised, PARAMETER_core_shared_bytes, fits.block_shared, &text);
    if (legal && registers)
        legal = raise_to(&raised, PARAMETER_core_registers, registers_needed(machine, &fits), &text);
    fits = ws_machine_occupancy(&raised, &demand);
    if (registers)
        ws_text_add(&text, ", or with fewer registers a thread (registers of a launch file)");
    if (legal && fits.blocks > 0 && !text.failed)
        strncat(error->message, text.data, sizeof error->message - strlen(error->message) - 1);
    ws_text_free(&text);
}
