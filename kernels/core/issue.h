/* What every issue slot counts (docs/model.md 2, order of counting). */
#ifndef WS_CORE_ISSUE_H
#define WS_CORE_ISSUE_H

#include "core/sm.h"

/* A unit of lanes active lanes (guard true), and threads thread instructions with it (false guards included). */
static inline void count_issue(PRIVATE struct sm *sm, PRIVATE const struct ws_instruction *instruction, u32 threads, u32 lanes)
{
    LOCAL u32 *counters = sm->scratch->counters;
    lanes_add(&counters[WS_COUNT_active_lanes + ws_min(lanes, 32)], 1);
    lanes_add(&counters[WS_COUNT_warp_class + instruction->class_], 1);
    lanes_add(&counters[WS_COUNT_thread_class + instruction->class_], threads);
    lanes_add(&counters[WS_COUNT_register_reads], instruction->reads * lanes);
    lanes_add(&counters[WS_COUNT_register_writes], instruction->writes * lanes);
    if (instruction->space == WS_SPACE_local && lanes != 0)
        lanes_add(&counters[WS_COUNT_private_accesses], 1);
}

#endif
