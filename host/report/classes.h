/* Classes of applications (classes.def), and harmonic means over them. */
#ifndef WS_REPORT_CLASSES_H
#define WS_REPORT_CLASSES_H

#include "report/measures.h"

/* A group is a set of applications: a class as the paper has it, or as the simulation has it, or all. Where the paper's classes
 * have all applications of an experiment, the groups are these classes, then, if it has the points of the paper's trend, the same
 * as simulated. Else there is one group, all of them. */
size_t ws_class_groups(const char *paper, const struct ws_measures *measures);

/* The name of a group: "divergent", "divergent here" as simulated, or "harmonic mean" of all. */
const char *ws_class_group_name(const char *paper, const struct ws_measures *measures, size_t group);

/* The group that has a class of this name by the paper, or SIZE_MAX. */
size_t ws_class_named(const char *paper, const struct ws_measures *measures, const char *name);

/* Whether a group has an application (counted as in applications.h). */
bool ws_class_has(const char *paper, const struct ws_measures *measures, size_t group, size_t application);

/* A number of an application at a point. */
typedef double ws_application_number(const char *paper, const struct ws_measures *measures, size_t application, size_t point);

/* Harmonic mean of a number over a group; NaN without a finite positive one. */
double ws_class_mean(const char *paper, const struct ws_measures *measures, size_t group, ws_application_number *number,
                     size_t point);

#endif
