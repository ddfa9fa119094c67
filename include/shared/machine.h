/* A machine: one 32-bit field for each parameter, in the order of parameters.def. */
#ifndef WS_SHARED_MACHINE_H
#define WS_SHARED_MACHINE_H

#include "shared/dialect.h"

/* Values of choices: WS_SET_NAME, for instance WS_divergence_lwm. */
enum {
#define CHOICE(set, name, value, doc) WS_##set##_##name = value,
#include "shared/choices.def"
#undef CHOICE
    WS_CHOICES_END
};

struct ws_machine {
#define NUMBER(group, name, standard, least, most, unit, doc) u32 group##_##name;
#define POWER(group, name, standard, least, most, unit, doc)  u32 group##_##name;
#define CHOOSE(group, name, set, standard, doc)               u32 group##_##name;
#include "shared/parameters.def"
#undef NUMBER
#undef POWER
#undef CHOOSE
};

/* divergence_unit of a job with a pre-decoded trace; no machine selects it (shared/predecoded.def). */
#define WS_divergence_predecoded 255u

/* Properties of a pipeline from shared/pipelines.def. */
struct ws_pipeline_facts {
    u32 ports, buffers, retires, levels, registers;
};

static inline struct ws_pipeline_facts ws_pipeline_facts(u32 pipeline)
{
    struct ws_pipeline_facts facts = {0, 0, 0, 0, 0};
#define PIPELINE(name, value, ports, buffers, retires, levels, registers, spaces, doc)                                             \
    if (pipeline == value) {                                                                                                       \
        const struct ws_pipeline_facts row = {ports, buffers, retires, levels, registers};                                         \
        facts = row;                                                                                                               \
    }
#include "shared/pipelines.def"
#undef PIPELINE
    return facts;
}

/* What issues with a path unit (shared/paths.def); with a pre-decoded trace, warps. */
enum ws_issues { WS_ISSUES_warps, WS_ISSUES_threads, WS_ISSUES_slices };

static inline u32 ws_path_issues(u32 path)
{
    u32 issues = WS_ISSUES_warps;
#define PATH(name, value, issues_, doc)                                                                                            \
    if (path == value)                                                                                                             \
        issues = WS_ISSUES_##issues_;
#include "shared/paths.def"
#undef PATH
    return issues;
}

/* Slices into which the 32 lanes of an SM are divided, each an issue port; 1 for path units without slices. */
#define WS_SLICES(machine) (ws_path_issues((machine)->divergence_unit) == WS_ISSUES_slices ? 32 / (machine)->core_warp_size : 1)

/* Number of owners of SP units, SFU and tensor unit: slices; else by unit.owner issue ports, or 1, the SM. */
#define WS_OWNERS_OF(unit_owner, ports) ((unit_owner) == WS_unit_owner_port ? (ports) : 1)
#define WS_UNIT_OWNERS(machine)                                                                                                    \
    (ws_path_issues((machine)->divergence_unit) == WS_ISSUES_slices                                                                \
         ? WS_SLICES(machine)                                                                                                      \
         : WS_OWNERS_OF((machine)->unit_owner, (machine)->core_issue_ports))

#endif
