/* Who executes an operation. */
#ifndef WS_EXEC_HANDLERS_H
#define WS_EXEC_HANDLERS_H

#include "frontend/exec/step.h"

/* Tables of handlers, ended by a row without run. */
extern const struct ws_handler_row ws_integer_handlers[], ws_real_handlers[], ws_move_handlers[], ws_atomic_handlers[],
    ws_control_handlers[];

/* Handlers that depend on more than operation and type; NULL when there is none. */
ws_handler *ws_convert_handler(const struct ws_op *op);
ws_handler *ws_compare_handler(const struct ws_op *op);
ws_handler *ws_access_handler(const struct ws_op *op);

/* Steps that no operation of its own stands for: the decision of a guarded operation before it, which is skipped when its guard
 * does not hold; and the end of a block that goes on with the next. */
ws_handler ws_guard, ws_guard_not, ws_branch_not, ws_fall;

#endif
