/* Thread blocks that an SM holds by the rules of NVIDIA's GPUs: docs/model/dispatch.md with the parameters of
 * docs/occupancy.md. */
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "timing/scene.h"
#include "warpsweep/machine.h"

enum { LINE = 512, COLUMNS = 16 };

struct launch {
    const char *machine;
    u32 threads, registers, shared, blocks;
};

static const struct launch launches[] = {
#define HOLDS(machine, threads, registers, shared, blocks) {machine, threads, registers, shared, blocks},
#include "timing/occupancy.def"
};

/* Splits a row of a table into its cells; returns their number, 0 for a line that is not a row. */
static size_t cells_of(char *line, char *cells[COLUMNS])
{
    size_t count = 0;
    if (line[0] != '|')
        return 0;
    for (char *cell = strtok(line, "| \n"); cell && count < COLUMNS; cell = strtok(NULL, "| \n"))
        cells[count++] = cell;
    return count;
}

/* Sets the parameters that the table's first row names to the values of the capability's row; false where it has none. */
static bool read_capability(const char *capability, struct ws_machine *machine)
{
    FILE *const page = fopen(DOCS_FOLDER "/occupancy.md", "r");
    char head[LINE], line[LINE], *keys[COLUMNS], *cells[COLUMNS];
    size_t columns = 0, count = 0;
    assert_non_null(page);
    while (columns == 0 && fgets(head, sizeof head, page))
        columns = cells_of(head, keys);
    while ((count == 0 || strcmp(cells[0], capability) != 0) && fgets(line, sizeof line, page))
        count = cells_of(line, cells);
    fclose(page);
    if (count == 0 || strcmp(cells[0], capability) != 0)
        return false;
    assert_int_equal(count, columns);
    for (size_t n = 1; n < columns; n++)
        assert_int_equal(ws_machine_set(machine, keys[n], cells[n], NULL), WS_STATUS_ok);
    return true;
}

static struct ws_machine machine_of(const struct launch *launch)
{
    struct ws_machine_file file;
    struct ws_error error;
    file.machine = scoreboard_machine();
    if (!read_capability(launch->machine, &file.machine) && ws_machine_load(launch->machine, &file, &error) != WS_STATUS_ok)
        fail_msg("%s", error.message);
    return file.machine;
}

/* One block more than fit waits for another to end. */
static void expect_blocks(const struct launch *launch, u32 dispatch)
{
    struct scene scene;
    scene_start(&scene, launch->blocks + 1, launch->threads);
    scene.machine = machine_of(launch);
    scene.machine.core_dispatch = dispatch;
    scene.machine.dispatch_partial = WS_toggle_off;
    scene.build.registers = launch->registers;
    scene.build.shared_bytes = launch->shared;
    add_end(&scene);
    scene_run(&scene);
    for (u32 i = 0; i < TRIALS; i++) {
        u32 held = 0;
        for (u32 block = 0; block <= launch->blocks; block++)
            held += scene.trials[i].times[block].entered == 0;
        if (held != launch->blocks)
            fail_msg("%s: %s holds %u blocks of %u threads, %u registers, %u bytes, not %u", scene.trials[i].who, launch->machine,
                     held, launch->threads, launch->registers, launch->shared, launch->blocks);
    }
    scene_end(&scene);
}

TIMING_TEST(an_sm_holds_as_many_blocks_as_the_hardware)
{
    for (size_t n = 0; n < sizeof launches / sizeof *launches; n++)
        expect_blocks(&launches[n], WS_dispatch_block);
}

/* Registers are allocated to warps in turn: the block allocation of 1.x does not matter. */
TIMING_TEST(an_sm_holds_as_many_warps_as_the_hardware)
{
    for (size_t n = 0; n < sizeof launches / sizeof *launches; n++)
        if (launches[n].machine[0] != '1')
            expect_blocks(&launches[n], WS_dispatch_warp);
}
