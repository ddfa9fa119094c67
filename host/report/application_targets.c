/* Ours beside what a paper reports of applications. */
#include <math.h>

#include "report/question.h"
#include "report/statistics.h"
#include "report/totals.h"

#define REWRITTEN "32" /* as in by_application.c */

/* A number of an application at the target's point. */
typedef double number_function(const struct ws_question *question, size_t application);

/* The least, largest and geometric mean of a number over the applications that the key names. */
struct spread {
    double least, most, mean;
};

static struct spread over_key(const struct ws_question *question, number_function *number)
{
    const struct ws_measures *const measures = question->measures;
    const char *const paper = question->target->paper;
    struct spread spread = {.least = (double)NAN, .most = (double)NAN};
    struct ws_mean mean = {0};
    for (size_t n = 0; n < ws_applications(paper, measures); n++) {
        const size_t application = ws_application_at(paper, measures, n);
        if (!ws_application_among(paper, measures, application, question->target->key))
            continue;
        const double own = number(question, application);
        spread.least = fmin(spread.least, own); /* fmin and fmax leave NaN out */
        spread.most = fmax(spread.most, own);
        ws_mean_add(&mean, own);
    }
    spread.mean = ws_mean_geometric(&mean);
    return spread;
}

static double speedup(const struct ws_question *question, size_t application)
{
    return ws_application_speedup(question->target->paper, question->measures, application, question->point,
                                  ws_measures_point(question->measures, question->target->versus));
}

enum ws_status ws_answer_improvement(const struct ws_question *question, double *ours, struct ws_error *error)
{
    (void)error;
    *ours = ws_gain_percent(over_key(question, speedup).mean);
    return WS_STATUS_ok;
}

enum ws_status ws_answer_most(const struct ws_question *question, double *ours, struct ws_error *error)
{
    (void)error;
    *ours = ws_gain_percent(over_key(question, speedup).most);
    return WS_STATUS_ok;
}

static double rewritten(const struct ws_question *question, size_t application)
{
    return ws_application_rewritten(question->target->paper, question->measures, application, REWRITTEN, question->point,
                                    ws_measures_point(question->measures, question->target->versus));
}

enum ws_status ws_answer_rewritten(const struct ws_question *question, double *ours, struct ws_error *error)
{
    (void)error;
    *ours = ws_gain_percent(over_key(question, rewritten).mean);
    return WS_STATUS_ok;
}

static double ipc(const struct ws_question *question, size_t application)
{
    return ws_application_ipc(question->target->paper, question->measures, application, question->point);
}

enum ws_status ws_answer_application_ipc(const struct ws_question *question, double *ours, struct ws_error *error)
{
    (void)error;
    *ours = over_key(question, ipc).mean;
    return WS_STATUS_ok;
}

static double given_out(const struct ws_question *question, size_t application)
{
    struct ws_allocation allocation;
    return ws_application_allocation(question->target->paper, question->measures, application, question->point, &allocation)
               ? allocation.share
               : (double)NAN;
}

enum ws_status ws_answer_unused(const struct ws_question *question, double *ours, struct ws_error *error)
{
    (void)error;
    *ours = -ws_gain_percent(over_key(question, given_out).mean);
    return WS_STATUS_ok;
}

static double divergence(const struct ws_question *question, size_t application)
{
    return ws_application_rtru(question->target->paper, question->measures, application, question->point);
}

enum ws_status ws_answer_divergence(const struct ws_question *question, double *ours, struct ws_error *error)
{
    (void)error;
    *ours = over_key(question, divergence).mean;
    return WS_STATUS_ok;
}

enum ws_status ws_answer_least_divergence(const struct ws_question *question, double *ours, struct ws_error *error)
{
    (void)error;
    *ours = over_key(question, divergence).least;
    return WS_STATUS_ok;
}

static double row_accesses(const struct ws_question *question, size_t application)
{
    return ws_application_row_accesses(question->target->paper, question->measures, application, question->point);
}

enum ws_status ws_answer_row_accesses(const struct ws_question *question, double *ours, struct ws_error *error)
{
    (void)error;
    *ours = over_key(question, row_accesses).mean;
    return WS_STATUS_ok;
}

static double misses(const struct ws_question *question, size_t application)
{
    return ws_application_misses(question->target->paper, question->measures, application, question->point);
}

enum ws_status ws_answer_application_misses(const struct ws_question *question, double *ours, struct ws_error *error)
{
    (void)error;
    *ours = over_key(question, misses).mean;
    return WS_STATUS_ok;
}

static double at_once(const struct ws_question *question, size_t application)
{
    return ws_blocks_at_once(question->measures, application, question->point);
}

enum ws_status ws_answer_at_once(const struct ws_question *question, double *ours, struct ws_error *error)
{
    (void)error;
    *ours = over_key(question, at_once).most;
    return WS_STATUS_ok;
}
