/* Textures and surfaces, executed by the operations of PTX. A handle is the lower half of an image's address: machine code drops
 * the upper half. The image, not the instruction, determines whether texels are integers or real numbers. */
#include <string.h>

#include "frontend/ptx/image.h"
#include "sass/exec/lower.h"

/* Sources of an operation; slots of the PTX operation, whose sources are in the order of PTX (ir.h). */
enum { HANDLE, POINT, DATA = 4 };
enum { RESULT_SLOT, HANDLE_SLOT = 4, POINT_SLOT, DATA_SLOT = 8, SLOTS = 12, INNER_POINT = 2, INNER_DATA = 5 };

static bool is_flat(const struct ws_image_desc *image)
{
    return image->shape == WS_IMAGE_1d || image->shape == WS_IMAGE_1d_buffer;
}

/* The image of a handle; NULL if there is none, or several. */
static const struct ws_range *find_image(const struct ws_memory *memory, u32 handle)
{
    struct ws_range *found = NULL;
    for (u32 n = 0; n < memory->count; n++) {
        struct ws_range *const range = &memory->ranges[n];
        if (!range->image || (u32)range->base != handle)
            continue;
        if (found)
            return NULL;
        found = range;
    }
    if (found)
        ws_memory_touch(memory, found);
    return found;
}

/* Runs the PTX operation. False after stopping the thread. ptxas reads images of one dimension as rows of two-dimensional ones. */
static bool run(struct ws_step *step, const u64 *slot, u8 mode, u64 slots[SLOTS], struct ws_thread *thread)
{
    const struct ws_op *const op = step->op;
    const u32 handle = (u32)slot[op->src[HANDLE]];
    struct ws_op inner = sass_own(step)->inner;
    if (!step->range->image || (u32)step->range->base != handle) {
        const struct ws_range *const range = find_image(thread->memory, handle);
        if (!range) {
            ws_stop(step, thread, WS_STOP_no_image);
            return false;
        }
        step->range = range;
    }
    inner.mode = mode;
    if (inner.opcode == WS_OP_tex || inner.opcode == WS_OP_tex_gather) {
        inner.type = ws_image_is_real(step->range->image) ? WS_TYPE_f32 : WS_TYPE_u32;
        if (inner.shape == WS_IMAGE_2d && is_flat(step->range->image))
            inner.shape = WS_IMAGE_1d;
    }
    slots[HANDLE_SLOT] = step->range->base;
    for (u32 n = 0; n < 3; n++)
        slots[POINT_SLOT + n] = slot[op->src[POINT + n]];
    for (u32 n = 0; n < 4; n++)
        slots[DATA_SLOT + n] = slot[op->src[DATA + n]];
    return sass_run(step, &inner, slots, thread);
}

WS_HANDLER(read)
{
    const struct ws_op *const op = step->op;
    u64 slots[SLOTS] = {0};
    if (!run(step, slot, op->mode, slots, thread))
        return NULL;
    for (u32 n = 0, to = 0; n < 4; n++)
        if (op->count >> n & 1)
            slot[op->dst[to++]] = (u32)slots[RESULT_SLOT + n];
    return ws_next(step, slot, thread);
}

WS_HANDLER(query)
{
    static const u8 properties[] = {WS_PROPERTY_width, WS_PROPERTY_height, WS_PROPERTY_depth};
    const struct ws_op *const op = step->op;
    for (u32 n = 0, to = 0; n < sizeof properties; n++) {
        u64 slots[SLOTS] = {0};
        if (!(op->count >> n & 1))
            continue;
        if (!run(step, slot, properties[n], slots, thread))
            return NULL;
        slot[op->dst[to++]] = (u32)slots[RESULT_SLOT];
    }
    return ws_next(step, slot, thread);
}

WS_HANDLER(write)
{
    u64 slots[SLOTS] = {0};
    return run(step, slot, step->op->mode, slots, thread) ? ws_next(step, slot, thread) : NULL;
}

/* ---- Lowering ---- */

/* The operation and its handlers. call: the handler of the PTX operation. */
struct kind {
    ws_handler *run, *call;
    struct ws_op inner; /* without slots */
};

/* Sets handlers, handle and coordinates. point: slots of the coordinates, a layer last. */
static enum ws_status image(struct lowering *lowering, struct ws_op *op, struct kind kind, u16 handle, const u16 point[3])
{
    const struct ws_shape_row *const shape = &ws_image_shapes[kind.inner.shape];
    struct sass_op *const own = sass_does(lowering, op, kind.run);
    if (!own)
        return sass_no_memory(lowering);
    struct ws_op *const inner = &own->inner;
    *inner = kind.inner;
    inner->guard = WS_SLOT_NONE;
    inner->line = op->line;
    memset(inner->src, 0xFF, sizeof inner->src);
    inner->src[0] = HANDLE_SLOT;
    op->src[HANDLE] = handle;
    for (u32 n = 0; n < 4; n++) {
        inner->dst[n] = (u16)(RESULT_SLOT + n);
        inner->src[INNER_DATA + n] = (u16)(DATA_SLOT + n);
        op->src[DATA + n] = sass_value(lowering, 0);
    }
    for (u32 n = 0; n < 3; n++) {
        const bool used = n < shape->dimensions + shape->layers;
        op->src[POINT + n] = used ? point[n] : sass_value(lowering, 0);
        inner->src[INNER_POINT + n] = used ? (u16)(POINT_SLOT + n) : WS_SLOT_NONE;
    }
    op->mode = inner->mode;
    own->call = kind.call;
    return WS_STATUS_ok;
}

/* A handle in a constant bank or a uniform register. */
static u16 bound_handle(struct lowering *lowering, const struct ws_sass_instruction *in)
{
    return sass_source(lowering, in, ws_sass_operand(in, 'O') ? 'O' : 'u', 0);
}

static enum ws_status texture(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op, struct kind kind)
{
    static const u8 shapes[] = {WS_IMAGE_1d, WS_IMAGE_2d, WS_IMAGE_3d, 0, WS_IMAGE_1d_array, WS_IMAGE_2d_array, 0, 0};
    const struct ws_sass_texture from = ws_sass_texture(in);
    const u32 components = sass_bits(in, 72, 4);
    const u8 shape = shapes[sass_bits(in, 61, 3)];
    const bool layer_first = in->row->does != WS_SASS_DOES_texture_gradient && ws_image_shapes[shape].layers;
    u16 sources[5] = {0}, point[3] = {0};
    for (u32 n = 0; n <= from.coordinate + from.coordinates; n++)
        sources[n] = n < from.first ? sass_source(lowering, in, 'A', n) : sass_source(lowering, in, 'r', n - from.first);
    for (u32 n = 0; n < from.coordinates; n++)
        point[n] = sources[from.coordinate + (n + layer_first) % from.coordinates];
    for (u32 n = 0; n < (u32)__builtin_popcount(components); n++)
        op->dst[n] = sass_result(lowering, in, n < 2 ? 'd' : 's', n % 2);
    op->count = (u8)components;
    kind.inner.shape = shape;
    return image(lowering, op, kind, from.bindless ? sources[from.handle] : bound_handle(lowering, in), point);
}

enum ws_status sass_lower_texture(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    enum { LB = 2 };
    if (in->architecture >= 100 && (sass_bits(in, 59, 1) | sass_bits(in, 87, 2) << 1) >= LB && !ws_sass_has_level(in))
        return sass_refuse(lowering, "TEX with a bias or a clamp of the level");
    return texture(lowering, in, op, (struct kind){read, ws_tex, {.opcode = WS_OP_tex, .from = WS_TYPE_f32}});
}

enum ws_status sass_lower_texture_texel(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    return texture(lowering, in, op, (struct kind){read, ws_tex, {.opcode = WS_OP_tex, .from = WS_TYPE_s32}});
}

enum ws_status sass_lower_texture_gradient(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    return texture(lowering, in, op, (struct kind){read, ws_tex, {.opcode = WS_OP_tex, .from = WS_TYPE_f32}});
}

enum ws_status sass_lower_texture_gather(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    return texture(
        lowering, in, op,
        (struct kind){read, ws_tex_gather, {.opcode = WS_OP_tex_gather, .from = WS_TYPE_f32, .mode = (u8)sass_bits(in, 87, 2)}});
}

enum ws_status sass_lower_texture_query(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    if (sass_bits(in, 72, 4) > 7)
        return sass_refuse(lowering, "TXQ of the number of levels");
    return texture(lowering, in, op, (struct kind){query, ws_txq, {.opcode = WS_OP_txq}});
}

static enum ws_status surface(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op, struct kind kind)
{
    static const u8 shapes[] = {WS_IMAGE_1d, 0, WS_IMAGE_1d_array, WS_IMAGE_2d, WS_IMAGE_2d_array, WS_IMAGE_3d, 0, 0};
    static const u8 outside[] = {WS_OUTSIDE_zero, WS_OUTSIDE_clamp, WS_OUTSIDE_trap, 0};
    u16 point[3];
    for (u32 n = 0; n < 3; n++)
        point[n] = sass_source(lowering, in, 'A', n);
    kind.inner.shape = shapes[sass_bits(in, 61, 3)];
    kind.inner.mode = outside[sass_bits(in, 59, 2)];
    kind.inner.space = WS_SPACE_global;
    const bool bindless = ws_sass_operand(in, 's');
    WS_TRY(image(lowering, op, kind, bindless ? sass_source(lowering, in, 's', 0) : bound_handle(lowering, in), point));
    for (u32 n = 0; n < kind.inner.count; n++) {
        op->dst[n] = sass_result(lowering, in, 'd', n);
        op->src[DATA + n] = sass_source(lowering, in, 'r', n);
    }
    op->count = (u8)((1u << kind.inner.count) - 1);
    return WS_STATUS_ok;
}

/* An access of the width that bits 73 to 75 give. */
static struct ws_op sized(const struct ws_sass_instruction *in, u8 opcode)
{
    static const u8 types[] = {WS_TYPE_u8,  WS_TYPE_u8,  WS_TYPE_u16, WS_TYPE_u16,
                               WS_TYPE_u32, WS_TYPE_u32, WS_TYPE_u32, WS_TYPE_u32};
    static const u8 counts[] = {1, 1, 1, 1, 1, 2, 4, 4};
    const u32 size = sass_bits(in, 73, 3);
    return (struct ws_op){.opcode = opcode, .type = types[size], .count = counts[size]};
}

enum ws_status sass_lower_surface_load(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    return surface(lowering, in, op, (struct kind){read, ws_suld, sized(in, WS_OP_suld)});
}

enum ws_status sass_lower_surface_store(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    return surface(lowering, in, op, (struct kind){write, ws_sust, sized(in, WS_OP_sust)});
}

enum ws_status sass_lower_surface_store_pixel(struct lowering *lowering, const struct ws_sass_instruction *in, struct ws_op *op)
{
    const u32 components = sass_bits(in, 72, 4), count = (u32)__builtin_popcount(components);
    if (!components || components != (1u << count) - 1)
        return sass_refuse(lowering, "SUST with a gap between its components, or without any");
    return surface(lowering, in, op,
                   (struct kind){write, ws_sust_pixel, {.opcode = WS_OP_sust_pixel, .type = WS_TYPE_u32, .count = (u8)count}});
}
