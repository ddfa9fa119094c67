/* Instructions of a trace as text. */
#pragma once

#include "base/text.h"
#include "shared/instruction.h"
#include "warpsweep/code.h"

/* Names of shared/classes.def. */
extern const char *const cli_class_names[WS_CLASSES], *const cli_kind_names[WS_KINDS], *const cli_space_names[WS_SPACES];

/* The register of the instruction's guard, its last source; WS_NO_REGISTER when it has none, or the trace does not say which. */
u8 cli_guard(const struct ws_instruction *instruction);

/* Adds an instruction, "@p0 ld.global.b32 r4 <- r2" or "@p1 bra 12 join 15": kind and class, or the accessed memory; registers
 * written and read. A trace knows neither constants nor offsets, nor whether a guard is negated. */
void cli_disassemble(const struct ws_instruction *instruction, struct ws_text *out);

/* Adds machine code, "@P0 BRA 0x150 to 12 join 15": its text, and the target in the trace. */
void cli_disassemble_code(const struct ws_instruction *instruction, const struct ws_machine_instruction *code, struct ws_text *out);

/* Adds control bits in the form of maxas and CuAssembler, "B01----:R2:W-:Y:S05": barriers that it waits for, read barrier, write
 * barrier, yield, stall. Reuse flags follow the registers in the text, ".reuse". */
void cli_control(u32 control, struct ws_text *out);
