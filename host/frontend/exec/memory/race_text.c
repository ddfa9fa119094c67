#include "frontend/exec/memory/race_text.h"

#include <inttypes.h>

#include "base/text.h"
#include "frontend/exec/block.h"

static const char *const texts[] = {
#define RACE(name, text) [WS_RACE_##name] = (text),
#include "warpsweep/races.def"
#undef RACE
};

const char *ws_race_text(enum ws_race_kind kind)
{
    return texts[kind];
}

static const char *what_of(const struct ws_run *run, const struct ws_moment *moment)
{
    switch (run->plan->kernel->program[moment->pc].class_) {
    case WS_CLASS_load:
        return "load";
    case WS_CLASS_store:
        return "store";
    default:
        return "atomic";
    }
}

void ws_race_tell(const struct ws_run *run, enum ws_race_kind kind, const struct ws_range *range, u64 byte,
                  const struct ws_moment *first, const struct ws_moment *second)
{
    struct ws_text text = {0};
    const struct ws_op *const ops = run->plan->kernel->ops;
    char here[WS_PLACE_ROOM], block[64], thread[64];
    ws_run_place(run, &ops[second->pc], second->block, second->thread, here, sizeof here);
    ws_numbers_text(block, sizeof block, run->plan->grid, first->block);
    ws_numbers_text(thread, sizeof thread, run->plan->launch->local, first->thread);
    ws_text_add(&text, "%s: %s at byte %" PRIu64 " of %s, after the %s of block %s, thread %s, line %u, pc %u: %s", here,
                what_of(run, second), byte, range->name ? range->name : "a buffer", what_of(run, first), block, thread,
                ws_place_line(&run->plan->program->places, ops[first->pc].line), first->pc, texts[kind]);
    if (!text.failed)
        run->options->race(run->options->context, kind, text.data);
    ws_text_free(&text);
}

void ws_race_hint(const struct ws_run *run, const struct ws_moment *first, const struct ws_moment *second)
{
    struct ws_text text = {0};
    const struct ws_op *const ops = run->plan->kernel->ops;
    const struct ws_places *const places = &run->plan->program->places;
    ws_text_add(&text,
                "%s: kernel %s: values may depend on the order of warps: no barrier separates the %s of shared memory from the "
                "%s in line %u; see --races",
                ws_place_text(places, ops[second->pc].line).text, run->plan->kernel->name, what_of(run, second),
                what_of(run, first), ws_place_line(places, ops[first->pc].line));
    if (!text.failed)
        run->options->note(run->options->context, text.data);
    ws_text_free(&text);
}
