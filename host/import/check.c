#include "import/check.h"

#include "base/error.h"

/* The decisions of a lane in the trace: 32-bit words, interleaved over the lanes of the group. */
static bool take_decisions(struct sass_bits *bits, const u32 *words, u64 rows)
{
    for (u64 row = 0; row < rows; row += 2) {
        const u64 upper = row + 1 < rows ? words[(row + 1) * WS_LANES] : 0;
        if (!sass_list_add(&bits->words, upper << 32 | words[row * WS_LANES]))
            return false;
    }
    bits->count = 32 * rows;
    return true;
}

static enum ws_status begin_block(void *context, u64 index, struct ws_error *error)
{
    struct sass_check *const check = context;
    (void)error;
    check->block = index;
    return WS_STATUS_ok;
}

static enum ws_status begin_warp(void *context, u32 warp, struct ws_error *error)
{
    struct sass_check *const check = context;
    const struct ws_image *const image = check->image;
    const struct ws_group *const group = &image->groups[check->block * image->groups_per_block + warp];
    check->warp = warp;
    sass_replay_clear(&check->replay);
    for (u32 lane = 0; lane < SASS_LANES; lane++)
        if (!take_decisions(&check->replay.decisions[lane], image->words + group->decisions + lane,
                            (group->accesses - group->decisions) / WS_LANES))
            return ws_no_memory(error);
    return WS_STATUS_ok;
}

static enum ws_status take_record(void *context, const struct sass_record *record, struct ws_error *error)
{
    struct sass_check *const check = context;
    const u32 number = (u32)(record->op - check->walk->code->ops);
    if (number >= check->program->place_count)
        return sass_input_changed(check->walk->input, error);
    const u32 place = check->program->place_of[number];
    return sass_replay_record(&check->replay, record->op, place, record->mask) ? WS_STATUS_ok : ws_no_memory(error);
}

static enum ws_status end_warp(void *context, struct ws_error *error)
{
    struct sass_check *const check = context;
    const bool compared =
        sass_replay_compare(&check->replay, check->walk->code, check->program, sass_warp_mask(check->walk->header, check->warp),
                            check->block, check->warp, check->report);
    return compared ? WS_STATUS_ok : ws_no_memory(error);
}

static enum ws_status end_block(void *context, struct ws_error *error)
{
    (void)context, (void)error;
    return WS_STATUS_ok;
}

enum ws_status sass_check(struct sass_check *check, struct ws_error *error)
{
    const struct sass_visitor visitor = {begin_block, begin_warp, take_record, end_warp, end_block, check};
    const enum ws_status status = sass_walk(check->walk, &visitor, error);
    sass_replay_free(&check->replay);
    return status;
}
