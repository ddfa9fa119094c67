#include "cli/sweep/sweep_watch.h"

#include "cli/cli.h"

static void note(void *context, const char *text)
{
    cli_progress_note(context, text);
}

static bool show(void *context, const struct ws_sweep_progress *progress)
{
    const struct cli_done done = {progress->done, progress->jobs, progress->failed, progress->warp_instructions, progress->share};
    if (progress->jobs > 0)
        cli_progress_show(context, &done);
    return !cli_interrupted();
}

struct ws_sweep_watch cli_sweep_watch_start(struct cli_progress *progress)
{
    cli_catch_interrupt();
    cli_progress_start(progress);
    return (struct ws_sweep_watch){.context = progress, .note = note, .progress = show};
}
