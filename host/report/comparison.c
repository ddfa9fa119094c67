#include <math.h>
#include <string.h>

#include "report/render.h"

static const struct {
    const char *value, *difference;
} formats[] = {
#define TARGET_KIND(name, format, difference, doc) [WS_TARGET_##name] = {format, difference},
#include "report/target_kinds.def"
#undef TARGET_KIND
};

const char *ws_target_format(const struct ws_target *target)
{
    return formats[target->kind].value;
}

const char *ws_target_format_difference(const struct ws_target *target)
{
    return formats[target->kind].difference;
}

double ws_shown_paper_value(const struct ws_shown *shown, enum ws_target_kind kind, size_t point, const char *key)
{
    size_t count;
    const struct ws_target *const target = ws_targets(&count);
    for (size_t n = 0; n < count; n++)
        if (target[n].kind == kind && strcmp(target[n].paper, shown->figure->paper) == 0 &&
            strcmp(target[n].point, ws_measures_name(shown->measures, point)) == 0 && strcmp(target[n].key, key) == 0)
            return target[n].value;
    return (double)NAN;
}

static double rounded(double value)
{
    return round(value * 1000) / 1000;
}

void ws_render_rows(struct ws_json *json, const struct ws_shown *shown)
{
    for (size_t n = 0; n < shown->comparison_count; n++) {
        const struct ws_target *const target = shown->comparisons[n].target;
        ws_json_object(json, NULL);
        ws_json_text(json, "where", target->where);
        ws_json_text(json, "metric", target->metric);
        ws_json_text(json, "configuration", target->configuration);
        ws_json_text(json, "versus", target->versus);
        ws_json_real(json, "paper", target->value);
        ws_json_real(json, "ours", rounded(shown->comparisons[n].ours));
        ws_json_text(json, "unit", target->unit);
        ws_json_end_object(json);
    }
}
