#include "config/bundled.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "warpsweep/experiment.h"
#include "warpsweep/machine.h"
#include "warpsweep/space.h"

#define BUNDLED(symbol, name, about)                                                                                               \
    extern const char symbol[];                                                                                                    \
    extern const size_t symbol##_length;
#include "bundled_machine.def"
#include "bundled_experiment.def"
#include "bundled_space.def"
#undef BUNDLED

struct bundled {
    const char *name, *text;
    const size_t *length;
};

#define BUNDLED(symbol, name, about) {name, symbol, &symbol##_length},
static const struct bundled machine_files[] = {
#include "bundled_machine.def"
};
static const struct bundled experiment_files[] = {
#include "bundled_experiment.def"
};
static const struct bundled space_files[] = {
#include "bundled_space.def"
};
#undef BUNDLED

#define BUNDLED(symbol, name, about) {name, about},
static const struct ws_machine_row machine_rows[] = {
#include "bundled_machine.def"
};
static const struct ws_experiment_row experiment_rows[] = {
#include "bundled_experiment.def"
};
static const struct ws_space_row space_rows[] = {
#include "bundled_space.def"
};
#undef BUNDLED

static const struct {
    const char *word, *listing;
    const struct bundled *files;
    size_t count;
} kinds[] = {
    [BUNDLED_MACHINE] = {"machine", "warpsweep list machines", machine_files, sizeof machine_files / sizeof *machine_files},
    [BUNDLED_EXPERIMENT] = {"experiment", "warpsweep list experiments", experiment_files,
                            sizeof experiment_files / sizeof *experiment_files},
    [BUNDLED_SPACE] = {"search", "warpsweep list searches", space_files, sizeof space_files / sizeof *space_files},
};

const struct ws_machine_row *ws_machines(size_t *count)
{
    *count = sizeof machine_rows / sizeof *machine_rows;
    return machine_rows;
}

const struct ws_experiment_row *ws_experiments(size_t *count)
{
    *count = sizeof experiment_rows / sizeof *experiment_rows;
    return experiment_rows;
}

const struct ws_space_row *ws_spaces(size_t *count)
{
    *count = sizeof space_rows / sizeof *space_rows;
    return space_rows;
}

static const struct bundled *find(enum bundled_kind kind, const char *name)
{
    for (size_t n = 0; n < kinds[kind].count; n++) {
        if (strcmp(kinds[kind].files[n].name, name) == 0)
            return &kinds[kind].files[n];
    }
    return NULL;
}

bool config_is_bundled(enum bundled_kind kind, const char *name)
{
    return find(kind, name) != NULL;
}

static enum ws_status unknown_name(enum bundled_kind kind, const char *name, struct ws_error *error)
{
    struct ws_names names = {.nearest = {.word = name}, .listing = kinds[kind].listing};
    for (size_t n = 0; n < kinds[kind].count; n++)
        ws_names_offer(&names, kinds[kind].files[n].name);
    const enum ws_status status =
        ws_fail(error, WS_STATUS_no_file, "found '%s', which is no file and no bundled %s; bundled are %s", name, kinds[kind].word,
                ws_names_text(&names));
    ws_names_free(&names);
    return status;
}

enum ws_status config_load_yaml(enum bundled_kind kind, const char *file_or_name, struct ws_yaml **root, struct ws_error *error)
{
    *root = NULL;
    const struct bundled *const bundled = find(kind, file_or_name);
    if (!bundled && !strpbrk(file_or_name, "./") && access(file_or_name, F_OK) != 0)
        return unknown_name(kind, file_or_name, error);
    if (!bundled)
        return ws_yaml_load(file_or_name, root, error);
    char name[128];
    snprintf(name, sizeof name, "%s.yaml", file_or_name);
    return ws_yaml_parse(name, bundled->text, *bundled->length, root, error);
}
