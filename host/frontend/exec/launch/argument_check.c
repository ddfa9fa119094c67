/* Checks an argument of a launch against the kernel's parameter. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "frontend/exec/launch/argument_type.h"
#include "frontend/exec/launch/plan.h"
#include "frontend/ptx/image.h"

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

/* The image that the argument is, or NULL. */
static const struct ws_image_desc *image_of(const struct pair *pair)
{
    const struct ws_ndrange *const launch = pair->plan->launch;
    for (u32 n = 0; n < launch->buffer_count && pair->argument->kind == WS_ARGUMENT_BUFFER; n++)
        if (launch->buffers[n].data == pair->argument->data)
            return launch->buffers[n].image;
    return NULL;
}

static enum ws_status check_kind(const struct pair *pair)
{
    const struct ws_kernel_parameter *const parameter = pair->parameter;
    const enum ws_argument_kind kind = pair->argument->kind;
    if ((u32)kind > WS_ARGUMENT_SHARED)
        return refuse(pair, "kind %u is unknown", (u32)kind);
    if (kind != WS_ARGUMENT_SCALAR && !image_of(pair) && !parameter->pointer && !ws_parameter_type(parameter).pointer &&
        (parameter->spelling || parameter->type != WS_TYPE_none))
        return refuse(pair, "%s found, the parameter is %s, which takes a scalar", kind_names[kind], ws_parameter_text(parameter));
    /* Where buffers have addresses of their own, bytes may be such an address. */
    if (pair->plan->is_placed && kind == WS_ARGUMENT_SCALAR && !pair->argument->type)
        return WS_STATUS_ok;
    if (parameter->pointer && !points_there(parameter, kind))
        return refuse(pair, "%s found, the parameter points to %s", kind_names[kind],
                      kind_names[parameter->space == WS_SPACE_shared ? WS_ARGUMENT_SHARED : WS_ARGUMENT_BUFFER]);
    return WS_STATUS_ok;
}

/* Names are optional. A wrong one means an argument in the wrong place. */
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
    const u64 bytes = scalar ? argument->bytes : pair->plan->program->narrow ? sizeof(u32) : sizeof(u64);
    if (bytes != pair->parameter->bytes)
        return refuse(pair, "%s of %llu bytes found, the parameter has %u bytes", scalar ? "a scalar" : "a pointer",
                      (unsigned long long)bytes, pair->parameter->bytes);
    if (argument->kind != WS_ARGUMENT_SHARED && argument->bytes > 0 && !argument->data)
        return refuse(pair, "%s without data", kind_names[argument->kind]);
    return WS_STATUS_ok;
}

/* ---- Images ---- */

static bool is_sampler(const struct ws_argument *argument)
{
    return argument->type && strcmp(argument->type, "sampler") == 0;
}

/* Images and samplers fit parameters of that type in the source, and words in PTX. */
static enum ws_status check_image(const struct pair *pair)
{
    const char *const type = pair->parameter->spelling;
    const struct ws_image_desc *const image = image_of(pair);
    const bool sampler = type && strcmp(type, "sampler_t") == 0, takes_image = type && strncmp(type, "image", 5) == 0;
    const char *const given = image ? ws_image_shapes[image->shape].type : is_sampler(pair->argument) ? "sampler_t" : NULL;
    if (!given)
        return sampler || takes_image
                   ? refuse(pair, "the parameter is %s, which takes %s", type, sampler ? "a sampler" : "an image")
                   : WS_STATUS_ok;
    return type && strcmp(type, given) != 0 ? refuse(pair, "found %s, the parameter is %s", given, type) : WS_STATUS_ok;
}

/* ---- Type ---- */

/* "f32"; "i32 and u32". */
static void allowed_text(const struct ws_argument_type *type, char *text, size_t room)
{
    if (type->kind == WS_HOLDS_real)
        snprintf(text, room, "f%u", type->bits);
    else
        snprintf(text, room, "i%u and u%u", type->bits, type->bits);
}

/* f16, bf16; e4m3, e5m2: numbers that compilers pass as bits. */
static bool is_narrow(const char *given)
{
    return given[0] == 'b' || given[0] == 'e' || strncmp(given, "f16", 3) == 0;
}

/* Whether elements given as "u32", for example, have the size and kind of the type's components, signed or not. */
static bool agrees(const char *given, const struct ws_argument_type *type)
{
    if (is_narrow(given))
        return type->bits == (given[0] == 'e' ? 8 : 16);
    const bool real = given[0] == 'f';
    return real == (type->kind == WS_HOLDS_real) && strtoul(given + 1, NULL, 10) == type->bits;
}

/* Whether the number fits the type without losing or gaining a sign. */
static enum ws_status check_sign(const struct pair *pair, const struct ws_argument_type *type)
{
    const u8 *const data = pair->argument->data;
    const bool top = data[pair->argument->bytes - 1] >> 7;
    const bool natural = pair->argument->type[0] == 'u';
    if (!top || natural == (type->kind == WS_HOLDS_natural))
        return WS_STATUS_ok;
    return refuse(pair, "found %s number as %s, which the parameter's type %s does not hold",
                  natural ? "too large a" : "a negative", pair->argument->type, pair->parameter->spelling);
}

/* A vector ("f32x4") or a struct. */
static bool is_composed(const char *given)
{
    return given[0] == 's' || strchr(given, 'x');
}

/* Vectors are given as such, or as one integer of their bits; their size has been checked. */
static enum ws_status check_composed(const struct pair *pair, const struct ws_argument_type *type)
{
    const char *const given = pair->argument->type;
    char allowed[40];
    allowed_text(type, allowed, sizeof allowed);
    if (type->components <= 1)
        return refuse(pair, "%s found, the parameter is %s; allowed is %s", given[0] == 's' ? "a struct" : given,
                      ws_parameter_text(pair->parameter), allowed);
    if (is_composed(given) ? given[0] != 's' && agrees(given, type) : given[0] != 'f')
        return WS_STATUS_ok;
    return refuse(pair, "%s found, the parameter is %s; allowed are a vector of %s, and one integer of its bits",
                  given[0] == 's' ? "a struct" : given, ws_parameter_text(pair->parameter), allowed);
}

static enum ws_status check_scalar_type(const struct pair *pair)
{
    const struct ws_argument_type type = ws_parameter_type(pair->parameter);
    const char *const given = pair->argument->type;
    char allowed[40];
    if (type.kind == WS_HOLDS_unknown)
        return WS_STATUS_ok;
    if (type.components > 1 || is_composed(given))
        return check_composed(pair, &type);
    allowed_text(&type, allowed, sizeof allowed);
    if (!agrees(given, &type))
        return refuse(pair, "%s found, the parameter is %s; allowed is %s", given, ws_parameter_text(pair->parameter), allowed);
    const bool signs = type.kind == WS_HOLDS_integer || type.kind == WS_HOLDS_natural;
    return signs && !is_narrow(given) && pair->argument->bytes > 0 ? check_sign(pair, &type) : WS_STATUS_ok;
}

/* 8-bit elements may be the bytes of any type. */
static enum ws_status check_buffer_type(const struct pair *pair)
{
    const struct ws_kernel_parameter *const parameter = pair->parameter;
    const char *const given = pair->argument->type;
    const struct ws_argument_type type =
        parameter->spelling ? ws_spelled_type(parameter->spelling) : (struct ws_argument_type){.kind = WS_HOLDS_unknown};
    char allowed[40];
    if (type.kind == WS_HOLDS_unknown || agrees(given, &type) || strcmp(given, "u8") == 0 || strcmp(given, "i8") == 0)
        return WS_STATUS_ok;
    allowed_text(&type, allowed, sizeof allowed);
    return refuse(pair, "a buffer of %s found, the parameter is %s; allowed is %s, and u8 for its bytes", given,
                  parameter->spelling, allowed);
}

static enum ws_status check_type(const struct pair *pair)
{
    if (!pair->argument->type || pair->argument->kind == WS_ARGUMENT_SHARED || is_sampler(pair->argument))
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
    WS_TRY(check_image(&pair));
    WS_TRY(check_kind(&pair));
    WS_TRY(check_size(&pair));
    return check_type(&pair);
}
