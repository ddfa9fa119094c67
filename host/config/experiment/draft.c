#include "config/experiment/draft.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { LONGEST_VALUE = 32 };

/* ---- Setting ---- */

void draft_put(struct draft *draft, size_t parameter, u32 value)
{
    config_put(&draft->machine, parameter, value);
    draft->set[parameter] = true;
}

enum ws_status draft_set_parameter(struct draft *draft, size_t parameter, const struct ws_yaml *value, struct ws_error *error)
{
    const char *text;
    u32 number;
    WS_TRY(ws_yaml_text(value, &text, error));
    if (config_parse(parameter, text, &number, error) != WS_STATUS_ok)
        return ws_yaml_at(value, error);
    draft_put(draft, parameter, number);
    return WS_STATUS_ok;
}

static enum ws_status set_member(void *context, size_t parameter, const struct ws_yaml *value, struct ws_error *error)
{
    return draft_set_parameter(context, parameter, value, error);
}

enum ws_status draft_set_all(struct draft *draft, const struct ws_yaml *mapping, struct ws_error *error)
{
    if (!mapping)
        return WS_STATUS_ok;
    return config_each(mapping, set_member, draft, error);
}

enum ws_status draft_refuse_set(const struct draft *base, size_t parameter, const struct ws_yaml *place,
                                const struct expansion *expansion, struct ws_error *error)
{
    char value[LONGEST_VALUE];
    size_t count;
    if (!base->set[parameter] || !expansion->alone)
        return WS_STATUS_ok;
    ws_machine_get(&base->machine, parameter, value, sizeof value);
    return ws_yaml_fail(place, error, "%s is set to %s, too, without effect, as the values here win; leave one of the two out",
                        ws_parameters(&count)[parameter].key, value);
}

#define SIZE(size, name) name,
static const char *const sizes[] = {WS_SIZE_TABLE(SIZE, ) NULL};
#undef SIZE

/* Sets size and seed from their nodes; NULL leaves one unchanged. */
static enum ws_status set_inputs(struct ws_frontend_overrides *frontend, const struct ws_yaml *size, const struct ws_yaml *seed,
                                 struct ws_error *error)
{
    if (size) {
        size_t index;
        WS_TRY(ws_yaml_choice(size, sizes, &index, error));
        frontend->size = (enum ws_size)index;
        frontend->sets_size = true;
    }
    if (seed) {
        uint64_t number;
        WS_TRY(ws_yaml_unsigned(seed, 0, UINT64_MAX, &number, error));
        frontend->seed = number;
        frontend->sets_seed = true;
    }
    return WS_STATUS_ok;
}

enum ws_status draft_set_frontend(struct draft *draft, const struct ws_yaml *mapping, struct ws_error *error)
{
    static const char *const keys[] = {"if_convert", "guarded_moves", "lockstep", "size", "seed", NULL};
    struct ws_frontend_overrides *const frontend = &draft->frontend;
    if (!mapping)
        return WS_STATUS_ok;
    WS_TRY(ws_yaml_expect_keys(mapping, keys, error));
    const struct ws_yaml *const convert = ws_yaml_get(mapping, "if_convert"), *const moves = ws_yaml_get(mapping, "guarded_moves");
    if (convert) {
        uint64_t number;
        WS_TRY(ws_yaml_unsigned(convert, 0, UINT32_MAX, &number, error));
        frontend->if_convert = (u32)number;
        frontend->sets_if_convert = true;
    }
    if (moves) {
        WS_TRY(ws_yaml_bool(moves, &frontend->guarded_moves, error));
        frontend->sets_guarded_moves = true;
    }
    const struct ws_yaml *const lockstep = ws_yaml_get(mapping, "lockstep");
    if (lockstep) {
        uint64_t number;
        WS_TRY(ws_yaml_unsigned(lockstep, 1, WS_MOST_LOCKSTEP, &number, error));
        frontend->lockstep = (u32)number;
        frontend->sets_lockstep = true;
    }
    return set_inputs(frontend, ws_yaml_get(mapping, "size"), ws_yaml_get(mapping, "seed"), error);
}

/* ---- Labels and baselines ---- */

static void add_value(struct ws_text *text, const struct ws_machine *machine, size_t parameter)
{
    char value[LONGEST_VALUE];
    ws_machine_get(machine, parameter, value, sizeof value);
    ws_text_add(text, "%s", value);
}

static void add_assignment(struct ws_text *text, const struct draft *draft, size_t parameter)
{
    size_t count;
    ws_text_add(text, "%s%s=", text->length > 0 ? " " : "", ws_parameters(&count)[parameter].key);
    add_value(text, &draft->machine, parameter);
}

static char *overrides_text(const struct draft *draft)
{
    struct ws_text text = {0};
    ws_text_bytes(&text, "", 0);
    for (size_t n = 0; n < PARAMETERS; n++)
        if (draft->set[n])
            add_assignment(&text, draft, n);
    if (text.failed)
        ws_text_free(&text);
    return text.data;
}

char *draft_frontend_text(const struct ws_frontend_overrides *frontend)
{
    struct ws_text text = {0};
    ws_text_bytes(&text, "", 0);
    if (frontend->sets_if_convert)
        ws_text_add(&text, "if_convert=%u", frontend->if_convert);
    if (frontend->sets_guarded_moves)
        ws_text_add(&text, "%sguarded_moves=%s", text.length > 0 ? " " : "", frontend->guarded_moves ? "true" : "false");
    if (frontend->sets_lockstep)
        ws_text_add(&text, "%slockstep=%u", text.length > 0 ? " " : "", frontend->lockstep);
    if (frontend->sets_size)
        ws_text_add(&text, "%ssize=%s", text.length > 0 ? " " : "", sizes[frontend->size]);
    if (frontend->sets_seed)
        ws_text_add(&text, "%sseed=%" PRIu64, text.length > 0 ? " " : "", frontend->seed);
    if (text.failed)
        ws_text_free(&text);
    return text.data;
}

/* "LABEL", or in a variation "VARIATION: LABEL". */
static char *full_label(const char *variation, const char *label)
{
    struct ws_text text = {0};
    ws_text_add(&text, "%s%s%s", variation ? variation : "", variation ? ": " : "", label);
    if (text.failed)
        ws_text_free(&text);
    return text.data;
}

/* ---- Appending ---- */

/* Makes room for one more point; capacities are powers of two. */
static bool reserve(struct ws_experiment *experiment)
{
    const size_t count = experiment->point_count;
    if (count > 0 && (count & (count - 1)) != 0)
        return true;
    struct ws_point *const points = realloc(experiment->points, (count == 0 ? 1 : 2 * count) * sizeof *points);
    if (points)
        experiment->points = points;
    return points != NULL;
}

/* Notes the parameters that the next point sets, and whether it reads them. */
static bool note_set(struct ws_experiment *experiment, const struct draft *draft)
{
    if (!experiment->set)
        experiment->set = calloc(PARAMETERS, sizeof *experiment->set);
    for (size_t n = 0; experiment->set && n < PARAMETERS; n++) {
        if (!draft->set[n])
            continue;
        if (ws_machine_unread(&draft->machine, n) == PARAMETERS)
            experiment->set[n] = (u32)WS_SET_READ;
        else if (experiment->set[n] == 0)
            experiment->set[n] = (u32)experiment->point_count + 1;
    }
    return experiment->set != NULL;
}

static enum ws_status is_wanted(const struct draft *draft, const struct expansion *expansion, bool *wanted, struct ws_error *error)
{
    *wanted = true;
    if (!expansion->constraints)
        return WS_STATUS_ok;
    for (const struct ws_yaml *node = expansion->constraints->first; node; node = node->next) {
        bool holds = true;
        WS_TRY(constraint_holds(node, &draft->machine, &holds, error));
        *wanted = *wanted && holds;
    }
    return WS_STATUS_ok;
}

/* Adds the template with keys in braces replaced by the parameters' values. */
static enum ws_status fill_in(const struct ws_yaml *template, const struct draft *draft, struct ws_text *label,
                              struct ws_error *error)
{
    for (const char *rest = template->text; *rest;) {
        const size_t plain = strcspn(rest, "{");
        ws_text_bytes(label, rest, plain);
        rest += plain;
        const size_t length = strcspn(rest, "}");
        char key[64] = "";
        if (!*rest)
            break;
        if (!rest[length])
            return ws_yaml_fail(template, error, "found '%s', whose brace is not closed; write {KEY}", template->text);
        snprintf(key, sizeof key, "%.*s", (int)length - 1, rest + 1);
        const size_t parameter = config_find(key);
        if (parameter == PARAMETERS) {
            config_unknown(key, error);
            ws_fail_in(error, "%s: ", template->key);
            return ws_yaml_at(template, error);
        }
        add_value(label, &draft->machine, parameter);
        rest += length + 1;
    }
    return label->failed ? ws_yaml_no_memory(template, error) : WS_STATUS_ok;
}

/* The point's own baseline, else the expansion's, as text owned by the caller; NULL for none. */
static enum ws_status find_baseline(const struct draft *draft, const char *own, const struct ws_yaml *place,
                                    const struct expansion *expansion, char **baseline, struct ws_error *error)
{
    struct ws_text text = {0};
    *baseline = NULL;
    if (!own && !expansion->baseline)
        return WS_STATUS_ok;
    if (own)
        ws_text_add(&text, "%s", own);
    const enum ws_status status = own ? WS_STATUS_ok : fill_in(expansion->baseline, draft, &text, error);
    if (status == WS_STATUS_ok && !text.failed) {
        *baseline = text.data;
        return status;
    }
    ws_text_free(&text);
    return status == WS_STATUS_ok ? ws_yaml_no_memory(place, error) : status;
}

enum ws_status draft_append(const struct draft *draft, const char *label, const char *baseline, const struct ws_yaml *place,
                            const struct expansion *expansion, struct ws_error *error)
{
    struct ws_experiment *const experiment = expansion->experiment;
    bool wanted;
    WS_TRY(is_wanted(draft, expansion, &wanted, error));
    experiment->skipped += !wanted;
    if (!wanted)
        return WS_STATUS_ok;
    if (experiment->point_count == MOST_POINTS)
        return ws_yaml_fail(place, error, "more than the %d points that are allowed; shorten axes, or use sample", MOST_POINTS);
    if (ws_machine_check(&draft->machine, error) != WS_STATUS_ok) {
        ws_fail_in(error, "point '%s': ", label);
        return ws_yaml_at(place, error);
    }
    if (!reserve(experiment) || !note_set(experiment, draft))
        return ws_yaml_no_memory(place, error);
    const struct ws_yaml *const named = baseline ? ws_yaml_get(place, "baseline") : expansion->baseline;
    char *against;
    WS_TRY(find_baseline(draft, baseline, place, expansion, &against, error));
    struct ws_point *const point = &experiment->points[experiment->point_count++];
    *point = (struct ws_point){
        .label = full_label(expansion->variation, label),
        .variation = strdup(expansion->variation ? expansion->variation : ""),
        .overrides = overrides_text(draft),
        .baseline = against,
        .frontend = draft_frontend_text(&draft->frontend),
        .frontend_overrides = draft->frontend,
        .machine = draft->machine,
        .line = place->line,
        .baseline_line = named ? named->line : 0,
    };
    const bool whole = point->label && point->variation && point->overrides && point->frontend;
    return whole ? WS_STATUS_ok : ws_yaml_no_memory(place, error);
}

enum ws_status draft_append_named(const struct draft *draft, const char *prefix, const size_t *parameters, size_t count,
                                  const struct ws_yaml *place, const struct expansion *expansion, struct ws_error *error)
{
    struct ws_text label = {0}, whole = {0};
    enum ws_status status = WS_STATUS_ok;
    if (expansion->label)
        status = fill_in(expansion->label, draft, &label, error);
    for (size_t n = 0; !expansion->label && n < count; n++)
        add_assignment(&label, draft, parameters[n]);
    ws_text_add(&whole, "%s%s", prefix, label.data ? label.data : "");
    if (status == WS_STATUS_ok)
        status = label.failed || whole.failed ? ws_yaml_no_memory(place, error)
                                              : draft_append(draft, whole.data, NULL, place, expansion, error);
    ws_text_free(&label);
    ws_text_free(&whole);
    return status;
}
