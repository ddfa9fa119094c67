#include "report/classes.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "report/applications.h"
#include "report/totals.h"

enum trend { FALLS, STAYS, RISES };

static const struct class
{
    const char *paper, *name, *simulated; /* the class as the simulation has it */
    enum trend trend;
    const char *applications;
} classes[] = {
#define CLASS(paper, name, trend, applications) {#paper, name, name " here", trend, applications},
#include "report/classes.def"
};

static const struct rule {
    const char *paper, *point, *versus;
    double percent;
} rules[] = {
#define TREND(paper, point, versus, percent) {#paper, point, versus, percent},
#include "report/classes.def"
};

enum { CLASSES = sizeof classes / sizeof *classes, RULES = sizeof rules / sizeof *rules };

static bool is_named(const struct class *class, const char *paper, const struct ws_measures *measures, size_t application)
{
    return strcmp(class->paper, paper) == 0 && ws_has_word(class->applications, ws_application_name(paper, measures, application));
}

/* The n-th class of the paper, or NULL. */
static const struct class *class_at(const char *paper, size_t n)
{
    for (size_t at = 0; at < CLASSES; at++)
        if (strcmp(classes[at].paper, paper) == 0 && n-- == 0)
            return &classes[at];
    return NULL;
}

static bool is_classified(const char *paper, const struct ws_measures *measures, size_t application)
{
    const struct class *class;
    for (size_t n = 0; (class = class_at(paper, n)); n++)
        if (is_named(class, paper, measures, application))
            return true;
    return false;
}

/* Classes of the paper, 0 where they do not have all applications. */
static size_t class_count(const char *paper, const struct ws_measures *measures)
{
    size_t count = 0;
    for (size_t n = 0; n < ws_applications(paper, measures); n++)
        if (!is_classified(paper, measures, ws_application_at(paper, measures, n)))
            return 0;
    while (class_at(paper, count))
        count++;
    return count;
}

/* The paper's rule, if the experiment has its points. */
static const struct rule *rule_of(const char *paper, const struct ws_measures *measures)
{
    for (size_t n = 0; n < RULES; n++)
        if (strcmp(rules[n].paper, paper) == 0 && ws_measures_point(measures, rules[n].point) < measures->points &&
            ws_measures_point(measures, rules[n].versus) < measures->points)
            return &rules[n];
    return NULL;
}

static bool is_simulated(const struct class *class, const struct rule *rule, const char *paper, const struct ws_measures *measures,
                         size_t application)
{
    const double speedup = ws_application_speedup(paper, measures, application, ws_measures_point(measures, rule->point),
                                                  ws_measures_point(measures, rule->versus));
    if (!isfinite(speedup))
        return false;
    const enum trend trend = speedup > 1 + rule->percent / 100 ? RISES : speedup < 1 - rule->percent / 100 ? FALLS : STAYS;
    return trend == class->trend;
}

size_t ws_class_groups(const char *paper, const struct ws_measures *measures)
{
    const size_t count = class_count(paper, measures);
    if (count == 0)
        return 1;
    return rule_of(paper, measures) ? 2 * count : count;
}

const char *ws_class_group_name(const char *paper, const struct ws_measures *measures, size_t group)
{
    const size_t count = class_count(paper, measures);
    if (count == 0)
        return "harmonic mean";
    const struct class *const class = class_at(paper, group % count);
    return group < count ? class->name : class->simulated;
}

size_t ws_class_named(const char *paper, const struct ws_measures *measures, const char *name)
{
    const size_t count = class_count(paper, measures);
    for (size_t n = 0; n < count; n++)
        if (strcmp(class_at(paper, n)->name, name) == 0)
            return n;
    return SIZE_MAX;
}

bool ws_class_has(const char *paper, const struct ws_measures *measures, size_t group, size_t application)
{
    const size_t count = class_count(paper, measures);
    if (count == 0)
        return true;
    const struct class *const class = class_at(paper, group % count);
    return group < count ? is_named(class, paper, measures, application)
                         : is_simulated(class, rule_of(paper, measures), paper, measures, application);
}

double ws_class_mean(const char *paper, const struct ws_measures *measures, size_t group, ws_application_number *number,
                     size_t point)
{
    double inverses = 0;
    size_t count = 0;
    for (size_t n = 0; n < ws_applications(paper, measures); n++) {
        const size_t application = ws_application_at(paper, measures, n);
        const double own =
            ws_class_has(paper, measures, group, application) ? number(paper, measures, application, point) : (double)NAN;
        if (!isfinite(own) || own <= 0)
            continue;
        inverses += 1 / own;
        count++;
    }
    return count > 0 ? (double)count / inverses : (double)NAN;
}
