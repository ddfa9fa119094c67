/* Launch files and PTX of tests, executed. Files lie in the current folder (config_files.h). */
#pragma once

#include "warpsweep/frontend.h"

enum { LAUNCH_SEED = 5 };

/* A program, a launch file, and the number of executed launches. */
struct launch_kit {
    struct ws_program *program;
    struct ws_launch_file *file;
    u32 launches;
    struct ws_error error;
};

/* Reads both; head of a PTX module is put before ptx. The test fails when one is refused. Ended by kit_end. */
void launch_kit_begin(struct launch_kit *kit, const char *ptx, const char *yaml);
void launch_kit_end(struct launch_kit *kit);

/* Executes all remaining launches. */
enum ws_status launch_kit_run(struct launch_kit *kit);

/* The bytes of a buffer; fails the test for an unknown name. */
const void *launch_kit_buffer(struct launch_kit *kit, const char *name);

/* Reads a file and checks that it is refused with that message, which begins with "bad.yaml:". */
void launch_kit_refused(const char *yaml, const char *message);
