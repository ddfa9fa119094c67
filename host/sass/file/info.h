/* Attributes of a kernel: sections .nv.info of the cubin and .nv.info.KERNEL. */
#pragma once

#include "sass/file/elf.h"

struct ws_sass_parameter {
    u32 offset, bytes; /* relative to the first parameter */
    bool known;
};

/* Values of attributes; 0 for absent ones. */
struct ws_sass_info {
    u32 registers, barriers, stack_bytes, frame_bytes;
    u32 most_threads, block[3];
    u32 cluster;                         /* blocks of a cluster */
    u32 parameters_at, parameters_bytes; /* offset in constant bank 0, and size */
    bool calls;                          /* the kernel calls functions: the stack also holds return addresses */
    u32 parameter_count, parameter_room;
    struct ws_sass_parameter *parameters;
    u32 branch_count;
    struct ws_sass_branch *branches;
};

/* Reads the attributes of the kernel with this symbol number. Pointers in info refer to the ELF's arena. */
enum ws_status ws_sass_info_read(const struct ws_sass_elf *elf, u32 symbol, struct ws_sass_info *info, struct ws_error *error);
