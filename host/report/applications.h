/* Workloads that a paper reports together, and what it prints of them. */
#ifndef WS_REPORT_APPLICATIONS_H
#define WS_REPORT_APPLICATIONS_H

#include "report/measures.h"

/* The first trace of the application that a trace belongs to, as applications.def has it for a paper: applications are counted by
 * their first traces. A trace of no application is one by itself. */
size_t ws_application(const char *paper, const struct ws_measures *measures, size_t trace);

/* The name of that application, or of the trace. */
const char *ws_application_name(const char *paper, const struct ws_measures *measures, size_t trace);

/* Whether a word stands among others that blanks part. */
bool ws_has_word(const char *words, const char *word);

/* Issue slots lost at a point by all kernels of the application whose first trace is given: a kind of stalls.def, or the total. NaN
 * unless all its traces are whole. */
double ws_application_stalls(const char *paper, const struct ws_measures *measures, size_t application, size_t point, size_t stall);

/* Those at the other point over those at the point; NaN where either is 0 or missing. */
double ws_application_ratio(const char *paper, const struct ws_measures *measures, size_t application, size_t point, size_t other,
                            size_t stall);

/* Geometric mean of the ratios over the applications. */
double ws_application_mean(const char *paper, const struct ws_measures *measures, size_t point, size_t other, size_t stall);

/* What the paper prints, NaN where it does not: that ratio over `versus`, its mean, and the share in percent of the slots lost at a
 * point, for `point` being one for which it prints counts, or one whose ratios follow from these. */
double ws_paper_ratio(const char *paper, const struct ws_measures *measures, size_t application, const char *versus, size_t stall);
double ws_paper_mean(const char *paper, const char *versus, size_t stall);
double ws_paper_share(const char *paper, const struct ws_measures *measures, size_t application, const char *point, size_t stall);

#endif
