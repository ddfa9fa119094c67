/* A generated launch as text. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "import/generate.h"

enum { PC_STEP = 16, FIELDS_OF_6 = 11, FIRST_LINE = 10 };

struct writing {
    const struct made_launch *launch;
    FILE *stream;
    u32 version;     /* of the tracer, before the dot */
    const char *end; /* of a line */
    bool clusters;
};

/* ---- Header ---- */

static void field(const struct writing *writing, const char *key, const char *value)
{
    const char *const *const replaced = writing->launch->options.replaced;
    const bool other = replaced[0] && strcmp(replaced[0], key) == 0;
    fprintf(writing->stream, "-%s = %s%s", key, other ? replaced[1] : value, writing->end);
}

static void number_field(const struct writing *writing, const char *key, const char *format, u64 value)
{
    char text[32];
    snprintf(text, sizeof text, format, value);
    field(writing, key, text);
}

static void extent_field(const struct writing *writing, const char *key, const u32 *extent)
{
    char text[64];
    snprintf(text, sizeof text, "(%u,%u,%u)", extent[0], extent[1], extent[2]);
    field(writing, key, text);
}

static void write_header(const struct writing *writing)
{
    const struct made_options *const options = &writing->launch->options;
    field(writing, "kernel name", "_Z4madePi");
    number_field(writing, "kernel id", "%" PRIu64, 1);
    extent_field(writing, "grid dim", options->grid);
    extent_field(writing, "block dim", options->block);
    number_field(writing, "shmem", "%" PRIu64, MADE_SHARED_BYTES);
    number_field(writing, "nregs", "%" PRIu64, 32);
    number_field(writing, "binary version", "%" PRIu64, 80);
    number_field(writing, "cuda stream id", "%" PRIu64, 0);
    number_field(writing, "shmem base_addr", "0x%016" PRIx64, MADE_SHARED_BASE);
    number_field(writing, "local mem base_addr", "0x%016" PRIx64, MADE_LOCAL_BASE);
    field(writing, "nvbit version", "1.5.3");
    field(writing, "accelsim tracer version", options->version);
    if (writing->version >= 4)
        field(writing, "enable lineinfo", options->lines ? "1" : "0");
    fprintf(writing->stream, "%s#traces format = made%s%s", writing->end, writing->end, writing->end);
}

/* ---- Records ---- */

/* The addresses of the lanes of mask, ascending. */
static u32 gather(const struct made_record *record, u64 *addresses)
{
    u32 count = 0;
    for (u32 lane = 0; lane < MADE_LANES; lane++)
        if (record->mask >> lane & 1)
            addresses[count++] = record->address[lane];
    return count;
}

/* Whether the tracer would give base and stride: the lanes are consecutive, and their addresses equidistant. A single lane does not
 * count, no lane does. */
static bool has_stride(const struct made_record *record, const u64 *addresses, u32 count)
{
    const u32 run = record->mask ? record->mask >> __builtin_ctz(record->mask) : 0;
    if (run & (run + 1))
        return false;
    for (u32 n = 2; n < count; n++)
        if (addresses[n] - addresses[n - 1] != addresses[1] - addresses[0])
            return false;
    return count != 1;
}

static void write_addresses(const struct writing *writing, const struct made_record *record)
{
    u64 addresses[MADE_LANES] = {0};
    const u32 count = gather(record, addresses);
    const bool compress = writing->launch->options.compress;
    if (compress && has_stride(record, addresses, count)) {
        fprintf(writing->stream, "1 0x%" PRIx64 " %lld ", addresses[0], count ? (long long)(addresses[1] - addresses[0]) : 0);
    } else if (compress && writing->version >= 3) {
        fprintf(writing->stream, "2 0x%" PRIx64 " ", addresses[0]);
        for (u32 n = 1; n < count; n++)
            fprintf(writing->stream, "%lld ", (long long)(addresses[n] - addresses[n - 1]));
    } else {
        fprintf(writing->stream, "0 ");
        for (u32 n = 0; n < count; n++)
            fprintf(writing->stream, "0x%016" PRIx64 " ", addresses[n]);
    }
}

/* Tracers of version 6 list every written register. */
static void write_registers(const struct writing *writing, const struct made_op *op)
{
    const u32 wide = writing->version >= 6 && op->action == MADE_MEMORY && op->bytes > 4 ? op->bytes / 4u : 1;
    fprintf(writing->stream, "%u ", op->writes * wide);
    const bool uniform = writing->clusters && op->action == MADE_PLAIN;
    for (u32 n = 0; n < op->writes * wide; n++)
        fprintf(writing->stream, "R%u ", op->dst + n);
    fprintf(writing->stream, "%s %u ", op->opcode, op->reads + uniform);
    if (uniform)
        fprintf(writing->stream, "UR%u ", op->dst % 64u);
    for (u32 n = 0; n < op->reads; n++)
        fprintf(writing->stream, "R%u ", op->src[n]);
}

static void write_record(const struct writing *writing, const struct made_record *record)
{
    const struct made_op *const op = &writing->launch->op[record->op];
    const bool direct = op->action == MADE_BRANCH || op->action == MADE_JUMP;
    if (writing->launch->options.lines && writing->version >= 4)
        fprintf(writing->stream, "%u ", FIRST_LINE + record->op);
    fprintf(writing->stream, "%04x %08x ", record->op * PC_STEP, record->mask);
    write_registers(writing, op);
    fprintf(writing->stream, "%u ", op->action == MADE_MEMORY ? op->bytes : 0);
    if (op->action == MADE_MEMORY)
        write_addresses(writing, record);
    if (writing->version >= 5)
        fprintf(writing->stream, "%d ", direct ? (int)(op->target[0] * PC_STEP) : op->pattern == MADE_SCATTER ? -16 : 0);
    if (writing->version >= 6 || writing->clusters)
        fprintf(writing->stream, "%d ", writing->clusters && op->pattern == MADE_UNIFORM ? -1 : 0);
    if (writing->version >= 6)
        fprintf(writing->stream, writing->clusters && op->writes ? "Val 1 0x%x " : "NoVal ", record->mask);
    fprintf(writing->stream, "%s", writing->end);
}

/* ---- Warps ---- */

static void block_of(const struct made_launch *launch, u32 block, u32 *at)
{
    const u32 *const grid = launch->options.grid;
    at[0] = block % grid[0];
    at[1] = block / grid[0] % grid[1];
    at[2] = block / grid[0] / grid[1];
}

/* Block and warp, before records of raw files and of the first versions. */
static void write_place(const struct writing *writing, u32 warp)
{
    u32 at[3];
    block_of(writing->launch, warp / writing->launch->warps, at);
    fprintf(writing->stream, "%u %u %u %u ", at[0], at[1], at[2], warp % writing->launch->warps);
    for (u32 n = 4; writing->launch->options.raw && (writing->version >= 6 || writing->clusters) && n < FIELDS_OF_6; n++)
        fprintf(writing->stream, "0 ");
}

static void write_grouped(const struct writing *writing)
{
    const struct made_launch *const launch = writing->launch;
    const char *const end = writing->end;
    for (u32 warp = 0; warp < launch->blocks * launch->warps; warp++) {
        const struct made_warp *const made = &launch->warp[warp];
        u32 at[3];
        block_of(launch, warp / launch->warps, at);
        if (warp % launch->warps == 0)
            fprintf(writing->stream, "%s#BEGIN_TB%s%sthread block = %u,%u,%u%s", end, end, end, at[0], at[1], at[2], end);
        if (warp % launch->warps == 0 && writing->clusters)
            fprintf(writing->stream, "cluster id = %u,%u,%u%scluster cta = 0,0,0%scluster rank = 0%s", at[0], at[1], at[2], end,
                    end, end);
        fprintf(writing->stream, "%swarp = %u%sinsts = %zu%s", end, warp % launch->warps, end, made->count, end);
        for (size_t n = 0; n < made->count; n++) {
            if (writing->version < 3)
                write_place(writing, warp);
            write_record(writing, &made->records[n]);
        }
        if (warp % launch->warps == launch->warps - 1)
            fprintf(writing->stream, "%s#END_TB%s", end, end);
    }
}

/* The warps' records in a random interleaving. */
static bool write_raw(const struct writing *writing)
{
    const struct made_launch *const launch = writing->launch;
    const u32 warps = launch->blocks * launch->warps;
    size_t *const next = calloc(warps, sizeof *next);
    u64 random = ~launch->options.seed;
    u32 going = warps;
    while (next && going > 0) {
        const u32 warp = ws_random_range(&random, 0, warps - 1);
        if (next[warp] == launch->warp[warp].count)
            continue;
        write_place(writing, warp);
        write_record(writing, &launch->warp[warp].records[next[warp]++]);
        going -= next[warp] == launch->warp[warp].count;
    }
    free(next);
    return next;
}

char *made_text(const struct made_launch *launch, size_t *length)
{
    const struct made_options *const options = &launch->options;
    char *text = NULL;
    const struct writing writing = {launch, open_memstream(&text, length), (u32)strtoul(options->version, NULL, 10),
                                    options->crlf ? "\r\n" : "\n", options->clusters && *options->version >= '5'};
    bool fine = writing.stream;
    if (fine) {
        write_header(&writing);
        if (options->raw)
            fine = write_raw(&writing);
        else
            write_grouped(&writing);
        fine = fclose(writing.stream) == 0 && fine;
    }
    if (fine && options->open_end)
        *length -= strlen(writing.end);
    if (fine)
        return text;
    free(text);
    return NULL;
}
