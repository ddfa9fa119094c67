/* SP, SFU and tensor unit: choice of unit, start, and result time. */
#include "oracle/pipeline/scoreboard.h"

static bool is_division(const struct ws_instruction *ins)
{
    return ins->kind == WS_KIND_div || ins->kind == WS_KIND_div_fp64;
}

enum unit unit_of(const struct sm *sm, const struct ws_instruction *ins)
{
    switch (ins->class_) {
    case WS_CLASS_load:
    case WS_CLASS_store:
    case WS_CLASS_atomic:
        return UNIT_LDST;
    case WS_CLASS_sfu:
        return UNIT_SFU;
    case WS_CLASS_tensor:
        return UNIT_TENSOR;
    case WS_CLASS_int:
        if ((ins->kind == WS_KIND_mul || ins->kind == WS_KIND_mad) && sm->machine->unit_int_mul == WS_int_mul_sfu)
            return UNIT_SFU;
        return is_division(ins) ? UNIT_SFU : UNIT_SP;
    case WS_CLASS_fp32:
    case WS_CLASS_fp64:
        return is_division(ins) ? UNIT_SFU : UNIT_SP;
    default:
        return UNIT_SP;
    }
}

/* A parameter of group latency or interval by class and kind. Floating-point divisions are of class sfu. */
#define OF_TYPE(group, type)                                                                                                       \
    case WS_KIND_add:                                                                                                              \
        return m->group##_##type##_add;                                                                                            \
    case WS_KIND_minmax:                                                                                                           \
        return m->group##_##type##_minmax;                                                                                         \
    case WS_KIND_mul:                                                                                                              \
        return m->group##_##type##_mul;                                                                                            \
    case WS_KIND_mad:                                                                                                              \
        return m->group##_##type##_mad;                                                                                            \
    case WS_KIND_fma:                                                                                                              \
        return m->unit_fma == WS_fma_as_mad ? m->group##_##type##_mad : m->group##_other;                                          \
    case WS_KIND_div:                                                                                                              \
    case WS_KIND_div_fp64:                                                                                                         \
        return m->group##_##type##_div

#define TABLE(group)                                                                                                               \
    u32 group##_of(const struct ws_machine *m, const struct ws_instruction *ins)                                                   \
    {                                                                                                                              \
        switch (ins->class_) {                                                                                                     \
        case WS_CLASS_int:                                                                                                         \
            switch (ins->kind) {                                                                                                   \
                OF_TYPE(group, int);                                                                                               \
            }                                                                                                                      \
            break;                                                                                                                 \
        case WS_CLASS_fp32:                                                                                                        \
            switch (ins->kind) {                                                                                                   \
                OF_TYPE(group, fp32);                                                                                              \
            }                                                                                                                      \
            break;                                                                                                                 \
        case WS_CLASS_fp64:                                                                                                        \
            switch (ins->kind) {                                                                                                   \
                OF_TYPE(group, fp64);                                                                                              \
            }                                                                                                                      \
            break;                                                                                                                 \
        case WS_CLASS_sfu:                                                                                                         \
            return ins->kind == WS_KIND_div        ? m->group##_fp32_div                                                           \
                   : ins->kind == WS_KIND_div_fp64 ? m->group##_fp64_div                                                           \
                                                   : m->group##_sfu;                                                               \
        case WS_CLASS_tensor:                                                                                                      \
            return m->group##_tensor;                                                                                              \
        }                                                                                                                          \
        return m->group##_other;                                                                                                   \
    }

TABLE(latency)
TABLE(interval)

u32 passes_of(const struct ws_machine *m)
{
    return (m->core_warp_size + m->core_simd_width - 1) / m->core_simd_width;
}

u32 unit_owner(const struct sm *sm, u32 slot)
{
    return is_sliced(sm) || sm->machine->unit_owner == WS_unit_owner_port ? port_of(sm, slot) : 0;
}

bool unit_has_room(const struct sm *sm, enum unit unit, u32 slot)
{
    const struct scoreboard *own = sm->pipeline;
    const u32 rooms[UNIT_LDST] = {[UNIT_SP] = sm->machine->unit_sp_queue,
                                  [UNIT_SFU] = sm->machine->unit_sfu_queue,
                                  [UNIT_TENSOR] = sm->machine->unit_tensor_queue};
    u32 there = 0;
    for (const struct flight *flight = own->flights; flight; flight = flight->next)
        there += flight->unit == unit && unit_owner(sm, flight->slot) == unit_owner(sm, slot) && flight->start > sm->now;
    return there < rooms[unit];
}

static u64 later(u64 one, u64 other)
{
    return one > other ? one : other;
}

void unit_start(struct sm *sm, struct flight *flight)
{
    const struct ws_machine *m = sm->machine;
    struct scoreboard *own = sm->pipeline;
    struct units *units = &own->units[unit_owner(sm, flight->slot)][flight->unit];
    u32 first = 0; /* unit that is free first */
    for (u32 i = 1; i < units->count; i++)
        if (units->free[i] < units->free[first])
            first = i;
    flight->start = later(later(flight->operands, units->last_start), units->free[first]);
    flight->done = flight->start + latency_of(m, flight->ins) + m->unit_writeback;
    if (sm->rules.pipeline->results)
        sm->rules.pipeline->results(sm, flight);
    units->last_start = flight->start;
    units->free[first] = flight->start + (u64)interval_of(m, flight->ins) * passes_of(m);
}
