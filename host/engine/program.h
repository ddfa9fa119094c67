/* The simulation as a program for one variant, lane form and device. */
#ifndef WS_ENGINE_PROGRAM_H
#define WS_ENGINE_PROGRAM_H

#include "engine/binary_cache.h"
#include "engine/device.h"

struct ws_device_program {
    struct ws_cl_program *program;
    struct ws_binary_key key;
    bool tested; /* known to have passed its self-test */
    bool cached; /* came from the cache */
};

/* Builds the program of a row of variants.def, or takes it from the cache. model is a word for what the self-test expects: with the
 * source, the options, the device and its driver it is the key in the cache. To be freed by ws_device_program_free. */
enum ws_status ws_device_program_open(struct ws_cl *cl, const struct ws_cl_device *device, const struct ws_lane_form *form,
                                      u32 variant, const char *model, struct ws_device_program *program, struct ws_error *error);
void ws_device_program_free(struct ws_device_program *program);

/* Keeps the program in the cache, as far as that is possible. */
void ws_device_program_keep(const struct ws_device_program *program);

#endif
