#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "import/attach.h"
#include "import/check.h"
#include "import/lower.h"
#include "import/threads.h"
#include "warpsweep/import.h"

struct ws_nvbit {
    char *path;
    const struct ws_nvbit_options *options;
    struct sass_header header;
    struct sass_code code;
    struct sass_observed observed;
    struct sass_program program;
    u64 digest;           /* of the text */
    bool disordered;      /* records are not grouped */
    struct sass_raw *raw; /* such records */
    struct sass_cubin cubin;
};

static enum ws_status read_header(struct ws_nvbit *nvbit, struct sass_input *input, struct ws_error *error)
{
    WS_TRY(sass_input_open(nvbit->path, input, error));
    return sass_header_read(input, nvbit->options, &nvbit->header, error);
}

/* Records of grouped files follow a line "#BEGIN_TB". */
static enum ws_status find_form(struct ws_nvbit *nvbit, struct sass_input *input, struct ws_error *error)
{
    char *line;
    size_t length;
    do
        WS_TRY(sass_input_line(input, &line, &length, error));
    while (line && !line[strspn(line, " \t")]);
    if (!line)
        return sass_input_fail(input, error, "the file ends before its first record");
    nvbit->disordered = line[0] >= '0' && line[0] <= '9';
    return WS_STATUS_ok;
}

enum ws_status ws_nvbit_open(const char *path, const struct ws_nvbit_options *options, struct ws_nvbit **nvbit,
                             struct ws_error *error)
{
    struct sass_input input;
    *nvbit = NULL;
    WS_TRY(WS_STRUCT_CHECK(nvbit_options, options, error));
    struct ws_nvbit *const made = calloc(1, sizeof *made);
    if (!made || !(made->path = strdup(path))) {
        free(made);
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", path);
    }
    made->options = options;
    made->code.strict = options->strict;
    enum ws_status status = read_header(made, &input, error);
    WS_THEN(status, find_form(made, &input, error));
    sass_input_close(&input);
    if (status == WS_STATUS_ok)
        *nvbit = made;
    else
        ws_nvbit_close(made);
    return status;
}

void ws_nvbit_close(struct ws_nvbit *nvbit)
{
    if (!nvbit)
        return;
    sass_raw_free(nvbit->raw);
    sass_observed_free(&nvbit->observed);
    sass_program_free(&nvbit->program);
    sass_code_free(&nvbit->code);
    free(nvbit->path);
    free(nvbit);
}

const char *ws_nvbit_kernel(const struct ws_nvbit *nvbit)
{
    return nvbit->header.kernel;
}

u32 ws_nvbit_architecture(const struct ws_nvbit *nvbit)
{
    return nvbit->header.architecture;
}

void ws_nvbit_attach(struct ws_nvbit *nvbit, const struct ws_machine_code *code, const char *file)
{
    nvbit->cubin = (struct sass_cubin){code, file, nvbit->header.kernel, nvbit->path};
}

/* ---- Notes ---- */

static void note(const struct ws_nvbit *nvbit, struct ws_text *text)
{
    if (nvbit->options->note && !text->failed)
        nvbit->options->note(nvbit->options->context, text->data);
    ws_text_free(text);
}

static bool same_name(const char *a, const char *b)
{
    const size_t length = strcspn(a, ".");
    return strcspn(b, ".") == length && strncmp(a, b, length) == 0;
}

/* Reports each opcode once that is unknown (known is false), or accesses memory without addresses. */
static void note_opcodes(const struct ws_nvbit *nvbit, bool known)
{
    const struct sass_code *const code = &nvbit->code;
    for (size_t n = 0; n < code->count; n++) {
        const struct sass_op *const op = &code->ops[n];
        u64 records = 0;
        bool first = true;
        for (size_t other = 0; other < code->count; other++) {
            const struct sass_op *const like = &code->ops[other];
            if (!same_name(op->opcode, like->opcode) || (known && like->addressed))
                continue;
            first &= other >= n;
            records += like->records;
        }
        const bool memory = op->class_ >= WS_CLASS_load && op->class_ <= WS_CLASS_atomic;
        if (!first || (known ? !memory || op->addressed : op->known))
            continue;
        struct ws_text text = {0};
        ws_text_add(&text, "%s:%" PRIu64 ": %.*s %s: %" PRIu64 " warp instructions are taken as int", nvbit->path, op->seen,
                    (int)strcspn(op->opcode, "."), op->opcode, known ? "has no addresses" : "is not known", records);
        note(nvbit, &text);
    }
}

static void note_rest(const struct ws_nvbit *nvbit)
{
    const struct sass_header *const header = &nvbit->header;
    struct ws_text text = {0};
    for (size_t n = 0; n < nvbit->code.count; n++) {
        const struct sass_op *const op = &nvbit->code.ops[n];
        if (!op->outlived)
            continue;
        ws_text_add(&text,
                    "%s:%" PRIu64 ": %s at pc %04" PRIx32 ": %" PRIu64 " threads continue after it; their guard counts as false",
                    nvbit->path, op->seen, op->opcode, op->pc, op->outlived);
        note(nvbit, &text);
    }
    if (nvbit->observed.shared_bytes > header->shared_bytes) {
        ws_text_add(&text,
                    "%s: the header gives a block %" PRIu32 " bytes of shared memory, and its threads touch %" PRIu32 ", which"
                    " are taken",
                    nvbit->path, header->shared_bytes, nvbit->observed.shared_bytes);
        note(nvbit, &text);
    }
    if (nvbit->program.unknown) {
        ws_text_add(&text, "%s: %" PRIu32 " instructions of the code in %s are not known: they have control bits, but no operands",
                    nvbit->path, nvbit->program.unknown, nvbit->cubin.name);
        note(nvbit, &text);
    }
    if (nvbit->program.lost_registers) {
        ws_text_add(&text,
                    "%s: %" PRIu32 " registers of instructions with more than 4 destinations or 6 sources, or of a program "
                    "with more than 240, make no dependence",
                    nvbit->path, nvbit->program.lost_registers);
        note(nvbit, &text);
    }
}

/* ---- The trace ---- */

/* State of a walk over the file; from and share as in sass_walk. */
static struct sass_walk begin_walk(struct ws_nvbit *nvbit, struct sass_input *input, double from, double share)
{
    return (struct sass_walk){.input = input,
                              .header = &nvbit->header,
                              .options = nvbit->options,
                              .code = &nvbit->code,
                              .raw = nvbit->raw,
                              .from = from,
                              .share = share};
}

static enum ws_status group(struct ws_nvbit *nvbit, struct sass_input *input, struct ws_error *error)
{
    const struct sass_walk walk = begin_walk(nvbit, input, 0, 0.25);
    WS_TRY(sass_raw_group(&walk, &nvbit->raw, error));
    nvbit->digest = sass_input_digest(input);
    return WS_STATUS_ok;
}

static enum ws_status observe(struct ws_nvbit *nvbit, struct ws_error *error)
{
    struct sass_input input;
    enum ws_status status = read_header(nvbit, &input, error);
    if (status == WS_STATUS_ok && nvbit->disordered)
        status = group(nvbit, &input, error);
    const struct sass_walk walk = begin_walk(nvbit, &input, nvbit->raw ? 0.5 : 0, nvbit->raw ? 0.25 : 0.5);
    nvbit->observed.walk = &walk;
    WS_THEN(status, sass_observe(&nvbit->observed, error));
    if (status == WS_STATUS_ok && !nvbit->raw)
        nvbit->digest = sass_input_digest(&input);
    nvbit->observed.walk = NULL;
    sass_input_close(&input);
    return status;
}

static enum ws_status open_writer(const struct ws_nvbit *nvbit, const char *trace, struct ws_trace_writer **writer,
                                  struct ws_error *error)
{
    const struct sass_header *const header = &nvbit->header;
    struct ws_launch launch = {.kernel = header->kernel,
                               .source = nvbit->path,
                               .grid = {header->grid[0], header->grid[1], header->grid[2]},
                               .block = {header->block[0], header->block[1], header->block[2]},
                               .registers = header->registers,
                               .shared_bytes = ws_max(header->shared_bytes, nvbit->observed.shared_bytes),
                               .instructions = nvbit->program.count,
                               .program = nvbit->program.instructions,
                               .code = nvbit->program.code,
                               .lockstep = SASS_LANES,
                               .digest = nvbit->digest};
    struct ws_segment *const segments = sass_pages_segments(&nvbit->observed.pages, &launch.segments);
    if (!segments)
        return ws_fail(error, WS_STATUS_no_memory, "%s: out of memory", nvbit->path);
    launch.segment = segments;
    const enum ws_status status = ws_trace_writer_open(trace, &launch, writer, error);
    free(segments);
    if (status == WS_STATUS_ok)
        ws_trace_writer_watch(*writer, nvbit->options->go_on, nvbit->options->context);
    return status;
}

static enum ws_status write_threads(struct ws_nvbit *nvbit, struct ws_trace_writer *writer, struct ws_nvbit_report *report,
                                    struct ws_error *error)
{
    struct sass_input input;
    const struct sass_walk walk = begin_walk(nvbit, &input, nvbit->raw ? 0.75 : 0.5, nvbit->raw ? 0.25 : 0.5);
    struct sass_threads threads = {.walk = &walk, .program = &nvbit->program, .writer = writer, .report = report};
    enum ws_status status = read_header(nvbit, &input, error);
    WS_THEN(status, sass_threads_write(&threads, error));
    sass_input_close(&input);
    return status;
}

/* The program, and the report of the first walk. */
static enum ws_status make_program(struct ws_nvbit *nvbit, struct ws_nvbit_report *report, struct ws_error *error)
{
    *report = (struct ws_nvbit_report){0};
    WS_TRY(observe(nvbit, error));
    if (sass_lower(&nvbit->code, nvbit->observed.entry, &nvbit->program, error) != WS_STATUS_ok)
        return ws_fail_in(error, "%s: ", nvbit->path);
    report->warp_instructions = nvbit->observed.warp_instructions;
    report->thread_instructions = nvbit->observed.thread_instructions;
    return WS_STATUS_ok;
}

enum ws_status ws_nvbit_write(struct ws_nvbit *nvbit, const char *trace, struct ws_nvbit_report *report, struct ws_error *error)
{
    struct ws_trace_writer *writer = NULL;
    WS_TRY(make_program(nvbit, report, error));
    if (nvbit->cubin.code)
        WS_TRY(sass_attach(&nvbit->cubin, &nvbit->code, &nvbit->program, error));
    note_opcodes(nvbit, false);
    note_opcodes(nvbit, true);
    note_rest(nvbit);
    WS_TRY(open_writer(nvbit, trace, &writer, error));
    const enum ws_status status = write_threads(nvbit, writer, report, error);
    if (status == WS_STATUS_ok)
        return ws_trace_writer_close(writer, error);
    ws_trace_writer_drop(writer);
    return status;
}

/* ---- Comparison of trace and file ---- */

/* Machine code brings registers and lines of its own. */
static bool same_instruction(struct ws_instruction one, struct ws_instruction other, bool has_code)
{
    if (has_code) {
        memcpy(one.dst, other.dst, sizeof one.dst);
        memcpy(one.src, other.src, sizeof one.src);
        one.reads = other.reads;
        one.writes = other.writes;
        one.line = other.line;
    }
    return memcmp(&one, &other, sizeof one) == 0;
}

static bool same_launch(const struct ws_nvbit *nvbit, const struct ws_launch *launch)
{
    const struct sass_program *const program = &nvbit->program;
    bool same = launch->digest == nvbit->digest && launch->instructions == program->count;
    for (u32 n = 0; same && n < program->count; n++)
        same = same_instruction(launch->program[n], program->instructions[n], launch->code != NULL);
    return same;
}

enum ws_status ws_nvbit_check(struct ws_nvbit *nvbit, struct ws_trace *trace, struct ws_nvbit_report *report,
                              struct ws_error *error)
{
    struct sass_input input;
    struct ws_image *image;
    WS_TRY(make_program(nvbit, report, error));
    if (!same_launch(nvbit, ws_trace_launch(trace)))
        return ws_fail(error, WS_STATUS_bad_input,
                       "%s: the trace was not made from this file, or by another version; import it again", nvbit->path);
    WS_TRY(ws_image_load(trace, 0, 1, 0, &image, error));
    const struct sass_walk walk = begin_walk(nvbit, &input, nvbit->raw ? 0.75 : 0.5, nvbit->raw ? 0.25 : 0.5);
    struct sass_check check = {.walk = &walk, .program = &nvbit->program, .image = image, .report = report};
    enum ws_status status = read_header(nvbit, &input, error);
    WS_THEN(status, sass_check(&check, error));
    sass_input_close(&input);
    ws_image_free(image);
    return status;
}
