/* The OpenCL engine's state. */
#pragma once

#include <stdatomic.h>

#include "engine/compile/request.h"
#include "engine/compile/specialize.h"
#include "engine/jobs/predecoded.h"
#include "engine/opencl/program.h"
#include "engine/opencl/batch.h"
#include "engine/variant.h"

struct ws_specialized_program {
    struct ws_specialized common;
    struct ws_device_program program;
};

/* Opened by the engine's caller; freed with the last of its users. */
struct ws_opencl {
    struct ws_cl_device device;
    const struct ws_lane_form *forms[WS_LANE_FORMS]; /* lane forms to try, best first */
    u32 form_count;
    const struct ws_lane_form *form; /* as in the description */
    struct ws_cl *cl;
    struct ws_device_program programs[WS_VARIANTS]; /* built on first use */
    struct ws_specialized_program specialized[WS_VARIANTS];
    enum ws_specialize_use specialize;
    struct ws_cl_program *align; /* in lane form `form`, built on first use */
    struct ws_limits limits;
    u32 quantum;
    bool quantum_adapts; /* to the duration of launches */
    bool times, trust;
    const char *self_test_program; /* of the options; NULL: none */
    char about[1024];
    struct ws_compile_request *running; /* of an interrupted run; or NULL. While it compiles only its worker touches programs */
    atomic_uint users;                  /* the engine, and requests */
};

/* Compiles the program of a variant unless it is loaded, in the first lane form that the compiler accepts and that passes its
 * self-test; a trusted device is not tested. WS_STATUS_mismatch when no form passes, WS_STATUS_compiler when none is even built;
 * the message says what was wrong with each. */
enum ws_status ws_opencl_compile(struct ws_opencl *opencl, u32 variant, struct ws_error *error);

/* The same in a compile worker, so that the run's watch can interrupt it (WS_STATUS_interrupted): no OpenCL call can be
 * interrupted. An interrupted compilation continues, and the next call waits for it first. */
enum ws_status ws_opencl_load(struct ws_opencl *opencl, const struct ws_run *run, u32 variant, struct ws_error *error);

/* The same for the program specialized to the machines of the variant's jobs, of which this is one: it tests the program. The lane
 * form is that of the variant's general program, which must be loaded. */
enum ws_status ws_opencl_load_specialized(struct ws_opencl *opencl, const struct ws_run *run, u32 variant,
                                          const struct ws_machine *machine, struct ws_error *error);

/* True if the cache has that specialized program. */
bool ws_opencl_specialized_cached(struct ws_opencl *opencl, u32 variant, const struct ws_machine *machine);

/* Limits of a program on the device. */
struct ws_limits ws_opencl_limits(const struct ws_opencl *opencl, const struct ws_device_program *program);

/* Adds the use of specialized programs to the engine's description. */
void ws_opencl_mention_specialized(struct ws_opencl *opencl);

/* Opens the device at that place in the list and runs the self-test `what` there (selftest/process.h); the result is cached. */
void ws_opencl_try(u32 device, const struct ws_lane_form *form, u32 what, u32 registers);

/* Releases one reference. */
void ws_opencl_release(struct ws_opencl *opencl);

/* The engine's run; state is a struct ws_opencl. */
enum ws_status ws_opencl_run(void *state, const struct ws_job_spec *jobs, size_t count, struct ws_predecoded *predecoded,
                             struct ws_job_result *results, const struct ws_engine_watch *watch, struct ws_error *error);
