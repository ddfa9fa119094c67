/* The static instruction of a trace: one layout of 16-bit program counters, classes and registers in files, on the host and on
 * devices. A program counter is an index into the program. */
#ifndef WS_SHARED_INSTRUCTION_H
#define WS_SHARED_INSTRUCTION_H

#include "shared/dialect.h"

enum {
#define CLASS(name, value, doc) WS_CLASS_##name = value,
#include "shared/classes.def"
#undef CLASS
    WS_CLASSES
};

enum {
#define KIND(name, value, doc) WS_KIND_##name = value,
#include "shared/classes.def"
#undef KIND
    WS_KINDS
};

enum {
#define SPACE(name, value, doc) WS_SPACE_##name = value,
#include "shared/classes.def"
#undef SPACE
    WS_SPACES
};

/* Branches, jumps and barriers carry no guard. */
#define WS_IS_NEVER_GUARDED(class_) ((class_) >= WS_CLASS_branch && (class_) <= WS_CLASS_barrier)

/* No program counter: the reconvergence point of threads that reconverge only by ending. A program has fewer instructions. */
#define WS_PC_NONE 0xFFFFu
/* Registers from here on are predicates. */
#define WS_FIRST_PREDICATE 240u
/* No register in dst and src. */
#define WS_NO_REGISTER 0xFFu

enum {
    WS_GUARDED = 1,   /* has a guard predicate: each active thread has one decision bit, 1 = executes */
    WS_ADDRESSED = 2, /* device image only: addresses are in the image's access streams */
    WS_NAMED = 4,     /* a barrier for a part of the block: bytes is its number, target its count of threads */
    WS_ARRIVES = 8,   /* the same, without waiting */
    WS_BYPASS = 16,   /* a load of global memory that must not hit in L1: cache operator, or order among SMs */
    WS_ASYNC = 32,    /* part of an asynchronous copy: its load, its store; class int: commits the copies before it as a group */
    WS_AWAITS = 64    /* class int: waits until at most `bytes` groups of copies are incomplete */
};

/* Groups of copies that an instruction may leave incomplete. */
#define WS_AWAITS_MOST 63u

/* Registers that an image lists once for each instruction. */
#define WS_USES_KEPT 4u

/* Numbered barriers for a part of a block. */
#define WS_NAMED_BARRIERS 16u

/* Whether it is a barrier of the whole block. */
#define WS_IS_BLOCK_BARRIER(instruction) ((instruction)->class_ == WS_CLASS_barrier && !((instruction)->flags & WS_NAMED))

/* A load, store or atomic has a space and bytes. branch: conditional; target is the pc for a decision bit of 1, else the next
 * instruction. jump: target. Only a branch has a reconvergence point (its immediate post-dominator). exit: ends the threads whose
 * guard is true; the others continue with the next instruction. */
struct ws_instruction {
    u8 class_;      /* WS_CLASS_* */
    u8 space;       /* WS_SPACE_* */
    u8 flags;       /* WS_GUARDED | WS_ADDRESSED, and so on */
    u8 bytes;       /* bytes accessed by each thread: 1, 2, 4, 8 or 16; without a memory access 0, a barrier's number, or groups */
    u16 target;     /* program counter, for branches and jumps; threads, for barriers of a part of the block */
    u16 reconverge; /* program counter or WS_PC_NONE, for branches */
    u8 dst[4];      /* allocated 32-bit registers written, WS_NO_REGISTER pads at the end; a 64-bit value is one entry */
    u8 src[6];      /* allocated registers read, guard and address included, padded the same way */
    u8 reads;       /* number of entries of src */
    u8 writes;      /* number of entries of dst */
    u8 kind;        /* WS_KIND_*; only arithmetic has a kind other than `other` */
    /* In an image only, as ws_instruction_complete says; elsewhere 0. */
    u8 operation;          /* class_ * WS_KINDS + kind */
    u8 uses;               /* number of distinct registers read or written */
    u8 zero;               /* no padding: programs are compared and copied as bytes */
    u8 used[WS_USES_KEPT]; /* the first of them; padded with the last one */
    u32 line;              /* line of the kernel's source text, 0 when unknown */
};

/* Whether every thread that reaches it ends there. */
#define WS_ENDS_ALL(instruction) ((instruction)->class_ == WS_CLASS_exit && !((instruction)->flags & WS_GUARDED))

/* Fills the derived fields of an instruction. */
static inline void ws_instruction_complete(struct ws_instruction *instruction)
{
    u32 uses = 0;
    instruction->operation = (u8)(instruction->class_ * WS_KINDS + instruction->kind);
    for (u32 n = 0; n < (u32)instruction->writes + instruction->reads; ++n) {
        const u8 number = n < instruction->writes ? instruction->dst[n] : instruction->src[n - instruction->writes];
        u32 known = 0;
        for (u32 k = 0; k < ws_min(uses, WS_USES_KEPT); ++k)
            known |= instruction->used[k] == number;
        if (!known && uses < WS_USES_KEPT)
            instruction->used[uses] = number;
        uses += !known;
    }
    instruction->uses = (u8)uses;
    for (u32 n = uses; uses > 0 && n < WS_USES_KEPT; ++n)
        instruction->used[n] = instruction->used[uses - 1];
}

#endif
