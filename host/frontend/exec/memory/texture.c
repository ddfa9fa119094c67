/* Textures and surfaces. A read through a sampler is an access to texture memory, at the first texel that it takes; a surface is
 * global memory. */
#include <string.h>

#include "frontend/exec/arithmetic/value.h"
#include "frontend/exec/handlers.h"
#include "frontend/exec/memory/access.h"
#include "frontend/ptx/image.h"

enum { HANDLE, SAMPLER, COORDINATES, VALUES = 5 /* of sust */ };
enum { WORD = 4, MOST_TEXEL = 16, SAMPLER_BITS = 0x3F };

/* ---- Handles ---- */

/* A variable (.texref) holds a handle. */
static u64 dereferenced(const struct ws_thread *thread, u64 handle)
{
    const struct ws_range *const range = ws_memory_find(thread->memory, WS_SPACE_global, false, handle, sizeof handle);
    if (range && !range->image)
        memcpy(&handle, range->host + (handle - range->base), sizeof handle);
    return handle;
}

/* The image that the operation names; NULL after stopping the thread. */
static const struct ws_image_desc *find_image(struct ws_step *step, const u64 *slot, struct ws_thread *thread)
{
    const u64 given = slot[step->op->src[HANDLE]];
    if (!step->range->image || step->range->base != given) {
        const u64 handle = dereferenced(thread, given);
        const struct ws_range *const range = ws_memory_find(thread->memory, WS_SPACE_global, false, handle, 1);
        if (!range || !range->image || range->base != handle) {
            ws_stop(step, thread, WS_STOP_no_image);
            return NULL;
        }
        step->range = range;
    }
    return step->range->image;
}

/* The same, of the operation's shape. */
static const struct ws_image_desc *find_shape(struct ws_step *step, const u64 *slot, struct ws_thread *thread)
{
    const struct ws_image_desc *const image = find_image(step, slot, thread);
    if (!image || ws_image_has_shape(image, step->op->shape))
        return image;
    ws_stop(step, thread, WS_STOP_image_shape);
    return NULL;
}

/* ---- Recording ---- */

static bool record(const struct ws_step *step, struct ws_thread *thread, u64 address)
{
    if (!thread->recorder || ws_record_access(thread->recorder, address))
        return true;
    ws_stop(step, thread, WS_STOP_recording);
    return false;
}

static bool record_texture(const struct ws_step *step, struct ws_thread *thread, const u32 first[3])
{
    const u64 place = step->range->texture + ws_image_tiled(step->range->image, first);
    return record(step, thread, place / WORD * WORD);
}

/* ---- Textures ---- */

static struct ws_image_place place_of(const struct ws_op *op, const u64 *slot)
{
    struct ws_image_place place = {.real = op->from == WS_TYPE_f32};
    for (u32 n = 0; n < 3; n++) {
        const u64 value = op->src[COORDINATES + n] == WS_SLOT_NONE ? 0 : slot[op->src[COORDINATES + n]];
        const bool layer = n >= ws_image_shapes[op->shape].dimensions;
        place.integer[n] = layer && (u32)value > INT32_MAX ? INT32_MAX : (i32)(u32)value;
        place.number[n] = ws_f32(value);
    }
    return place;
}

static bool sampler_of(const struct ws_step *step, const struct ws_image_desc *image, const u64 *slot, struct ws_thread *thread,
                       u32 *sampler)
{
    const u16 given = step->op->src[SAMPLER];
    const u64 bits = given == WS_SLOT_NONE ? image->sampler : slot[given];
    *sampler = (u32)bits;
    if (bits <= SAMPLER_BITS)
        return true;
    ws_stop(step, thread, WS_STOP_no_sampler);
    return false;
}

static void put(const struct ws_op *op, u64 *slot, const u32 values[4])
{
    for (u32 n = 0; n < WS_OP_RESULTS; n++)
        if (op->dst[n] != WS_SLOT_NONE)
            slot[op->dst[n]] = values[n];
}

static struct ws_basic_block *sample(struct ws_step *step, u64 *slot, struct ws_thread *thread, bool gathers)
{
    const struct ws_op *const op = step->op;
    const struct ws_image_desc *const image = find_shape(step, slot, thread);
    const struct ws_image_place place = place_of(op, slot);
    u32 first[3], values[4], sampler;
    if (!image || !sampler_of(step, image, slot, thread, &sampler))
        return NULL;
    if (ws_image_is_real(image) != (op->type == WS_TYPE_f32))
        return ws_stop(step, thread, WS_STOP_image_type);
    if (gathers)
        ws_image_gather(image, step->range->host, sampler, &place, op->mode, first, values);
    else
        ws_image_sample(image, step->range->host, sampler, &place, first, values);
    if (!record_texture(step, thread, first))
        return NULL;
    put(op, slot, values);
    return ws_next(step, slot, thread);
}

struct ws_basic_block *ws_tex(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    return sample(step, slot, thread, false);
}

struct ws_basic_block *ws_tex_gather(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    return sample(step, slot, thread, true);
}

struct ws_basic_block *ws_txq(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    const struct ws_image_desc *const image = find_image(step, slot, thread);
    if (!image)
        return NULL;
    slot[step->dst] = ws_image_property(image, step->op->mode);
    return ws_next(step, slot, thread);
}

/* ---- Surfaces ---- */

/* Bytes of a surface. host is NULL if an access outside of it has no effect; place is then the nearest. */
struct bytes {
    u8 *host;
    u64 place;
};

/* Place of an access of `width` bytes, with columns of `unit` bytes. False after stopping the thread. */
static bool locate(struct ws_step *step, const u64 *slot, struct ws_thread *thread, u32 unit, u32 width, struct bytes *bytes)
{
    const struct ws_op *const op = step->op;
    const struct ws_image_desc *const image = step->range->image;
    const s64 row = (s64)image->size[0] * ws_image_texel_bytes(image);
    const s64 ends[] = {row / unit - (s64)(width / unit), (s64)image->size[1] - 1, (s64)image->size[2] - 1};
    u32 at[3] = {0};
    bool inside = true;
    for (u32 n = 0; n < 3; n++) {
        const s64 given = op->src[COORDINATES + n] == WS_SLOT_NONE ? 0 : (i32)(u32)slot[op->src[COORDINATES + n]];
        const s64 nearest = given < 0 || ends[n] < 0 ? 0 : given > ends[n] ? ends[n] : given;
        inside &= given == nearest && ends[n] >= 0;
        at[n] = (u32)nearest;
    }
    const bool fails = ends[0] < 0 || (op->mode == WS_OUTSIDE_trap && !thread->beyond);
    if (!inside && fails) {
        ws_stop(step, thread, WS_STOP_outside_image);
        return false;
    }
    const u32 start[] = {0, at[1], at[2]};
    bytes->place = ws_image_offset(image, start) + (u64)at[0] * unit;
    bytes->host = inside || op->mode == WS_OUTSIDE_clamp ? step->range->host + bytes->place : NULL;
    if (bytes->place % (width < WORD ? width : WORD) == 0)
        return record(step, thread, step->range->recorded + bytes->place / WORD * WORD);
    ws_stop(step, thread, WS_STOP_image_misaligned);
    return false;
}

struct ws_basic_block *ws_suld(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    const struct ws_op *const op = step->op;
    const u32 each = ws_value_bytes(op->type);
    struct bytes from;
    if (!find_shape(step, slot, thread) || !locate(step, slot, thread, 1, each * op->count, &from))
        return NULL;
    for (u32 n = 0; n < op->count; n++) {
        u64 value = 0;
        if (from.host)
            memcpy(&value, from.host + n * each, each);
        if (op->dst[n] != WS_SLOT_NONE)
            slot[op->dst[n]] = value;
    }
    return ws_next(step, slot, thread);
}

static void write(const struct bytes *to, const u8 *value, u32 width, struct ws_thread *thread)
{
    if (!to->host)
        return;
    thread->changes += memcmp(to->host, value, width) != 0;
    memcpy(to->host, value, width);
}

struct ws_basic_block *ws_sust(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    const struct ws_op *const op = step->op;
    const u32 each = ws_value_bytes(op->type);
    struct bytes to;
    u8 value[MOST_TEXEL];
    if (!find_shape(step, slot, thread) || !locate(step, slot, thread, 1, each * op->count, &to))
        return NULL;
    for (u32 n = 0; n < op->count; n++)
        memcpy(value + n * each, &slot[op->src[VALUES + n]], each);
    write(&to, value, each * op->count, thread);
    return ws_next(step, slot, thread);
}

struct ws_basic_block *ws_sust_pixel(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    const struct ws_op *const op = step->op;
    const struct ws_image_desc *const image = find_shape(step, slot, thread);
    u32 channels[WS_CHANNELS] = {0};
    u8 texel[MOST_TEXEL];
    struct bytes to;
    if (!image)
        return NULL;
    const u32 width = ws_image_texel_bytes(image);
    if (!locate(step, slot, thread, width, width, &to))
        return NULL;
    for (u32 n = 0; n < op->count; n++)
        channels[n] = (u32)slot[op->src[VALUES + n]];
    ws_texel_write(image, texel, channels);
    write(&to, texel, width, thread);
    return ws_next(step, slot, thread);
}
