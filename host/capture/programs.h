/* Sources of programs that the driver has no source of: binaries and linked programs. */
#pragma once

#include "capture/objects.h"
#include "capture/opencl.h"

/* Source and options of a program, from the driver or else from the layer; {0} when out of memory. To be freed by
 * capture_source_free. */
struct capture_source capture_source_of(cl_program program, cl_device_id device);

/* The driver returned the program's binaries: stores its source by their digests, for this capture and later ones. */
void capture_binaries_given(cl_program program);

/* The common source of some binaries. False if it is unknown for one. */
bool capture_binaries_source(cl_uint count, const size_t *lengths, const unsigned char *const *binaries,
                             struct capture_source *source);

/* A program was linked from others: if from one only, it has its source. */
void capture_linked(cl_program made, cl_uint count, const cl_program *inputs, const char *options);
