/* Traces recorded on real GPUs: executed instructions and accesses of each thread are preserved exactly, and all can be simulated.
 * They are in the folder NVBIT_TRACES, or in shared/traces next to the source; without either the test is skipped. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "import/paths.h"
#include "test.h"
#include "warpsweep/import.h"
#include "warpsweep/trace.h"

enum { LANES = 32, ROOM = 4096, LINE = 1 << 16 };

static const char trace_file[] = "import_recorded.wst";

struct sums {
    u64 records, lanes;
};

static struct event event_of(const char *opcode)
{
    struct event event = {0};
    const size_t length = strcspn(opcode, ".");
#define SASS(name, class__, kind_, space_)                                                                                         \
    if (strlen(#name) == length && strncmp(opcode, #name, length) == 0)                                                            \
        event = (struct event){WS_CLASS_##class__, WS_KIND_##kind_, WS_SPACE_##space_, 0, 0};
#define MODIFIED(name, modifier, class__, kind_, space_)                                                                           \
    if (strlen(#name) == length && strncmp(opcode, #name, length) == 0 && strstr(opcode, "." #modifier))                           \
        event = (struct event){WS_CLASS_##class__, WS_KIND_##kind_, WS_SPACE_##space_, 0, 0};
#include "import/opcodes.def"
    return event;
}

/* A line of a .traceg of version 3 or 5 whose accesses are in global memory. */
static void add_record(char *line, struct paths *paths, size_t first, struct sums *sums)
{
    char *place;
    strtok_r(line, " ", &place);
    const u32 mask = (u32)strtoul(strtok_r(NULL, " ", &place), NULL, 16);
    for (long n = strtol(strtok_r(NULL, " ", &place), NULL, 10); n > 0; n--)
        strtok_r(NULL, " ", &place);
    struct event event = event_of(strtok_r(NULL, " ", &place));
    for (long n = strtol(strtok_r(NULL, " ", &place), NULL, 10); n > 0; n--)
        strtok_r(NULL, " ", &place);
    event.bytes = (u8)atoi(strtok_r(NULL, " ", &place));
    const int mode = event.bytes ? atoi(strtok_r(NULL, " ", &place)) : 0;
    u64 address = event.bytes && mask ? strtoull(strtok_r(NULL, " ", &place), NULL, 16) : 0, stride = 0;
    if (mode == 1 && mask)
        stride = (u64)strtoll(strtok_r(NULL, " ", &place), NULL, 10);
    sums->records++;
    for (u32 lane = 0, seen = 0; lane < LANES; lane++) {
        if (!(mask >> lane & 1))
            continue;
        sums->lanes++;
        if (event.bytes && seen++ > 0)
            address = mode == 0   ? strtoull(strtok_r(NULL, " ", &place), NULL, 16)
                      : mode == 1 ? address + stride
                                  : address + (u64)strtoll(strtok_r(NULL, " ", &place), NULL, 10);
        event.address = event.bytes ? address : 0;
        if (event.class_ < WS_CLASS_branch || event.class_ == WS_CLASS_barrier)
            paths_add(paths, first + lane, event);
    }
}

static void read_text(const char *file, struct paths *paths, struct sums *sums)
{
    static char line[LINE];
    char command[ROOM + 16];
    unsigned block[3], grid[3], at[3] = {0}, warp = 0, threads = 0;
    snprintf(command, sizeof command, "xz -dc '%s'", file);
    FILE *const stream = popen(command, "r");
    assert_non_null(stream);
    while (fgets(line, sizeof line, stream)) {
        line[strcspn(line, "\n")] = 0;
        sscanf(line, "-grid dim = (%u,%u,%u)", &grid[0], &grid[1], &grid[2]);
        if (sscanf(line, "-block dim = (%u,%u,%u)", &block[0], &block[1], &block[2]) == 3) {
            threads = block[0] * block[1] * block[2];
            paths_make(paths, (size_t)threads * grid[0] * grid[1] * grid[2]);
        }
        sscanf(line, "thread block = %u,%u,%u", &at[0], &at[1], &at[2]);
        sscanf(line, "warp = %u", &warp);
        const size_t number = ((size_t)at[2] * grid[1] + at[1]) * grid[0] + at[0];
        if (strspn(line, "0123456789abcdef") >= 4 && line[strspn(line, "0123456789abcdef")] == ' ')
            add_record(line, paths, number * threads + warp * LANES, sums);
    }
    assert_int_equal(pclose(stream), 0);
}

static void check_file(const char *file)
{
    const struct ws_nvbit_options options = {WS_STRUCT(nvbit_options), .strict = true};
    struct ws_nvbit_report report;
    struct ws_nvbit *nvbit;
    struct paths found, expected;
    struct sums sums = {0};
    EXPECT_OK(ws_nvbit_open(file, &options, &nvbit, &error));
    EXPECT_OK(ws_nvbit_write(nvbit, trace_file, &report, &error));
    ws_nvbit_close(nvbit);
    read_text(file, &expected, &sums);
    paths_read(trace_file, &found);
    paths_compare(&found, &expected);
    assert_int_equal(report.warp_instructions, sums.records);
    assert_int_equal(report.thread_instructions, sums.lanes);
    printf("%s: %llu warp instructions\n", file, (unsigned long long)report.warp_instructions);
    for (u32 n = 0; n < WS_FIRST_PATHS; n++)
        printf("    replayed in order %u of paths: %llu missing and %llu added\n", n, (unsigned long long)report.replays[n].missing,
               (unsigned long long)report.replays[n].added);
    paths_free(&found);
    paths_free(&expected);
    remove(trace_file);
}

static const char *traces_folder(void)
{
    const char *const named = getenv("NVBIT_TRACES");
    return named ? named : SHARED_FOLDER;
}

TEST(threads_of_real_traces_come_back)
{
    static const char *const sets[] = {"bfs-rodinia", "vectoradd"};
    u32 files = 0;
    for (size_t n = 0; n < sizeof sets / sizeof *sets; n++) {
        char list[ROOM];
        struct ws_nvbit_list launches;
        struct ws_error error = {.message = "none"};
        snprintf(list, sizeof list, "%s/%s/kernelslist.g", traces_folder(), sets[n]);
        if (access(list, R_OK) != 0)
            continue;
        if (ws_nvbit_list_read(list, &(struct ws_nvbit_options){WS_STRUCT(nvbit_options)}, &launches, &error) != WS_STATUS_ok)
            fail_msg("%s", error.message);
        for (size_t file = 0; file < launches.count; file++, files++)
            check_file(launches.files[file]);
        ws_nvbit_list_free(&launches);
    }
    if (files == 0) {
        printf("no recorded traces in %s (NVBIT_TRACES names another folder): skipped\n", traces_folder());
        skip();
    }
}
