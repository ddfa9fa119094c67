/* How far a followed sweep is: the script that its page looks at. */
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/inputs.h"
#include "base/output.h"
#include "page/page.h"
#include "warpsweep/report.h"

static u64 milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (u64)now.tv_sec * 1000 + (u64)now.tv_nsec / 1000000;
}

/* `looked` differs from one script to the next, so that pages notice when the program no longer writes. */
static void describe(struct ws_text *out, const struct ws_report_progress *progress)
{
    struct ws_text text = {0};
    struct ws_json json = {.text = &text, .flat = true};
    ws_json_object(&json, NULL);
    ws_json_unsigned(&json, "version", progress->version);
    ws_json_unsigned(&json, "looked", milliseconds());
    ws_json_unsigned(&json, "done", progress->done);
    ws_json_unsigned(&json, "wanted", progress->wanted);
    ws_json_real(&json, "rate", progress->rate);
    ws_json_real(&json, "left", progress->left);
    ws_json_text(&json, "words", progress->words);
    ws_json_bool(&json, "ended", progress->ended);
    ws_json_end_object(&json);
    ws_text_add(out, "%swarpsweepProgress(%s);\n", WS_PAGE_FOLLOW_MARK, text.failed ? "" : text.data);
    out->failed = out->failed || text.failed;
    ws_text_free(&text);
}

static enum ws_status write_progress(const char *path, const struct ws_report_progress *progress, struct ws_error *error)
{
    struct ws_text text = {0};
    describe(&text, progress);
    const enum ws_status status =
        text.failed ? ws_no_memory(error) : ws_output_write(path, WS_OUTPUT_follow, text.data, text.length, error);
    ws_inputs_forget(path); /* the file is being rewritten */
    ws_text_free(&text);
    return status;
}

enum ws_status ws_report_progress(const char *folder, const struct ws_report_progress *progress, struct ws_error *error)
{
    struct ws_text path = {0}, data = {0};
    WS_TRY(WS_STRUCT_CHECK(report_progress, progress, error));
    ws_text_add(&path, "%s/progress.js", folder);
    ws_text_add(&data, "%s/data.js", folder);
    enum ws_status status = path.failed || data.failed ? ws_no_memory(error) : write_progress(path.data, progress, error);
    if (status == WS_STATUS_ok && progress->ended && access(data.data, F_OK) == 0) {
        status = ws_output_check(data.data, WS_OUTPUT_follow, 0, error);
        if (status == WS_STATUS_ok)
            unlink(data.data);
    }
    ws_text_free(&path);
    ws_text_free(&data);
    return status;
}
