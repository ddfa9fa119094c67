/* The images of a file with machine code. */
#pragma once

#include "warpsweep/frontend.h"

/* Lists images and their kernels on stdout; returns the program's exit code. */
int cli_images_list(const char *path, const struct ws_frontend_options *options);
