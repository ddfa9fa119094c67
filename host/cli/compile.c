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
#include "embedded/cli_prelude.h"

#define STANDARD_CLANG  "clang-14"
#define STANDARD_LIBCLC "/usr/lib/clc"
#define LIBRARY         "nvptx64--nvidiacl.bc"

enum { MOST_PTX_BYTES = 64 << 20 };

/* Names of everything that one compilation touches. */
struct job {
    const char *source, *clang;
    struct ws_text library, folder, prelude, output;
};

static const char *setting(const char *name, const char *standard)
{
    const char *const value = getenv(name);
    return value && *value ? value : standard;
}

static enum ws_status make_folder(struct job *job, struct ws_error *error)
{
    ws_text_add(&job->library, "%s/%s", setting("LIBCLC", STANDARD_LIBCLC), LIBRARY);
    ws_text_add(&job->folder, "%s/warpsweep-XXXXXX", setting("TMPDIR", "/tmp"));
    if (job->library.failed || job->folder.failed)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory");
    if (access(job->library.data, R_OK) != 0)
        return ws_fail(error, WS_STATUS_no_file,
                       "%s: cannot be compiled: there is no %s; install libclc-14, or let LIBCLC name its folder", job->source,
                       job->library.data);
    if (!mkdtemp(job->folder.data)) {
        const int cause = errno;
        ws_text_free(&job->folder);
        return ws_fail(error, WS_STATUS_no_file, "no temporary folder can be made: %s", strerror(cause));
    }
    ws_text_add(&job->prelude, "%s/prelude.h", job->folder.data);
    ws_text_add(&job->output, "%s/kernel.ptx", job->folder.data);
    if (job->prelude.failed || job->output.failed)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory");
    return WS_STATUS_ok;
}

/* Every call is inlined; the header and library are libclc's. */
static enum ws_status run_clang(const struct job *job, struct ws_error *error)
{
    const char *const words[] = {job->clang,
                                 "-x",
                                 "cl",
                                 "-cl-std=CL1.2",
                                 "-target",
                                 "nvptx64--nvidiacl",
                                 "-Xclang",
                                 "-target-cpu",
                                 "-Xclang",
                                 "sm_70",
                                 "-O2",
                                 "-Xclang",
                                 "-finclude-default-header",
                                 "-include",
                                 job->prelude.data,
                                 "-Xclang",
                                 "-mlink-builtin-bitcode",
                                 "-Xclang",
                                 job->library.data,
                                 "-mllvm",
                                 "-inline-threshold=1000000",
                                 "-S",
                                 job->source,
                                 "-o",
                                 job->output.data,
                                 NULL};
    int code;
    const enum ws_status status = ws_process_run(words, &code, error);
    if (status == WS_STATUS_no_file)
        return ws_fail(error, status, "%s: cannot be compiled: %s; install clang-14, or let CLANG name another", job->source,
                       error->message);
    if (status != WS_STATUS_ok)
        return ws_fail_in(error, "%s: ", job->source);
    if (code != 0)
        return ws_fail(error, WS_STATUS_bad_input, "%s: %s did not compile it", job->source, job->clang);
    return WS_STATUS_ok;
}

static void clean_up(struct job *job)
{
    if (job->prelude.data)
        unlink(job->prelude.data);
    if (job->output.data)
        unlink(job->output.data);
    if (job->folder.data)
        rmdir(job->folder.data);
    ws_text_free(&job->library);
    ws_text_free(&job->folder);
    ws_text_free(&job->prelude);
    ws_text_free(&job->output);
}

enum ws_status cli_compile(const char *source, char **ptx, size_t *length, struct ws_error *error)
{
    struct job job = {.source = source, .clang = setting("CLANG", STANDARD_CLANG)};
    if (access(source, R_OK) != 0)
        return ws_fail(error, WS_STATUS_no_file, "%s: cannot be read: %s", source, strerror(errno));
    enum ws_status status = make_folder(&job, error);
    if (status == WS_STATUS_ok)
        status = ws_file_write(job.prelude.data, cli_prelude, cli_prelude_length, error);
    if (status == WS_STATUS_ok)
        status = run_clang(&job, error);
    if (status == WS_STATUS_ok)
        status = ws_file_read(job.output.data, MOST_PTX_BYTES, ptx, length, error);
    clean_up(&job);
    return status;
}
