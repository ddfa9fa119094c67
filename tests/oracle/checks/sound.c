#include "oracle/checks/sound.h"

#include "test.h"

enum ws_status sound_run(const struct ws_machine *machine, const struct ws_image *image, u64 counters[WS_COUNTERS])
{
    struct oracle_log log = {.want_invariants = true};
    const enum ws_status status = oracle_run(machine, image, counters, &log);
    assert_string_equal(log.violation, "");
    oracle_log_free(&log);
    return status;
}
