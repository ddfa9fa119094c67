#include "cli/timeline.h"

#include <inttypes.h>

#include "base/error.h"

static const char *const kinds[] = {"issue", "idle", "scoreboard", "pipeline"};

enum { ISSUE = 0, KINDS = sizeof kinds / sizeof *kinds };

enum ws_status cli_timeline_open(struct ws_output *output, const char *path, struct ws_error *error)
{
    WS_TRY(ws_output_open(output, path, error));
    fputs("cycle,cycles,kind,warp,pc,lanes\n", output->stream);
    return WS_STATUS_ok;
}

void cli_timeline_write(struct ws_output *output, const struct ws_timeline_event *event)
{
    fprintf(output->stream, "%" PRIu64 ",%" PRIu32 ",%s,", event->cycle, event->cycles,
            event->kind < KINDS ? kinds[event->kind] : "unknown");
    if (event->kind == ISSUE)
        fprintf(output->stream, "%" PRIu32 ",%" PRIu32 ",0x%08" PRIx32 "\n", event->warp, event->pc, event->lanes);
    else
        fputs(",,\n", output->stream);
}
