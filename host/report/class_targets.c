/* Ours beside what a paper reports of classes of applications (classes.def). */
#include <math.h>
#include <stdint.h>

#include "report/classes.h"
#include "report/question.h"
#include "report/statistics.h"
#include "report/storage.h"
#include "report/totals.h"

/* The class mean of a number at the target's point over that at versus. */
static double ratio(const struct ws_question *question, ws_application_number *number)
{
    const struct ws_target *const target = question->target;
    const struct ws_measures *const measures = question->measures;
    const size_t other = ws_measures_point(measures, target->versus);
    const size_t group = *target->key ? ws_class_named(target->paper, measures, target->key) : 0;
    if (question->point == measures->points || other == measures->points || group == SIZE_MAX)
        return (double)NAN;
    return ws_class_mean(target->paper, measures, group, number, question->point) /
           ws_class_mean(target->paper, measures, group, number, other);
}

#define ANSWER(kind, expression)                                                                                                   \
    enum ws_status ws_answer_##kind(const struct ws_question *question, double *ours, struct ws_error *error)                      \
    {                                                                                                                              \
        (void)error;                                                                                                               \
        *ours = (expression);                                                                                                      \
        return WS_STATUS_ok;                                                                                                       \
    }
ANSWER(class_gain, ws_gain_percent(ratio(question, ws_application_performance)))
ANSWER(class_loss, -ws_gain_percent(ratio(question, ws_application_performance)))
ANSWER(class_kept, 100 * ratio(question, ws_application_performance))
ANSWER(class_more_fetches, ws_gain_percent(ratio(question, ws_application_fetches)))
ANSWER(class_fewer_fetches, -ws_gain_percent(ratio(question, ws_application_fetches)))
