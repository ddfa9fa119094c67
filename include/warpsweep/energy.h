/* Energy by events: counters times coefficients (docs/energy.md). */
#ifndef WARPSWEEP_ENERGY_H
#define WARPSWEEP_ENERGY_H

#include <stddef.h>

#include "shared/machine.h"

/* Sets of coefficients. */
enum ws_energy_profile {
#define ENERGY_PROFILE(name, idle, doc) WS_ENERGY_PROFILE_##name,
#include "warpsweep/energy.def"
    WS_ENERGY_PROFILES
};

/* Parts to which events are summed up. */
enum ws_energy_part {
#define ENERGY_PART(name, doc) WS_ENERGY_##name,
#include "warpsweep/energy.def"
    WS_ENERGY_PARTS
};

/* A row of energy.def. */
struct ws_energy_event {
    const char *name, *per, *source; /* per: unit of one event */
    enum ws_energy_part part;
    double picojoules[WS_ENERGY_PROFILES];
    double least, most; /* plausible range of the coefficient */
};
const struct ws_energy_event *ws_energy_events(size_t *count);

extern const char *const ws_energy_profile_names[WS_ENERGY_PROFILES], *const ws_energy_part_names[WS_ENERGY_PARTS];

/* The energy of each part in picojoules, from WS_COUNTERS counters of a job on the machine, or of all shards of a kernel,
 * accumulated. sms: number of SMs that leak for `cycles`. */
void ws_energy_by_part(const struct ws_machine *machine, const u64 *counters, u32 sms, enum ws_energy_profile profile,
                       double picojoules[WS_ENERGY_PARTS]);

#endif
