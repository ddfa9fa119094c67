#include "results/schema/metrics.h"

#include <math.h>

#include "results/schema/columns.h"
#include "shared/instruction.h"

enum { LANES_OF_OPERAND = 32, KINDS = 8, MOST_COUNTERS = 6, REFERENCE_CLOCK = 700, REFERENCE_LINE = 128, REFERENCE_BURST = 64 };

enum scale {
#define ENERGY_SCALE(name, idle, doc) SCALE_##name,
#include "warpsweep/energy.def"
    SCALES
};

/* Energy of an idle lane relative to an active one; 0 for events not counted by lanes. */
static const unsigned idle_percent[SCALES] = {
#define ENERGY_SCALE(name, idle, doc) (idle),
#include "warpsweep/energy.def"
};

static const unsigned pays_idle[WS_ENERGY_PROFILES] = {
#define ENERGY_PROFILE(name, idle, doc) (idle),
#include "warpsweep/energy.def"
};

const char *const ws_energy_profile_names[WS_ENERGY_PROFILES] = {
#define ENERGY_PROFILE(name, idle, doc) #name,
#include "warpsweep/energy.def"
};

const char *const ws_energy_part_names[WS_ENERGY_PARTS] = {
#define ENERGY_PART(name, doc) #name,
#include "warpsweep/energy.def"
};

static const struct ws_energy_event events[] = {
#define ENERGY(name_, part_, scale, gpuwattch322_, balanced_, least_, most_, doc, source_, ...)                                    \
    {.name = #name_,                                                                                                               \
     .per = (doc),                                                                                                                 \
     .source = (source_),                                                                                                          \
     .part = WS_ENERGY_##part_,                                                                                                    \
     .picojoules = {[WS_ENERGY_PROFILE_gpuwattch322] = (gpuwattch322_), [WS_ENERGY_PROFILE_balanced] = (balanced_)},               \
     .least = (least_),                                                                                                            \
     .most = (most_)},
#include "warpsweep/energy.def"
};

enum { EVENTS = sizeof events / sizeof *events };

/* Counter of an event; events by lane use the bins of lane_operations. */
static const struct count {
    enum scale scale;
    u32 counters;
    u32 counter[MOST_COUNTERS];
} counts[] = {
#define COUNT(name)         WS_COUNT_##name
#define LANES(class_, kind) (WS_COUNT_lane_operations + KINDS * WS_CLASS_##class_ + WS_KIND_##kind)
#define ENERGY(name, part, scale_, gpuwattch322, balanced, least, most, doc, source, ...)                                          \
    {.scale = SCALE_##scale_, .counters = sizeof((u32[]){__VA_ARGS__}) / sizeof(u32), .counter = {__VA_ARGS__}},
#include "warpsweep/energy.def"
#undef COUNT
#undef LANES
};

const struct ws_energy_event *ws_energy_events(size_t *count)
{
    *count = EVENTS;
    return events;
}

/* An idle lane costs a share of the mean active lane of its class: issue slots are not counted by kind. Without active lanes the
 * sum is zero, which avoids a division by zero. */
static bool has_idle(const struct count *count, enum ws_energy_profile profile)
{
    return pays_idle[profile] && idle_percent[count->scale] > 0;
}

static u32 class_of(const struct count *count)
{
    return (count->counter[0] - WS_COUNT_lane_operations) / KINDS;
}

/* ---- Of counters ---- */

static double idle_factor(const struct ws_machine *machine, const u64 *counters, const struct count *count)
{
    const double idle = idle_percent[count->scale] / 100.0;
    const u32 class_ = class_of(count);
    double active = 0;
    for (u32 kind = 0; kind < KINDS; kind++)
        active += (double)counters[WS_COUNT_lane_operations + KINDS * class_ + kind];
    const double lanes = (double)ws_min(machine->core_warp_size, LANES_OF_OPERAND) * (double)counters[WS_COUNT_warp_class + class_];
    return 1 + idle * fmax(0, lanes / fmax(active, 1) - 1);
}

static double burst_factor(const u64 *counters)
{
    const double requests = (double)counters[WS_COUNT_dram_reads] + (double)counters[WS_COUNT_dram_writes];
    return (double)counters[WS_COUNT_dram_bytes] / fmax(requests, 1) / REFERENCE_BURST;
}

static double factor(const struct ws_machine *machine, const u64 *counters, u32 sms, enum ws_energy_profile profile,
                     const struct count *count)
{
    switch (count->scale) {
    case SCALE_operand:
        return (double)ws_min(machine->core_warp_size, LANES_OF_OPERAND) / LANES_OF_OPERAND;
    case SCALE_sp:
    case SCALE_sfu:
        return has_idle(count, profile) ? idle_factor(machine, counters, count) : 1;
    case SCALE_line:
        return 0.2 + 0.8 * machine->l1_line / REFERENCE_LINE;
    case SCALE_burst:
        return burst_factor(counters);
    case SCALE_clock:
        return (double)sms * REFERENCE_CLOCK / machine->core_clock;
    case SCALE_none:
    default:
        return 1;
    }
}

void ws_energy_by_part(const struct ws_machine *machine, const u64 *counters, u32 sms, enum ws_energy_profile profile,
                       double picojoules[WS_ENERGY_PARTS])
{
    for (size_t part = 0; part < WS_ENERGY_PARTS; part++)
        picojoules[part] = 0;
    for (size_t n = 0; n < EVENTS; n++) {
        const struct count *const count = &counts[n];
        double happened = 0;
        for (u32 c = 0; c < count->counters; c++)
            happened += (double)counters[count->counter[c]];
        picojoules[events[n].part] += events[n].picojoules[profile] * factor(machine, counters, sms, profile, count) * happened;
    }
}

/* ---- Of a row of columns: the same in SQL ---- */

static void add_column(struct ws_text *sql, u32 index)
{
    size_t n = ws_counter_column_count - 1;
    while (ws_counter_columns[n].index > index)
        n--;
    if (ws_counter_columns[n].bins > 0)
        ws_text_add(sql, "%s_%u", ws_counter_columns[n].name, index - ws_counter_columns[n].index);
    else
        ws_text_add(sql, "%s", ws_counter_columns[n].name);
}

static void add_idle_factor(struct ws_text *sql, const struct count *count)
{
    const u32 class_ = class_of(count);
    ws_text_add(sql, " * (1 + %.2f * max(0, 1.0 * min(core_warp_size, %d) * ", idle_percent[count->scale] / 100.0,
                LANES_OF_OPERAND);
    add_column(sql, WS_COUNT_warp_class + class_);
    ws_text_add(sql, " / max(");
    for (u32 kind = 0; kind < KINDS; kind++) {
        ws_text_add(sql, kind > 0 ? " + " : "");
        add_column(sql, WS_COUNT_lane_operations + KINDS * class_ + kind);
    }
    ws_text_add(sql, ", 1) - 1))");
}

static void add_factor(struct ws_text *sql, enum ws_energy_profile profile, const struct count *count, const char *sms)
{
    if (has_idle(count, profile))
        add_idle_factor(sql, count);
    else if (count->scale == SCALE_operand)
        ws_text_add(sql, " * min(core_warp_size, %d) / %d.0", LANES_OF_OPERAND, LANES_OF_OPERAND);
    else if (count->scale == SCALE_line)
        ws_text_add(sql, " * (0.2 + 0.8 * l1_line / %d)", REFERENCE_LINE);
    else if (count->scale == SCALE_burst)
        ws_text_add(sql, " * dram_bytes / max(dram_reads + dram_writes, 1) / %d.0", REFERENCE_BURST);
    else if (count->scale == SCALE_clock)
        ws_text_add(sql, " * %s * %d.0 / core_clock", sms, REFERENCE_CLOCK);
}

void ws_energy_add_sql(struct ws_text *sql, enum ws_energy_profile profile, bool leaks, const char *sms)
{
    const char *plus = "";
    for (size_t n = 0; n < EVENTS; n++) {
        if ((events[n].part == WS_ENERGY_static) != leaks)
            continue;
        ws_text_add(sql, "%s%.1f * (", plus, events[n].picojoules[profile]);
        for (u32 c = 0; c < counts[n].counters; c++) {
            ws_text_add(sql, c > 0 ? " + " : "");
            add_column(sql, counts[n].counter[c]);
        }
        ws_text_add(sql, ")");
        add_factor(sql, profile, &counts[n], sms);
        plus = " + ";
    }
}
