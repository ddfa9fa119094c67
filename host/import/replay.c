#include "import/replay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/stack.h"

/* Largest distance of two records that may match after a difference. */
enum { WINDOW = 64 };

bool sass_list_add(struct sass_list *list, u64 value)
{
    if (list->count == list->room) {
        const size_t room = list->room ? 2 * list->room : 64;
        u64 *const data = realloc(list->data, room * sizeof *data);
        if (!data)
            return false;
        list->data = data;
        list->room = room;
    }
    list->data[list->count++] = value;
    return true;
}

bool sass_bits_add(struct sass_bits *bits, u32 bit)
{
    if (bits->count % 64 == 0 && !sass_list_add(&bits->words, 0))
        return false;
    bits->words.data[bits->count / 64] |= (u64)bit << (bits->count % 64);
    bits->count++;
    return true;
}

void sass_replay_free(struct sass_replay *replay)
{
    free(replay->recorded.data);
    free(replay->replayed.data);
    for (u32 lane = 0; lane < SASS_LANES; lane++)
        free(replay->decisions[lane].words.data);
    *replay = (struct sass_replay){0};
}

void sass_replay_clear(struct sass_replay *replay)
{
    replay->recorded.count = replay->replayed.count = 0;
    for (u32 lane = 0; lane < SASS_LANES; lane++) {
        replay->decisions[lane].words.count = 0;
        replay->decisions[lane].count = replay->decisions[lane].at = 0;
        replay->ended[lane] = 0;
    }
}

bool sass_replay_record(struct sass_replay *replay, const struct sass_op *op, u32 place, u32 mask)
{
    if (!sass_list_add(&replay->recorded, sass_issued(place, mask)))
        return false;
    for (u32 lane = 0; lane < SASS_LANES; lane++) {
        if (!(mask >> lane & 1))
            continue;
        if (replay->ended[lane])
            replay->recorded.data[replay->ended[lane] - 1] &= ~(1ull << lane);
        replay->ended[lane] = op->class_ == WS_CLASS_exit ? replay->recorded.count : 0;
    }
    return true;
}

/* ---- Issuing ---- */

static u32 take_decisions(struct sass_replay *replay, u32 mask)
{
    u32 taken = 0;
    for (u32 lane = 0; lane < SASS_LANES; lane++) {
        struct sass_bits *const bits = &replay->decisions[lane];
        if (!(mask >> lane & 1) || bits->at == bits->count)
            continue;
        taken |= (u32)(bits->words.data[bits->at / 64] >> (bits->at % 64) & 1) << lane;
        bits->at++;
    }
    return taken;
}

static bool issue(struct sass_replay *replay, const struct sass_step *step, u32 mask, u32 taken)
{
    struct sass_list *const list = &replay->replayed;
    switch (step->role) {
    case SASS_HELPS:
        return true;
    case SASS_ALL:
        return sass_list_add(list, sass_issued(step->place, mask));
    case SASS_TAKEN:
        return sass_list_add(list, sass_issued(step->place, taken));
    case SASS_PASSED:
        return sass_list_add(list, sass_issued(step->place, mask & ~taken));
    case SASS_TAKEN_TOO:
        list->data[list->count - 1] |= taken;
        return true;
    }
    return false;
}

/* *diverged: the order of paths matters. */
static bool run(struct sass_replay *replay, const struct sass_program *program, u32 threads, u32 first_path, bool *diverged)
{
    struct ws_stack stack = {.mask = threads, .first_path = first_path};
    replay->replayed.count = 0;
    for (u32 lane = 0; lane < SASS_LANES; lane++)
        replay->decisions[lane].at = 0;
    while (stack.mask) {
        const struct ws_instruction *const instruction = &program->instructions[stack.pc];
        const bool decides = instruction->class_ == WS_CLASS_branch || instruction->flags & WS_GUARDED;
        const u32 taken = decides ? take_decisions(replay, stack.mask) : 0;
        if (!issue(replay, &program->steps[stack.pc], stack.mask, taken) || !ws_stack_advance(&stack, instruction, taken))
            return false;
    }
    *diverged = stack.diverged;
    return true;
}

/* ---- Comparing ---- */

/* The nearest places behind a and b from which both lists agree again; the ends if there are none nearby. */
static void resynchronise(const struct sass_list *a, const struct sass_list *b, size_t *at_a, size_t *at_b)
{
    for (size_t apart = 1; apart <= WINDOW; apart++)
        for (size_t ahead = 0; ahead <= apart; ahead++) {
            const size_t in_a = *at_a + ahead, in_b = *at_b + apart - ahead;
            if (in_a < a->count && in_b < b->count && a->data[in_a] == b->data[in_b]) {
                *at_a = in_a;
                *at_b = in_b;
                return;
            }
        }
    *at_a += *at_a < a->count;
    *at_b += *at_b < b->count;
}

static void describe(const struct sass_replay *replay, const struct sass_code *code, const struct sass_program *program, u64 block,
                     u32 warp, size_t at, struct ws_nvbit_replay *found)
{
    const struct sass_list *const lists[] = {&replay->recorded, &replay->replayed};
    char texts[2][48];
    for (u32 n = 0; n < 2; n++) {
        const u64 issued = at < lists[n]->count ? lists[n]->data[at] : 0;
        const u32 pc = code->ops[program->places[issued >> 32].op].pc;
        snprintf(texts[n], sizeof texts[n], at < lists[n]->count ? "pc %04x mask %08x" : "the end", pc, (u32)issued);
    }
    snprintf(found->first, sizeof found->first, "block %" PRIu64 ", warp %" PRIu32 ", instruction %zu: %s recorded, %s replayed",
             block, warp, at, texts[0], texts[1]);
}

static void compare(const struct sass_replay *replay, const struct sass_code *code, const struct sass_program *program, u64 block,
                    u32 warp, struct ws_nvbit_replay *found)
{
    const struct sass_list *const a = &replay->recorded, *const b = &replay->replayed;
    size_t at_a = 0, at_b = 0;
    while (at_a < a->count || at_b < b->count) {
        if (at_a < a->count && at_b < b->count && a->data[at_a] == b->data[at_b]) {
            at_a++;
            at_b++;
            continue;
        }
        if (!*found->first)
            describe(replay, code, program, block, warp, at_a, found);
        const size_t before_a = at_a, before_b = at_b;
        resynchronise(a, b, &at_a, &at_b);
        found->missing += at_a - before_a;
        found->added += at_b - before_b;
    }
}

bool sass_replay_compare(struct sass_replay *replay, const struct sass_code *code, const struct sass_program *program, u32 threads,
                         u64 block, u32 warp, struct ws_nvbit_report *report)
{
    bool diverged = true;
    for (u32 first_path = 0; first_path < WS_FIRST_PATHS; first_path++) {
        if (diverged && !run(replay, program, threads, first_path, &diverged))
            return false;
        compare(replay, code, program, block, warp, &report->replays[first_path]);
    }
    return true;
}

u32 ws_nvbit_nearest(const struct ws_nvbit_report *report)
{
    u32 nearest = 0;
    for (u32 n = 1; n < WS_FIRST_PATHS; n++)
        if (report->replays[n].missing + report->replays[n].added <
            report->replays[nearest].missing + report->replays[nearest].added)
            nearest = n;
    return nearest;
}
