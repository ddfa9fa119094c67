/* Failing with a message. */
#pragma once

#include "warpsweep/status.h"

/* Writes a printf-style message and the status into *error (if any) and returns the status, so that a failing function can
 * `return ws_fail(...)`. An earlier message is replaced. */
enum ws_status ws_fail(struct ws_error *error, enum ws_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts text in front of the message in *error ("file: "), and returns its status; WS_STATUS_failed without an error. */
enum ws_status ws_fail_in(struct ws_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* WS_STATUS_no_memory: "out of memory". */
enum ws_status ws_no_memory(struct ws_error *error);

/* Refuses a public struct of another header version, by its struct_size. */
enum ws_status ws_struct_check(const char *name, size_t found, size_t expected, struct ws_error *error);
#define WS_STRUCT_CHECK(name, pointer, error) ws_struct_check("ws_" #name, (pointer)->struct_size, sizeof(struct ws_##name), error)

/* Returns from the calling function unless expression is WS_STATUS_ok. For functions without anything to free. */
#define WS_TRY(expression)                                                                                                         \
    do {                                                                                                                           \
        const enum ws_status ws_try_ = (expression);                                                                               \
        if (ws_try_ != WS_STATUS_ok)                                                                                               \
            return ws_try_;                                                                                                        \
    } while (0)

/* Evaluates the expression unless an earlier step failed. For functions with something to free. */
#define WS_THEN(status, expression) ((status) = (status) == WS_STATUS_ok ? (expression) : (status))
