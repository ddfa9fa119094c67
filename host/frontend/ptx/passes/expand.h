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
    struct ptx_copy *caller;
    size_t at;      /* operation of the function that is being copied */
    bool framed;    /* its local variables are in a frame of the stack: it, or a caller, calls itself */
    bool recursive; /* it calls itself; then also: */
    u16 back;       /* register: number of the call to which the running function returns, 0 for the first one */
    u32 entry;      /* label of its first operation */
    u32 *sites;     /* labels behind its calls of itself */
    size_t site_count, site_room;
};

/* recursion.c: functions that call themselves. Their body is there once; a call of themselves saves registers in a frame of a stack
 * in local memory and jumps to the body, whose end jumps back behind the call. */
bool ptx_is_recursive(const struct ptx_module *module, struct ptx_function *function);
enum ws_status ptx_begin_recursive(struct ptx_copy *copy, u32 line);
enum ws_status ptx_end_recursive(struct ptx_copy *copy, u32 line);
enum ws_status ptx_expand_recursion(struct ptx_copy *caller, const struct ptx_call *call, struct ptx_function *function);

/* The address of a local variable in the frame, in a register. */
enum ws_status ptx_map_framed(struct ptx_copy *copy, u32 line, const struct ws_input *input, u16 *slot);

/* heap.c: malloc and free, on a heap in global memory. */
bool ptx_is_heap(const char *name);
enum ws_status ptx_expand_heap(struct ptx_copy *caller, const struct ptx_call *call);

/* Fails with "name:line: what 'name'". */
enum ws_status ptx_fail_expanding(const struct ptx_kernel *kernel, u32 line, const char *what, const char *name);

/* Maps a slot of the function to the kernel's. */
enum ws_status ptx_map_slot(struct ptx_copy *copy, u32 line, u16 *slot);

/* arguments.c: moves values that are not one object on both sides into and out of a called function. Sizes must agree. */
enum ws_status ptx_pass_arguments(struct ptx_copy *caller, struct ptx_copy *callee, const struct ptx_call *call);
enum ws_status ptx_pass_results(struct ptx_copy *caller, struct ptx_copy *callee, const struct ptx_call *call);

/* Whether numbers and sizes of arguments and results agree. */
bool ptx_call_fits(const struct ptx_copy *caller, const struct ptx_function *callee, const struct ptx_call *call);

/* Copies one object of the kernel's body to another. */
enum ws_status ptx_copy_object(struct ptx_kernel *kernel, u32 line, u32 from, u32 to);

/* Whether sizes of one call agree with those of the function; else an error. */
enum ws_status ptx_check_call(const struct ptx_copy *caller, const struct ptx_function *callee, const struct ptx_call *call);

/* Copies a whole object of the kernel's body to or from a slot. */
enum ws_status ptx_store_object(struct ptx_kernel *kernel, u32 line, u32 object, u16 slot);
enum ws_status ptx_load_object(struct ptx_kernel *kernel, u32 line, u32 object, u16 slot);

/* print.c: calls of printf and vprintf. ptx_take_pointer: argument n, of 8 bytes, in a slot. */
enum ws_status ptx_take_pointer(struct ptx_copy *caller, const struct ptx_call *call, size_t n, u16 *slot);
enum ws_status ptx_expand_print(struct ptx_copy *caller, const struct ptx_call *call);

/* print.c: a call of __assertfail, which ends the launch. */
enum ws_status ptx_expand_assertion(struct ptx_copy *caller, const struct ptx_call *call);
