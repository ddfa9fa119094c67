/* Bits and area of a mechanism's hardware. */
#ifndef WS_REPORT_STORAGE_H
#define WS_REPORT_STORAGE_H

#include "report/measures.h"

/* Area of the hardware of a core, in mm2 and of a core without it in percent, and on all cores of the chip that storage.def has for
 * the paper, in mm2 and of that chip in percent; NaN without a chip, or where its core's area is not said. A structure's area is
 * the paper's, scaled by its bits. */
double ws_storage_core(const char *paper, const struct ws_dimensions *dimensions);
double ws_storage_core_percent(const char *paper, const struct ws_dimensions *dimensions);
double ws_storage_chip(const char *paper, const struct ws_dimensions *dimensions);
double ws_storage_percent(const char *paper, const struct ws_dimensions *dimensions);

#endif
