#include "report/saved.h"

#include <math.h>

#include "report/statistics.h"
#include "report/totals.h"

static double used(const char *paper, const struct ws_measures *measures, size_t application, size_t point,
                   enum ws_energy_profile profile, bool dynamic)
{
    const double all = ws_application_energy(paper, measures, application, point, profile);
    return dynamic ? all - ws_application_leaked(paper, measures, application, point, profile) : all;
}

/* Energy at the point over that at its baseline. */
static double ratio(const char *paper, const struct ws_measures *measures, size_t application, size_t point,
                    enum ws_energy_profile profile, bool dynamic)
{
    if (point >= measures->points)
        return (double)NAN;
    return used(paper, measures, application, point, profile, dynamic) /
           used(paper, measures, application, measures->base[point], profile, dynamic);
}

double ws_saved(const char *paper, const struct ws_measures *measures, size_t application, size_t point,
                enum ws_energy_profile profile, bool dynamic)
{
    return 100 * (1 - ratio(paper, measures, application, point, profile, dynamic));
}

double ws_saved_mean(const char *paper, const struct ws_measures *measures, size_t point, enum ws_energy_profile profile,
                     bool dynamic)
{
    struct ws_mean mean = {0};
    for (size_t n = 0; n < ws_applications(paper, measures); n++)
        ws_mean_add(&mean, ratio(paper, measures, ws_application_at(paper, measures, n), point, profile, dynamic));
    return 100 * (1 - ws_mean_geometric(&mean));
}

double ws_static_share(const char *paper, const struct ws_measures *measures, size_t application, size_t point,
                       enum ws_energy_profile profile)
{
    return 100 * ws_application_leaked(paper, measures, application, point, profile) /
           ws_application_energy(paper, measures, application, point, profile);
}

double ws_static_share_mean(const char *paper, const struct ws_measures *measures, size_t point, enum ws_energy_profile profile)
{
    double sum = 0, applications = 0;
    for (size_t n = 0; n < ws_applications(paper, measures); n++) {
        const double share = ws_static_share(paper, measures, ws_application_at(paper, measures, n), point, profile);
        sum += isfinite(share) ? share : 0;
        applications += isfinite(share);
    }
    return sum / applications;
}
