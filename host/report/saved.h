/* Energy that an application saves at a point against the point's baseline. Applications are counted by their first traces
 * (applications.h). */
#ifndef WS_REPORT_SAVED_H
#define WS_REPORT_SAVED_H

#include "report/measures.h"

/* In percent; NaN unless all its traces are whole and the point has a baseline. dynamic: without the static part, of both. */
double ws_saved(const char *paper, const struct ws_measures *measures, size_t application, size_t point,
                enum ws_energy_profile profile, bool dynamic);

/* What the geometric mean of the ratios over the applications saves; NaN of none. */
double ws_saved_mean(const char *paper, const struct ws_measures *measures, size_t point, enum ws_energy_profile profile,
                     bool dynamic);

/* Static energy in percent of all, of an application at a point; and the arithmetic mean of these shares. */
double ws_static_share(const char *paper, const struct ws_measures *measures, size_t application, size_t point,
                       enum ws_energy_profile profile);
double ws_static_share_mean(const char *paper, const struct ws_measures *measures, size_t point, enum ws_energy_profile profile);

#endif
