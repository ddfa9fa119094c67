/* A loaded PTX program: what the loader makes and the executor runs. Per kernel one flat array of operations, without calls; the
 * index of an operation is the program counter of its trace instruction. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "frontend/ptx/places.h"
#include "shared/instruction.h"
#include "warpsweep/frontend.h"

/* Operations, WS_OP_add and so on. */
enum ws_opcode {
#define OPCODE(operation, mnemonic, types, modifiers, operands, class_, kind) WS_OP_##operation,
#define INTERNAL(operation, class_, kind)                                     WS_OP_##operation,
#include "frontend/ptx/opcodes.def"
    WS_OPCODES
};

/* Types as executed: untyped bits are unsigned, so .b32 and .u32 are one. */
enum ws_type {
    WS_TYPE_none,
    WS_TYPE_pred,
    WS_TYPE_u8,
    WS_TYPE_u16,
    WS_TYPE_u32,
    WS_TYPE_u64,
    WS_TYPE_s8,
    WS_TYPE_s16,
    WS_TYPE_s32,
    WS_TYPE_s64,
    WS_TYPE_f32,
    WS_TYPE_f64,
    WS_TYPE_f16, /* from here on 16-bit numbers; x2: two, the first one lower */
    WS_TYPE_bf16,
    WS_TYPE_f16x2,
    WS_TYPE_bf16x2,
    WS_TYPES /* 16: a shift */
};

/* An index for tables of handlers: operation and type in one number. */
#define WS_CODE(operation, type) ((unsigned)(operation) << 4 | (unsigned)(type))
#define WS_CODES                 WS_CODE(WS_OPCODES, 0)

/* Spaces of addresses beyond those of traces. */
enum { WS_SPACE_parameter = WS_SPACES, WS_SPACE_generic, WS_ADDRESS_SPACES };

enum ws_rounding { WS_ROUND_nearest, WS_ROUND_zero, WS_ROUND_down, WS_ROUND_up, WS_ROUND_away /* halves, of cvt_tf32 */ };

/* mode of conversions: overflow saturates to the largest number; of mov: repeats a register of a matrix, left out if nobody reads
 * it. */
enum { WS_MODE_satfinite = 1, WS_MODE_repeats };

/* mode of trap: no frame is left on the stack of functions that call themselves. */
enum { WS_TRAP_stack = 1 };

/* Comparisons. The unordered ones are true when an operand is NaN. On unsigned types lt, le, gt and ge compare unsigned. */
enum ws_compare {
    WS_COMPARE_eq,
    WS_COMPARE_ne,
    WS_COMPARE_lt,
    WS_COMPARE_le,
    WS_COMPARE_gt,
    WS_COMPARE_ge,
    WS_COMPARE_equ,
    WS_COMPARE_neu,
    WS_COMPARE_ltu,
    WS_COMPARE_leu,
    WS_COMPARE_gtu,
    WS_COMPARE_geu,
    WS_COMPARE_num,
    WS_COMPARE_nan
};

/* How setp and set use their predicate source. */
enum ws_combine { WS_COMBINE_none, WS_COMBINE_and, WS_COMBINE_or, WS_COMBINE_xor };

enum {
    WS_OP_FTZ = 1,         /* subnormal inputs and results become zeros of their sign */
    WS_OP_SAT = 2,         /* floating point: clamp to 0..1; integers: clamp to the type */
    WS_OP_APPROX = 4,      /* .approx or .full */
    WS_OP_INTEGRAL = 8,    /* cvt: .rni .rzi .rmi .rpi, the result is an integral number (of whatever type) */
    WS_OP_NOT_GUARD = 16,  /* executes or branches if the guard is 0 */
    WS_OP_NOT_SOURCE = 32, /* setp, set: negate the predicate source. cmov: decide by the negated predicate */
    WS_OP_VOLATILE = 64,
    WS_OP_RELU = 128 /* negative results become 0 */
};

/* Field access of ld, st and fence. */
enum {
    WS_ACCESS_BYPASS = 1, /* ld: must not hit in L1 */
    WS_ACCESS_ASYNC = 2,  /* ld, st: part of an asynchronous copy; fence: commits the copies before it */
    WS_ACCESS_AWAITS = 4, /* fence: waits until at most offset groups of copies are incomplete */
    WS_ACCESS_PART = 8    /* ld, st of an asynchronous copy: src[WS_COPY_GIVEN] is how many of its bytes are read */
};

#define WS_SLOT_NONE 0xFFFFu

/* Operands of an operation. */
enum { WS_OP_RESULTS = 4, WS_OP_SOURCES = 20 };

/* Among the sources of ld and st with WS_ACCESS_PART. The trace's instruction does not list it: the guard of the ld depends on it.
 */
enum { WS_COPY_GIVEN = WS_OP_SOURCES - 1 };

/* Most blocks of a cluster; the number of its barrier, beyond those of a block; the mask of a multicast among the sources. */
enum { WS_MOST_CLUSTER = 16, WS_CLUSTER_BARRIER = 16, WS_MULTICAST_MASK = 8 };

/* Bytes of the heap of malloc: twice the default of CUDA (cudaLimitMallocHeapSize), because sizes are rounded up to powers of two.
 */
enum { WS_HEAP_BYTES = 16 << 20 };

/* Most bytes of a thread's local memory (CUDA C Programming Guide 4.0, F.1). */
enum { WS_MOST_LOCAL = 512 << 10 };

/* Functions of video instructions, and use of their third source. */
enum ws_video {
    WS_VIDEO_add,
    WS_VIDEO_sub,
    WS_VIDEO_average,
    WS_VIDEO_absdiff,
    WS_VIDEO_min,
    WS_VIDEO_max,
    WS_VIDEO_shl,
    WS_VIDEO_shr,
    WS_VIDEO_mad,
    WS_VIDEO_set /* and above it, ne, lt, le, gt, ge */
};
enum ws_video_second { WS_VIDEO_second_none, WS_VIDEO_second_add, WS_VIDEO_second_min, WS_VIDEO_second_max };
/* Terms that vmad negates, and whether it adds one. */
enum ws_video_sum { WS_VIDEO_plain, WS_VIDEO_plus_one, WS_VIDEO_negative_product, WS_VIDEO_negative_third };
/* Parts of a register: whole, byte, half. */
enum ws_video_part { WS_VIDEO_whole, WS_VIDEO_byte, WS_VIDEO_half = WS_VIDEO_byte + 4 };

/* mode of print: arguments of printf, each aligned to its size or one after another; those of __assertfail. */
enum { WS_PRINT_ALIGNED, WS_PRINT_PACKED, WS_PRINT_ASSERTION };

/* One operation. Operands are slots of a thread: 64-bit words that hold a value of fewer bits zero-extended (also signed and
 * floating-point ones); a predicate is 0 or 1. Every source is a slot, immediates too: see struct ws_input. Unused operands, and
 * destinations that nobody reads, are WS_SLOT_NONE.
 *
 * branch     taken when its guard holds (always guarded): goes to target, else on to the next. Records decision 1 when taken.
 * any other  with a guard: records a decision, 1 = executes. Only then it writes, and accesses memory.
 * cmov       a selp that is a guarded move in the trace: dst = src[2] ? src[0] : src[1], records src[2] (see WS_OP_NOT_SOURCE).
 * jump       goes to target. exit: the thread ends. trap: the thread stops the launch with an error.
 * ld st      bytes at src[0] + offset; count elements of type one after another; st takes its values from src[1] on. An ld of a
 *            narrow signed type sign-extends to width bytes. With WS_ACCESS_PART the ld reads whole words up to src[WS_COPY_GIVEN],
 *            and its guard is false where that is 0; then its results are undefined. The st writes zeros for the bytes from there
 * on. atom_*     at src[0] + offset with src[1] (cas: compares with src[1], stores src[2]); dst[0] may be absent. atom_arrive,
 * atom_leave   src[1] arrive at an mbarrier, and are expected no more; src[2] more bytes are expected. atom_transfer   src[1] more
 * bytes are expected at an mbarrier; a negative number arrives. mapa       address src[0] of shared memory (generic without space)
 * in the block of rank src[1] of the cluster. getctarank: that rank. cluster_arrive: arrives at the cluster's barrier, whose wait
 * is barrier WS_CLUSTER_BARRIER of the block. atom_multicast: an atom_transfer in each block of the mask src[2]; bulk_in and
 * tensor_in with shape 1 write to the blocks of the mask src[8]. heap_take, heap_give   malloc and free of src[1] (bytes, an
 * address) on the heap at src[0]. bulk_in, bulk_out   copies up to 128 bytes of the src[2] that are left from src[0] to src[1], an
 * address of space `from`, or back; combine (bulk.h): reduces elements of the type `compare`. tensor_in, tensor_out   copies row
 * src[2] of a box of the tensor map at the generic address src[0], from coordinates src[3] and on (mode), to shared memory at
 * src[1] or back; combine as above. tensor_replace: src[1] becomes a field (mode, bulk.h) of the tensor map at src[0], in dimension
 * `shape`. tensor_size: rows of a box; mode 1: its bytes. wgmma      eight columns of the product of a warpgroup (warpgroup.h). ask
 * dst[0] = src[0] differs from src[1]; if not, others have their turn. nanosleep: they have in any case. video      function `mode`
 * (enum ws_video) of count numbers in src[0], of `from`, and src[1], of the type `compare`. offset has 16 bits for each of the two:
 * for one number its part (enum ws_video_part), for several which ones of both sources, 4 bits each. shape: the part of the result
 * that is merged into src[2], or a mask of several. combine (enum ws_video_second): what happens to src[2]. WS_OP_RELU: a shift
 * wraps. vmad: rounding (enum ws_video_sum), and shape shifts to the right. mov        copies a slot. pack: count values of src,
 * lowest first, become one of type; unpack the other way. cvt        from `from` to type, then sign- or zero-extended to width
 * bytes. Sources may have more bits than `from`: ignore them. cvt_e4m3x2, cvt_e5m2x2   two numbers of 8 bits, of src[0] (the upper
 * one) and src[1], or, from f16x2, of src[0]; cvt_from_* the other way. cvt_tf32   rounds to 10 fraction bits. mode of all cvt may
 * be WS_MODE_satfinite.
 * *_f32x2    two numbers of single precision in registers of 64 bits. *_pairs   two integers of 16 bits.
 * min3, max3 and their like take three numbers.
 * set        compares values of `from`, gives all ones or 1.0 in type. slct: src[2] of `from` >= 0 ? src[0] : src[1].
 * setp       dst[0] = the comparison combined with src[2], dst[1] = its negation combined with src[2].
 * cvta       from an address of space to a generic one; cvta_to the other way; isspacep asks.
 * bar        barrier number src[0]; src[1], if any, is the number of threads that it waits for.
 * bar_popc, bar_and, bar_or   the same; src[2] of all threads is counted, or combined, into dst[0]; WS_OP_NOT_SOURCE negates it.
 * *_carry, sub_borrow   the source after the others, if any, is the carry that comes in; dst[1], if any, receives the one that
 *            goes out. The carry of a difference is 1 where it borrows nothing.
 * shfl_*, vote_*, match_*, redux_*   exchange src[0]. The mask of the lanes that take part comes last: src[3] of shfl, src[1] of
 *            the others, src[0] of elect and bar_warp; without one, those that are there do. dst[1] is a predicate.
 *            WS_OP_NOT_SOURCE negates the source of a vote. src[2] of match, if any, is the upper half of its source.
 * first      src[0] of the lowest lane; dst[1] is whether the own value differs or src[2], if any, is true.
 * clock      the thread's instructions so far, shifted right by offset.
 * print      formats text: src[0] is the generic address of the format, src[1] that of its arguments, in space; dst[0] receives
 *            the number of these.
 * tex        samples the image whose handle is src[0]: src[2] to src[4] are x, y or layer, z or layer, of `from` (a layer is an
 *            integer). src[1] is the sampler; without one it is the image's. src[5], the level, has no effect. tex_gather gives
 *            component `mode` of four texels. dst are red, green, blue, alpha.
 * suld sust  count elements of type at row src[3] (and layer src[4]) of image src[0], from byte src[2] of the row on; sust takes
 *            them from src[5] on. sust_pixel writes a texel, red first, at column src[2]. mode is an enum ws_outside.
 * txq        asks for property `mode` (enum ws_image_property) of image src[0].
 * leave      the lanes leave the convergence barrier whose members are in src[0] of each lane: the others no longer wait for
 *            them. In machine code warp-wide operations may have a guard, a warp barrier matches itself only, and its lanes are
 *            converged after it; target of a bar_warp is where they continue, 0: after it. dst[1] of a vote is its ballot, of
 *            clock its upper half.
 * mma        matrices that a warp holds: A of `from` and B of `mode` (enum ws_type or matrix.h) are multiplied, C added, all of
 *            `type`; src are registers of A, then B, then C, and last the mask of all lanes; dst those of D. WS_OP_SAT clamps
 *            integers.
 * deal       distributes count matrices (LDSM): rows are in src[0] to src[3] of the lanes; mode: matrix.h.
 * operands   reads registers of the next operation, if that has more than a trace instruction holds.
 * mul_wide and mad_wide have destinations (and addend) of twice the width of type; popc and clz a 32-bit destination. */
struct ws_op {
    u8 opcode;   /* enum ws_opcode */
    u8 type;     /* enum ws_type */
    u8 from;     /* enum ws_type of sources: cvt, set, slct */
    u8 width;    /* bytes of the destination register: 2, 4 or 8; 1 for a predicate; 0 without a destination */
    u8 rounding; /* enum ws_rounding */
    u8 compare;  /* enum ws_compare: setp, set */
    u8 combine;  /* enum ws_combine: setp, set */
    u8 flags;    /* WS_OP_FTZ and so on */
    u8 space;    /* WS_SPACE_*: ld, st, atom_*, cvta, cvta_to, isspacep */
    u8 count;    /* elements of ld, st, pack, unpack: 1, 2 or 4 */
    u8 shape;    /* enum ws_image_shape: tex and its like; row of ws_matrix_shapes: mma */
    u8 mode;     /* what else tells variants of these apart (below) */
    u8 access;   /* WS_ACCESS_*: ld, st, fence */
    u16 guard;   /* slot of the predicate */
    u16 dst[WS_OP_RESULTS];
    u16 src[WS_OP_SOURCES];
    union {
        i32 offset; /* bytes: ld, st, atom_* */
        u32 target; /* index of an operation: branch, jump */
    };
    u32 line;                            /* its place (places.h) */
    const struct ws_machine_op *machine; /* of machine code: its executor (exec/step.h); NULL: the handler of opcode and type */
};

/* Operations of a warp: each lane arrives on its own (exec/warp_wide.h). */
static inline bool ws_op_is_warp_wide(u8 opcode)
{
    return opcode >= WS_OP_clock && opcode <= WS_OP_bar_warp;
}

/* Warp-wide operations that see all sources of all lanes. */
static inline bool ws_op_is_matrix(u8 opcode)
{
    return opcode >= WS_OP_mma && opcode <= WS_OP_deal;
}

/* Image reads, writes and queries. */
static inline bool ws_op_is_image(u8 opcode)
{
    return opcode >= WS_OP_tex && opcode <= WS_OP_txq;
}

/* Barriers of a block: bar, and those that return a value to all threads. */
static inline bool ws_op_is_barrier(u8 opcode)
{
    return opcode == WS_OP_bar || (opcode >= WS_OP_bar_popc && opcode <= WS_OP_bar_or);
}

static inline unsigned ws_op_code(const struct ws_op *op)
{
    return WS_CODE(op->opcode, op->type);
}

/* Special registers of a thread. */
enum ws_special {
#define SPECIAL(name, spelling, value) WS_SPECIAL_##name,
#include "frontend/ptx/specials.def"
#undef SPECIAL
    WS_SPECIALS
};

enum ws_input_kind {
    WS_INPUT_constant,  /* the value itself */
    WS_INPUT_special,   /* value is an enum ws_special; the only kind that differs between threads */
    WS_INPUT_parameter, /* value is a byte offset into the kernel's parameters: a type is loaded from there and extended to width
                           bytes */
    WS_INPUT_word,      /* a word of machine code that the launch supplies (struct ws_machine); value selects it */
    WS_INPUT_address    /* value is the offset of a variable in space: shared, local, global, constant or parameter */
};

/* A read-only slot: has its value before the thread starts. */
struct ws_input {
    u8 kind;  /* enum ws_input_kind */
    u8 type;  /* enum ws_type of a parameter */
    u8 width; /* bytes of a parameter's destination register, or the bytes read of a special register */
    u8 space; /* WS_SPACE_* of an address */
    u8 half;  /* of an address: 0 whole, 1 lower 32 bits, 2 upper 32 bits */
    u64 value;
    u32 variable; /* global, constant: number of the variable in its image + 1, or 0: the value counts from the image's start */
};

/* A kernel's parameter. */
struct ws_kernel_parameter {
    char *name;
    u32 offset, bytes, align; /* in the kernel's parameter block */
    bool named;               /* the name comes from the source */
    u8 type;                  /* enum ws_type; WS_TYPE_none for bits of any type: .b32, arrays */
    char *spelling;           /* its type in OpenCL C, "float*", or NULL when that is not known */
    bool pointer;             /* declared .ptr */
    u8 space;                 /* WS_SPACE_* it points to, WS_SPACE_generic if not declared */
};

/* A kernel, ready to run. Slots 0 to registers - 1 are written and read (zero at first), slots registers + n are inputs[n]. */
struct ws_kernel {
    char *name;
    const char *failure; /* why it cannot be launched, with its line; NULL if it can NULL if it can */
    u32 line;            /* its place */
    u32 block[3];        /* required block size; 0: any */
    u32 most_threads;    /* most threads per block; 0: any number */
    u32 cluster[3];      /* blocks of a cluster; 0: any */
    u32 registers, input_count, op_count;
    struct ws_input *inputs;
    struct ws_op *ops;
    struct ws_instruction *program; /* trace program: program[n] belongs to ops[n] */
    u32 parameter_count, parameter_bytes;
    struct ws_kernel_parameter *parameters;
    u32 shared_bytes;                   /* static; dynamic shared memory begins there, rounded up to 16 */
    u32 local_bytes;                    /* of each thread */
    u32 allocated, most_live;           /* 32-bit registers of the trace program; most that are live at once */
    const struct ws_machine_code *code; /* it is machine code; NULL: PTX */
};

/* A variable of a module. */
struct ws_module_variable {
    char *name;
    u32 offset, bytes; /* in its image */
};

/* Initial memory with the address of a variable: 8 bytes at offset of its image receive the address of variable number `variable`
 * of the image of space (global or constant), plus addend. */
struct ws_module_address {
    u32 offset, variable;
    u8 space;
    u64 addend;
};

/* Initialized memory of a module: .global or .const variables, in the layout that a trace records. The executor gives each variable
 * an address of its own, a multiple of 64 KB; without a list of variables, the whole image. */
struct ws_module_image {
    u32 bytes;
    u8 *initial; /* NULL when bytes is 0 */
    bool whole;  /* variables lie at their offsets from one address */
    u32 variable_count;
    struct ws_module_variable *variables; /* by ascending offset */
    u32 address_count;
    struct ws_module_address *addresses;
};

struct ws_plan;

/* Kernels of machine code (host/sass); their operations have their own handlers. */
struct ws_machine {
    const void *module; /* read by place, in the program's arena; NULL: the program is PTX */
    /* Called after layout of a launch: fills plan->words and plan->memory.banks, with bytes in plan->bank_bytes. */
    enum ws_status (*place)(struct ws_plan *plan, struct ws_error *error);
};

struct ws_program {
    struct ws_arena arena; /* arena of everything that pointers refer to */
    struct ws_machine machine;
    struct ws_places places; /* of operations, for messages */
    const char *failure;     /* the first error outside of function bodies, or NULL */
    u64 digest;              /* XXH3 of the text */
    bool narrow;             /* addresses have 32 bits */
    u32 kernel_count;
    struct ws_kernel *kernels;
    const char **kernel_names; /* sorted; NULL-terminated */
    struct ws_module_image global, constant;
};

/* Replaces symbols in kernel_names by names of the source. */
enum ws_status ws_program_name_kernels(struct ws_program *program, struct ws_error *error);

/* The kernel of that name. The error lists the existing names, or says why the kernel cannot be launched. */
enum ws_status ws_program_find(const struct ws_program *program, const char *name, const struct ws_kernel **kernel,
                               struct ws_error *error);
