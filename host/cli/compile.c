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
#include "embedded/cli_atomics.h"
#include "embedded/cli_cl2ptx.h"
#include "embedded/cli_groups.h"
#include "embedded/cli_images.h"
#include "embedded/cli_prelude.h"

enum { MOST_PTX_BYTES = 64 << 20, MOST_WORDS = 10 };

/* tools/cl2ptx and what it includes, which it finds beside it. */
static const struct {
    const char *name;
    const char *data;
    const size_t *length;
} parts[] = {{"cl2ptx", cli_cl2ptx, &cli_cl2ptx_length},
             {"cl2ptx.h", cli_prelude, &cli_prelude_length},
             {"cl2ptx_atomics.h", cli_atomics, &cli_atomics_length},
             {"cl2ptx_groups.h", cli_groups, &cli_groups_length},
             {"cl2ptx_images.h", cli_images, &cli_images_length}};
enum { PARTS = sizeof parts / sizeof *parts };

/* Where one compilation has its files. */
struct job {
    struct ws_text folder, source, output, parts[PARTS];
};

static bool ends_in(const char *text, const char *end)
{
    const size_t length = strlen(text), end_length = strlen(end);
    return length > end_length && strcmp(text + length - end_length, end) == 0;
}

bool cli_is_opencl(const char *file)
{
    return ends_in(file, ".cl");
}

bool cli_is_cuda(const char *file)
{
    return ends_in(file, ".cu");
}

static enum ws_status make_folder(struct job *job, const char *first, struct ws_error *error)
{
    const char *const parent = getenv("TMPDIR");
    ws_text_add(&job->folder, "%s/warpsweep-XXXXXX", parent && *parent ? parent : "/tmp");
    if (!job->folder.failed && !mkdtemp(job->folder.data)) {
        const int cause = errno;
        ws_text_free(&job->folder);
        return ws_fail(error, WS_STATUS_no_file, "no temporary folder can be made: %s", strerror(cause));
    }
    ws_text_add(&job->source, "%s/program%s", job->folder.data, cli_is_cuda(first) ? ".cu" : ".cl");
    ws_text_add(&job->output, "%s/kernel.ptx", job->folder.data);
    bool failed = job->folder.failed || job->source.failed || job->output.failed;
    for (size_t n = 0; n < PARTS; n++) {
        ws_text_add(&job->parts[n], "%s/%s", job->folder.data, parts[n].name);
        failed |= job->parts[n].failed;
    }
    return failed ? ws_fail(error, WS_STATUS_no_memory, "out of memory") : WS_STATUS_ok;
}

/* One source is compiled as it is; several become one that includes them in turn. */
static enum ws_status join(const struct job *job, const struct cli_sources *sources, const char **source, struct ws_error *error)
{
    struct ws_text text = {0};
    *source = sources->files[0];
    if (sources->count == 1)
        return WS_STATUS_ok;
    for (size_t n = 0; n < sources->count; n++) {
        char *const path = realpath(sources->files[n], NULL);
        ws_text_add(&text, "#include \"%s\"\n", path ? path : "");
        free(path);
    }
    *source = job->source.data;
    const enum ws_status status = text.failed ? ws_fail(error, WS_STATUS_no_memory, "out of memory")
                                              : ws_file_write(job->source.data, text.data, text.length, error);
    ws_text_free(&text);
    return status;
}

/* ---- Compilers ---- */

static void add_all(const char **words, size_t *count, const char *const *more)
{
    for (; more && *more; more++)
        words[(*count)++] = *more;
}

static size_t opencl_words(const struct job *job, const char *source, const struct cli_sources *sources, const char **words)
{
    size_t count = 0;
    const char *const first[] = {
        "sh", job->parts[0].data, source, job->output.data, "-cl-kernel-arg-info", "-gline-directives-only", NULL};
    add_all(words, &count, first);
    if (sources->offset)
        words[count++] = "-DCL2PTX_GLOBAL_OFFSET";
    return count;
}

static size_t cuda_words(const struct job *job, const char *source, const char **words)
{
    size_t count = 0;
    const char *const compiler = getenv("NVCC");
    const char *const first[] = {
        compiler && *compiler ? compiler : "nvcc", "-ptx", "-lineinfo", source, "-o", job->output.data, NULL};
    add_all(words, &count, first);
    return count;
}

static enum ws_status write_parts(const struct job *job, struct ws_error *error)
{
    for (size_t n = 0; n < PARTS; n++)
        WS_TRY(ws_file_write(job->parts[n].data, parts[n].data, *parts[n].length, error));
    return WS_STATUS_ok;
}

static enum ws_status run(const char *const *words, const struct cli_sources *sources, struct ws_error *error)
{
    const char *const source = sources->files[0];
    int code;
    const enum ws_status status = ws_process_run(words, &code, error);
    if (status == WS_STATUS_no_file && cli_is_cuda(source)) {
        ws_fail_in(error, "%s: CUDA C++ is compiled by nvcc, of NVIDIA's CUDA toolkit; install it, let NVCC name it, or give PTX: ",
                   source);
        return status;
    }
    if (status == WS_STATUS_no_file || (status == WS_STATUS_ok && code != 0))
        return ws_fail(error, status == WS_STATUS_ok ? WS_STATUS_bad_input : status, "%s: cannot be compiled", source);
    return status == WS_STATUS_ok ? status : ws_fail_in(error, "%s: ", source);
}

static size_t length_of(const char *const *words)
{
    size_t count = 0;
    while (words && words[count])
        count++;
    return count;
}

static enum ws_status compile(const struct job *job, const struct cli_sources *sources, struct ws_error *error)
{
    const bool cuda = cli_is_cuda(sources->files[0]);
    const char *source = NULL;
    WS_TRY(join(job, sources, &source, error));
    if (!cuda)
        WS_TRY(write_parts(job, error));
    const char **const words = calloc(MOST_WORDS + length_of(sources->options) + length_of(sources->more), sizeof *words);
    if (!words)
        return ws_fail(error, WS_STATUS_no_memory, "out of memory");
    size_t count = cuda ? cuda_words(job, source, words) : opencl_words(job, source, sources, words);
    add_all(words, &count, sources->options);
    add_all(words, &count, sources->more);
    const enum ws_status status = run(words, sources, error);
    free(words);
    return status;
}

static void remove_file(struct ws_text *file)
{
    if (file->data)
        unlink(file->data);
    ws_text_free(file);
}

static void clean_up(struct job *job)
{
    remove_file(&job->source);
    remove_file(&job->output);
    for (size_t n = 0; n < PARTS; n++)
        remove_file(&job->parts[n]);
    if (job->folder.data)
        rmdir(job->folder.data);
    ws_text_free(&job->folder);
}

enum ws_status cli_compile(const struct cli_sources *sources, char **ptx, size_t *length, struct ws_error *error)
{
    struct job job = {0};
    for (size_t n = 0; n < sources->count; n++)
        if (access(sources->files[n], R_OK) != 0)
            return ws_fail(error, WS_STATUS_no_file, "%s: cannot be read: %s", sources->files[n], strerror(errno));
    enum ws_status status = make_folder(&job, sources->files[0], error);
    if (status == WS_STATUS_ok)
        status = compile(&job, sources, error);
    if (status == WS_STATUS_ok)
        status = ws_file_read(job.output.data, MOST_PTX_BYTES, ptx, length, error);
    clean_up(&job);
    return status;
}
