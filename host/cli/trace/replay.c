#include "cli/trace/replay.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/table.h"
#include "warpsweep/machine.h"

const char *cli_first_path(u32 first_path)
{
    size_t count;
    const struct ws_choice *const choices = ws_choices(&count);
    for (size_t n = 0; n < count; n++)
        if (strcmp(choices[n].set, "first_path") == 0 && choices[n].value == first_path)
            return choices[n].name;
    return "";
}

enum ws_status cli_replay(const char *file, struct ws_trace *trace, struct ws_nvbit_report *report, struct ws_error *error)
{
    const struct ws_launch *const launch = ws_trace_launch(trace);
    /* Import options that replaced header fields still apply; the architecture does not matter here. */
    const struct ws_nvbit_options options = {
        WS_STRUCT(nvbit_options), .registers = launch->registers, .shared_bytes = launch->shared_bytes,
        .replaces_shared = true,  .binary_version = 80,           .go_on = cli_should_continue};
    struct ws_nvbit *nvbit;
    if (!file && !ws_nvbit_names(launch->source))
        return ws_fail(error, WS_STATUS_usage, "the trace was made of %s; --check needs a trace made by trace import",
                       launch->source);
    enum ws_status status = ws_nvbit_open(file ? file : launch->source, &options, &nvbit, error);
    if (status != WS_STATUS_ok && !file) {
        ws_fail_in(error, "the file that the trace was made of (--source FILE names another): ");
        return status;
    }
    WS_THEN(status, ws_nvbit_check(nvbit, trace, report, error));
    ws_nvbit_close(nvbit);
    return status;
}

static struct cli_table table_of(const struct ws_nvbit_report *report)
{
    struct cli_table table = {.columns = {"first_path", "missing", "added", "first_difference"}};
    for (u32 n = 0; n < WS_FIRST_PATHS; n++) {
        const struct ws_nvbit_replay *const replay = &report->replays[n];
        cli_table_text(&table, cli_first_path(n));
        cli_table_number(&table, replay->missing);
        cli_table_number(&table, replay->added);
        cli_table_text(&table, *replay->first ? replay->first : "none");
    }
    return table;
}

void cli_replay_text(const struct ws_nvbit_report *report, struct ws_text *out)
{
    struct cli_table table = table_of(report);
    ws_text_add(out,
                "\n%" PRIu64 " warp instructions were recorded; replayed in warps of 32 that reconverge at post-dominators:\n\n",
                report->warp_instructions);
    cli_table_print(&table, out);
    cli_table_free(&table);
}

void cli_replay_json(const struct ws_nvbit_report *report, struct ws_json *json)
{
    struct cli_table table = table_of(report);
    ws_json_object(json, "check");
    ws_json_unsigned(json, "warp_instructions", report->warp_instructions);
    cli_table_json(&table, "replays", json);
    ws_json_end_object(json);
    cli_table_free(&table);
}
