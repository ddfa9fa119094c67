/* What is compiled in: -D of one WS_PIPELINE_NAME, WS_PATH_NAME and WS_DISPATCH_NAME, of WS_POLICY=WS_policy_NAME unless the
 * machine selects the scheduler, and of WS_SLOT_WORDS. Conditional compilation by these is only here and, for state, in
 * shared/state/rows.def and sizes.def. */
#ifndef WS_VARIANT_H
#define WS_VARIANT_H

#include "shared/machine.h"

#ifdef WS_POLICY
#define policy_compiled(policy)      ((policy) == WS_POLICY)
#define scheduled_by(chosen, policy) ((policy) == WS_POLICY)
#else
#define policy_compiled(policy)      1
#define scheduled_by(chosen, policy) ((policy) == (chosen))
#endif

/* Requirements of the path unit: how packets in flight are kept, what issues, whether its warps wait to be regrouped, and whether
 * an instruction of a warp may issue as several packets. */
#if defined(WS_PIPELINE_scoreboard) || defined(WS_PIPELINE_subcore)
#define WS_FLIGHT_STREAM
#elif defined(WS_PATH_lwm)
#define WS_FLIGHT_SEVERAL
#elif defined(WS_PATH_dwf) || defined(WS_PATH_mimd)
#define WS_FLIGHT_POOL
#else
#define WS_FLIGHT_SINGLE
#endif
#if defined(WS_PATH_tbc)
#define PATH_REGROUPS 1
#else
#define PATH_REGROUPS 0
#endif
#if defined(WS_PATH_lwm)
#define PATH_SPLITS 1
#else
#define PATH_SPLITS 0
#endif

/* Whether the path unit has barriers for a part of a block. */
#if defined(WS_PATH_pdom) || defined(WS_PATH_predecoded) || defined(WS_PATH_vws)
#define PATH_NAMES_BARRIERS 1
#else
#define PATH_NAMES_BARRIERS 0
#endif

/* Whether the lanes are divided into slices, each an issue port for small warps. */
#if defined(WS_PATH_vws)
#define PATH_SLICES 1
#else
#define PATH_SLICES 0
#endif

/* Requests that a cycle may take from the pool of memory of several levels. */
#if defined(WS_PIPELINE_subcore)
#define POOL_MARGIN WS_SUB_LEVELS_MARGIN
#else
#define POOL_MARGIN (PATH_SLICES ? WS_SLICES_LEVELS_MARGIN : WS_LEVELS_MARGIN)
#endif

/* Whether the trace is pre-decoded, instead of read from the streams of threads. */
#if defined(WS_PATH_predecoded)
#define WS_RECORDS
#endif

/* Properties of the pipeline from shared/pipelines.def. Slices are issue ports, too. With a timing wheel, quanta of a job start at
 * its cycle count modulo the wheel's size (shared/state.h). */
#if defined(WS_PIPELINE_barrel)
#define PIPELINE_FACT(fact) fact##_of_barrel
#elif defined(WS_PIPELINE_scoreboard)
#define PIPELINE_FACT(fact) fact##_of_scoreboard
#elif defined(WS_PIPELINE_subcore)
#define PIPELINE_FACT(fact) fact##_of_subcore
#endif
enum {
#define PIPELINE(name, value, ports, buffers, retires, levels, registers, spaces, doc)                                             \
    ports_of_##name = ports, buffers_of_##name = buffers, retires_of_##name = retires,
#include "shared/pipelines.def"
#undef PIPELINE
    WS_PORTS = PATH_SLICES ? 8 : PIPELINE_FACT(ports),
    WARPS_RETIRE = PIPELINE_FACT(retires),
    QUANTUM_TURNS = PIPELINE_FACT(buffers) ? 64 : 1
};

/* Whether a warp's slot may be reused before its block has ended. */
#if defined(WS_DISPATCH_warp)
#define SLOTS_RETURN 1
#else
#define SLOTS_RETURN 0
#endif

#include "pipeline/pipeline.h"

#if defined(WS_PIPELINE_scoreboard) || defined(WS_PIPELINE_subcore)
#include "memory/levels/levels.h"
#elif defined(WS_FLIGHT_SEVERAL)
#include "memory/tickets_chain.h"
#elif defined(WS_FLIGHT_POOL)
#include "memory/tickets_queue.h"
#else
#include "memory/tickets_set.h"
#endif

#if defined(WS_PATH_pdom)
#include "path/pdom.h"
#elif defined(WS_PATH_lwm)
#include "path/lwm/lwm.h"
#elif defined(WS_PATH_tbc)
#include "path/tbc/tbc.h"
#elif defined(WS_PATH_serial)
#include "path/serial.h"
#elif defined(WS_PATH_dwf)
#include "pipeline/pool/dwf/dwf.h"
#elif defined(WS_PATH_mimd)
#include "pipeline/pool/mimd/mimd.h"
#elif defined(WS_PATH_vws)
#include "path/vws/vws.h"
#elif defined(WS_PATH_predecoded)
#include "path/predecoded.h"
#endif

#if defined(WS_DISPATCH_block)
#include "dispatch/block.h"
#elif defined(WS_DISPATCH_warp)
#include "dispatch/warp.h"
#endif

/* The pipeline, by what issues in it (shared/paths.def). */
#if defined(WS_PATH_dwf)
#include "pipeline/pool/dwf/issue.h"
#include "pipeline/pool/pool.h"
#elif defined(WS_PATH_mimd)
#include "pipeline/pool/mimd/issue.h"
#include "pipeline/pool/pool.h"
#elif defined(WS_PATH_vws)
#include "pipeline/slices/slices.h"
#elif defined(WS_PIPELINE_barrel)
#include "pipeline/barrel/barrel.h"
#elif defined(WS_PIPELINE_scoreboard)
#include "pipeline/scoreboard/scoreboard.h"
#elif defined(WS_PIPELINE_subcore)
#include "pipeline/subcore/subcore.h"
#endif

#if defined(WS_PIPELINE_barrel) && defined(WS_FLIGHT_SINGLE) && !defined(WS_PATH_serial) && !defined(WS_NO_SKIP) &&                \
    (WS_SLOT_WORDS == 1 || defined(WS_LANES_LOOP))
#include "skip/rounds.h"
#else
#include "skip/none.h"
#endif

#endif
