#include "import/paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "unit/trace/container.h"
#include "warpsweep/trace.h"

enum { SLOTS_MOST = 256, PREDICTORS = 1 << 20 };

void paths_make(struct paths *paths, size_t threads)
{
    *paths = (struct paths){calloc(threads, sizeof *paths->thread), threads};
    assert_non_null(paths->thread);
}

void paths_add(struct paths *paths, size_t thread, struct event event)
{
    struct events *const events = &paths->thread[thread];
    if (events->count == events->room) {
        events->room = 2 * events->room + 16;
        events->event = realloc(events->event, events->room * sizeof *events->event);
        assert_non_null(events->event);
    }
    events->event[events->count++] = event;
}

void paths_free(struct paths *paths)
{
    for (size_t n = 0; n < paths->threads; n++)
        free(paths->thread[n].event);
    free(paths->thread);
    *paths = (struct paths){0};
}

/* ---- Reading a trace ---- */

struct predictor {
    u64 last, difference, stride;
};

/* Position of a thread in its chunks. */
struct walker {
    u32 pc;
    bool fresh[SLOTS_MOST]; /* by slot: it has accessed */
    struct predictor own[SLOTS_MOST];
};

struct reading {
    const struct ws_launch *launch;
    struct paths *paths;
    u32 threads, slots; /* address predictors of a block */
    u32 *slot;          /* by pc */
    struct walker *walkers;
    struct predictor shared[SLOTS_MOST];
    u64 block; /* block of the predictors */
};

static u64 varint(const u8 **at)
{
    u64 value = 0;
    u32 shift = 0;
    for (; **at & 0x80; shift += 7)
        value |= (u64)(*(*at)++ & 0x7F) << shift;
    return value | (u64) * (*at)++ << shift;
}

static u64 predict(struct predictor *predictor, u64 residual, bool replace, struct predictor *own)
{
    const u64 u = predictor->last + predictor->stride + (residual & 1 ? ~(residual >> 1) : residual >> 1);
    const u64 difference = u - predictor->last;
    if (difference == predictor->difference)
        predictor->stride = difference;
    predictor->difference = difference;
    predictor->last = u;
    if (replace)
        *own = (struct predictor){.last = u};
    return u;
}

static void begin_block(struct reading *reading, u64 block)
{
    reading->block = block;
    memset(reading->shared, 0, sizeof reading->shared);
    memset(reading->walkers, 0, reading->threads * sizeof *reading->walkers);
}

static u64 take_address(struct reading *reading, struct walker *walker, const u8 **residuals)
{
    const u32 slot = reading->slot[walker->pc];
    const bool first = !walker->fresh[slot];
    walker->fresh[slot] = true;
    const u64 residual = varint(residuals);
    return first ? predict(&reading->shared[slot], residual, true, &walker->own[slot])
                 : predict(&walker->own[slot], residual, false, NULL);
}

/* One chunk: advances the thread as far as its decisions and accesses reach. */
static void walk_chunk(struct reading *reading, const u8 **at, u64 base)
{
    const u64 number = varint(at), decisions = varint(at), accesses = varint(at), length = varint(at);
    const u64 thread = base * reading->threads + number;
    const u8 *const bits = *at, *residuals = *at + (decisions + 7) / 8;
    *at = residuals + length;
    if (thread / reading->threads != reading->block)
        begin_block(reading, thread / reading->threads);
    struct walker *const walker = &reading->walkers[thread % reading->threads];
    u64 decided = 0, accessed = 0;
    for (;;) {
        const struct ws_instruction *const instruction = &reading->launch->program[walker->pc];
        const bool decides = instruction->class_ == WS_CLASS_branch || instruction->flags & WS_GUARDED;
        if (decides && decided == decisions)
            break;
        const bool access = instruction->space != WS_SPACE_none;
        const bool bit = !decides || (bits[decided / 8] >> (decided % 8) & 1);
        if (access && bit && accessed == accesses)
            break;
        decided += decides;
        if (instruction->class_ == WS_CLASS_exit && bit)
            break;
        struct event event = {instruction->class_, instruction->kind, instruction->space, instruction->bytes, 0};
        if (access && bit) {
            event.address = take_address(reading, walker, &residuals) * instruction->bytes;
            accessed++;
        }
        const bool goes = instruction->class_ == WS_CLASS_branch || instruction->class_ == WS_CLASS_jump;
        if (bit && !goes)
            paths_add(reading->paths, thread, event);
        walker->pc = goes && bit ? instruction->target : walker->pc + 1;
    }
    assert_true(decided == decisions && accessed == accesses && residuals == *at);
}

static void number_slots(struct reading *reading)
{
    u32 count = 0;
    reading->slot = calloc(reading->launch->instructions, sizeof *reading->slot);
    assert_non_null(reading->slot);
    for (u32 pc = 0; pc < reading->launch->instructions; pc++)
        if (reading->launch->program[pc].space != WS_SPACE_none)
            reading->slot[pc] = count++;
    reading->slots = count < SLOTS_MOST ? count : SLOTS_MOST;
    if (reading->slots > PREDICTORS / reading->threads)
        reading->slots = PREDICTORS / reading->threads;
    for (u32 pc = 0; pc < reading->launch->instructions; pc++)
        reading->slot[pc] %= reading->slots ? reading->slots : 1;
}

static void read_sections(struct reading *reading, const struct container *container)
{
    u32 frame = 1;
    u64 base = 0;
    for (u32 section = 0; section < container->sections; section++) {
        for (u32 n = 0; n + 1 < container->section[section].frames; n++, frame++) {
            const u8 *at = container->frame[frame].data, *const end = at + container->frame[frame].length;
            while (at < end)
                walk_chunk(reading, &at, base);
        }
        base += container->section[section].blocks;
        frame++; /* the table */
    }
}

void paths_read(const char *file, struct paths *paths)
{
    struct ws_trace *trace;
    struct container container;
    EXPECT_OK(ws_trace_open(file, &trace, &error));
    const struct ws_launch *const launch = ws_trace_launch(trace);
    struct reading reading = {.launch = launch, .paths = paths, .block = ~0ull};
    reading.threads = launch->block[0] * launch->block[1] * launch->block[2];
    paths_make(paths, (size_t)reading.threads * launch->grid[0] * launch->grid[1] * launch->grid[2]);
    reading.walkers = calloc(reading.threads, sizeof *reading.walkers);
    assert_non_null(reading.walkers);
    number_slots(&reading);
    container_read(file, &container);
    read_sections(&reading, &container);
    container_free(&container);
    free(reading.walkers);
    free(reading.slot);
    ws_trace_close(trace);
}

/* ---- Comparing ---- */

static void compare_event(const struct event *found, const struct event *expected, size_t thread, size_t n)
{
    const bool same = found->class_ == expected->class_ && found->kind == expected->kind && found->space == expected->space &&
                      found->bytes == expected->bytes && found->address == expected->address;
    if (!same)
        fail_msg("thread %zu, event %zu: class %u kind %u space %u bytes %u address %llx, expected %u %u %u %u %llx", thread, n,
                 found->class_, found->kind, found->space, found->bytes, (unsigned long long)found->address, expected->class_,
                 expected->kind, expected->space, expected->bytes, (unsigned long long)expected->address);
}

void paths_compare(const struct paths *found, const struct paths *expected)
{
    assert_int_equal(found->threads, expected->threads);
    for (size_t thread = 0; thread < found->threads; thread++) {
        const struct events *const one = &found->thread[thread], *const other = &expected->thread[thread];
        for (size_t n = 0; n < one->count && n < other->count; n++)
            compare_event(&one->event[n], &other->event[n], thread, n);
        if (one->count != other->count)
            fail_msg("thread %zu has %zu events, expected are %zu", thread, one->count, other->count);
    }
}
