/* Registers of machine code as those of a trace. */
#pragma once

#include "shared/instruction.h"
#include "warpsweep/code.h"

/* Sets dst and src of an instruction to the registers of its machine code. A thread's registers keep their numbers; those of the
 * uniform datapath follow behind the first `threads` ones; where both are too many, numbers begin again. Predicates follow each
 * other, uniform ones last. Returns how many registers found no room. */
u32 ws_code_registers(const struct ws_machine_instruction *code, u32 threads, struct ws_instruction *to);
