/* Floating-point arithmetic and special functions. */
#include <tgmath.h>

#include "frontend/exec/arithmetic/modifiers.h"
#include "frontend/exec/arithmetic/value.h"
#include "frontend/exec/handlers.h"

#define SINGLES(operation, expression)
#define REAL(operation, type, expression)                                                                                          \
    WS_HANDLER(operation##_##type)                                                                                                 \
    {                                                                                                                              \
        const type a = ws_##type(slot[step->a]), b = ws_##type(slot[step->b]), c = ws_##type(slot[step->c]);                       \
        (void)a, (void)b, (void)c;                                                                                                 \
        slot[step->dst] = ws_bits_##type(expression);                                                                              \
        return ws_next(step, slot, thread);                                                                                        \
    }
#include "frontend/exec/arithmetic/real.def"
#undef REAL
#undef SINGLES

/* With flushed subnormals, directed rounding, or saturation. volatile keeps the arithmetic between the changes of the rounding
 * mode. */
#define SINGLES(operation, expression)                                                                                             \
    WS_HANDLER(operation##_u64)                                                                                                    \
    {                                                                                                                              \
        const struct ws_op *const op = step->op;                                                                                   \
        u64 pair = 0;                                                                                                              \
        ws_round_like(op->rounding);                                                                                               \
        for (u32 n = 0; n < 64; n += 32) {                                                                                         \
            const volatile f32 a = ws_input_f32(slot[step->a] >> n, op->flags);                                                    \
            const volatile f32 b = ws_input_f32(slot[step->b] >> n, op->flags);                                                    \
            const volatile f32 c = ws_input_f32(slot[step->c] >> n, op->flags);                                                    \
            (void)a, (void)b, (void)c;                                                                                             \
            const volatile f32 result = (expression);                                                                              \
            pair |= ws_output_f32(result, op->flags) << n;                                                                         \
        }                                                                                                                          \
        ws_round_like(WS_ROUND_nearest);                                                                                           \
        slot[step->dst] = pair;                                                                                                    \
        return ws_next(step, slot, thread);                                                                                        \
    }
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
#include "frontend/exec/arithmetic/real.def"
#undef REAL
#undef SINGLES

#define SINGLES(operation, expression) {WS_CODE(WS_OP_##operation, WS_TYPE_u64), operation##_u64, operation##_u64},
#define REAL(operation, type, expression)                                                                                          \
    {WS_CODE(WS_OP_##operation, WS_TYPE_##type), operation##_##type, operation##_##type##_modified},
const struct ws_handler_row ws_real_handlers[] = {
#include "frontend/exec/arithmetic/real.def"
    {0, NULL, NULL},
};
