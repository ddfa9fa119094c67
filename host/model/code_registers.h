/* Maps registers of machine code to registers of a trace. */
#pragma once

#include "shared/instruction.h"
#include "warpsweep/code.h"

/* Sets dst and src of an instruction from the registers of its machine code. A thread's registers keep their numbers; uniform
 * registers follow the first `threads` ones. If there are too many, numbers wrap around. Predicates follow, uniform ones last.
 * Returns the number of registers without room. */
u32 ws_code_registers(const struct ws_machine_instruction *code, u32 threads, struct ws_instruction *to);
