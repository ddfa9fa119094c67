#include "frontend/exec/launch/argument_type.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "frontend/exec/arithmetic/value.h"
#include "frontend/ptx/image.h"

static const struct {
    const char *name;
    enum ws_holds kind;
    u32 bits;
} types[] = {
#define ARGUMENT_TYPE(name_, kind_, bits_) {#name_, WS_HOLDS_##kind_, bits_},
#include "frontend/exec/launch/argument_types.def"
#undef ARGUMENT_TYPE
};

struct ws_argument_type ws_spelled_type(const char *spelling)
{
    static const char attribute[] = " __attribute__((ext_vector_type(";
    spelling += strncmp(spelling, "local ", 6) == 0 ? 6 : 0;
    const size_t length = strlen(spelling), word = strspn(spelling, "abcdefghijklmnopqrstuvwxyz");
    struct ws_argument_type type = {.pointer = length > 0 && spelling[length - 1] == '*'};
    const char *rest = spelling + word;
    const bool long_vector = strncmp(rest, attribute, sizeof attribute - 1) == 0;
    rest += long_vector ? sizeof attribute - 1 : 0;
    const size_t digits = strspn(rest, "0123456789");
    type.components = digits > 0 ? (u32)strtoul(rest, NULL, 10) : 1;
    rest += digits;
    rest += long_vector && strncmp(rest, ")))", 3) == 0 ? 3 : 0;
    if (strcmp(rest, type.pointer ? "*" : "") != 0)
        return type;
    for (size_t n = 0; n < sizeof types / sizeof types[0]; n++)
        if (strlen(types[n].name) == word && memcmp(types[n].name, spelling, word) == 0) {
            type.kind = types[n].kind;
            type.bits = types[n].bits;
        }
    return type;
}

struct ws_argument_type ws_parameter_type(const struct ws_kernel_parameter *parameter)
{
    if (parameter->spelling)
        return ws_spelled_type(parameter->spelling);
    const bool real = parameter->type == WS_TYPE_f32 || parameter->type == WS_TYPE_f64;
    struct ws_argument_type type = {.kind = real ? WS_HOLDS_real : WS_HOLDS_bits,
                                    .bits = 8 * ws_value_bytes(parameter->type),
                                    .components = 1,
                                    .pointer = !real};
    if (parameter->type == WS_TYPE_none)
        type.kind = WS_HOLDS_unknown;
    return type;
}

const char *ws_parameter_text(const struct ws_kernel_parameter *parameter)
{
    static const char *const names[WS_TYPES] = {
        [WS_TYPE_u8] = ".u8",       [WS_TYPE_u16] = ".u16",      [WS_TYPE_u32] = ".u32", [WS_TYPE_u64] = ".u64",
        [WS_TYPE_s8] = ".s8",       [WS_TYPE_s16] = ".s16",      [WS_TYPE_s32] = ".s32", [WS_TYPE_s64] = ".s64",
        [WS_TYPE_f32] = ".f32",     [WS_TYPE_f64] = ".f64",      [WS_TYPE_f16] = ".f16", [WS_TYPE_bf16] = ".bf16",
        [WS_TYPE_f16x2] = ".f16x2", [WS_TYPE_bf16x2] = ".bf16x2"};
    return parameter->spelling ? parameter->spelling : names[parameter->type];
}

/* ---- For templates of launches ---- */

/* What a launch file calls the type: signed and unsigned are one where PTX has no sign. */
static const char *element_of(const struct ws_argument_type *type)
{
    static const char *const names[][4] = {[WS_HOLDS_integer] = {"i8", "i16", "i32", "i64"},
                                           [WS_HOLDS_natural] = {"u8", "u16", "u32", "u64"},
                                           [WS_HOLDS_bits] = {"u8", "u16", "u32", "u64"},
                                           [WS_HOLDS_real] = {NULL, NULL, "f32", "f64"}};
    u32 size = 0;
    while (size < 3 && 8u << size < type->bits)
        size++;
    return type->kind == WS_HOLDS_unknown ? NULL : names[type->kind][size];
}

static enum ws_takes kind_of(const struct ws_program *program, const struct ws_kernel *kernel,
                             const struct ws_kernel_parameter *parameter, const struct ws_argument_type *type)
{
    if (parameter->spelling && strcmp(parameter->spelling, "sampler_t") == 0)
        return WS_TAKES_SAMPLER;
    if (parameter->pointer && parameter->space == WS_SPACE_shared)
        return WS_TAKES_SHARED;
    if (parameter->pointer || (parameter->spelling && type->pointer))
        return WS_TAKES_BUFFER;
    if (type->kind == WS_HOLDS_unknown)
        return WS_TAKES_STRUCT;
    if (type->components > 1)
        return WS_TAKES_VECTOR;
    const bool word = !parameter->spelling && type->pointer && type->bits == (program->narrow ? 32 : 64);
    return word && !ws_parameter_is_number(kernel, parameter->offset, type->bits / 8) ? WS_TAKES_WORD : WS_TAKES_SCALAR;
}

/* ---- Images ---- */

/* Image facts that an operation reveals. */
static struct ws_image_info image_of(const struct ws_op *op)
{
    const struct ws_shape_row *const shape = &ws_image_shapes[op->shape];
    const bool samples = op->opcode == WS_OP_tex || op->opcode == WS_OP_tex_gather;
    const char *const channel = op->type == WS_TYPE_f32 ? "f32" : op->type == WS_TYPE_s32 ? "i32" : "u32";
    return (struct ws_image_info){shape->name, shape->dimensions + shape->layers, samples ? channel : NULL};
}

/* Origin of the handle of operation n: an input, possibly moved. NULL if operation n has no handle, or does not reveal a shape. */
static const struct ws_input *handle_of(const struct ws_kernel *kernel, u32 n)
{
    const struct ws_op *const op = &kernel->ops[n];
    u32 slot = op->src[0];
    if (!ws_op_is_image(op->opcode) || op->opcode == WS_OP_txq)
        return NULL;
    while (slot < kernel->registers) {
        while (n > 0 && kernel->ops[n - 1].dst[0] != slot)
            n--;
        if (n == 0 || kernel->ops[n - 1].opcode != WS_OP_mov)
            return NULL;
        slot = kernel->ops[--n].src[0];
    }
    return slot == WS_SLOT_NONE ? NULL : &kernel->inputs[slot - kernel->registers];
}

/* Image facts that the kernel's operations reveal about the handle in the parameter. Without a shape, it is no handle. */
static struct ws_image_info image_in(const struct ws_kernel *kernel, const struct ws_kernel_parameter *parameter)
{
    for (u32 n = 0; n < kernel->op_count; n++) {
        const struct ws_input *const handle = handle_of(kernel, n);
        if (handle && handle->kind == WS_INPUT_parameter && handle->value == parameter->offset)
            return image_of(&kernel->ops[n]);
    }
    return (struct ws_image_info){0};
}

/* The same of the type in OpenCL C. */
static struct ws_image_info image_spelled(const char *spelling)
{
    for (u32 n = 0; n < WS_IMAGE_SHAPES && spelling; n++) {
        const struct ws_shape_row *const shape = &ws_image_shapes[n];
        if (strcmp(spelling, shape->type) == 0)
            return (struct ws_image_info){shape->name, shape->dimensions + shape->layers, NULL};
    }
    return (struct ws_image_info){0};
}

static const struct ws_module_variable *variable_of(const struct ws_program *program, const struct ws_input *handle)
{
    const struct ws_module_image *const image = &program->global;
    const bool is = handle && handle->kind == WS_INPUT_address && handle->space == WS_SPACE_global;
    return is && handle->variable > 0 && handle->variable <= image->variable_count ? &image->variables[handle->variable - 1] : NULL;
}

bool ws_program_image_variable(const struct ws_program *program, const char *kernel, u32 n, struct ws_image_variable *variable)
{
    const struct ws_kernel *found;
    if (ws_program_find(program, kernel, &found, NULL) != WS_STATUS_ok)
        return false;
    for (u32 i = 0; i < found->op_count; i++) {
        const struct ws_module_variable *const named = variable_of(program, handle_of(found, i));
        bool before = !named;
        for (u32 j = 0; j < i && !before; j++)
            before = variable_of(program, handle_of(found, j)) == named;
        if (before || n-- > 0)
            continue;
        *variable = (struct ws_image_variable){named->name, image_of(&found->ops[i])};
        return true;
    }
    return false;
}

/* ---- Arguments ---- */

/* Machine code reveals sizes only: 8 bytes may be a pointer, fewer are a number of any type. */
static void argument_by_size(const struct ws_kernel_parameter *row, struct ws_argument_info *parameter)
{
    static const char *const elements[] = {[1] = "u8", [2] = "u16", [4] = "u32"};
    const bool number = row->bytes == 1 || row->bytes == 2 || row->bytes == 4;
    parameter->kind = number ? WS_TAKES_SCALAR : row->bytes == 8 ? WS_TAKES_WORD : WS_TAKES_STRUCT;
    parameter->element = number ? elements[row->bytes] : NULL;
}

enum ws_status ws_program_argument(const struct ws_program *program, const char *kernel, u32 n, struct ws_argument_info *parameter,
                                   struct ws_error *error)
{
    const struct ws_kernel *found;
    WS_TRY(ws_program_find(program, kernel, &found, error));
    if (n >= found->parameter_count)
        return ws_fail(error, WS_STATUS_bad_input, "kernel %s: has %u parameters, found argument number %u", found->name,
                       found->parameter_count, n);
    const struct ws_kernel_parameter *const row = &found->parameters[n];
    const struct ws_argument_type type = ws_parameter_type(row);
    const struct ws_image_info image = row->spelling ? image_spelled(row->spelling) : image_in(found, row);
    *parameter = (struct ws_argument_info){.kind = image.shape ? WS_TAKES_IMAGE : kind_of(program, found, row, &type),
                                           .name = row->named ? row->name : NULL,
                                           .type = ws_parameter_text(row),
                                           .bytes = row->bytes,
                                           .align = row->align,
                                           .components = type.components,
                                           .image = image};
    /* PTX does not reveal the pointee. */
    if (row->spelling || parameter->kind == WS_TAKES_SCALAR)
        parameter->element = element_of(&type);
    if (program->machine.module)
        argument_by_size(row, parameter);
    return WS_STATUS_ok;
}

bool ws_program_member(const struct ws_program *program, const char *kernel, u32 parameter, u32 n, struct ws_member_info *member)
{
    const struct ws_kernel *found;
    return ws_program_find(program, kernel, &found, NULL) == WS_STATUS_ok && !program->machine.module &&
           parameter < found->parameter_count && ws_parameter_member(found, &found->parameters[parameter], n, member);
}
