#include "cli/program/compile.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/error.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/inputs.h"
#include "base/process.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/program/canary.h"
#include "embedded/cli_atomics.h"
#include "embedded/cli_canary_kernels.h"
#include "embedded/cli_cl2ptx.h"
#include "embedded/cli_groups.h"
#include "embedded/cli_images.h"
#include "embedded/cli_libclc.h"
#include "embedded/cli_prelude.h"
#include "embedded/cli_saturated.h"
#include "warpsweep/frontend.h"

enum { MOST_PTX_BYTES = 64 << 20, MOST_NOTE_BYTES = 1 << 16, MOST_WORDS = 12 };

/* tools/cl2ptx with its included files and test kernels. */
static const struct {
    const char *name;
    const char *data;
    const size_t *length;
} parts[] = {{"cl2ptx", cli_cl2ptx, &cli_cl2ptx_length},
             {"cl2ptx.h", cli_prelude, &cli_prelude_length},
             {"cl2ptx_atomics.h", cli_atomics, &cli_atomics_length},
             {"cl2ptx_groups.h", cli_groups, &cli_groups_length},
             {"cl2ptx_images.h", cli_images, &cli_images_length},
             {"cl2ptx_libclc.h", cli_libclc, &cli_libclc_length},
             {"cl2ptx_saturated.h", cli_saturated, &cli_saturated_length},
             {"canary.cl", cli_canary_kernels, &cli_canary_kernels_length}};
enum { PARTS = sizeof parts / sizeof *parts, CANARY = PARTS - 1 };

/* Files of one compilation. */
struct job {
    struct ws_text folder, source, output, cubin, note, parts[PARTS]; /* note: cl2ptx writes there which compiler it used */
};

bool cli_is_opencl(const char *file)
{
    return ws_stem(file, ".cl") > 0;
}

bool cli_is_cuda(const char *file)
{
    return ws_stem(file, ".cu") > 0;
}

static enum ws_status make_folder(struct job *job, const char *first, struct ws_error *error)
{
    ws_text_add(&job->folder, "%s/warpsweep-XXXXXX", ws_temporary_folder());
    if (!job->folder.failed && !mkdtemp(job->folder.data)) {
        const int cause = errno;
        ws_text_free(&job->folder);
        return ws_fail(error, WS_STATUS_no_file, "no temporary folder can be made: %s", strerror(cause));
    }
    ws_text_add(&job->source, "%s/program%s", job->folder.data, cli_is_cuda(first) ? ".cu" : ".cl");
    ws_text_add(&job->output, "%s/kernel.ptx", job->folder.data);
    ws_text_add(&job->cubin, "%s/kernel.cubin", job->folder.data);
    ws_text_add(&job->note, "%s/note", job->folder.data);
    bool failed = job->folder.failed || job->source.failed || job->output.failed || job->cubin.failed || job->note.failed;
    for (size_t n = 0; n < PARTS; n++) {
        ws_text_add(&job->parts[n], "%s/%s", job->folder.data, parts[n].name);
        failed |= job->parts[n].failed;
    }
    return failed ? ws_no_memory(error) : WS_STATUS_ok;
}

/* A single source is compiled directly; several by one file that includes them in order. */
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
    const enum ws_status status =
        text.failed ? ws_no_memory(error) : ws_file_write(job->source.data, text.data, text.length, error);
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
    const char *const first[] = {"sh",
                                 job->parts[0].data,
                                 "--note",
                                 job->note.data,
                                 source,
                                 job->output.data,
                                 "-cl-kernel-arg-info",
                                 "-gline-directives-only",
                                 NULL};
    add_all(words, &count, first);
    if (sources->offset)
        words[count++] = "-DCL2PTX_GLOBAL_OFFSET";
    return count;
}

/* The program named by an environment variable, else by its own name. */
static const char *tool(const char *variable, const char *name)
{
    const char *const named = getenv(variable);
    return named && *named ? named : name;
}

static size_t cuda_words(const struct job *job, const char *source, const struct cli_sources *sources, const char **words)
{
    size_t count = 0;
    const char *const first[] = {tool("NVCC", "nvcc"),
                                 sources->machine ? "-cubin" : "-ptx",
                                 "-lineinfo",
                                 source,
                                 "-o",
                                 sources->machine ? job->cubin.data : job->output.data,
                                 sources->arch ? "-arch" : NULL,
                                 sources->arch,
                                 NULL};
    add_all(words, &count, first);
    return count;
}

static enum ws_status write_parts(const struct job *job, struct ws_error *error)
{
    for (size_t n = 0; n < PARTS; n++)
        WS_TRY(ws_file_write(job->parts[n].data, parts[n].data, *parts[n].length, error));
    return WS_STATUS_ok;
}

/* Whether a signal ended the compiler or its shell from outside, which is not the compiler's fault. */
static bool is_cut_off(int code)
{
    const int signal = code - WS_PROCESS_SIGNALLED;
    return cli_interrupted() || signal == SIGHUP || signal == SIGINT || signal == SIGTERM || signal == SIGKILL;
}

static enum ws_status cut_off(int code, const char *source, const char *when, struct ws_error *error)
{
    if (code == WS_PROCESS_SIGNALLED + SIGKILL)
        return ws_fail(error, WS_STATUS_failed, "%s: the compiler was killed%s, perhaps for want of memory", source, when);
    return ws_fail(error, WS_STATUS_interrupted, "%s: interrupted while it was compiled%s; nothing is written", source, when);
}

static enum ws_status run(const char *const *words, const struct cli_sources *sources, struct ws_error *error)
{
    const char *const source = sources->files[0];
    const bool assembles = strcmp(words[0], tool("PTXAS", "ptxas")) == 0;
    int code;
    const enum ws_status status = ws_process_run(words, &code, error);
    if (is_cut_off(code))
        return cut_off(code, source, "", error);
    if (status == WS_STATUS_no_file && (assembles || cli_is_cuda(source))) {
        ws_fail_in(error, "%s: %s, of NVIDIA's CUDA toolkit; install it, let %s name it, or give %s: ", source,
                   assembles ? "machine code is made by ptxas" : "CUDA C++ is compiled by nvcc", assembles ? "PTXAS" : "NVCC",
                   assembles || sources->machine ? "a cubin" : "PTX");
        return status;
    }
    if (status == WS_STATUS_no_file || (status == WS_STATUS_ok && code != 0))
        return ws_fail(error, status == WS_STATUS_ok ? WS_STATUS_bad_input : status,
                       "%s: cannot be compiled; mend what the compiler reports", source);
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
        return ws_no_memory(error);
    size_t count = cuda ? cuda_words(job, source, sources, words) : opencl_words(job, source, sources, words);
    add_all(words, &count, sources->options);
    add_all(words, &count, sources->more);
    const enum ws_status status = run(words, sources, error);
    free(words);
    return status;
}

/* Assembles PTX to a cubin. */
static enum ws_status assemble(const struct job *job, const struct cli_sources *sources, const char *ptx, struct ws_error *error)
{
    const char *const words[] = {tool("PTXAS", "ptxas"), "-lineinfo", "-arch", sources->arch, ptx, "-o", job->cubin.data, NULL};
    return run(words, sources, error);
}

/* ---- Test kernels before the compiler's first use ---- */

/* The compiler that cl2ptx used: clang, libclc and clang's version, a line each. */
struct compiler {
    char *text;
    const char *clang, *library, *version;
};

static enum ws_status read_note(const struct job *job, struct compiler *compiler, struct ws_error *error)
{
    size_t length;
    WS_TRY(ws_file_read(job->note.data, MOST_NOTE_BYTES, &compiler->text, &length, error));
    char *rest;
    compiler->clang = strtok_r(compiler->text, "\n", &rest);
    compiler->library = strtok_r(NULL, "\n", &rest);
    compiler->version = strtok_r(NULL, "\n", &rest);
    if (!compiler->version)
        return ws_fail(error, WS_STATUS_failed, "%s: cl2ptx does not say what it compiled with", job->note.data);
    return WS_STATUS_ok;
}

/* Definitions, include folders and warning options do not affect code generation. */
static bool changes_code(const char *option)
{
    return strncmp(option, "-cl-", strlen("-cl-")) == 0;
}

static void add_code_options(const struct cli_sources *sources, const char **words, size_t *count)
{
    const char *const *const lists[] = {sources->options, sources->more};
    for (size_t n = 0; n < sizeof lists / sizeof *lists; n++)
        for (const char *const *option = lists[n]; option && *option; option++)
            if (changes_code(*option))
                words[(*count)++] = *option;
}

static void add_digest(u64 *digest, const void *bytes, size_t length)
{
    *digest = XXH3_64bits_withSeed(bytes, length, *digest + length);
}

static void add_file(u64 *digest, const char *path)
{
    struct stat about;
    add_digest(digest, path, strlen(path));
    if (stat(path, &about) != 0)
        return;
    const u64 identity[] = {(u64)about.st_size, (u64)about.st_mtim.tv_sec, (u64)about.st_mtim.tv_nsec};
    add_digest(digest, identity, sizeof identity);
}

/* The file with the cached test result of this compiler and options; empty without a cache. */
static struct ws_text verdict_file(const struct compiler *compiler, const char *const *options, size_t count)
{
    struct ws_text path = {0};
    char *folder;
    u64 digest = WS_FRONTEND_REVISION;
    if (ws_cache_folder("compilers", &folder, NULL) != WS_STATUS_ok)
        return path;
    for (size_t n = 0; n < PARTS; n++)
        add_digest(&digest, parts[n].data, *parts[n].length);
    add_file(&digest, compiler->clang);
    add_file(&digest, compiler->library);
    add_digest(&digest, compiler->version, strlen(compiler->version));
    for (size_t n = 0; n < count; n++)
        add_digest(&digest, options[n], strlen(options[n]));
    ws_text_add(&path, "%s/%016llx.txt", folder, (unsigned long long)digest);
    free(folder);
    return path;
}

/* Compiles and executes the test kernels; *fault: description of a wrong result. */
static enum ws_status try_compiler(const struct job *job, const struct cli_sources *sources, const struct compiler *compiler,
                                   const char **words, struct ws_text *fault, struct ws_error *error)
{
    int code;
    char *ptx;
    size_t length;
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "warpsweep: %s (clang %s) is new here: its code is checked with test kernels first\n", compiler->clang,
                compiler->version);
    const enum ws_status ran = ws_process_run(words, &code, error);
    if (is_cut_off(code))
        return cut_off(code, sources->files[0], ", in the check of the compiler", error);
    WS_TRY(ran);
    if (code != 0) {
        ws_text_add(fault, "it cannot compile them");
        return WS_STATUS_ok;
    }
    WS_TRY(ws_file_read(job->output.data, MOST_PTX_BYTES, &ptx, &length, error));
    const enum ws_status status = cli_canary(ptx, length, fault, error);
    free(ptx);
    return status;
}

static enum ws_status refuse(const struct compiler *compiler, const char *fault, struct ws_error *error)
{
    const char *const other = strncmp(compiler->version, "14", 2) == 0 ? "15" : "14";
    return ws_fail(
        error, WS_STATUS_bad_input,
        "%s (clang %s, with %s) compiles OpenCL C wrongly: of the test kernels, %s; install clang-%s and libclc-%s, or let "
        "CLANG and LIBCLC name other ones",
        compiler->clang, compiler->version, compiler->library, fault, other, other);
}

static enum ws_status judge(const struct job *job, const struct cli_sources *sources, const struct compiler *compiler,
                            const char **words, struct ws_error *error)
{
    static const struct cli_sources none = {0};
    struct ws_text fault = {0};
    size_t length, count = opencl_words(job, job->parts[CANARY].data, &none, words);
    const size_t first = count;
    char *known = NULL;
    words[count++] = "-w";
    add_code_options(sources, words, &count);
    struct ws_text path = verdict_file(compiler, words + first, count - first);
    enum ws_status status = WS_STATUS_ok;
    if (path.length && !path.failed && ws_file_read(path.data, MOST_NOTE_BYTES, &known, &length, NULL) == WS_STATUS_ok)
        ws_text_bytes(&fault, known, length);
    else if ((status = try_compiler(job, sources, compiler, words, &fault, error)) == WS_STATUS_ok && path.length && !path.failed)
        (void)ws_file_write(path.data, fault.data ? fault.data : "", fault.length, NULL); /* a convenience */
    if (status == WS_STATUS_ok && (fault.length || fault.failed))
        status = refuse(compiler, fault.data ? fault.data : "out of memory", error);
    free(known);
    ws_text_free(&path);
    ws_text_free(&fault);
    return status;
}

static enum ws_status check_compiler(const struct job *job, const struct cli_sources *sources, struct ws_error *error)
{
    struct compiler compiler = {0};
    const char **const words = calloc(MOST_WORDS + length_of(sources->options) + length_of(sources->more), sizeof *words);
    enum ws_status status = words ? read_note(job, &compiler, error) : ws_no_memory(error);
    WS_THEN(status, judge(job, sources, &compiler, words, error));
    free(compiler.text);
    free(words);
    return status;
}

/* ---- */

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
    remove_file(&job->cubin);
    remove_file(&job->note);
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
        else
            ws_inputs_note(sources->files[n]);
    const bool is_cuda = cli_is_cuda(sources->files[0]), is_opencl = cli_is_opencl(sources->files[0]);
    enum ws_status status = make_folder(&job, sources->files[0], error);
    if (is_cuda || is_opencl)
        WS_THEN(status, compile(&job, sources, error));
    if (sources->machine && !is_cuda)
        WS_THEN(status, assemble(&job, sources, is_opencl ? job.output.data : sources->files[0], error));
    WS_THEN(status, ws_file_read(sources->machine ? job.cubin.data : job.output.data, MOST_PTX_BYTES, ptx, length, error));
    if (status == WS_STATUS_ok && is_opencl) {
        status = check_compiler(&job, sources, error);
        if (status != WS_STATUS_ok)
            free(*ptx);
    }
    clean_up(&job);
    return status;
}
