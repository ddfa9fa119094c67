/* A small trace made by hand: two blocks of two threads. */
#pragma once

#include "warpsweep/trace.h"

enum { SAMPLE_INSTRUCTIONS = 6 };

/* 0 guarded int, 1 load 4 bytes (global), 2 branch to 1, 3 store 8 bytes (shared), 4 jump to 5, 5 exit. */
extern const struct ws_instruction sample_program[SAMPLE_INSTRUCTIONS];

/* 4096 bytes at 0x10000 and 100 bytes at 0x40000; 64 bytes of shared memory. */
extern const struct ws_launch sample_launch;

/* Machine code for it: a guarded IADD3 with a constant, then words without operands; the last marks missing code. */
extern const struct ws_machine_code sample_code;

/* Writes it: thread t of block b loops 3 + t times, from address 0x10000 + 64 t on in steps of 4. */
void sample_write(const char *file);

/* The same with sample_code. */
void sample_write_code(const char *file);

/* The same, of a launch that gives its threads so many registers. */
void sample_write_given(const char *file, u32 registers);

/* The same with a program of the same shape. */
void sample_write_program(const char *file, const struct ws_instruction *program);
