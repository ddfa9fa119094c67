/* Expanding a call: the body, arguments and results. */
#pragma once

#include "frontend/ptx/passes/kernel.h"

/* The copy of one function's body into the kernel's. */
struct ptx_copy {
    struct ptx_kernel *kernel;
    struct ptx_function *function;
    u16 first_register;
    u32 first_label;
    u32 return_label; /* of a called function */
    u32 *objects;     /* by object of the function: object of the kernel */
    u32 *places;      /* by operation of the function: operation of the kernel */
    u32 depth;
};

/* Fails with "name:line: what 'name'". */
enum ws_status ptx_fail_expanding(const struct ptx_kernel *kernel, u32 line, const char *what, const char *name);

/* Maps a slot of the function to the kernel's. */
enum ws_status ptx_map_slot(struct ptx_copy *copy, u32 line, u16 *slot);

/* arguments.c: moves values that are not one object on both sides into and out of a called function. Sizes must agree. */
enum ws_status ptx_pass_arguments(struct ptx_copy *caller, struct ptx_copy *callee, const struct ptx_call *call);
enum ws_status ptx_pass_results(struct ptx_copy *caller, struct ptx_copy *callee, const struct ptx_call *call);

/* Whether numbers and sizes of arguments and results agree. */
bool ptx_call_fits(const struct ptx_copy *caller, const struct ptx_function *callee, const struct ptx_call *call);

/* Copies a whole object of the kernel's body to or from a slot. */
enum ws_status ptx_store_object(struct ptx_kernel *kernel, u32 line, u32 object, u16 slot);
enum ws_status ptx_load_object(struct ptx_kernel *kernel, u32 line, u32 object, u16 slot);

/* print.c: calls of printf and vprintf. */
enum ws_status ptx_expand_print(struct ptx_copy *caller, const struct ptx_call *call);

/* print.c: a call of __assertfail, which ends the launch. */
enum ws_status ptx_expand_assertion(struct ptx_copy *caller, const struct ptx_call *call);
