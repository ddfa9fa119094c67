/* How targets are answered: a function for each row of target_kinds.def. */
#ifndef WS_REPORT_QUESTION_H
#define WS_REPORT_QUESTION_H

#include "report/measures.h"

struct ws_question {
    struct ws_results *results;
    const char *experiment;
    const struct ws_measures *measures;
    const struct ws_target *target;
    size_t point; /* the target's, or measures->points */
};

/* Finds ours; *ours is NaN before, and stays so where it cannot be told. */
typedef enum ws_status ws_answer_function(const struct ws_question *question, double *ours, struct ws_error *error);
#define TARGET_KIND(name, format, difference, doc) ws_answer_function ws_answer_##name;
#include "report/target_kinds.def"
#undef TARGET_KIND

#endif
