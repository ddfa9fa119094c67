/* The simulation as a program for one variant, lane form and device. */
#pragma once

#include "engine/compile/binary_cache.h"
#include "engine/opencl/device.h"

struct ws_device_program {
    struct ws_cl_program *program;
    const struct ws_lane_form *form;
    struct ws_binary_key key;
    u32 registers;     /* the most that a work-item may use, 0 for no limit */
    u32 groups;        /* simulations that a compute unit of a GPU has room for; 0 on CPUs */
    bool tested;       /* known to have passed its self-test */
    bool cached;       /* the cache knows it */
    bool driver_keeps; /* of the program the cache has the result alone */
};

/* The key of a variant in the cache: source, options, device, driver, and model, a word for what the self-test expects. fixed: what
 * machines have in common (engine/compile/fixed.h), "" for a program of all machines. */
struct ws_binary_key ws_device_program_key(const struct ws_cl_device *device, const struct ws_lane_form *form, u32 variant,
                                           const char *fixed, const char *model);

/* Builds the program of a variant, or takes it from the cache; where the compiler refuses it with a limit of registers, without
 * one. fixed and model as above. To be freed by ws_device_program_free. */
enum ws_status ws_device_program_open(struct ws_cl *cl, const struct ws_cl_device *device, const struct ws_lane_form *form,
                                      u32 variant, const char *fixed, const char *model, struct ws_device_program *program,
                                      struct ws_error *error);
void ws_device_program_free(struct ws_device_program *program);

/* What the cache knows of a key; after WS_SELF_TEST_failed *reason says why, to be freed, else it is NULL. */
enum ws_self_test_result ws_device_program_cached_result(struct ws_binary_key key, char **reason);

/* Keeps the program in the cache, as far as that is possible, or the result alone where the driver keeps programs; or why it
 * cannot be used. */
void ws_device_program_keep(const struct ws_device_program *program);
void ws_device_program_refuse(struct ws_binary_key key, const char *reason);

/* Keeps that what has no program has passed. */
void ws_device_program_accept(struct ws_binary_key key);
