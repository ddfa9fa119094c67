/* What pipeline `subcore` needs of an instruction beyond struct ws_instruction: control bits, unit, register sources by slot
 * (docs/model/subcore.md). An image has one entry per instruction. */
#ifndef WS_SHARED_OPERANDS_H
#define WS_SHARED_OPERANDS_H

#include "shared/instruction.h"

/* Execution units of a sub-core. Those from WS_SUB_SFU on have variable latency. */
enum {
    WS_SUB_ALU,
    WS_SUB_FMA,
    WS_SUB_HALF,
    WS_SUB_FP64,
    WS_SUB_TENSOR,
    WS_SUB_BRANCH,
    WS_SUB_MISC,
    WS_SUB_SFU,
    WS_SUB_MEMORY,
    WS_SUB_UNITS
};

enum {
    WS_OPERANDS_UNIFORM = 1,   /* of a memory access: no vector register takes part in the address */
    WS_OPERANDS_WIDE = 2,      /* IMAD.WIDE: blocks its port for a cycle */
    WS_OPERANDS_RESULT = 4,    /* writes registers */
    WS_OPERANDS_DEPBAR = 8,    /* counter, limit and others have a condition */
    WS_OPERANDS_CONSTANT = 16, /* of a fixed unit: has an operand c[bank][offset] */
    WS_OPERANDS_COPY = 32,     /* LDGSTS: copies from global to shared memory */
    WS_OPERANDS_COMMIT = 64,   /* LDGDEPBAR: ends with the copies before it */
    WS_OPERANDS_FENCE = 128    /* MEMBAR: waits for all counters */
};

enum { WS_SUB_COUNTERS = 6, WS_SUB_NO_BARRIER = 7, WS_SUB_SLOTS = 3 };

/* Fields of the control bits. Yield is inverted: clear means yield. */
#define WS_CONTROL_STALL(bits)  ((bits)&15u)
#define WS_CONTROL_YIELDS(bits) (!((bits) >> 4 & 1u))
#define WS_CONTROL_WRITES(bits) ((bits) >> 5 & 7u)
#define WS_CONTROL_READS(bits)  ((bits) >> 8 & 7u)
#define WS_CONTROL_WAITS(bits)  ((bits) >> 11 & 63u)
#define WS_CONTROL_REUSE(bits)  ((bits) >> 17 & 7u)
/* Stall 1, no barriers, no yield, no reuse. */
#define WS_CONTROL_NONE 0x7F1u

struct ws_operands {
    u32 control;             /* bits 105 to 125 of the word */
    u32 bank_offset;         /* of a constant operand: bank x 65536 + offset in bytes */
    u8 source[WS_SUB_SLOTS]; /* first register in each slot, */
    u8 words[WS_SUB_SLOTS];  /* and how many, at most 8; 0: none */
    u8 unit;                 /* WS_SUB_* */
    u8 flags;                /* WS_OPERANDS_* */
    u8 counter, limit;       /* of DEPBAR: the counter must be at most limit, */
    u8 others;               /* and the counters of this mask 0 */
    u8 zero;
};

/* Unit of an instruction by class and kind. */
static inline u32 ws_sub_unit(u32 class_, u32 kind)
{
    switch (class_) {
    case WS_CLASS_load:
    case WS_CLASS_store:
    case WS_CLASS_atomic:
        return WS_SUB_MEMORY;
    case WS_CLASS_tensor:
        return WS_SUB_TENSOR;
    case WS_CLASS_branch:
    case WS_CLASS_jump:
    case WS_CLASS_exit:
        return WS_SUB_BRANCH;
    case WS_CLASS_barrier:
        return WS_SUB_MISC;
    case WS_CLASS_sfu:
        return WS_SUB_SFU;
    default:
        break;
    }
    if (kind == WS_KIND_div || kind == WS_KIND_div_fp64)
        return WS_SUB_SFU;
    if (class_ == WS_CLASS_fp64)
        return WS_SUB_FP64;
    if (class_ == WS_CLASS_fp32)
        return kind == WS_KIND_minmax || kind == WS_KIND_other ? WS_SUB_ALU : WS_SUB_FMA;
    return kind == WS_KIND_mul || kind == WS_KIND_mad ? WS_SUB_FMA : WS_SUB_ALU;
}

/* Operands of an instruction without machine code: its first sources, one register each; no control bits. */
static inline struct ws_operands ws_operands_of(const struct ws_instruction *instruction)
{
    struct ws_operands operands = {WS_CONTROL_NONE, 0, {0, 0, 0}, {0, 0, 0}, 0, 0, 0, 0, 0, 0};
    u32 slot = 0;
    operands.unit = (u8)ws_sub_unit(instruction->class_, instruction->kind);
    for (u32 n = 0; n < instruction->reads && slot < WS_SUB_SLOTS; ++n)
        if (instruction->src[n] < WS_FIRST_PREDICATE) {
            operands.source[slot] = instruction->src[n];
            operands.words[slot++] = 1;
        }
    for (u32 n = 0; n < instruction->writes; ++n)
        if (instruction->dst[n] < WS_FIRST_PREDICATE)
            operands.flags |= WS_OPERANDS_RESULT;
    if (instruction->class_ == WS_CLASS_int && (instruction->flags & (WS_ASYNC | WS_AWAITS)))
        operands.unit = WS_SUB_MISC;
    return operands;
}

#endif
