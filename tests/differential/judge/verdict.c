#include "differential/judge/verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "base/file.h"
#include "base/folder.h"
#include "differential/oracle_digest.h"
#include "oracle/allocate.h"
#include "oracle/oracle.h"
#include "oracle/trial.h"

enum { SHOWN_COUNTERS = 8, LONGEST_PATH = 1000 };

static const char verdicts_folder[] = WS_VERDICTS_FOLDER "/" WS_ORACLE_DIGEST;

/* A digest of the oracle's input. */
static u64 digest_of(const struct random_case *random_case)
{
    const struct ws_image *const image = random_case->image;
    const u32 sizes[] = {image->instructions,     image->blocks,    image->block_threads,
                         image->groups_per_block, image->registers, image->shared_bytes};
    XXH3_state_t *const state = XXH3_createState();
    XXH3_64bits_reset(state);
    XXH3_64bits_update(state, &random_case->machine, sizeof random_case->machine);
    XXH3_64bits_update(state, sizes, sizeof sizes);
    XXH3_64bits_update(state, image->program, image->instructions * sizeof *image->program);
    XXH3_64bits_update(state, image->operands, image->instructions * sizeof *image->operands);
    XXH3_64bits_update(state, image->groups, (size_t)image->blocks * image->groups_per_block * sizeof *image->groups);
    XXH3_64bits_update(state, image->words, image->word_count * sizeof *image->words);
    const u64 digest = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    return digest;
}

static size_t bytes_of_times(const struct verdict *verdict)
{
    return verdict->block_count * sizeof *verdict->times + verdict->warp_count * sizeof *verdict->warps;
}

/* The file has status, counters, times; a file of another length is ignored. */
static bool read_verdict(const char *path, struct verdict *verdict)
{
    const size_t times = bytes_of_times(verdict), counters = sizeof verdict->counters;
    struct ws_error error;
    size_t length;
    u64 status;
    char *data;
    if (ws_file_read(path, sizeof status + counters + times, &data, &length, &error) != WS_STATUS_ok)
        return false;
    const bool whole = length == sizeof status + counters + times;
    if (whole) {
        memcpy(&status, data, sizeof status);
        memcpy(verdict->counters, data + sizeof status, counters);
        memcpy(verdict->times, data + sizeof status + counters, times);
        verdict->status = (enum ws_status)status;
    }
    free(data);
    return whole;
}

/* If the file cannot be written, the result is computed again next time. WS_CASES may ask for millions of cases. */
static void write_verdict(const char *path, const struct verdict *verdict)
{
    if (getenv("WS_CASES"))
        return;
    const size_t times = bytes_of_times(verdict), counters = sizeof verdict->counters;
    const u64 status = verdict->status;
    struct ws_error error;
    char *const data = oracle_allocate(sizeof status + counters + times, 1);
    memcpy(data, &status, sizeof status);
    memcpy(data + sizeof status, verdict->counters, counters);
    memcpy(data + sizeof status + counters, verdict->times, times);
    if (ws_folder_make(verdicts_folder, &error) == WS_STATUS_ok)
        (void)ws_file_write(path, data, sizeof status + counters + times, &error);
    free(data);
}

static void ask_oracle(const struct random_case *random_case, struct verdict *verdict)
{
    struct oracle_log log = {.want_invariants = true, .want_pending = true};
    verdict->status = oracle_run(&random_case->machine, random_case->image, verdict->counters, &log);
    if (log.violation[0])
        fprintf(stderr, "  oracle, WS_SEED=%llu: %s\n", (unsigned long long)random_case->seed, log.violation);
    memcpy(verdict->times, log.times, verdict->block_count * sizeof *verdict->times);
    memcpy(verdict->warps, log.warps, verdict->warp_count * sizeof *verdict->warps);
    oracle_log_free(&log);
}

void verdict_make(const struct random_case *random_case, struct verdict *verdict)
{
    const u32 size = random_case->machine.core_warp_size;
    char path[LONGEST_PATH];
    snprintf(path, sizeof path, "%s/%016llx", verdicts_folder, (unsigned long long)digest_of(random_case));
    verdict->block_count = random_case->image->blocks;
    verdict->warp_count = verdict->block_count * ((random_case->image->block_threads + size - 1) / size);
    verdict->times = oracle_allocate(bytes_of_times(verdict), 1);
    verdict->warps = (struct ws_warp_time *)(verdict->times + verdict->block_count);
    if (read_verdict(path, verdict))
        return;
    ask_oracle(random_case, verdict);
    if (verdict->status != WS_STATUS_internal) /* not cached: each run repeats its message */
        write_verdict(path, verdict);
}

void verdict_free(struct verdict *verdict)
{
    free(verdict->times);
}

u64 verdict_most_cycles(const struct verdict *verdict)
{
    return 10 * verdict->counters[WS_COUNT_cycles] + 1000;
}

static bool counters_agree(const struct verdict *verdict, const u64 *found, bool shown)
{
    u64 expected[WS_COUNTERS];
    u32 differences = 0;
    memcpy(expected, verdict->counters, sizeof expected);
    pending_clear(expected);
    for (u32 i = 0; i < WS_COUNTERS; i++) {
        if (expected[i] == found[i] || !counters_specified(verdict->status))
            continue;
        if (shown && differences < SHOWN_COUNTERS)
            fprintf(stderr, "    %s: %llu by the oracle, %llu by the engine\n", counter_name(i), (unsigned long long)expected[i],
                    (unsigned long long)found[i]);
        differences++;
    }
    return differences == 0;
}

static bool agrees(const char *what, size_t n, u64 expected, u64 found, bool shown)
{
    if (shown && expected != found)
        fprintf(stderr, "    %s %zu: %llu by the oracle, %llu by the engine\n", what, n, (unsigned long long)expected,
                (unsigned long long)found);
    return expected == found;
}

static bool times_agree(const struct verdict *verdict, const struct ws_job_result *result, bool shown)
{
    bool same = true;
    for (size_t n = 0; result->times && same && n < verdict->block_count; n++) {
        const struct ws_block_time *const expected = &verdict->times[n], *const found = &result->times[n];
        same = agrees("entry of block", n, expected->entered, found->entered, shown) &&
               agrees("end of block", n, expected->ended, found->ended, shown);
    }
    for (size_t n = 0; result->times && same && n < verdict->warp_count; n++) {
        const struct ws_warp_time *const expected = &verdict->warps[n], *const found = &result->warps[n];
        same = agrees("entry of warp", n, expected->entered, found->entered, shown) &&
               agrees("end of warp", n, expected->ended, found->ended, shown) &&
               agrees("packets of warp", n, expected->packets, found->packets, shown) &&
               agrees("misses in l1 of warp", n, expected->l1_misses, found->l1_misses, shown) &&
               agrees("misses of constants of warp", n, expected->constant_misses, found->constant_misses, shown) &&
               agrees("misses of textures of warp", n, expected->texture_misses, found->texture_misses, shown);
    }
    return same;
}

bool verdict_agrees(const struct verdict *verdict, const struct ws_job_result *result, bool shown)
{
    if (verdict->status != result->status) {
        if (shown)
            fprintf(stderr, "    status: %s by the oracle, %s by the engine %s\n", ws_status_name(verdict->status),
                    ws_status_name(result->status), ws_job_reason(result));
        return false;
    }
    const bool counters = counters_agree(verdict, result->counters, shown);
    return (verdict->status != WS_STATUS_ok || times_agree(verdict, result, shown)) && counters;
}
