#include "cli/compile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "embedded/cli_cl2ptx.h"
#include "embedded/cli_prelude.h"

enum { MOST_PTX_BYTES = 64 << 20 };

/* Where one compilation has its files. */
struct job {
    struct ws_text folder, script, prelude, output;
};

static enum ws_status make_folder(struct job *job, struct ws_error *error)
{
    const char *const parent = getenv("TMPDIR");
    ws_text_add(&job->folder, "%s/warpsweep-XXXXXX", parent && *parent ? parent : "/tmp");
    if (!job->folder.failed && !mkdtemp(job->folder.data)) {
        const int cause = errno;
        ws_text_free(&job->folder);
        return ws_fail(error, WS_STATUS_no_file, "no temporary folder can be made: %s", strerror(cause));
    }
    ws_text_add(&job->script, "%s/cl2ptx", job->folder.data);
    ws_text_add(&job->prelude, "%s/cl2ptx.h", job->folder.data);
    ws_text_add(&job->output, "%s/kernel.ptx", job->folder.data);
    if (job->folder.failed || job->script.failed || job->prelude.failed || job->output.failed)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory");
    return WS_STATUS_ok;
}

/* tools/cl2ptx, which finds its prelude beside it. */
static enum ws_status run_script(const struct job *job, const char *source, struct ws_error *error)
{
    const char *const words[] = {"sh", job->script.data, source, job->output.data, "-cl-kernel-arg-info", "-gline-directives-only",
                                 NULL};
    int code;
    WS_TRY(ws_file_write(job->script.data, cli_cl2ptx, cli_cl2ptx_length, error));
    WS_TRY(ws_file_write(job->prelude.data, cli_prelude, cli_prelude_length, error));
    const enum ws_status status = ws_process_run(words, &code, error);
    if (status == WS_STATUS_no_file || (status == WS_STATUS_ok && code != 0))
        return ws_fail(error, status == WS_STATUS_ok ? WS_STATUS_bad_input : status, "%s: cannot be compiled", source);
    return status == WS_STATUS_ok ? status : ws_fail_in(error, "%s: ", source);
}

static void clean_up(struct job *job)
{
    struct ws_text *const files[] = {&job->script, &job->prelude, &job->output};
    for (size_t n = 0; n < sizeof files / sizeof *files; n++) {
        if (files[n]->data)
            unlink(files[n]->data);
        ws_text_free(files[n]);
    }
    if (job->folder.data)
        rmdir(job->folder.data);
    ws_text_free(&job->folder);
}

enum ws_status cli_compile(const char *source, char **ptx, size_t *length, struct ws_error *error)
{
    struct job job = {0};
    if (access(source, R_OK) != 0)
        return ws_fail(error, WS_STATUS_no_file, "%s: cannot be read: %s", source, strerror(errno));
    enum ws_status status = make_folder(&job, error);
    if (status == WS_STATUS_ok)
        status = run_script(&job, source, error);
    if (status == WS_STATUS_ok)
        status = ws_file_read(job.output.data, MOST_PTX_BYTES, ptx, length, error);
    clean_up(&job);
    return status;
}
