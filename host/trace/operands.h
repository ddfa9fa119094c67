/* Operands of a program's instructions, for pipeline `subcore`. */
#pragma once

#include "shared/image.h"
#include "warpsweep/code.h"

/* Fills the operands behind a program: from its machine code, or where code is NULL from class, kind and registers. */
void wst_operands(struct ws_instruction *program, u32 instructions, const struct ws_machine_code *code);
