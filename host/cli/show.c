#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/documents/json.h"
#include "cli/cli.h"
#include "cli/options/machine_options.h"

enum { LONGEST_VALUE = 32, COMMENT_COLUMN = 30 };

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct cli_machine *const machine = state->input;
    if (key != ARGP_KEY_INIT)
        return cli_take_argument(key, argument, state, "machine", &machine->name);
    state->child_inputs[0] = machine;
    return 0;
}

static void add_header(struct ws_text *out, const char *key, const char *value)
{
    if (!*value)
        return;
    ws_text_add(out, "%s: ", key);
    ws_json_quote(out, value);
    ws_text_add(out, "\n");
}

/* "  warp_size: 32              # narasiman2011.yaml:9", below its group's line. */
static void add_parameter(struct ws_text *out, const struct ws_parameter *row, const char *group, const char *value,
                          const char *source)
{
    const char *const name = strchr(row->key, '.') + 1;
    const size_t group_length = (size_t)(name - row->key) - 1;
    if (!group || strncmp(group, row->key, group_length + 1) != 0)
        ws_text_add(out, "\n%.*s:\n", (int)group_length, row->key);
    const int used = (int)(strlen(name) + strlen(value)) + 4;
    ws_text_add(out, "  %s: %s%*s# %s\n", name, value, used < COMMENT_COLUMN ? COMMENT_COLUMN - used : 1, "", source);
}

static void show(const struct ws_machine_file *file, struct ws_text *out)
{
    size_t count;
    const struct ws_parameter *const parameters = ws_parameters(&count);
    char value[LONGEST_VALUE];
    add_header(out, "name", file->name);
    add_header(out, "about", file->about);
    if (file->sms > 0)
        ws_text_add(out, "sms: %u\n", file->sms);
    for (size_t n = 0; n < count; n++) {
        ws_machine_get(&file->machine, n, value, sizeof value);
        add_parameter(out, &parameters[n], n > 0 ? parameters[n - 1].key : NULL, value, file->source[n]);
    }
}

static const struct argp_child children[] = {{&cli_set_argp, 0, NULL, 0}, {0}};

const struct argp cli_show_argp = {.parser = parse,
                                   .args_doc = "MACHINE",
                                   .doc = "Print a machine, a YAML file or bundled name, with its overrides, as a machine file. "
                                          "The comment at each value is its source: FILE:LINE, override or default.",
                                   .children = children};

int cli_show(int argc, char **argv)
{
    struct cli_machine arguments = {.overrides = cli_override_room(argc)};
    struct ws_machine_file file;
    struct ws_error error = {.status = WS_STATUS_no_memory, .message = "out of memory"};
    if (!arguments.overrides)
        return cli_fail(&error);
    argp_parse(&cli_show_argp, argc, argv, 0, NULL, &arguments);
    const enum ws_status status = cli_machine_load(&arguments, &file, &error);
    free(arguments.overrides);
    if (status != WS_STATUS_ok)
        return cli_fail(&error);
    struct ws_text out = {0};
    show(&file, &out);
    return cli_print(&out);
}
