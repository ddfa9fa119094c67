/* Pipeline `pool`. */
#ifndef WS_PIPELINE_POOL_POOL_H
#define WS_PIPELINE_POOL_POOL_H

#include "pipeline/parts/port_streams.h"
#include "pipeline/pool/cycle.h"
#include "pipeline/pool/flight.h"

#endif
