/* The OpenCL engine's state. */
#ifndef WS_ENGINE_OPENCL_H
#define WS_ENGINE_OPENCL_H

#include "engine/program.h"
#include "engine/variant.h"
#include "engine/wave.h"

struct ws_opencl {
    struct ws_cl_device device;
    const struct ws_lane_form *form;
    struct ws_cl *cl;
    struct ws_device_program programs[WS_VARIANTS]; /* made when first used */
    struct ws_limits limits;
    u32 slice;
    bool times, trust;
    char about[640];
};

/* Makes the program of a variant unless it is there, and has it pass its self-test unless the device is trusted. */
enum ws_status ws_opencl_program(struct ws_opencl *opencl, u32 variant, struct ws_error *error);

/* The engine's run; state is a struct ws_opencl. */
enum ws_status ws_opencl_run(void *state, const struct ws_job_spec *jobs, size_t count, struct ws_job_result *results,
                             const struct ws_engine_watch *watch, struct ws_error *error);

#endif
