/* Floating-point arithmetic and special functions. */
#include <tgmath.h>

#include "frontend/exec/handlers.h"
#include "frontend/exec/modifiers.h"
#include "frontend/exec/value.h"

#define REAL(operation, type, expression)                                                                                          \
    WS_HANDLER(operation##_##type)                                                                                                 \
    {                                                                                                                              \
        const type a = ws_##type(slot[step->a]), b = ws_##type(slot[step->b]), c = ws_##type(slot[step->c]);                       \
        (void)a, (void)b, (void)c;                                                                                                 \
        slot[step->dst] = ws_bits_##type(expression);                                                                              \
        return ws_next(step, slot, thread);                                                                                        \
    }
#include "frontend/exec/real.def"
#undef REAL

/* With flushed subnormals, directed rounding, or saturation. volatile keeps the arithmetic between the changes of the rounding
 * mode. */
#define REAL(operation, type, expression)                                                                                          \
    WS_HANDLER(operation##_##type##_modified)                                                                                      \
    {                                                                                                                              \
        const struct ws_op *const op = step->op;                                                                                   \
        const volatile type a = ws_input_##type(slot[step->a], op->flags);                                                         \
        const volatile type b = ws_input_##type(slot[step->b], op->flags);                                                         \
        const volatile type c = ws_input_##type(slot[step->c], op->flags);                                                         \
        (void)a, (void)b, (void)c;                                                                                                 \
        ws_round_like(op->rounding);                                                                                               \
        const volatile type result = (expression);                                                                                 \
        ws_round_like(WS_ROUND_nearest);                                                                                           \
        slot[step->dst] = ws_output_##type(result, op->flags);                                                                     \
        return ws_next(step, slot, thread);                                                                                        \
    }
#include "frontend/exec/real.def"
#undef REAL

#define REAL(operation, type, expression)                                                                                          \
    {WS_CODE(WS_OP_##operation, WS_TYPE_##type), operation##_##type, operation##_##type##_modified},
const struct ws_handler_row ws_real_handlers[] = {
#include "frontend/exec/real.def"
    {0, NULL, NULL},
};
