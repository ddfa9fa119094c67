/* Bits and area of a mechanism's hardware. */
#ifndef WS_REPORT_STORAGE_H
#define WS_REPORT_STORAGE_H

#include "report/measures.h"

/* Area of the hardware on all SMs of a machine over that of the chip that storage.def has for the paper, in percent; NaN without
 * one. A structure's area is the paper's, scaled by its bits. */
double ws_storage_percent(const char *paper, const struct ws_dimensions *dimensions);

#endif
