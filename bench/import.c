/* How fast traces of NVBit's tracer are imported, and in how much memory: made files of each form and size. See --help. */
#include <argp.h>
#include <inttypes.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

#include "base/documents/json.h"
#include "base/file.h"
#include "bench/about.h"
#include "warpsweep/import.h"

enum {
    WARPS = 8,
    LANES = 32,
    ROUNDS = 16,
    BEFORE = 3,
    STEPS = 9,
    RECORDS = BEFORE + ROUNDS * STEPS + 1,
    CHUNK = 1 << 20,
    LEVEL = 3,
    XZ_PRESET = 1,
    PATH_ROOM = 4096,
    SIZES = 8
};
enum { TOGETHER = 46 * 48 / WARPS }; /* blocks whose raw records are mixed: 46 SMs of 48 warps */

struct settings {
    const char *json, *commit;
    u64 megabytes[SIZES];
    unsigned sizes;
};

/* A form of a file: records grouped or as they come, packed or not. */
static const struct form {
    const char *name, *suffix;
    bool raw;
    enum { PLAIN, XZ, ZSTD } packing;
} forms[] = {{"grouped", "traceg", false, PLAIN},
             {"grouped, .xz", "traceg.xz", false, XZ},
             {"grouped, .zst", "traceg.zst", false, ZSTD},
             {"raw", "trace", true, PLAIN}};

/* A file while it is made. */
struct making {
    FILE *file;
    const struct form *form;
    struct ws_text text; /* not packed and written yet */
    u64 bytes;           /* of text, so far */
    bool failed;
};

/* ---- The file ---- */

static void put(struct making *making, const void *data, size_t length)
{
    making->failed |= fwrite(data, 1, length, making->file) != length;
}

/* Packs what there is as a stream, or a frame, of its own. */
static void flush(struct making *making)
{
    const u8 *const text = (const u8 *)making->text.data;
    const size_t length = making->text.length, room = lzma_stream_buffer_bound(length) + ZSTD_compressBound(length);
    u8 *const packed = malloc(room);
    size_t bytes = 0;
    if (!packed || making->text.failed)
        making->failed = true;
    else if (making->form->packing == PLAIN)
        put(making, text, length);
    else if (making->form->packing == ZSTD)
        put(making, packed, ZSTD_compress(packed, room, text, length, LEVEL));
    else if (lzma_easy_buffer_encode(XZ_PRESET, LZMA_CHECK_CRC32, NULL, text, length, packed, &bytes, room) == LZMA_OK)
        put(making, packed, bytes);
    making->bytes += length;
    ws_text_free(&making->text);
    free(packed);
}

/* Addresses that neither a stride nor all lanes share: a base and differences. */
static void gather(struct making *making, u64 base, u32 round)
{
    ws_text_add(&making->text, "1 R9 LDG.E 1 R6 4 2 0x%" PRIx64, base + 4096 * round);
    for (u32 lane = 1; lane < LANES; lane++)
        ws_text_add(&making->text, " %" PRIu32, 4 * (1 + (lane * 7 + round) % 61));
    ws_text_add(&making->text, " 0\n");
}

/* The body of a loop, in which every fourth time some lanes branch past an instruction. */
static void add_body(struct making *making, u64 base, u32 round, u32 step)
{
    static const char *const rest[STEPS] = {
        [2] = "1 R11 FFMA 3 R9 R10 R11 0 0", [3] = "0 ISETP.GE.AND 1 R9 0 0",  [4] = "0 BRA 0 0 144",
        [5] = "1 R11 FADD 2 R11 R9 0 0",     [7] = "1 R8 IADD3 2 R8 R255 0 0", [8] = "0 BRA 0 0 48"};
    const u32 all = 0xFFFFFFFFu, some = round % 4 ? all : 0x0f0ff0f0;
    const u32 mask = step == 4 ? all & ~some : step == 5 ? some : step == 8 && round + 1 == ROUNDS ? 0 : all;
    ws_text_add(&making->text, "%04" PRIx32 " %08" PRIx32 " ", 0x30 + 16 * step, mask);
    if (step == 0)
        gather(making, base, round);
    else if (step == 1)
        ws_text_add(&making->text, "1 R10 LDG.E 1 R8 4 1 0x%" PRIx64 " 4 0\n", base + 128 * round);
    else if (step == 6)
        ws_text_add(&making->text, "0 STG.E 2 R6 R11 4 1 0x%" PRIx64 " 4 0\n", base + 0x8000 + 128 * round);
    else
        ws_text_add(&making->text, "%s\n", rest[step]);
}

static void add_record(struct making *making, u64 block, u32 warp, u32 n)
{
    static const char *const before[BEFORE] = {"1 R4 S2R 0 0 0", "1 R6 IMAD.WIDE 2 R4 R2 0 0", "1 R8 MOV 0 0 0"};
    if (making->form->raw)
        ws_text_add(&making->text, "%" PRIu64 " 0 0 %" PRIu32 " ", block, warp);
    if (n < BEFORE)
        ws_text_add(&making->text, "%04" PRIx32 " ffffffff %s\n", 16 * n, before[n]);
    else if (n + 1 < RECORDS)
        add_body(making, 0x7f0000000000u + (block * WARPS + warp) % 4096 * 0x10000u, (n - BEFORE) / STEPS, (n - BEFORE) % STEPS);
    else
        ws_text_add(&making->text, "00c0 ffffffff 0 EXIT 0 0 0\n");
}

static void add_block(struct making *making, u64 block)
{
    ws_text_add(&making->text, "#BEGIN_TB\n\nthread block = %" PRIu64 ",0,0\n", block);
    for (u32 warp = 0; warp < WARPS; warp++) {
        ws_text_add(&making->text, "\nwarp = %" PRIu32 "\ninsts = %d\n", warp, RECORDS);
        for (u32 n = 0; n < RECORDS; n++)
            add_record(making, block, warp, n);
    }
    ws_text_add(&making->text, "\n#END_TB\n\n");
}

/* Raw records come from all warps of the blocks in turn. */
static void add_blocks(struct making *making, u64 from, u64 to)
{
    for (u64 block = from; block < to && !making->form->raw; block++)
        add_block(making, block);
    for (u32 n = 0; n < RECORDS && making->form->raw; n++)
        for (u64 warp = from * WARPS; warp < to * WARPS; warp++)
            add_record(making, warp / WARPS, (u32)(warp % WARPS), n);
    if (making->text.length >= CHUNK)
        flush(making);
}

static void add_header(struct making *making, u64 blocks)
{
    ws_text_add(&making->text,
                "-kernel name = made\n-kernel id = 1\n-grid dim = (%" PRIu64
                ",1,1)\n-block dim = (%d,1,1)\n-shmem = 0\n-nregs = 16\n"
                "-binary version = 80\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n#traces format = made\n\n",
                blocks, WARPS * LANES);
}

/* Writes a file of so many bytes of text or some more; false when it cannot be written. */
static bool make(const char *path, const struct form *form, u64 wanted, u64 *bytes)
{
    struct making making = {.file = fopen(path, "wb"), .form = form};
    if (!making.file)
        return false;
    add_blocks(&making, 0, 1);
    const u64 blocks = wanted / making.text.length + 1, step = form->raw ? TOGETHER : 1;
    ws_text_free(&making.text);
    add_header(&making, blocks);
    for (u64 block = 0; block < blocks && !making.failed; block += step)
        add_blocks(&making, block, block + step < blocks ? block + step : blocks);
    flush(&making);
    *bytes = making.bytes;
    return fclose(making.file) == 0 && !making.failed;
}

/* ---- The import ---- */

static int import(const char *path, const char *trace)
{
    const struct ws_nvbit_options options = {WS_STRUCT(nvbit_options), .strict = true};
    struct ws_nvbit *nvbit;
    struct ws_nvbit_report report;
    struct ws_error error;
    enum ws_status status = ws_nvbit_open(path, &options, &nvbit, &error);
    if (status == WS_STATUS_ok)
        status = ws_nvbit_write(nvbit, trace, &report, &error);
    ws_nvbit_close(nvbit);
    if (status != WS_STATUS_ok)
        fprintf(stderr, "import: %s\n", error.message);
    return ws_status_exit_code(status);
}

/* Seconds of a core and the most memory of a process that imports the file; false when it fails. */
static bool measure(const char *path, double *seconds, u64 *kilobytes)
{
    char trace[PATH_ROOM];
    struct rusage usage;
    int status;
    snprintf(trace, sizeof trace, "%s.wst", path);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        _exit(import(path, trace));
    if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0)
        return false;
    *seconds =
        (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + 1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    *kilobytes = (u64)usage.ru_maxrss;
    remove(trace);
    return true;
}

static bool measure_form(struct ws_json *json, const struct form *form, u64 megabytes)
{
    const char *const folder = getenv("TMPDIR");
    char path[PATH_ROOM - 8];
    u64 bytes = 0, kilobytes = 0;
    double seconds = 0;
    snprintf(path, sizeof path, "%s/bench-import-%ld.%s", folder ? folder : "/tmp", (long)getpid(), form->suffix);
    const bool done = make(path, form, megabytes * 1000000, &bytes) && measure(path, &seconds, &kilobytes);
    remove(path);
    if (!done)
        return false;
    const double rate = 1e-6 * (double)bytes / seconds;
    printf("%-14s %8.0f %10.1f %12.1f\n", form->name, 1e-6 * (double)bytes, rate, (double)kilobytes / 1024);
    ws_json_object(json, NULL);
    ws_json_text(json, "form", form->name);
    ws_json_unsigned(json, "text_bytes", bytes);
    ws_json_real(json, "megabytes_per_second", rate);
    ws_json_unsigned(json, "resident_kilobytes", kilobytes);
    ws_json_end_object(json);
    return true;
}

static const struct argp_option options[] = {
    {"json", 'j', "FILE", 0, "write the results there too", 0},
    {"commit", 'c', "TEXT", 0, "the commit that is measured, for the report", 0},
    {0},
};

static error_t parse(int key, char *value, struct argp_state *state)
{
    struct settings *const settings = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (settings->sizes == SIZES)
            argp_error(state, "allowed are %d sizes", SIZES);
        settings->megabytes[settings->sizes] = strtoull(value, NULL, 10);
        if (settings->megabytes[settings->sizes] < 1 || settings->megabytes[settings->sizes] > 1000000)
            argp_error(state, "'%s': allowed is a number of megabytes from 1 to 1000000", value);
        settings->sizes++;
        return 0;
    case ARGP_KEY_NO_ARGS:
        settings->megabytes[settings->sizes++] = 100;
        settings->megabytes[settings->sizes++] = 400;
        return 0;
    case 'j':
        settings->json = value;
        return 0;
    case 'c':
        settings->commit = value;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int main(int count, char **arguments)
{
    static const struct argp argp = {options,
                                     parse,
                                     "[MEGABYTES...]",
                                     "Measures the import of traces of NVBit's tracer: files of so much text (100 and 400).",
                                     NULL,
                                     NULL,
                                     NULL};
    struct settings settings = {.commit = "unknown"};
    struct ws_text text = {0};
    struct ws_json json = {.text = &text};
    struct ws_error error = {.message = "a file could not be made or imported"};
    bool done = true;
    if (argp_parse(&argp, count, arguments, 0, NULL, &settings) != 0)
        return 2;
    ws_json_object(&json, NULL);
    bench_about(&json, settings.commit);
    ws_json_array(&json, "import");
    printf("%-14s %8s %10s %12s\n", "form", "text, MB", "MB/s, core", "memory, MiB");
    for (size_t n = 0; n < sizeof forms / sizeof *forms; n++)
        for (unsigned size = 0; done && size < settings.sizes; size++)
            done = measure_form(&json, &forms[n], settings.megabytes[size]);
    ws_json_end_array(&json);
    ws_json_end_object(&json);
    if (done && settings.json)
        done = ws_file_write(settings.json, text.data, text.length, &error) == WS_STATUS_ok;
    ws_text_free(&text);
    if (!done)
        fprintf(stderr, "import: %s\n", error.message);
    return done ? 0 : 1;
}
