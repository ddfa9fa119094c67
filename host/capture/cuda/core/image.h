/* Sizes of images of GPU code that a program gives by address alone: their headers tell, as far as they are within room bytes. */
#pragma once

#include "shared/dialect.h"

/* Bytes of a fat binary, and of an ELF file with 64 bits; 0: the header does not fit, or tells of more than room bytes. */
u64 gpu_fatbin_bytes(const u8 *data, u64 room);
u64 gpu_elf_bytes(const u8 *data, u64 room);

/* Bytes that this process may read from an address on. */
u64 gpu_readable(const void *address);
