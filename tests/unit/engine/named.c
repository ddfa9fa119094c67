/* Barriers for part of a block with path units that have no rule for them. */
#include <string.h>

#include "engine/opencl/selftest/synthetic.h"
#include "test.h"
#include "warpsweep/engine.h"

/* Path units whose threads change warps, or reach a barrier one after another, have no rule for it. */
TEST(barriers_for_part_of_a_block_are_refused)
{
    const struct ws_synthetic description = {.seed = 1, .blocks = 1, .block_threads = 64, .loops = 1};
    struct ws_image *const image = ws_synthetic_new(&description);
    struct ws_instruction changed[100];
    struct ws_machine machine;
    const struct ws_job_spec spec = {.machine = &machine, .image = image};
    u32 pc = 0;
    assert_non_null(image);
    assert_true(image->instructions <= 100);
    const struct ws_instruction *const program = image->program;
    memcpy(changed, program, image->instructions * sizeof *program);
    while (changed[pc].class_ != WS_CLASS_barrier)
        pc++;
    changed[pc].flags = WS_NAMED;
    changed[pc].target = 64;
    image->program = changed;
    ws_machine_defaults(&machine);
    EXPECT_OK(ws_job_check(&spec, &error));
    machine.divergence_unit = WS_divergence_tbc;
    EXPECT_ERROR_HAS(ws_job_check(&spec, &error), WS_STATUS_bad_input,
                     "divergence.unit: found 'tbc', allowed are pdom and vws: the trace has barriers for part of "
                     "a block (pc ");
    image->program = program;
    ws_synthetic_free(image);
}
