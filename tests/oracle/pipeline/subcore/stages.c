/* Stages of a sub-core between issue and execution (step 4), and its registers. */
#include "oracle/pipeline/subcore/subcore.h"

/* A register that an instruction looks up. */
struct source {
    u32 slot, number;
    bool hits;
};

struct flight *flight_in(const struct sm *sm, u32 core, enum place place)
{
    struct flight *flight = subcores_of(sm)->flights;
    while (flight && (flight->place != place || port_of(sm, flight->slot) != core))
        flight = flight->next;
    return flight;
}

/* ---- Registers ---- */

static u32 bank_of(const struct sm *sm, u32 number)
{
    return number % sm->machine->subcore_banks;
}

static bool uses_cache(const struct sm *sm, const struct flight *flight)
{
    return sm->machine->subcore_reuse == WS_toggle_on && flight->operands->unit <= WS_SUB_TENSOR;
}

/* In order of slots, then numbers. */
static u32 sources_of(const struct sm *sm, const struct flight *flight, struct source sources[MOST_SOURCES])
{
    const struct ws_operands *const operands = flight->operands;
    u32 found = 0;
    for (u32 slot = 0; slot < WS_SUB_SLOTS; slot++)
        for (u32 n = 0; n < operands->words[slot]; n++) {
            const u32 number = operands->source[slot] + n;
            const struct kept_register *const kept = &core_of(sm, flight->slot)->kept[bank_of(sm, number)][slot];
            sources[found++] = (struct source){.slot = slot,
                                               .number = number,
                                               .hits = uses_cache(sm, flight) && kept->valid && kept->slot == flight->slot &&
                                                       kept->number == number};
        }
    return found;
}

static bool is_read_before(const struct source *sources, u32 n)
{
    for (u32 i = 0; i < n; i++)
        if (sources[i].number == sources[n].number && !sources[i].hits)
            return true;
    return false;
}

/* Takes read ports, or none if one is missing. */
static bool take_ports(struct sm *sm, const struct flight *flight, const struct source *sources, u32 count_of)
{
    struct subcore *const core = core_of(sm, flight->slot);
    const struct subcore before = *core;
    const u32 window = sm->machine->subcore_window * (flight->operands->unit == WS_SUB_TENSOR ? 2 : 1);
    u32 taken[MOST_BANKS] = {0};
    for (u32 n = 0; n < count_of; n++) {
        const u32 bank = bank_of(sm, sources[n].number);
        if (sources[n].hits || is_read_before(sources, n) || taken[bank] == window * sm->machine->subcore_ports)
            continue;
        taken[bank]++;
        u32 *const reads = core->reads[bank];
        u64 cycle = sm->now + 1;
        while (cycle <= sm->now + window && reads[cycle % READ_CYCLES] == sm->machine->subcore_ports)
            cycle++;
        if (cycle > sm->now + window) {
            *core = before;
            return false;
        }
        reads[cycle % READ_CYCLES]++;
    }
    return true;
}

/* Entries that were looked up are cleared; those with a reuse flag then hold the register. */
static void keep_registers(struct sm *sm, const struct flight *flight, const struct source *sources, u32 count_of)
{
    struct subcore *const core = core_of(sm, flight->slot);
    const u32 reuse = WS_CONTROL_REUSE(flight->operands->control);
    for (u32 n = 0; n < count_of; n++) {
        count(sm, WS_COUNT_reuse_hits, sources[n].hits);
        core->kept[bank_of(sm, sources[n].number)][sources[n].slot] =
            (struct kept_register){.valid = reuse >> sources[n].slot & 1, .slot = flight->slot, .number = sources[n].number};
    }
}

/* A variable instruction finds a port for each of its registers in this cycle. */
static bool can_read(const struct sm *sm, const struct flight *flight)
{
    struct source sources[MOST_SOURCES];
    const u32 count_of = sources_of(sm, flight, sources);
    for (u32 n = 0; n < count_of; n++)
        if (core_of(sm, flight->slot)->reads[bank_of(sm, sources[n].number)][sm->now % READ_CYCLES] == sm->machine->subcore_ports)
            return false;
    return true;
}

/* ---- Stages ---- */

/* Of a unit other than MEMORY. What is no division has the numbers of special functions in the SFU. */
static bool is_function(const struct flight *flight)
{
    const u32 kind = flight->ins->kind;
    return flight->operands->unit == WS_SUB_SFU && kind != WS_KIND_div && kind != WS_KIND_div_fp64;
}

/* A fused multiply-add has the numbers of mad. */
static struct ws_instruction timed_as(const struct flight *flight)
{
    struct ws_instruction ins = *flight->ins;
    if (ins.kind == WS_KIND_fma)
        ins.kind = WS_KIND_mad;
    return ins;
}

static u32 result_latency(const struct sm *sm, const struct flight *flight)
{
    const struct ws_instruction ins = timed_as(flight);
    return is_function(flight) ? sm->machine->latency_sfu : latency_of(sm->machine, &ins);
}

u32 unit_occupation(const struct sm *sm, const struct flight *flight)
{
    const struct ws_instruction ins = timed_as(flight);
    return (is_function(flight) ? sm->machine->interval_sfu : interval_of(sm->machine, &ins)) * passes_of(sm->machine);
}

static void start_memory(struct sm *sm, u32 number)
{
    struct subcore *const core = &subcores_of(sm)->cores[number];
    struct flight *flight = subcores_of(sm)->flights;
    while (flight && (flight->place != IN_QUEUE || port_of(sm, flight->slot) != number || flight->start != NEVER))
        flight = flight->next;
    if (!flight || flight->entered == sm->now || core->address_free > sm->now || !can_read(sm, flight))
        return;
    const u32 store = flight->ins->class_ == WS_CLASS_store;
    flight->start = sm->now;
    core->address_free = sm->now + address_cycles(sm, flight);
    flight->read_at = core->address_free + sm->machine->subcore_path - 1;
    if (store)
        flight->read_at += 2 * (access_words(flight->ins) - 1) + (has_uniform_address(flight) ? 1 : 3);
}

static void start_sfu(struct sm *sm, u32 number)
{
    struct subcore *const core = &subcores_of(sm)->cores[number];
    struct flight *const flight = flight_in(sm, number, IN_LATCH);
    if (!flight || flight->entered == sm->now || core->unit_free[WS_SUB_SFU] > sm->now || !can_read(sm, flight))
        return;
    flight->place = GONE;
    core->unit_free[WS_SUB_SFU] = sm->now + unit_occupation(sm, flight);
    flight->read_at = sm->now;
    flight->write_at = sm->now + result_latency(sm, flight);
}

void fp64_cycle(struct sm *sm)
{
    struct subcores *const own = sm->pipeline;
    for (u32 n = 0; own->fp64_free <= sm->now && n < ports(sm); n++) {
        const u32 core = (own->next_fp64 + n) % ports(sm);
        struct flight *const flight = flight_in(sm, core, IN_FP64);
        if (!flight || !can_read(sm, flight))
            continue;
        flight->place = GONE;
        flight->read_at = sm->now;
        flight->write_at = sm->now + result_latency(sm, flight);
        own->fp64_free = sm->now + unit_occupation(sm, flight);
        own->next_fp64 = core + 1;
    }
}

static void hold(struct sm *sm, struct flight *flight, u32 counter)
{
    u64 *const free = &core_of(sm, flight->slot)->unit_free[flight->unit];
    count(sm, counter, 1);
    if (is_fixed(sm, flight->unit) && ++flight->until > *free)
        *free = flight->until;
}

static void allocate(struct sm *sm, u32 number)
{
    struct subcore *const core = &subcores_of(sm)->cores[number];
    struct flight *const flight = flight_in(sm, number, IN_ALLOCATE);
    struct source sources[MOST_SOURCES];
    if (!flight || flight->entered == sm->now)
        return;
    const u32 count_of = sources_of(sm, flight, sources);
    if (!take_ports(sm, flight, sources, count_of)) {
        hold(sm, flight, WS_COUNT_register_stalls);
        return;
    }
    if (uses_cache(sm, flight))
        keep_registers(sm, flight, sources, count_of);
    flight->place = GONE;
    flight->read_at = sm->now + 3;
    flight->write_at = sm->now + 4 + result_latency(sm, flight);
    if (!(flight->operands->flags & WS_OPERANDS_RESULT))
        return;
    if (flight->write_at <= core->last_write)
        flight->write_at = core->last_write + 1;
    core->last_write = flight->write_at;
}

/* Where an instruction of a unit goes from Control. */
static enum place next_place(const struct sm *sm, u32 unit)
{
    if (is_fixed(sm, unit))
        return IN_ALLOCATE;
    return unit == WS_SUB_SFU ? IN_LATCH : unit == WS_SUB_FP64 ? IN_FP64 : IN_QUEUE;
}

static u32 room_of(const struct sm *sm, enum place place)
{
    return place == IN_QUEUE ? sm->machine->subcore_memory_queue : place == IN_FP64 ? sm->machine->subcore_fp64_queue : 1;
}

bool next_has_room(const struct sm *sm, u32 core, u32 unit)
{
    const enum place place = next_place(sm, unit);
    u32 there = 0;
    for (const struct flight *other = subcores_of(sm)->flights; other; other = other->next)
        there += other->place == place && port_of(sm, other->slot) == core;
    return there < room_of(sm, place);
}

static void control(struct sm *sm, u32 number)
{
    struct flight *const flight = flight_in(sm, number, IN_CONTROL);
    if (!flight || flight->entered == sm->now)
        return;
    if (!next_has_room(sm, number, flight->unit)) {
        hold(sm, flight, WS_COUNT_control_stalls);
        return;
    }
    flight->place = next_place(sm, flight->unit);
    flight->entered = flight->left_control = sm->now;
}

void subcore_stages(struct sm *sm, u32 core)
{
    start_memory(sm, core);
    start_sfu(sm, core);
    allocate(sm, core);
    control(sm, core);
}
