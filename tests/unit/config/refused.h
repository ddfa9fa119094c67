/* Experiment files that are refused; in the folder of config_files.h. cmocka is included before. */
#pragma once

#include "unit/config/allowed.h"
#include "unit/kit/config_files.h"
#include "warpsweep/experiment.h"

struct refused {
    const char *text, *message;
};

static inline void assert_refused(const struct refused *refused, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        struct ws_experiment *experiment;
        struct ws_error error = {.message = "no error"};
        files_write("e.yaml", refused[n].text);
        const enum ws_status status = ws_experiment_load("e.yaml", &experiment, &error);
        assert_allowed(error.message, refused[n].message);
        assert_int_not_equal(status, WS_STATUS_ok);
        assert_null(experiment);
    }
}
