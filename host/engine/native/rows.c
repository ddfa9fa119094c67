#include "engine/native/rows.h"

#include <stddef.h>

#include "engine/native/processor.h"
#include "engine/variant.h"

#define NATIVE(pipeline, path, dispatch, words, base, suited, ...)                                                                 \
    ws_native_quantum ws_native_##pipeline##_##path##_##dispatch##_##words##_base,                                                 \
        ws_native_##pipeline##_##path##_##dispatch##_##words##_avx2;                                                               \
    ws_native_plan ws_native_##pipeline##_##path##_##dispatch##_##words##_plan;                                                    \
    ws_native_gauges ws_native_##pipeline##_##path##_##dispatch##_##words##_plan_gauges;
#include "natives.def"
#undef NATIVE

#define BUILT_0(name) NULL
#define BUILT_1(name) name

static const struct ws_native_row rows[] = {
#define NATIVE(pipeline, path, dispatch, words, base, suited, ...)                                                                 \
    {WS_pipeline_##pipeline,                                                                                                       \
     WS_divergence_##path,                                                                                                         \
     WS_dispatch_##dispatch,                                                                                                       \
     words,                                                                                                                        \
     #pipeline,                                                                                                                    \
     #path,                                                                                                                        \
     #dispatch,                                                                                                                    \
     ws_native_##pipeline##_##path##_##dispatch##_##words##_plan,                                                                  \
     ws_native_##pipeline##_##path##_##dispatch##_##words##_plan_gauges,                                                           \
     BUILT_##base(ws_native_##pipeline##_##path##_##dispatch##_##words##_base),                                                    \
     BUILT_##suited(ws_native_##pipeline##_##path##_##dispatch##_##words##_avx2),                                                  \
     {__VA_ARGS__, NULL}},
#include "natives.def"
#undef NATIVE
};

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

void ws_native_plan_state(const struct ws_machine *machine, struct ws_plan *plan, u32 requests)
{
    ws_native_row_of(machine)->plan(machine, plan, requests);
}

void ws_native_read_gauges(const struct ws_job *job, const u32 *state, u32 *gauges)
{
    ws_native_row_of(&job->machine)->gauges(job, state, gauges);
}

bool ws_native_flags_suit(void)
{
#ifdef WS_NATIVE_AVX2
    return ws_has_avx2_and_bits();
#else
    return true;
#endif
}
