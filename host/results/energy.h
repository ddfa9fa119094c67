/* Energy as a sum of columns. */
#ifndef WS_RESULTS_ENERGY_H
#define WS_RESULTS_ENERGY_H

#include <stdbool.h>

#include "base/text.h"
#include "warpsweep/energy.h"

/* Adds an SQL expression over a row of parameters and counters: picojoules of all events but the static ones, or of these (leaks).
 * sms: an expression for how many SMs leak for `cycles`. */
void ws_energy_add_sql(struct ws_text *sql, enum ws_energy_profile profile, bool leaks, const char *sms);

#endif
