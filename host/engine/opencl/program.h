/* The simulation as a program for one variant, lane form and device. */
#pragma once

#include "engine/compile/binary_cache.h"
#include "engine/opencl/device.h"

struct ws_device_program {
    struct ws_cl_program *program;
    const struct ws_lane_form *form;
    struct ws_binary_key key;
    u32 registers;     /* register limit of a work-item, 0 for none */
    u32 groups;        /* simulations that a compute unit of a GPU holds; 0 on CPUs */
    bool tested;       /* has passed its self-test */
    bool cached;       /* it is in the cache */
    bool driver_keeps; /* the driver caches the program; the cache has only the self-test result */
};

/* The cache key of a variant: source, options, device, driver, and model, a digest of what the self-test expects. fixed: values
 * that machines share (engine/compile/fixed.h), "" for the general program. */
struct ws_binary_key ws_device_program_key(const struct ws_cl_device *device, const struct ws_lane_form *form, u32 variant,
                                           const char *fixed, const char *model);

/* Builds the program of a variant, or takes it from the cache; if the compiler refuses a register limit, without one. fixed and
 * model as above. To be freed by ws_device_program_free. */
enum ws_status ws_device_program_open(struct ws_cl *cl, const struct ws_cl_device *device, const struct ws_lane_form *form,
                                      u32 variant, const char *fixed, const char *model, struct ws_device_program *program,
                                      struct ws_error *error);
void ws_device_program_free(struct ws_device_program *program);

/* The cached self-test result of a key; after WS_SELF_TEST_failed *reason is its text, to be freed, else NULL. */
enum ws_self_test_result ws_device_program_cached_result(struct ws_binary_key key, char **reason);

/* Caches the program, if possible; only the self-test result if the driver caches programs; or why the program cannot be used. */
void ws_device_program_keep(const struct ws_device_program *program);
void ws_device_program_refuse(struct ws_binary_key key, const char *reason);

/* Caches that a self-test without a program has passed. */
void ws_device_program_accept(struct ws_binary_key key);
