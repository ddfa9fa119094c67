#include "base/error.h"
#include "config/experiment/draft.h"

static enum ws_status read_point(const struct ws_yaml *node, const struct draft *base, const struct expansion *expansion,
                                 struct ws_error *error)
{
    static const char *const keys[] = {"label", "set", "frontend", "baseline", NULL};
    const struct ws_yaml *label;
    const char *text, *baseline;
    struct draft draft = *base;
    WS_TRY(ws_yaml_expect_keys(node, keys, error));
    WS_TRY(ws_yaml_need(node, "label", &label, error));
    WS_TRY(ws_yaml_text(label, &text, error));
    WS_TRY(ws_yaml_optional_text(ws_yaml_get(node, "baseline"), &baseline, error));
    WS_TRY(draft_set_all(&draft, ws_yaml_get(node, "set"), error));
    WS_TRY(draft_set_frontend(&draft, ws_yaml_get(node, "frontend"), error));
    return draft_append(&draft, text, baseline, node, expansion, error);
}

enum ws_status list_append(const struct draft *base, const struct ws_yaml *points, const struct expansion *expansion,
                           struct ws_error *error)
{
    if (!points)
        return WS_STATUS_ok;
    WS_TRY(ws_yaml_expect(points, WS_YAML_SEQUENCE, error));
    for (const struct ws_yaml *item = points->first; item; item = item->next)
        WS_TRY(read_point(item, base, expansion, error));
    return WS_STATUS_ok;
}
