#include "cli/trace/against.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "cli/table.h"
#include "cli/trace/disassembly.h"

enum ws_status cli_against_check(const struct cli_against *one, const struct cli_against *other, struct ws_error *error)
{
    const struct ws_launch *const a = one->launch, *const b = other->launch;
    if (memcmp(a->grid, b->grid, sizeof a->grid) == 0 && memcmp(a->block, b->block, sizeof a->block) == 0)
        return WS_STATUS_ok;
    return ws_fail(
        error, WS_STATUS_bad_input,
        "--against: the traces are of different launches: %u x %u x %u blocks of %u x %u x %u threads, and %u x %u x %u of "
        "%u x %u x %u",
        a->grid[0], a->grid[1], a->grid[2], a->block[0], a->block[1], a->block[2], b->grid[0], b->grid[1], b->grid[2], b->block[0],
        b->block[1], b->block[2]);
}

static void add_row(struct cli_table *table, const char *name, double one, double other, int digits, const char *unit)
{
    if (one == 0 && other == 0)
        return;
    cli_table_text(table, name);
    cli_table_real(table, one, digits);
    cli_table_real(table, other, digits);
    cli_table_real(table, other != 0 ? one / other : (double)NAN, 2);
    cli_table_text(table, unit);
}

static double warp_instructions(const struct ws_trace_info *info)
{
    return info->mean_active_lanes > 0 ? (double)info->thread_instructions / info->mean_active_lanes : 0;
}

void cli_against_text(const struct cli_against *one, const struct cli_against *other, struct ws_text *out)
{
    const struct ws_trace_info *const a = one->info, *const b = other->info;
    struct cli_table table = {.columns = {"of the traces", "value", "against", "ratio", "unit"}};
    ws_text_add(out, "kernel %s from %s\nagainst %s from %s\n\n", one->launch->kernel, one->launch->source, other->launch->kernel,
                other->launch->source);
    add_row(&table, "static instructions", one->launch->instructions, other->launch->instructions, 0, "instructions");
    add_row(&table, "thread instructions", (double)a->thread_instructions, (double)b->thread_instructions, 0, "instructions");
    add_row(&table, "warp instructions", warp_instructions(a), warp_instructions(b), 0,
            "instructions, warps of 32 with a reconvergence stack");
    for (size_t n = 0; n < WS_CLASSES; n++)
        add_row(&table, cli_class_names[n], (double)a->class_instructions[n], (double)b->class_instructions[n], 0,
                "thread instructions");
    add_row(&table, "guarded", (double)a->guarded, (double)b->guarded, 0, "thread instructions");
    add_row(&table, "guard false", (double)a->guarded_off, (double)b->guarded_off, 0, "thread instructions");
    add_row(&table, "mean active lanes", a->mean_active_lanes, b->mean_active_lanes, 2, "lanes");
    add_row(&table, "accesses", (double)a->accesses, (double)b->accesses, 0, "of threads");
    add_row(&table, "lines per access", a->lines_per_access, b->lines_per_access, 2, "128-byte lines, warps of 32, global memory");
    add_row(&table, "footprint", (double)a->footprint_bytes, (double)b->footprint_bytes, 0, "bytes of global memory");
    add_row(&table, "registers", one->launch->registers, other->launch->registers, 0, "32-bit registers a thread");
    add_row(&table, "shared memory", one->launch->shared_bytes, other->launch->shared_bytes, 0, "bytes a block");
    cli_table_print(&table, out);
    cli_table_free(&table);
}
