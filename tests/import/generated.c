/* The trace generator: its text matches its threads' actions, in every version, and the fixture is its current output. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/generate.h"
#include "test.h"

enum { SEEDS = 40, PLACE_FIELDS = 4, PLACE_FIELDS_OF_6 = 11 };

static struct made_options options_of(u64 seed, const char *version)
{
    return (struct made_options){
        .seed = seed, .version = version, .grid = {2, 1, 2}, .block = {20, 2, 1}, .statements = 3, .compress = true};
}

/* Totals of a text's records. */
struct sums {
    u64 records, lanes, partial, empty, pcs, addresses, modes[3], indirect;
};

static const char *words(const char *at, u32 count)
{
    while (count-- > 0) {
        at += strspn(at, " ");
        at += strcspn(at, " \r\n");
    }
    return at + strspn(at, " ");
}

/* Words of a record before its pc. */
static u32 fields_before(const struct made_options *options)
{
    const int version = atoi(options->version);
    const u32 place = options->raw && version >= 6 ? PLACE_FIELDS_OF_6 : options->raw || version < 3 ? PLACE_FIELDS : 0;
    return place + (options->lines && version >= 4);
}

/* Adds the addresses of a record at their format, which is advanced past them. Each but the first may be a step from the one
 * before. */
static void add_addresses(const char **at, u32 lanes, struct sums *sums)
{
    const int mode = atoi(*at);
    u64 address = strtoull(*at = words(*at, 1), NULL, 16), stride = 0;
    *at = words(*at, mode != 0 || lanes > 0);
    if (mode == 1) {
        stride = (u64)strtoll(*at, NULL, 10);
        *at = words(*at, 1);
    }
    for (u32 n = 0; n < lanes; n++) {
        if (mode != 1 && n > 0) {
            address = mode == 0 ? strtoull(*at, NULL, 16) : address + (u64)strtoll(*at, NULL, 10);
            *at = words(*at, 1);
        }
        sums->addresses += address + n * stride;
    }
    sums->modes[mode]++;
}

static u32 count_words(const char *at)
{
    u32 count = 0;
    for (; *(at += strspn(at, " \r")); at += strcspn(at, " \r"))
        count++;
    return count;
}

static void add_record(const char *pc, int version, struct sums *sums)
{
    const u32 mask = (u32)strtoul(words(pc, 1), NULL, 16), writes = (u32)strtoul(words(pc, 2), NULL, 10);
    const char *at = words(pc, 4 + writes);
    at = words(at, 1 + (u32)strtoul(at, NULL, 10));
    const bool accesses = *at != '0';
    at = words(at, 1);
    if (accesses)
        add_addresses(&at, (u32)__builtin_popcount(mask), sums);
    assert_int_equal(count_words(at), version < 5 ? 0 : version < 6 ? 1 : 3);
    sums->records++;
    sums->lanes += (u64)__builtin_popcount(mask);
    sums->partial += mask != 0 && (mask & (mask + 1)) != 0;
    sums->empty += mask == 0;
    sums->pcs += strtoul(pc, NULL, 16);
    sums->indirect += strstr(pc, " BRX ") != NULL;
}

/* What the threads did. */
static struct sums sums_of(const struct made_launch *launch)
{
    struct sums sums = {0};
    for (u32 n = 0; n < launch->blocks * launch->threads; n++) {
        const struct made_thread *const thread = &launch->thread[n];
        sums.lanes += thread->executed;
        for (size_t m = 0; m < thread->count; m++) {
            const struct made_access *const access = &thread->accesses[m];
            const bool generic = launch->op[access->op].space == WS_SPACE_none;
            sums.addresses += access->address;
            sums.addresses += generic && access->space == WS_SPACE_shared ? MADE_SHARED_BASE : 0;
            sums.addresses += generic && access->space == WS_SPACE_local ? MADE_LOCAL_BASE : 0;
        }
    }
    return sums;
}

/* A line that begins with a digit is a record, and no other line. */
static struct sums sum(const struct made_options *options)
{
    struct sums sums = {0};
    size_t length;
    struct made_launch *const launch = made_launch(options);
    char *const text = launch ? made_text(launch, &length) : NULL;
    assert_non_null(text);
    const struct sums made = sums_of(launch);
    text[length - 1] = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        if (*line >= '0' && *line <= '9')
            add_record(words(line, fields_before(options)), atoi(options->version), &sums);
    assert_int_equal(sums.lanes, made.lanes);
    assert_true(sums.addresses == made.addresses);
    free(text);
    made_free(launch);
    return sums;
}

TEST(masks_hold_what_threads_execute)
{
    static const char *const versions[] = {"1.2", "3", "4", "5", "6"};
    for (u64 seed = 0; seed < SEEDS; seed++) {
        struct made_options options = options_of(seed, versions[seed % 5]);
        options.lines = seed % 2;
        const struct sums grouped = sum(&options);
        options.raw = true;
        options.crlf = true;
        const struct sums raw = sum(&options);
        assert_memory_equal(&grouped, &raw, sizeof raw);
    }
}

TEST(kernels_have_what_is_hard)
{
    struct sums all = {0};
    for (u64 seed = 0; seed < SEEDS; seed++) {
        struct made_options options = options_of(seed, "5");
        options.indirect = true;
        const struct sums one = sum(&options);
        for (u32 n = 0; n < 3; n++)
            all.modes[n] += one.modes[n];
        all.partial += one.partial;
        all.empty += one.empty;
        all.indirect += one.indirect;
    }
    assert_true(all.partial > 1000 && all.empty > 100 && all.indirect > 20);
    assert_true(all.modes[0] == 0 && all.modes[1] > 500 && all.modes[2] > 500);
}

/* The first versions have no differences; without compression there are only addresses. */
TEST(formats_of_addresses_follow_the_options)
{
    for (u64 seed = 0; seed < SEEDS; seed++) {
        struct made_options options = options_of(seed, "1.2");
        assert_int_equal(sum(&options).modes[2], 0);
        options = options_of(seed, "3");
        options.compress = false;
        const struct sums sums = sum(&options);
        assert_int_equal(sums.modes[1] + sums.modes[2], 0);
    }
}

/* ---- Fixture ---- */

static const struct {
    const char *file;
    struct made_options options;
} fixtures[] = {
    {"kernel-1.traceg", {.seed = 4, .version = "5", .grid = {2, 1, 1}, .block = {40, 1, 1}, .statements = 1, .compress = true}},
    {"kernel-2.trace",
     {.seed = 9, .version = "3", .grid = {1, 2, 1}, .block = {8, 6, 1}, .statements = 1, .raw = true, .compress = true}},
    {"kernel-3.traceg",
     {.seed = 2, .version = "6", .grid = {1, 1, 1}, .block = {33, 1, 1}, .statements = 1, .lines = true, .crlf = true}},
};

static char *read_file(const char *path, size_t *length)
{
    char *text = NULL;
    FILE *const from = fopen(path, "rb"), *const to = open_memstream(&text, length);
    assert_non_null(to);
    for (int byte; from && (byte = getc(from)) != EOF;)
        putc(byte, to);
    fclose(to);
    if (from)
        fclose(from);
    return text;
}

static void write_file(const char *path, const char *text, size_t length)
{
    FILE *const to = fopen(path, "wb");
    assert_non_null(to);
    assert_int_equal(fwrite(text, 1, length, to), length);
    assert_int_equal(fclose(to), 0);
}

TEST(the_fixture_is_made)
{
    for (size_t n = 0; n < sizeof fixtures / sizeof *fixtures; n++) {
        char path[4096];
        size_t length, stored_length;
        struct made_launch *const launch = made_launch(&fixtures[n].options);
        assert_non_null(launch);
        char *const text = made_text(launch, &length);
        snprintf(path, sizeof path, "%s/%s", FIXTURE_FOLDER, fixtures[n].file);
        if (getenv("WS_FIXTURE_WRITE"))
            write_file(path, text, length);
        char *const stored = read_file(path, &stored_length);
        if (stored_length != length || memcmp(stored, text, length) != 0)
            fail_msg("%s is not what the generator makes; WS_FIXTURE_WRITE=1 writes it", path);
        free(stored);
        free(text);
        made_free(launch);
    }
}
