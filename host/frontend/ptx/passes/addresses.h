/* Which registers hold addresses of parameters: compilers move them around before use. */
#pragma once

#include "frontend/ptx/passes/kernel.h"

/* A known address: an object and an offset into it. */
struct ptx_address {
    bool known;
    u32 object;
    i32 offset;
};

struct ptx_addresses {
    struct ptx_address *of; /* by register */
    u32 *definition;        /* by register: the operation that defines it; no valid index when none or several do */
    bool *needed;           /* by register with a known address: whether its value is needed as well */
};

/* Finds the registers with one unguarded definition that is a move of an address, or such an address plus a constant. */
enum ws_status ptx_find_addresses(struct ptx_kernel *kernel, struct ptx_addresses *addresses);

/* The address that a slot holds. */
struct ptx_address ptx_address_of(const struct ptx_kernel *kernel, const struct ptx_addresses *addresses, u16 slot);

/* Whether the operation defines a register whose address is known. */
bool ptx_defines_address(const struct ptx_addresses *addresses, const struct ws_op *op);

/* Whether the operation reaches a parameter whose address is known. */
bool ptx_reaches_object(const struct ptx_kernel *kernel, const struct ptx_addresses *addresses, const struct ws_op *op);
