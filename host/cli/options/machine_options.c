#include "cli/options/machine_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const struct argp_option options[] = {
    {"set", 's', "KEY=VALUE", 0, "override parameter, such as divergence.unit=lwm; may be repeated", 5}, {0}};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct cli_machine *const machine = state->input;
    if (key != 's')
        return ARGP_ERR_UNKNOWN;
    machine->overrides[machine->override_count++] = argument;
    return 0;
}

const struct argp cli_set_argp = {.options = options, .parser = parse};

const char **cli_override_room(int argc)
{
    return calloc((size_t)argc, sizeof(const char *));
}

enum ws_status cli_machine_load(const struct cli_machine *arguments, struct ws_machine_file *file, struct ws_error *error)
{
    WS_TRY(ws_machine_load(arguments->name, file, error));
    for (size_t n = 0; n < arguments->override_count; n++) {
        if (ws_machine_override(file, arguments->overrides[n], error) != WS_STATUS_ok)
            return ws_fail_in(error, "--set: ");
    }
    if (ws_machine_check(&file->machine, error) != WS_STATUS_ok)
        return ws_fail_in(error, "%s: ", arguments->name);
    return WS_STATUS_ok;
}

void cli_warn_unread(const struct ws_machine_file *file)
{
    size_t count;
    char text[160];
    ws_parameters(&count);
    for (size_t n = 0; n < count; n++)
        if (strcmp(file->source[n], "override") == 0 && ws_machine_unread_text(&file->machine, n, text, sizeof text))
            fprintf(stderr, "warpsweep: warning: %s\n", text);
}
