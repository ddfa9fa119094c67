/* Handlers of operations. */
#pragma once

#include "frontend/exec/step.h"

/* Tables of handlers, ended by a row without run. */
extern const struct ws_handler_row ws_integer_handlers[], ws_half_handlers[], ws_test_handlers[], ws_real_handlers[],
    ws_move_handlers[], ws_atomic_handlers[], ws_control_handlers[];

/* Handlers that depend on more than operation and type; NULL if there is none. */
ws_handler *ws_convert_handler(const struct ws_op *op);
ws_handler *ws_compare_handler(const struct ws_op *op);
ws_handler *ws_access_handler(const struct ws_op *op);

/* Of print (print.c). */
ws_handler ws_print;

/* Of video instructions (video.c). */
ws_handler ws_video;

/* For mbarrier tests and nanosleep: other warps get their turn (control.c). */
ws_handler ws_ask, ws_nanosleep;

/* Of images (texture.c). */
ws_handler ws_tex, ws_tex_gather, ws_suld, ws_sust, ws_sust_pixel, ws_txq;

/* Of bulk copies (bulk.c). */
ws_handler ws_bulk_in, ws_bulk_out, ws_tensor_in, ws_tensor_out, ws_tensor_size, ws_tensor_replace;

/* Of the blocks of a cluster (cluster.c). */
ws_handler ws_mapa, ws_getctarank, ws_cluster_arrive, ws_multicast;

/* Of malloc and free (heap.c). */
ws_handler ws_heap_take, ws_heap_give;

/* Of atom_add, atom_min and atom_max of several elements; of atom_exch and atom_cas of 128 bits. */
ws_handler ws_atom_vector, ws_atom_swap_pair;

/* Of all warp-wide operations: the thread stops for the others. */
ws_handler ws_warp_wide;

/* Steps without an operation: the decision of a guarded operation, which skips it when the guard is false; and the end of a block
 * that continues with the next. */
ws_handler ws_guard, ws_guard_not, ws_branch_not, ws_fall;
