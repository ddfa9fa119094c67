/* Checks an argument of a launch against the kernel's parameter. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "frontend/exec/plan.h"
#include "frontend/exec/value.h"

/* An argument, its parameter, and where an error goes. */
struct pair {
    const struct ws_plan *plan;
    const struct ws_argument *argument;
    const struct ws_kernel_parameter *parameter;
    u32 number;
    struct ws_error *error;
};

/* "launch.yaml:7: kernel k, argument 0 (p): ..." */
__attribute__((format(printf, 2, 3))) static enum ws_status refuse(const struct pair *pair, const char *format, ...)
{
    char message[500];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    ws_fail(pair->error, WS_STATUS_bad_input, "kernel %s, argument %u (%s): %s", pair->plan->kernel->name, pair->number,
            pair->parameter->name, message);
    if (pair->error && pair->argument->file)
        ws_fail_in(pair->error, "%s:%u: ", pair->argument->file, pair->argument->line);
    return WS_STATUS_bad_input;
}

/* ---- What is known of a parameter's type ---- */

enum kind { KIND_unknown, KIND_integer, KIND_natural, KIND_bits, KIND_real };

struct type {
    enum kind kind; /* of its components */
    u32 bits;       /* of one */
    bool vector, pointer;
};

static const struct {
    const char *name;
    enum kind kind;
    u32 bits;
} types[] = {
#define ARGUMENT_TYPE(name_, kind_, bits_) {#name_, KIND_##kind_, bits_},
#include "frontend/exec/argument_types.def"
#undef ARGUMENT_TYPE
};

/* "float", "uint*", "float4", "float __attribute__((ext_vector_type(4)))*"; all else is unknown but for whether it is a pointer. */
static struct type spelled_type(const char *spelling)
{
    static const char attribute[] = " __attribute__((ext_vector_type(";
    const size_t length = strlen(spelling), word = strspn(spelling, "abcdefghijklmnopqrstuvwxyz");
    struct type type = {.pointer = length > 0 && spelling[length - 1] == '*'};
    const char *rest = spelling + word;
    const bool long_vector = strncmp(rest, attribute, sizeof attribute - 1) == 0;
    rest += long_vector ? sizeof attribute - 1 : 0;
    const size_t digits = strspn(rest, "0123456789");
    rest += digits;
    rest += long_vector && strncmp(rest, ")))", 3) == 0 ? 3 : 0;
    type.vector = digits > 0;
    if (strcmp(rest, type.pointer ? "*" : "") != 0)
        return type;
    for (size_t n = 0; n < sizeof types / sizeof types[0]; n++)
        if (strlen(types[n].name) == word && memcmp(types[n].name, spelling, word) == 0) {
            type.kind = types[n].kind;
            type.bits = types[n].bits;
        }
    return type;
}

/* PTX does not tell signed from unsigned integers: compilers write .u32 for both. Nor does it tell pointers from integers, where
 * they are not .ptr. */
static struct type type_of(const struct ws_kernel_parameter *parameter)
{
    if (parameter->spelling)
        return spelled_type(parameter->spelling);
    const bool real = parameter->type == WS_TYPE_f32 || parameter->type == WS_TYPE_f64;
    struct type type = {.kind = real ? KIND_real : KIND_bits, .bits = 8 * ws_value_bytes(parameter->type), .pointer = !real};
    if (parameter->type == WS_TYPE_none)
        type.kind = KIND_unknown;
    return type;
}

/* The type as the source, else PTX, has it. */
static const char *type_text(const struct ws_kernel_parameter *parameter)
{
    static const char *const names[WS_TYPES] = {
        [WS_TYPE_u8] = ".u8",       [WS_TYPE_u16] = ".u16",      [WS_TYPE_u32] = ".u32", [WS_TYPE_u64] = ".u64",
        [WS_TYPE_s8] = ".s8",       [WS_TYPE_s16] = ".s16",      [WS_TYPE_s32] = ".s32", [WS_TYPE_s64] = ".s64",
        [WS_TYPE_f32] = ".f32",     [WS_TYPE_f64] = ".f64",      [WS_TYPE_f16] = ".f16", [WS_TYPE_bf16] = ".bf16",
        [WS_TYPE_f16x2] = ".f16x2", [WS_TYPE_bf16x2] = ".bf16x2"};
    return parameter->spelling ? parameter->spelling : names[parameter->type];
}

/* ---- Kind, name, size ---- */

static const char *const kind_names[] = {
    [WS_ARGUMENT_SCALAR] = "a scalar", [WS_ARGUMENT_BUFFER] = "a buffer", [WS_ARGUMENT_SHARED] = "shared memory"};

/* Whether a pointer parameter points to this kind of argument. */
static bool points_there(const struct ws_kernel_parameter *parameter, enum ws_argument_kind kind)
{
    if (parameter->space == WS_SPACE_generic)
        return kind != WS_ARGUMENT_SCALAR;
    return kind == (parameter->space == WS_SPACE_shared ? WS_ARGUMENT_SHARED : WS_ARGUMENT_BUFFER);
}

static enum ws_status check_kind(const struct pair *pair)
{
    const struct ws_kernel_parameter *const parameter = pair->parameter;
    const enum ws_argument_kind kind = pair->argument->kind;
    if ((u32)kind > WS_ARGUMENT_SHARED)
        return refuse(pair, "kind %u is unknown", (u32)kind);
    if (kind != WS_ARGUMENT_SCALAR && !parameter->pointer && !type_of(parameter).pointer &&
        (parameter->spelling || parameter->type != WS_TYPE_none))
        return refuse(pair, "%s found, the parameter is %s, which takes a scalar", kind_names[kind], type_text(parameter));
    if (parameter->pointer && !points_there(parameter, kind))
        return refuse(pair, "%s found, the parameter points to %s", kind_names[kind],
                      kind_names[parameter->space == WS_SPACE_shared ? WS_ARGUMENT_SHARED : WS_ARGUMENT_BUFFER]);
    return WS_STATUS_ok;
}

/* Names that nobody has to give are right where they are given: a wrong one is an argument in the wrong place. */
static enum ws_status check_name(const struct pair *pair)
{
    const struct ws_kernel *const kernel = pair->plan->kernel;
    const char *const name = pair->argument->name;
    if (!name || !pair->parameter->named || strcmp(name, pair->parameter->name) == 0)
        return WS_STATUS_ok;
    struct ws_text names = {0};
    for (u32 n = 0; n < kernel->parameter_count; n++)
        ws_text_add(&names, "%s%s", n ? ", " : "", kernel->parameters[n].name);
    const enum ws_status status = refuse(pair, "found the name '%s', allowed is '%s'; the kernel's arguments are %s", name,
                                         pair->parameter->name, names.data ? names.data : "others");
    ws_text_free(&names);
    return status;
}

static enum ws_status check_size(const struct pair *pair)
{
    const struct ws_argument *const argument = pair->argument;
    const bool scalar = argument->kind == WS_ARGUMENT_SCALAR;
    const u64 bytes = scalar ? argument->bytes : sizeof(u64);
    if (bytes != pair->parameter->bytes)
        return refuse(pair, "%s of %llu bytes found, the parameter has %u bytes", scalar ? "a scalar" : "a pointer",
                      (unsigned long long)bytes, pair->parameter->bytes);
    if (argument->kind != WS_ARGUMENT_SHARED && argument->bytes > 0 && !argument->data)
        return refuse(pair, "%s without data", kind_names[argument->kind]);
    return WS_STATUS_ok;
}

/* ---- Type ---- */

/* "f32"; "i32 and u32". */
static void allowed_text(const struct type *type, char *text, size_t room)
{
    if (type->kind == KIND_real)
        snprintf(text, room, "f%u", type->bits);
    else
        snprintf(text, room, "i%u and u%u", type->bits, type->bits);
}

/* Whether elements given as, say, "u32" are what the type's components hold, signed or not. */
static bool agrees(const char *given, const struct type *type)
{
    const bool real = given[0] == 'f';
    return real == (type->kind == KIND_real) && strtoul(given + 1, NULL, 10) == type->bits;
}

/* The number fits the type when the sign is not lost or made. */
static enum ws_status check_sign(const struct pair *pair, const struct type *type)
{
    const u8 *const data = pair->argument->data;
    const bool top = data[pair->argument->bytes - 1] >> 7;
    const bool natural = pair->argument->type[0] == 'u';
    if (!top || natural == (type->kind == KIND_natural))
        return WS_STATUS_ok;
    return refuse(pair, "found %s number as %s, which the parameter's type %s does not hold",
                  natural ? "too large a" : "a negative", pair->argument->type, pair->parameter->spelling);
}

static enum ws_status check_scalar_type(const struct pair *pair)
{
    const struct type type = type_of(pair->parameter);
    const char *const given = pair->argument->type;
    char allowed[40];
    if (type.kind == KIND_unknown || (type.vector && given[0] != 'f'))
        return WS_STATUS_ok;
    allowed_text(&type, allowed, sizeof allowed);
    if (type.vector)
        return refuse(pair, "%s found, the parameter is %s, which a launch file gives as one integer of its bits", given,
                      type_text(pair->parameter));
    if (!agrees(given, &type))
        return refuse(pair, "%s found, the parameter is %s; allowed is %s", given, type_text(pair->parameter), allowed);
    const bool signs = type.kind == KIND_integer || type.kind == KIND_natural;
    return signs && pair->argument->bytes > 0 ? check_sign(pair, &type) : WS_STATUS_ok;
}

/* Elements of 8 bits may be the bytes of anything. */
static enum ws_status check_buffer_type(const struct pair *pair)
{
    const struct ws_kernel_parameter *const parameter = pair->parameter;
    const char *const given = pair->argument->type;
    const struct type type = parameter->spelling ? spelled_type(parameter->spelling) : (struct type){.kind = KIND_unknown};
    char allowed[40];
    if (type.kind == KIND_unknown || agrees(given, &type) || strcmp(given, "u8") == 0 || strcmp(given, "i8") == 0)
        return WS_STATUS_ok;
    allowed_text(&type, allowed, sizeof allowed);
    return refuse(pair, "a buffer of %s found, the parameter is %s; allowed is %s, and u8 for its bytes", given,
                  parameter->spelling, allowed);
}

static enum ws_status check_type(const struct pair *pair)
{
    if (!pair->argument->type || pair->argument->kind == WS_ARGUMENT_SHARED)
        return WS_STATUS_ok;
    return pair->argument->kind == WS_ARGUMENT_SCALAR ? check_scalar_type(pair) : check_buffer_type(pair);
}

enum ws_status ws_plan_check_argument(const struct ws_plan *plan, u32 n, struct ws_error *error)
{
    const struct pair pair = {.plan = plan,
                              .argument = &plan->launch->arguments[n],
                              .parameter = &plan->kernel->parameters[n],
                              .number = n,
                              .error = error};
    WS_TRY(check_name(&pair));
    WS_TRY(check_kind(&pair));
    WS_TRY(check_size(&pair));
    return check_type(&pair);
}
