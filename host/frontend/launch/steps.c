/* Sequences of launches: loops, and actions of the host on buffers in between. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "frontend/launch/fill.h"
#include "frontend/launch/file.h"

/* Rounds of a loop that only `until` ends. */
#define MOST_ROUNDS   UINT64_C(100000)
#define MOST_LAUNCHES 100000u

/* ---- Reading ---- */

/* A new step; valid only until the next one is added. */
static enum ws_status add(struct ws_launch_file *file, const struct ws_yaml *node, struct launch_step step, struct ws_error *error)
{
    file->steps = ws_arena_grow(&file->arena, file->steps, file->step_count, &file->step_room, sizeof *file->steps);
    if (!file->steps)
        return ws_yaml_no_memory(node, error);
    step.node = node;
    file->steps[file->step_count++] = step;
    return WS_STATUS_ok;
}

static enum ws_status read_launch(struct ws_launch_file *file, const struct ws_yaml *node, u32 loop, struct ws_error *error)
{
    static const char *const known[] = {"kernel", "global", "local", "registers", "offset", "shared", "cluster", "arguments", NULL};
    struct launch_step step = {0};
    WS_TRY(ws_yaml_expect_keys(node, known, error));
    WS_TRY(launch_read(file, node, &step, loop, error));
    return add(file, node, step, error);
}

static enum ws_status read_write(struct ws_launch_file *file, const struct ws_yaml *node, u32 loop, struct ws_error *error)
{
    static const char *const known[] = {"write", "fill", NULL};
    struct launch_step step = {.kind = STEP_write};
    (void)loop;
    WS_TRY(ws_yaml_expect_keys(node, known, error));
    WS_TRY(launch_buffer_name(file, ws_yaml_get(node, "write"), false, &step.buffers[0], error));
    const struct ws_buffer *const buffer = &file->buffers[step.buffers[0]];
    const struct ws_element *const element = ws_element_named(buffer->type);
    u64 count = buffer->bytes / (element->bits / 8);
    if (buffer->pointer_count > 0)
        return ws_yaml_fail(node, error, "found '%s', a buffer with pointers, allowed are buffers without", buffer->name);
    WS_TRY(add(file, node, step, error));
    return ws_fill(node, element, count, file->seed + file->step_count - 1, &file->steps[file->step_count - 1].content, &count,
                   error);
}

/* Whether neither is an image, or both are images that differ only in texels. */
static bool are_alike(const struct ws_image_desc *a, const struct ws_image_desc *b)
{
    return a && b ? memcmp(a, b, sizeof *a) == 0 : !a && !b;
}

/* Exchanges the names: each denotes the other's buffer from now on. */
static enum ws_status read_swap(struct ws_launch_file *file, const struct ws_yaml *node, u32 loop, struct ws_error *error)
{
    static const char *const known[] = {"swap", NULL};
    const struct ws_yaml *const names = ws_yaml_get(node, "swap");
    struct launch_step step = {.kind = STEP_swap};
    u32 n = 0;
    (void)loop;
    WS_TRY(ws_yaml_expect_keys(node, known, error));
    WS_TRY(ws_yaml_expect(names, WS_YAML_SEQUENCE, error));
    if (names->count != 2)
        return ws_yaml_fail(names, error, "found %zu buffers, allowed are 2", names->count);
    for (const struct ws_yaml *item = names->first; item; item = item->next)
        WS_TRY(launch_buffer_name(file, item, false, &step.buffers[n++], error));
    const struct ws_buffer *const a = &file->buffers[step.buffers[0]], *const b = &file->buffers[step.buffers[1]];
    if (!are_alike(a->image, b->image))
        return ws_yaml_fail(names, error, "found %s and %s, images that differ, or only one of which is an image", a->name,
                            b->name);
    if (a->bytes != b->bytes || strcmp(a->type, b->type) != 0)
        return ws_yaml_fail(names, error, "found %s of %llu bytes of %s and %s of %llu bytes of %s, allowed are two alike", a->name,
                            (unsigned long long)a->bytes, a->type, b->name, (unsigned long long)b->bytes, b->type);
    return add(file, node, step, error);
}

static const char *const comparisons[] = {[UNTIL_equals] = "equals", [UNTIL_below] = "below", [UNTIL_above] = "above"};

/* {buffer: NAME, index: N, equals|below|above: V} */
static enum ws_status read_until(const struct ws_launch_file *file, const struct ws_yaml *node, struct launch_until *until,
                                 struct ws_error *error)
{
    static const char *const known[] = {"buffer", "index", "equals", "below", "above", NULL};
    const struct ws_yaml *name = NULL, *value = NULL, *const index = ws_yaml_get(node, "index");
    u32 given = 0;
    WS_TRY(ws_yaml_expect_keys(node, known, error));
    WS_TRY(ws_yaml_need(node, "buffer", &name, error));
    WS_TRY(launch_buffer_name(file, name, false, &until->buffer, error));
    const struct ws_element *const element = ws_element_named(file->buffers[until->buffer].type);
    if (index)
        WS_TRY(ws_yaml_unsigned(index, 0, file->buffers[until->buffer].bytes / (element->bits / 8) - 1, &until->index, error));
    for (u32 n = 0; n < 3; n++) {
        const struct ws_yaml *const member = ws_yaml_get(node, comparisons[n]);
        given += member != NULL;
        until->how = member ? n : until->how;
        value = member ? member : value;
    }
    if (given != 1)
        return ws_yaml_fail(node, error, "found %u of the keys equals, below, above, allowed is one", given);
    if (until->how == UNTIL_equals && element->kind == WS_ELEMENT_real)
        return ws_yaml_fail(value, error, "found equals for a buffer of %s, allowed are below, above", element->name);
    return ws_element_value(value, element, &until->bits, error);
}

static bool launches_within(const struct ws_launch_file *file, u32 begin)
{
    for (u32 n = begin + 1; n < file->step_count; n++)
        if (file->steps[n].kind == STEP_launch)
            return true;
    return false;
}

static enum ws_status read_loop(struct ws_launch_file *file, const struct ws_yaml *node, u32 loop, struct ws_error *error)
{
    static const char *const known[] = {"repeat", "until", "launches", NULL};
    const struct ws_yaml *const repeat = ws_yaml_get(node, "repeat"), *const until = ws_yaml_get(node, "until");
    struct launch_step step = {.kind = STEP_loop, .rounds = MOST_ROUNDS, .bounded = repeat, .until.buffer = LAUNCH_NO_BUFFER};
    const u32 begin = (u32)file->step_count;
    (void)loop;
    WS_TRY(ws_yaml_expect_keys(node, known, error));
    if (!repeat && !until)
        return ws_yaml_fail(node, error, "one of the keys repeat, until is missing");
    if (repeat)
        WS_TRY(ws_yaml_unsigned(repeat, 1, MOST_ROUNDS, &step.rounds, error));
    if (until)
        WS_TRY(read_until(file, until, &step.until, error));
    WS_TRY(add(file, node, step, error));
    WS_TRY(launch_steps_read(file, ws_yaml_get(node, "launches"), begin, error));
    if (!launches_within(file, begin))
        return ws_yaml_fail(node, error, "found a loop without a launch, allowed is at least one");
    return add(file, node, (struct launch_step){.kind = STEP_end, .begin = begin}, error);
}

enum ws_status launch_steps_read(struct ws_launch_file *file, const struct ws_yaml *list, u32 loop, struct ws_error *error)
{
    static const struct {
        const char *key;
        enum ws_status (*read)(struct ws_launch_file *file, const struct ws_yaml *node, u32 loop, struct ws_error *error);
    } kinds[] = {{"kernel", read_launch}, {"launches", read_loop}, {"write", read_write}, {"swap", read_swap}};
    WS_TRY(ws_yaml_expect(list, WS_YAML_SEQUENCE, error));
    if (list->count == 0)
        return ws_yaml_fail(list, error, "found no launches, allowed is at least 1");
    for (const struct ws_yaml *item = list->first; item; item = item->next) {
        size_t n = 0;
        WS_TRY(ws_yaml_expect(item, WS_YAML_MAPPING, error));
        while (n < sizeof kinds / sizeof kinds[0] && !ws_yaml_get(item, kinds[n].key))
            n++;
        if (n == sizeof kinds / sizeof kinds[0])
            return ws_yaml_fail(item, error, "one of the keys kernel, launches, write, swap is missing");
        WS_TRY(kinds[n].read(file, item, loop, error));
    }
    return WS_STATUS_ok;
}

/* ---- Continuing ---- */

static bool is_over(const struct ws_launch_file *file, const struct launch_until *until)
{
    if (until->buffer == LAUNCH_NO_BUFFER)
        return false;
    const struct ws_buffer *const buffer = &file->buffers[launch_bound(file, until->buffer)];
    const struct ws_element *const element = ws_element_named(buffer->type);
    const u32 bytes = element->bits / 8;
    u64 bits = 0;
    memcpy(&bits, (const u8 *)buffer->data + until->index * bytes, bytes);
    if (until->how == UNTIL_equals)
        return bits == until->bits;
    return until->how == UNTIL_below ? ws_element_above(element, until->bits, bits) : ws_element_above(element, bits, until->bits);
}

static enum ws_status end_round(struct ws_launch_file *file, u32 begin, struct ws_error *error)
{
    struct launch_step *const loop = &file->steps[begin];
    const bool over = is_over(file, &loop->until);
    loop->round++;
    if (!over && loop->round == loop->rounds && !loop->bounded)
        return ws_yaml_fail(loop->node, error, "the loop has not ended after %llu rounds; check until, or bound the loop by repeat",
                            (unsigned long long)loop->rounds);
    file->position = over || loop->round == loop->rounds ? file->position + 1 : begin + 1;
    return WS_STATUS_ok;
}

static enum ws_status start(struct ws_launch_file *file, struct launch_step *step, struct ws_error *error)
{
    struct ws_ndrange *const launch = &step->launch;
    if (file->launched++ == MOST_LAUNCHES)
        return ws_yaml_fail(step->node, error, "more than %u launches", MOST_LAUNCHES);
    WS_TRY(launch_range_settle(file, step, error));
    for (u32 n = 0; n < launch->argument_count; n++)
        WS_TRY(launch_argument_settle(file, &launch->arguments[n], &step->made_of[n], error));
    launch->buffers = file->buffers;
    launch->buffer_count = (u32)file->buffer_count;
    launch->initial = file->initial;
    launch->initial_count = (u32)file->initial_count;
    launch->variables = &file->variables;
    return WS_STATUS_ok;
}

static enum ws_status go_on(struct ws_launch_file *file, struct launch_step *step, struct ws_error *error)
{
    if (step->kind == STEP_end)
        return end_round(file, step->begin, error);
    file->position++;
    if (step->kind == STEP_loop)
        step->round = 0;
    if (step->kind == STEP_write) {
        const struct ws_buffer *const buffer = &file->buffers[launch_bound(file, step->buffers[0])];
        memcpy(buffer->data, step->content, buffer->bytes);
    }
    if (step->kind == STEP_swap) {
        u32 *const a = &file->bound[step->buffers[0]], *const b = &file->bound[step->buffers[1]], was = *a;
        *a = *b;
        *b = was;
    }
    return WS_STATUS_ok;
}

enum ws_status ws_launch_file_next(struct ws_launch_file *file, struct ws_ndrange **launch, struct ws_error *error)
{
    *launch = NULL;
    while (file->position < file->step_count) {
        struct launch_step *const step = &file->steps[file->position];
        if (step->kind == STEP_launch) {
            file->position++;
            WS_TRY(start(file, step, error));
            *launch = &step->launch;
            return WS_STATUS_ok;
        }
        WS_TRY(go_on(file, step, error));
    }
    return WS_STATUS_ok;
}
