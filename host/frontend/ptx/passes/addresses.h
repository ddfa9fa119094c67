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
    u32 *definition;        /* by register: its defining operation; an invalid index for none or several */
    bool *needed;           /* by register with a known address: whether its value is needed, too */
};

/* Finds registers with one unguarded definition that moves an address, or adds a constant to such an address. */
enum ws_status ptx_find_addresses(struct ptx_kernel *kernel, struct ptx_addresses *addresses);

/* The known address in a slot. */
struct ptx_address ptx_address_of(const struct ptx_kernel *kernel, const struct ptx_addresses *addresses, u16 slot);

/* Whether the operation defines a register whose address is known. */
bool ptx_defines_address(const struct ptx_addresses *addresses, const struct ws_op *op);

/* Whether the operation reaches a parameter whose address is known. */
bool ptx_reaches_object(const struct ptx_kernel *kernel, const struct ptx_addresses *addresses, const struct ws_op *op);
