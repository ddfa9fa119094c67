#include "report/figures.h"

#include <string.h>

#include "base/error.h"
#include "base/text.h"

static const struct ws_figure figures[] = {
#define FIGURE(paper_, name_, experiment_, kind_, point_, title_, source_, over_)                                                  \
    {.paper = #paper_,                                                                                                             \
     .name = #name_,                                                                                                               \
     .experiment = (experiment_),                                                                                                  \
     .kind = WS_FIGURE_##kind_,                                                                                                    \
     .point = (point_),                                                                                                            \
     .title = (title_),                                                                                                            \
     .source = (source_),                                                                                                          \
     .over = (over_)},
#include "report/figures.def"
#undef FIGURE
};

/* Whether a paper is asked for with the figures of a kind. */
static const bool standard_kinds[WS_FIGURE_KINDS] = {
#define KIND(name, standard, doc) [WS_FIGURE_##name] = (standard),
#include "warpsweep/figure_kinds.def"
#undef KIND
};

static const struct ws_target targets[] = {
#define TARGET(paper_, figure_, where_, metric_, configuration_, versus_, value_, unit_, kind_, point_, key_)                      \
    {.paper = #paper_,                                                                                                             \
     .figure = #figure_,                                                                                                           \
     .where = (where_),                                                                                                            \
     .metric = (metric_),                                                                                                          \
     .configuration = (configuration_),                                                                                            \
     .versus = (versus_),                                                                                                          \
     .unit = (unit_),                                                                                                              \
     .value = (value_),                                                                                                            \
     .kind = WS_TARGET_##kind_,                                                                                                    \
     .point = (point_),                                                                                                            \
     .key = (key_)},
#include "report/targets.def"
#undef TARGET
};

const struct ws_figure *ws_figures(size_t *count)
{
    *count = sizeof figures / sizeof *figures;
    return figures;
}

const struct ws_target *ws_targets(size_t *count)
{
    *count = sizeof targets / sizeof *targets;
    return targets;
}

bool ws_target_of(const struct ws_target *target, const struct ws_figure *figure)
{
    return strcmp(target->paper, figure->paper) == 0 && strcmp(target->figure, figure->name) == 0;
}

bool ws_figure_meant(const struct ws_figure *figure, const char *what)
{
    const size_t length = strlen(figure->paper);
    if (strncmp(what, figure->paper, length) != 0)
        return false;
    if (!what[length])
        return standard_kinds[figure->kind];
    return what[length] == '/' && strcmp(what + length + 1, figure->name) == 0;
}

enum ws_status ws_figures_check(const char *what, struct ws_error *error)
{
    struct ws_text names = {0};
    size_t count;
    const struct ws_figure *const figure = ws_figures(&count);
    for (size_t n = 0; n < count; n++) {
        if (ws_figure_meant(&figure[n], what)) {
            ws_text_free(&names);
            return WS_STATUS_ok;
        }
        ws_text_add(&names, "%s%s/%s", n ? ", " : "", figure[n].paper, figure[n].name);
    }
    ws_fail(error, WS_STATUS_usage, "%s: no such paper or figure; there are %s", what, names.failed ? "" : names.data);
    ws_text_free(&names);
    return WS_STATUS_usage;
}
