/* Pipeline `barrel`. The path unit selects how packets in flight are kept: single.h or several.h. */
#ifndef WS_PIPELINE_BARREL_BARREL_H
#define WS_PIPELINE_BARREL_BARREL_H

#include "pipeline/barrel/cycle.h"
#if defined(WS_FLIGHT_SEVERAL)
#include "pipeline/barrel/several.h"
#else
#include "pipeline/barrel/single.h"
#endif
#if defined(WS_RECORDS)
#include "pipeline/parts/port_predecoded.h"
#else
#include "pipeline/parts/port_streams.h"
#endif

#endif
