#include "engine/native/rows.h"

#include <stddef.h>

#include "engine/native/processor.h"
#include "engine/variant.h"

#ifdef WS_NATIVE_AVX2
#define AVX2(name) name##_avx2
#define NATIVE(pipeline, path, dispatch, words, ...)                                                                               \
    ws_native_slice ws_native_##pipeline##_##path##_##dispatch##_##words##_base,                                                   \
        ws_native_##pipeline##_##path##_##dispatch##_##words##_avx2;                                                               \
    ws_native_plan ws_native_##pipeline##_##path##_##dispatch##_##words##_base_plan;
#else
#define AVX2(name) NULL
#define NATIVE(pipeline, path, dispatch, words, ...)                                                                               \
    ws_native_slice ws_native_##pipeline##_##path##_##dispatch##_##words##_base;                                                   \
    ws_native_plan ws_native_##pipeline##_##path##_##dispatch##_##words##_base_plan;
#endif
#include "natives.def"
#undef NATIVE

static const struct ws_native_row rows[] = {
#define NATIVE(pipeline, path, dispatch, words, ...)                                                                               \
    {WS_pipeline_##pipeline,                                                                                                       \
     WS_divergence_##path,                                                                                                         \
     WS_dispatch_##dispatch,                                                                                                       \
     words,                                                                                                                        \
     #pipeline,                                                                                                                    \
     #path,                                                                                                                        \
     #dispatch,                                                                                                                    \
     ws_native_##pipeline##_##path##_##dispatch##_##words##_base_plan,                                                             \
     ws_native_##pipeline##_##path##_##dispatch##_##words##_base,                                                                  \
     AVX2(ws_native_##pipeline##_##path##_##dispatch##_##words),                                                                   \
     {__VA_ARGS__, NULL}},
#include "natives.def"
#undef NATIVE
};

u32 ws_native_row_count(void)
{
    return sizeof rows / sizeof *rows;
}

const struct ws_native_row *ws_native_row_of(const struct ws_machine *machine)
{
    const struct ws_native_row *row = rows;
    while (!ws_variant_suits(machine, row->pipeline, row->path, row->dispatch, row->words))
        row++;
    return row;
}

u32 ws_native_row_number(const struct ws_native_row *row)
{
    return (u32)(row - rows);
}

ws_native_slice *ws_native_slice_of(const struct ws_native_row *row)
{
#ifdef WS_NATIVE_AVX2
    if (ws_has_avx2_and_bits())
        return row->avx2;
#endif
    return row->base;
}

void ws_native_plan_state(const struct ws_machine *machine, struct ws_plan *plan, u32 requests)
{
    ws_native_row_of(machine)->plan(machine, plan, requests);
}

bool ws_native_flags_suit(void)
{
#ifdef WS_NATIVE_AVX2
    return ws_has_avx2_and_bits();
#else
    return true;
#endif
}
