#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/capture.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/capture/capture_work.h"

enum { PATH_ROOM = 4096, MOST_LIST = 1 << 30 };

/* ---- The list ---- */

static int by_number(const void *a, const void *b)
{
    const struct cli_capture_entry *const one = a, *const other = b;
    const int numbers = (one->number > other->number) - (one->number < other->number);
    return numbers ? numbers : (one->state > other->state) - (one->state < other->state); /* of one launch: by line */
}

static char *cut(char **text)
{
    char *const word = *text;
    *text += strcspn(*text, " ");
    if (**text)
        *(*text)++ = 0;
    return word;
}

struct cli_capture_entry cli_capture_entry(char *line)
{
    struct cli_capture_entry entry = {.number = (u32)strtoul(cut(&line), NULL, 10)};
    entry.state = cut(&line);
    entry.kernel = cut(&line);
    entry.rest = line;
    return entry;
}

static size_t read_lines(char *text, struct cli_capture_entry *entries)
{
    size_t count = 0;
    for (char *line = text, *next; *line; line = next) {
        next = line + strcspn(line, "\n");
        if (*next)
            *next++ = 0;
        entries[count++] = cli_capture_entry(line);
    }
    return count;
}

/* Only the last line of each launch. */
static size_t read_entries(char *text, struct cli_capture_entry *entries)
{
    const size_t lines = read_lines(text, entries);
    size_t count = 0;
    qsort(entries, lines, sizeof *entries, by_number);
    for (size_t n = 0; n < lines; n++) {
        if (count > 0 && entries[count - 1].number == entries[n].number)
            count--;
        entries[count++] = entries[n];
    }
    return count;
}

/* ---- One launch ---- */

/* Its buffers to compare. */
struct after {
    const struct cli_capture *capture;
    const char *words;
    bool differs;
    struct ws_text *out;
};

static enum ws_status compare(void *context, const struct ws_launch_file *file, const struct ws_ndrange *launch,
                              struct ws_error *error)
{
    struct after *const after = context;
    const struct cli_executed executed = {file, launch, after->capture->kept.program};
    return cli_capture_compare(after->capture, &executed, after->words, &after->differs, after->out, error);
}

static enum ws_status build(struct cli_capture *capture, const struct cli_capture_entry *entry, struct cli_captured *captured,
                            struct ws_text *out, struct ws_error *error)
{
    char program[PATH_ROOM], launch[PATH_ROOM], trace[PATH_ROOM];
    const char *files[] = {program, NULL};
    const struct cli_program source = {.files = files, .file_count = 1};
    struct after after = {.capture = capture, .words = entry->rest + strcspn(entry->rest, " "), .out = out};
    const struct cli_launches launches = {.program = &source,
                                          .frontend = &capture->frontend,
                                          .launch = launch,
                                          .output = trace,
                                          .after = capture->check ? compare : NULL,
                                          .context = &after,
                                          .kept = &capture->kept};
    struct cli_launches_built built;
    snprintf(program, sizeof program, "%s/%.*s", capture->folder, (int)strcspn(entry->rest, " "), entry->rest);
    snprintf(launch, sizeof launch, "%s/%05" PRIu32 "-%s.yaml", capture->folder, entry->number, entry->kernel);
    snprintf(trace, sizeof trace, "%s/%05" PRIu32 "-%s.wst", capture->folder, entry->number, entry->kernel);
    WS_TRY(cli_launches_build(&launches, &built, error));
    captured->traced++;
    captured->checked += capture->check;
    captured->differing += after.differs;
    ws_text_add(out, ", %" PRIu64 " thread instructions\n", built.thread_instructions);
    return WS_STATUS_ok;
}

enum ws_status cli_capture_build_one(struct cli_capture *capture, const struct cli_capture_entry *entry,
                                     struct cli_captured *captured, struct ws_text *out, struct ws_error *error)
{
    ws_text_add(out, "%05" PRIu32 " %s", entry->number, entry->kernel);
    captured->captured++;
    if (capture->no_traces) {
        ws_text_add(out, " captured\n");
        return WS_STATUS_ok;
    }
    ws_text_add(out, " captured");
    const enum ws_status status = build(capture, entry, captured, out, error);
    if (status == WS_STATUS_ok || status == WS_STATUS_interrupted)
        return status;
    captured->failed++;
    ws_text_add(out, ", no trace: %s\n", error->message);
    return WS_STATUS_ok;
}

/* ---- All of them ---- */

static void add_counts(struct cli_captured *all, const struct cli_captured *one)
{
    all->captured += one->captured;
    all->traced += one->traced;
    all->checked += one->checked;
    all->differing += one->differing;
    all->failed += one->failed;
}

static enum ws_status take(struct cli_capture_work *work, const struct cli_capture_entry *entry, struct cli_captured *captured,
                           struct ws_text *out, struct ws_error *error)
{
    const bool skipped = strcmp(entry->state, "skipped") == 0, refused = strcmp(entry->state, "refused") == 0;
    if (strcmp(entry->state, "captured") == 0) {
        const struct cli_capture_job *const job = cli_capture_work_job(work, entry->number);
        if (!job || job->status != WS_STATUS_ok || job->out.failed) {
            if (job && job->status != WS_STATUS_ok)
                *error = job->error;
            return job && job->status != WS_STATUS_ok ? job->status : ws_no_memory(error);
        }
        fputs(job->notes.data ? job->notes.data : "", stderr);
        ws_text_add(out, "%s", job->out.data);
        add_counts(captured, &job->captured);
        return WS_STATUS_ok;
    }
    captured->skipped += skipped;
    captured->refused += refused;
    captured->lost += !skipped && !refused;
    ws_text_add(out, "%05" PRIu32 " %s %s: %s\n", entry->number, entry->kernel, refused ? "refused" : "skipped",
                skipped || refused ? entry->rest : "the program ended before it was recorded");
    return WS_STATUS_ok;
}

/* Says why there is no list of launches. */
static void explain_nothing(const struct cli_capture *capture)
{
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s/" WS_CAPTURE_COUNT, capture->folder);
    if (access(path, F_OK) == 0) {
        fprintf(stderr, "warpsweep: %s launched kernels, and none that is wanted\n", capture->program[0]);
        return;
    }
    snprintf(path, sizeof path, "%s/" WS_CAPTURE_CUDA, capture->folder);
    if (access(path, F_OK) == 0)
        fprintf(stderr, "warpsweep: %s uses the CUDA runtime, but no launch succeeded; see the messages above\n",
                capture->program[0]);
    else
        fprintf(
            stderr,
            "warpsweep: no launch of %s was seen: either there is none, or it uses neither the shared CUDA runtime nor an OpenCL "
            "loader that reads OPENCL_LAYERS (ocl-icd from 2.3, that of Khronos from 2021)\n",
            capture->program[0]);
    cli_capture_remove(capture->folder);
}

enum ws_status cli_capture_build(struct cli_capture *capture, struct cli_capture_work *work, struct cli_captured *captured,
                                 struct ws_text *out, struct ws_error *error)
{
    char path[PATH_ROOM], *text;
    size_t length, lines = 1;
    enum ws_status status = WS_STATUS_ok;
    cli_capture_work_finish(work);
    snprintf(path, sizeof path, "%s/" WS_CAPTURE_LIST, capture->folder);
    if (access(path, F_OK) != 0) {
        explain_nothing(capture);
        return WS_STATUS_ok;
    }
    WS_TRY(ws_file_read(path, MOST_LIST, &text, &length, error));
    for (size_t n = 0; n < length; n++)
        lines += text[n] == '\n';
    struct cli_capture_entry *const entries = calloc(lines, sizeof *entries);
    if (!entries)
        status = ws_no_memory(error);
    const size_t count = entries ? read_entries(text, entries) : 0;
    for (size_t n = 0; status == WS_STATUS_ok && n < count; n++)
        status = take(work, &entries[n], captured, out, error);
    free(entries);
    free(text);
    return status;
}
