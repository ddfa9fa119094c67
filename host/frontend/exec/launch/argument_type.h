/* What is known of the type of a kernel's parameter. */
#pragma once

#include "frontend/ptx/ir.h"

enum ws_holds { WS_HOLDS_unknown, WS_HOLDS_integer, WS_HOLDS_natural, WS_HOLDS_bits, WS_HOLDS_real };

struct ws_argument_type {
    enum ws_holds kind; /* of its components */
    u32 bits;           /* of one */
    u32 components;     /* more than 1: a vector */
    bool pointer;
};

/* "float", "uint*", "float4", "float __attribute__((ext_vector_type(4)))*". Of other types only the property of being a pointer is
 * known. "local float*" is one into shared memory. */
struct ws_argument_type ws_spelled_type(const char *spelling);

/* The type by its spelling, else by PTX. That does not tell signed from unsigned integers: compilers write .u32 for both. Nor does
 * it tell pointers from integers, where they are not .ptr. */
struct ws_argument_type ws_parameter_type(const struct ws_kernel_parameter *parameter);

/* The type as the source, else PTX, has it; NULL for bits of any type. */
const char *ws_parameter_text(const struct ws_kernel_parameter *parameter);

/* Whether the kernel reads exactly these bytes of its parameters, and never uses them as an address or part of one. */
bool ws_parameter_is_number(const struct ws_kernel *kernel, u32 offset, u32 bytes);

/* Member n of a struct, as ws_program_member has it. */
bool ws_parameter_member(const struct ws_kernel *kernel, const struct ws_kernel_parameter *parameter, u32 n,
                         struct ws_member_info *member);
