#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

static const struct {
    const char *name;
    const char *text;
    int exit_code;
} statuses[] = {
#define STATUS(name_, value, exit_code_, text_) [value] = {.name = #name_, .text = (text_), .exit_code = (exit_code_)},
#include "shared/results/status.def"
#undef STATUS
};

const char *ws_status_text(enum ws_status status)
{
    return (unsigned)status < WS_STATUSES ? statuses[status].text : "unknown status";
}

const char *ws_status_name(enum ws_status status)
{
    return (unsigned)status < WS_STATUSES ? statuses[status].name : "unknown";
}

int ws_status_exit_code(enum ws_status status)
{
    return (unsigned)status < WS_STATUSES ? statuses[status].exit_code : 1;
}

enum ws_status ws_fail(struct ws_error *error, enum ws_status status, const char *format, ...)
{
    if (error) {
        char message[sizeof error->message]; /* an argument may point into the previous message */
        va_list arguments;
        va_start(arguments, format);
        const int length = vsnprintf(message, sizeof message, format, arguments);
        va_end(arguments);
        ws_utf8_shorten(message, length > 0 ? (size_t)length : 0, sizeof message);
        error->status = status;
        memcpy(error->message, message, sizeof message);
    }
    return status;
}

enum ws_status ws_fail_in(struct ws_error *error, const char *format, ...)
{
    if (!error)
        return WS_STATUS_failed;
    char message[sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length < sizeof message)
        length += snprintf(message + length, sizeof message - (size_t)length, "%s", error->message);
    ws_utf8_shorten(message, length > 0 ? (size_t)length : 0, sizeof message);
    memcpy(error->message, message, sizeof message);
    return error->status;
}

enum ws_status ws_no_memory(struct ws_error *error)
{
    return ws_fail(error, WS_STATUS_no_memory, "out of memory");
}

enum ws_status ws_struct_check(const char *name, size_t found, size_t expected, struct ws_error *error)
{
    return found == expected
               ? WS_STATUS_ok
               : ws_fail(error, WS_STATUS_usage,
                         "struct %s: struct_size is %zu, and %zu in this libwarpsweep: the program or binding has the "
                         "struct of another version. Rebuild it with this version's headers",
                         name, found, expected);
}
