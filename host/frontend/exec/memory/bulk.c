/* cp.async.bulk and its tensor form, piece by piece: a loop that the loader makes (parse/bulk.c) calls these for a line of 128
 * bytes or a row of a box. A piece is one access of the trace, to global memory (or, without any, to shared memory). */
#include <math.h>
#include <string.h>

#include "frontend/exec/arithmetic/half.h"
#include "frontend/exec/cluster.h"
#include "frontend/exec/handlers.h"
#include "frontend/exec/memory/access.h"
#include "frontend/ptx/bulk.h"
#include "warpsweep/tensor_map.h"

_Static_assert(sizeof(struct ws_tensor_map) == WS_TENSOR_MAP_BYTES, "CUtensorMap has 128 bytes");

enum { ALIGNMENT = 16, SWIZZLE_SHIFT = 7, SWIZZLE_FIRST = 4 };

/* ---- Memory ---- */

static bool record(const struct ws_step *step, struct ws_thread *thread, u64 address)
{
    if (!thread->recorder || ws_record_access(thread->recorder, address))
        return true;
    ws_stop(step, thread, WS_STOP_recording);
    return false;
}

/* Where bytes at an address lie, and in which range; NULL after stopping the thread. */
static u8 *find(const struct ws_step *step, struct ws_thread *thread, u32 space, bool writes, u64 address, u64 bytes,
                const struct ws_range **range)
{
    *range = ws_memory_find(thread->memory, space, writes, address, bytes);
    if (*range)
        return (*range)->host + (address - (*range)->base);
    thread->address = address;
    ws_stop(step, thread, WS_STOP_outside);
    return NULL;
}

/* ---- Reductions ---- */

static u64 reduced_integer(u8 how, u64 a, u64 b, bool below)
{
    switch (how) {
    case WS_BULK_add:
        return a + b;
    case WS_BULK_min:
        return below ? a : b;
    case WS_BULK_max:
        return below ? b : a;
    case WS_BULK_and:
        return a & b;
    case WS_BULK_or:
        return a | b;
    case WS_BULK_xor:
        return a ^ b;
    case WS_BULK_inc:
        return a >= b ? 0 : a + 1;
    case WS_BULK_dec:
        return a == 0 || a > b ? b : a - 1;
    default:
        return b;
    }
}

static double reduced_number(u8 how, double a, double b)
{
    return how == WS_BULK_add ? a + b : how == WS_BULK_min ? fmin(a, b) : fmax(a, b);
}

/* The new value of an element: `how` of the old one and another. */
static u64 reduced(u8 how, u8 type, u64 a, u64 b)
{
    switch (type) {
    case WS_TYPE_f16:
    case WS_TYPE_bf16: {
        const double x = ws_half_value(a, 0, type), y = ws_half_value(b, 0, type);
        return ws_half_bits(how == WS_BULK_add ? ws_half_sum(x, y) : reduced_number(how, x, y), type, WS_ROUND_nearest, 0);
    }
    case WS_TYPE_f32:
        return ws_bits_f32((float)reduced_number(how, (double)ws_f32(a), (double)ws_f32(b)));
    case WS_TYPE_f64:
        return ws_bits_f64(reduced_number(how, ws_f64(a), ws_f64(b)));
    case WS_TYPE_s32:
        return reduced_integer(how, a, b, (s32)(u32)a < (s32)(u32)b);
    case WS_TYPE_s64:
        return reduced_integer(how, a, b, (s64)a < (s64)b);
    default:
        return reduced_integer(how, a, b, a < b);
    }
}

/* Copies an element, or combines it with the one that is there. */
static void put(struct ws_thread *thread, const struct ws_op *op, u8 *to, const u8 *from, u32 bytes)
{
    u64 old = 0, new = 0;
    memcpy(&old, to, bytes);
    memcpy(&new, from, bytes);
    if (op->combine != WS_BULK_none)
        new = reduced(op->combine, op->compare, old, new);
    thread->changes += memcmp(to, &new, bytes) != 0;
    memcpy(to, &new, bytes);
}

/* ---- Multicast ---- */

/* Places in shared memory that a copy reaches: one, or that in each block of a mask. */
struct targets {
    bool many;
    u32 mask;
    u64 address, place; /* of the instruction; the current one */
};

static struct targets targets_of(const struct ws_op *op, const u64 *slot, u64 address)
{
    return (struct targets){
        .many = op->shape != 0, .mask = op->shape ? (u32)slot[op->src[WS_MULTICAST_MASK]] : 1, .address = address};
}

static bool next_target(const struct ws_memory *memory, struct targets *targets)
{
    if (targets->many)
        return ws_cluster_next(memory, targets->address, &targets->mask, &targets->place);
    targets->place = targets->address;
    return targets->mask-- == 1;
}

/* ---- Lines ---- */

/* src[0] is the address that is recorded, src[1] the other one, in space `from`; src[2] are the bytes that are left. */
static struct ws_basic_block *copy_line(struct ws_step *step, u64 *slot, struct ws_thread *thread, bool writes)
{
    const struct ws_op *const op = step->op;
    const u32 left = (u32)slot[step->c], bytes = left < WS_BULK_LINE ? left : WS_BULK_LINE;
    const u32 each = op->combine == WS_BULK_none ? 8 : ws_value_bytes(op->compare);
    const struct ws_range *range, *other;
    if ((slot[step->a] | slot[step->b] | left) % ALIGNMENT != 0) {
        thread->address = slot[step->a] % ALIGNMENT ? slot[step->a] : slot[step->b];
        return ws_stop(step, thread, WS_STOP_misaligned);
    }
    u8 *const here = find(step, thread, op->space, writes, slot[step->a], bytes, &range);
    struct targets targets = targets_of(op, slot, slot[step->b]);
    if (!here || !record(step, thread, slot[step->a] - range->base + range->recorded))
        return NULL;
    while (next_target(thread->memory, &targets)) {
        u8 *const there = find(step, thread, op->from, !writes, targets.place, bytes, &other);
        if (!there)
            return NULL;
        for (u32 n = 0; n < bytes; n += each)
            put(thread, op, (writes ? here : there) + n, (writes ? there : here) + n, each);
    }
    return ws_next(step, slot, thread);
}

struct ws_basic_block *ws_bulk_in(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    return copy_line(step, slot, thread, false);
}

struct ws_basic_block *ws_bulk_out(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    return copy_line(step, slot, thread, true);
}

/* ---- Boxes ---- */

/* The map at the address in src[0]; false after stopping the thread. */
static bool read_map(const struct ws_step *step, const u64 *slot, struct ws_thread *thread, struct ws_tensor_map *map)
{
    const struct ws_range *range;
    const u8 *const at = find(step, thread, WS_SPACE_generic, false, slot[step->a], sizeof *map, &range);
    if (!at)
        return false;
    memcpy(map, at, sizeof *map);
    bool good =
        map->magic == WS_TENSOR_MAGIC && map->rank >= 1 && map->rank <= WS_TENSOR_RANK && map->swizzle <= WS_TENSOR_SWIZZLE_128;
    good = good && (map->element_bytes == 1 || map->element_bytes == 2 || map->element_bytes == 4 || map->element_bytes == 8);
    for (u32 n = 0; good && n < map->rank; n++)
        good = map->box[n] >= 1 && map->box[n] <= 256 && map->steps[n] >= 1;
    if (!good)
        ws_stop(step, thread, WS_STOP_no_tensor);
    return good;
}

static u32 elements(const struct ws_tensor_map *map, u32 dimension)
{
    return ((u32)map->box[dimension] + map->steps[dimension] - 1) / map->steps[dimension];
}

/* Rows of a box (mode 0), or its bytes. */
struct ws_basic_block *ws_tensor_size(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    struct ws_tensor_map map;
    if (!read_map(step, slot, thread, &map))
        return NULL;
    u64 count = step->op->mode ? (u64)elements(&map, 0) * map.element_bytes : 1;
    for (u32 n = 1; n < map.rank; n++)
        count *= elements(&map, n);
    slot[step->dst] = (u32)count;
    return ws_next(step, slot, thread);
}

u64 ws_tensor_swizzled(u64 address, u32 swizzle)
{
    const u64 mask = (UINT64_C(1) << swizzle) - 1;
    return address ^ ((address >> SWIZZLE_SHIFT & mask) << SWIZZLE_FIRST);
}

/* A row of a box: its number in src[2], the box in shared memory at src[1], coordinates from src[3] on. */
struct row {
    struct ws_tensor_map map;
    s64 at[WS_TENSOR_RANK]; /* of its first element */
    u64 shared;             /* its place before the swizzle */
};

static bool find_row(const struct ws_step *step, const u64 *slot, struct ws_thread *thread, struct row *row)
{
    u32 number = (u32)slot[step->c];
    if (!read_map(step, slot, thread, &row->map))
        return false;
    row->shared = slot[step->b] + (u64)number * elements(&row->map, 0) * row->map.element_bytes;
    for (u32 n = 0; n < row->map.rank; n++) {
        const u32 count = n ? elements(&row->map, n) : 1;
        row->at[n] = (s64)(i32)(u32)slot[step->op->src[3 + n]] + (s64)(number % count) * row->map.steps[n];
        number /= count;
    }
    if (step->op->mode == row->map.rank)
        return true;
    ws_stop(step, thread, WS_STOP_no_tensor);
    return false;
}

/* The address of element n of the row; false outside of the tensor. */
static bool element_address(const struct row *row, u32 n, u64 *address)
{
    const struct ws_tensor_map *const map = &row->map;
    *address = map->address;
    for (u32 d = 0; d < map->rank; d++) {
        const s64 at = row->at[d] + (d ? 0 : (s64)n * map->steps[0]);
        if (at < 0 || at > (s64)map->sizes[d])
            return false;
        *address += (u64)at * (d ? map->strides[d - 1] : map->element_bytes);
    }
    return true;
}

static const u8 *outside(const struct ws_tensor_map *map)
{
    static const u64 zero, nan16 = 0x7FFF, nan32 = 0x7FFFFFFF, nan64 = UINT64_C(0x7FF8000000000000);
    if (!map->nan || map->element < WS_TENSOR_real)
        return (const u8 *)&zero;
    return (const u8 *)(map->element_bytes == 2 ? &nan16 : map->element_bytes == 4 ? &nan32 : &nan64);
}

static bool copy_element(struct ws_step *step, struct ws_thread *thread, const struct row *row, u32 n, bool writes, u64 *first)
{
    const u32 bytes = row->map.element_bytes;
    const struct ws_range *range;
    u64 address;
    u8 *const shared = find(step, thread, WS_SPACE_shared, !writes,
                            ws_tensor_swizzled(row->shared + (u64)n * bytes, row->map.swizzle), bytes, &range);
    const bool inside = element_address(row, n, &address);
    u8 *const global = shared && inside ? find(step, thread, WS_SPACE_global, writes, address, bytes, &range) : NULL;
    if (!shared || (inside && !global))
        return false;
    if (inside && *first == UINT64_MAX)
        *first = address - range->base + range->recorded;
    if (!writes)
        put(thread, step->op, shared, inside ? global : outside(&row->map), bytes);
    else if (inside)
        put(thread, step->op, global, shared, bytes);
    return true;
}

/* The type of elements that a reduction combines. */
static u8 reduction_type(const struct ws_tensor_map *map)
{
    static const u8 natural[] = {WS_TYPE_none, WS_TYPE_u8, WS_TYPE_u16, WS_TYPE_none, WS_TYPE_u32};
    if (map->element == WS_TENSOR_bf16)
        return WS_TYPE_bf16;
    if (map->element == WS_TENSOR_real)
        return map->element_bytes == 2 ? WS_TYPE_f16 : map->element_bytes == 4 ? WS_TYPE_f32 : WS_TYPE_f64;
    if (map->element == WS_TENSOR_integer && map->element_bytes >= 4)
        return map->element_bytes == 4 ? WS_TYPE_s32 : WS_TYPE_s64;
    return map->element_bytes == 8 ? WS_TYPE_u64 : natural[map->element_bytes];
}

static struct ws_basic_block *copy_row(struct ws_step *step, u64 *slot, struct ws_thread *thread, bool writes)
{
    struct row row;
    u64 first = UINT64_MAX;
    if (!find_row(step, slot, thread, &row))
        return NULL;
    if (slot[step->b] % ALIGNMENT != 0) {
        thread->address = slot[step->b];
        return ws_stop(step, thread, WS_STOP_misaligned);
    }
    struct ws_op op = *step->op;
    op.compare = reduction_type(&row.map);
    struct ws_step own = *step;
    own.op = &op;
    struct targets targets = targets_of(step->op, slot, row.shared);
    while (next_target(thread->memory, &targets)) {
        row.shared = targets.place;
        for (u32 n = 0; n < elements(&row.map, 0); n++)
            if (!copy_element(&own, thread, &row, n, writes, &first)) {
                thread->at = step;
                return NULL;
            }
    }
    if (first == UINT64_MAX) { /* the row lies outside: the tensor itself */
        const struct ws_range *range;
        if (!find(step, thread, WS_SPACE_global, false, row.map.address, 1, &range))
            return NULL;
        first = row.map.address - range->base + range->recorded;
    }
    return record(step, thread, first / ALIGNMENT * ALIGNMENT) ? ws_next(step, slot, thread) : NULL;
}

struct ws_basic_block *ws_tensor_in(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    return copy_row(step, slot, thread, false);
}

struct ws_basic_block *ws_tensor_out(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    return copy_row(step, slot, thread, true);
}

/* ---- Changes of maps ---- */

/* Type and bytes of elements, as elemtype numbers them (PTX ISA, tensormap.replace). False for others. */
static bool set_element(struct ws_tensor_map *map, u64 type)
{
    static const struct {
        u8 bytes, element;
    } types[] = {{1, WS_TENSOR_natural}, {2, WS_TENSOR_natural}, {4, WS_TENSOR_natural}, {4, WS_TENSOR_integer},
                 {8, WS_TENSOR_natural}, {8, WS_TENSOR_integer}, {2, WS_TENSOR_real},    {4, WS_TENSOR_real},
                 {4, WS_TENSOR_real},    {8, WS_TENSOR_real},    {2, WS_TENSOR_bf16},    {4, WS_TENSOR_real},
                 {4, WS_TENSOR_real}};
    if (type >= sizeof types / sizeof *types)
        return false;
    map->element_bytes = types[type].bytes;
    map->element = types[type].element;
    return true;
}

/* False for what a map here cannot have. */
static bool set_field(struct ws_tensor_map *map, u8 field, u32 dimension, u64 value)
{
    switch (field) {
    case WS_TENSOR_FIELD_global_address:
        map->address = value;
        return true;
    case WS_TENSOR_FIELD_rank: /* less one */
        map->rank = (u8)(value + 1);
        return value < WS_TENSOR_RANK;
    case WS_TENSOR_FIELD_box_dim:
        map->box[dimension] = (u16)value;
        return value >= 1 && value <= 256;
    case WS_TENSOR_FIELD_global_dim:
        map->sizes[dimension] = (u32)value - 1;
        return true;
    case WS_TENSOR_FIELD_global_stride:
        if (dimension < WS_TENSOR_RANK - 1)
            map->strides[dimension] = value;
        return dimension < WS_TENSOR_RANK - 1;
    case WS_TENSOR_FIELD_element_stride:
        map->steps[dimension] = (u8)value;
        return value >= 1 && value <= 8;
    case WS_TENSOR_FIELD_elemtype:
        return set_element(map, value);
    case WS_TENSOR_FIELD_swizzle_mode:
        map->swizzle = (u8)value;
        return value <= WS_TENSOR_SWIZZLE_128;
    case WS_TENSOR_FIELD_fill_mode:
        map->nan = (u8)value;
        return value <= 1;
    default: /* interleaved layout, atoms of a swizzle: the first one is all there is */
        return value == 0;
    }
}

struct ws_basic_block *ws_tensor_replace(struct ws_step *step, u64 *slot, struct ws_thread *thread)
{
    const struct ws_op *const op = step->op;
    u8 *const at = ws_access(step, ws_address(step, slot), sizeof(u64), true, thread);
    const struct ws_range *const range = at ? step->range : NULL;
    struct ws_tensor_map map;
    if (!at)
        return NULL;
    if (!range->host || (u64)(at - range->host) + sizeof map > range->bytes)
        return ws_stop(step, thread, WS_STOP_no_tensor);
    memcpy(&map, at, sizeof map);
    if (map.magic != WS_TENSOR_MAGIC || !set_field(&map, op->mode, op->shape, slot[step->b]))
        return ws_stop(step, thread, WS_STOP_no_tensor);
    thread->changes += memcmp(at, &map, sizeof map) != 0;
    memcpy(at, &map, sizeof map);
    return ws_next(step, slot, thread);
}
