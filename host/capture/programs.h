/* Where the source of a program comes from that the driver has none of: binaries and linked programs. */
#pragma once

#include "capture/objects.h"
#include "capture/opencl.h"

/* Source and options of a program, as the driver has them, else as the layer knows them; {0} when out of memory. To be freed by
 * capture_source_free. */
struct capture_source capture_source_of(cl_program program, cl_device_id device);

/* The driver has given the program's binaries: keeps its source by their digests, for this capture and later ones. */
void capture_binaries_given(cl_program program);

/* The source that all of some binaries were made of; false where it is not known of one. */
bool capture_binaries_source(cl_uint count, const size_t *lengths, const unsigned char *const *binaries,
                             struct capture_source *source);

/* A program was linked of others: of one alone it has the source. */
void capture_linked(cl_program made, cl_uint count, const cl_program *inputs, const char *options);
